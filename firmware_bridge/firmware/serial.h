/* The serial line: bytes in are kept until asked for, one line out at a time; nothing here ever waits. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdint.h>

void serial_begin(void);
int16_t serial_take(void);            /* the next byte from the host, or -1 */
uint16_t serial_overruns(void);       /* bytes from the host that found no room */
char *serial_line(void);              /* where the next line may be written, LINE_MAX bytes; NULL while one goes out */
void serial_send(uint8_t length);     /* sends what was written there */

#endif
