#include "inputs.h"

#include <util/atomic.h>

#include "board.h"
#include "ring.h"
#include "settings.h"

static uint16_t seen;    /* as the pins were when last looked at; 1 = active */
static uint16_t stable;  /* as reported */
static uint16_t waiting; /* differs from stable since `since`, and has not yet held for long enough */
static uint32_t since[INPUTS];

static uint16_t look(void) { return (board_read_inputs() ^ settings.active_low) & settings.fitted; }

static void report(uint8_t input, stamp_t now) {
    const uint16_t bit = (uint16_t)1 << input;
    stamp_t began = now;
    began.low = since[input];
    if (began.low > now.low)
        began.high--;
    stable ^= bit;
    waiting &= ~bit;
    ring_put_edge(input, (stable & bit) != 0, began);
}

void inputs_settle(stamp_t now) {
    while (waiting) { /* the one that has waited longest goes first: edges are numbered in the order of time */
        uint32_t longest = 0;
        uint8_t first = INPUTS;
        uint16_t bit = 1;
        for (uint8_t i = 0; i < INPUTS; i++, bit <<= 1) {
            if (waiting & bit) {
                const uint32_t held = now.low - since[i];
                if (held >= settings.hold_us && (first == INPUTS || held > longest)) {
                    longest = held;
                    first = i;
                }
            }
        }
        if (first == INPUTS)
            return;
        report(first, now);
    }
}

static void __attribute__((noinline)) changed(void) {
    const stamp_t now = clock_now();
    const uint16_t level = look();
    const uint16_t differs = level ^ seen;
    inputs_settle(now);
    seen = level;
    uint16_t bit = 1;
    for (uint8_t i = 0; i < INPUTS; i++, bit <<= 1) {
        if (!(differs & bit))
            continue;
        if ((level ^ stable) & bit) {
            waiting |= bit;
            since[i] = now.low;
        } else {
            waiting &= ~bit; /* back before it had held: a glitch */
        }
    }
}

PINS_CHANGED(changed)

void inputs_reconfigure(void) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        board_set_up_pins(settings.active_low & settings.fitted);
        waiting = 0;
    }
    for (volatile uint8_t i = 0; i < 50; i++) { /* some microseconds for the pull-ups */
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        seen = look();
        stable &= settings.fitted;
        waiting = seen ^ stable;
        for (uint8_t i = 0; i < INPUTS; i++)
            since[i] = clock_now().low;
    }
}

void inputs_begin(void) {
    inputs_reconfigure();
    board_listen_to_pins();
}

uint16_t inputs_levels(void) {
    uint16_t levels;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { levels = seen; }
    return levels;
}
