/* What the board keeps through power cuts: its settings with a checksum, and the number of its boots. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

#define HOLD_US 500 /* between a glitch of 200 us and the shortest real pulse of 1 ms */
#define HOLD_LEAST_US 250
#define HOLD_MOST_US 2000
#define BEAT_MS 250 /* five of them fit into the 1.4 s after which the host calls the board silent */
#define BEAT_LEAST_MS 100
#define BEAT_MOST_MS 1000

typedef struct {
    uint32_t board;      /* id; 0 until the host has given one */
    uint16_t fitted;     /* a bit for each input that has a sensor */
    uint16_t active_low; /* a bit for each input whose sensor pulls down */
    uint16_t hold_us;
    uint16_t beat_ms;
} __attribute__((packed)) settings_t;

extern settings_t settings;

void settings_load(void);      /* from EEPROM; what has no right checksum gives way to the defaults */
void settings_save(void);      /* begins to save; settings_work goes on with it */
uint8_t settings_work(void);   /* writes at most one byte and never waits; true while there is more to do */
uint16_t settings_boot(void);  /* this boot's number */
uint8_t settings_boot_kept(void); /* true once it is there for good */
uint8_t settings_change(char key, uint32_t value); /* DONE or why not */

#endif
