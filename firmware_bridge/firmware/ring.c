#include "ring.h"

#include <util/atomic.h>

#include "protocol.h"

static event_t events[RING_SIZE];
static volatile uint16_t first = FIRST_SEQUENCE, next = FIRST_SEQUENCE;
static uint32_t lost; /* edges that found no room since the last event, not yet told */
static stamp_t lost_at;

static void put(uint16_t what, stamp_t at) {
    event_t *slot = &events[next & (RING_SIZE - 1)];
    slot->at = at;
    slot->what = what;
    next++;
}

static uint8_t room(void) { return (uint8_t)(RING_SIZE - (uint16_t)(next - first)); }

/* Keeps `spare` places free; more than one gap can tell are told by several. */
static void tell_lost(uint8_t spare) {
    while (lost && room() > spare) {
        const uint16_t told = lost < GAP_MOST ? (uint16_t)lost : GAP_MOST;
        put(GAP_FLAG | told, lost_at);
        lost -= told;
    }
}

void ring_put_edge(uint8_t input, uint8_t state, stamp_t at) {
    tell_lost(1); /* what was lost before goes in only with the edge behind it: a gap alone would lose another one */
    if (!lost && room()) {
        put((uint16_t)input << 1 | state, at);
        return;
    }
    if (!lost)
        lost_at = at;
    lost++;
}

uint16_t ring_first(void) {
    uint16_t sequence;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { sequence = first; }
    return sequence;
}

uint16_t ring_next(void) {
    uint16_t sequence;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { sequence = next; }
    return sequence;
}

uint8_t ring_read(uint16_t sequence, event_t *out) {
    uint8_t there;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        there = (uint16_t)(sequence - first) < (uint16_t)(next - first);
        if (there)
            *out = events[sequence & (RING_SIZE - 1)];
    }
    return there;
}

uint8_t ring_acknowledge(uint16_t sequence) {
    uint8_t any;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        any = (uint16_t)(sequence - first) < (uint16_t)(next - first);
        if (any)
            first = sequence + 1;
        if (any)
            tell_lost(0); /* at once: perhaps nothing else happens for an hour */
    }
    return any;
}
