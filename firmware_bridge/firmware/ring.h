/* What happened and is not yet acknowledged, oldest first. Filled by interrupts, read by the main loop. */
#ifndef RING_H
#define RING_H

#include "clock.h"

#define RING_SIZE 128 /* a power of two */
#define GAP_FLAG 0x8000u
#define GAP_MOST 0x7FFFu /* edges that one gap can tell */

typedef struct {
    stamp_t at;
    uint16_t what; /* an edge: input << 1 | state; a gap: GAP_FLAG | edges lost */
} __attribute__((packed)) event_t;

void ring_put_edge(uint8_t input, uint8_t state, stamp_t at); /* interrupts must be off */

uint16_t ring_first(void);                          /* sequence of the oldest event that is kept */
uint16_t ring_next(void);                           /* sequence that the next event will have */
uint8_t ring_read(uint16_t sequence, event_t *out); /* false where there is no such event */
uint8_t ring_acknowledge(uint16_t sequence);        /* forgets it and all before; true where that was any */

#endif
