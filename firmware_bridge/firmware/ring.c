#include "ring.h"

#include <util/atomic.h>

#include "protocol.h"

static event_t events[RING_SIZE];
static volatile uint16_t first = FIRST_SEQUENCE, next = FIRST_SEQUENCE;
static uint16_t lost; /* edges that found no room since the last event, not yet told */
static stamp_t lost_at;

static void put(uint16_t what, stamp_t at) {
    event_t *slot = &events[next & (RING_SIZE - 1)];
    slot->at = at;
    slot->what = what;
    next++;
}

static uint8_t room(void) { return (uint8_t)(RING_SIZE - (uint16_t)(next - first)); }

static void tell_lost(void) {
    put(GAP_FLAG | lost, lost_at);
    lost = 0;
}

void ring_put_edge(uint8_t input, uint8_t state, stamp_t at) {
    if (lost && (room() > 1 || lost == GAP_MOST) && room())
        tell_lost();
    if (!lost && room()) {
        put((uint16_t)input << 1 | state, at);
        return;
    }
    if (!lost)
        lost_at = at;
    if (lost < GAP_MOST)
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
        if (any && lost) /* tell at once that some were lost: perhaps nothing else happens for an hour */
            tell_lost();
    }
    return any;
}
