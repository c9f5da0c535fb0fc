// For the Arduino IDE, which wants a file of the folder's name. The program is in main.c beside it.
