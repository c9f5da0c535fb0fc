/* The board's time: microseconds since boot, 40 bits of them (12.7 days), from timer 1. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

typedef struct {
    uint32_t low;
    uint8_t high;
} __attribute__((packed)) stamp_t;

void clock_begin(void);
stamp_t clock_now(void);            /* interrupts must be off */
uint16_t clock_milliseconds(void);  /* counts on and wraps */

#endif
