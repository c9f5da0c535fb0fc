#include "inputs.h"

#include <util/atomic.h>

#include "board.h"
#include "ring.h"
#include "settings.h"

static uint16_t seen;   /* as the pins were when last looked at; 1 = active */
static uint16_t stable; /* as reported */

/* Inputs that differ from `stable` and have not yet held for long enough, the longest first: edges are numbered in the
 * order of time. No search, for this runs with interrupts off: while it does, glitches elsewhere look longer. */
static uint8_t waiting[INPUTS];
static uint8_t waiting_count;
static uint16_t since[INPUTS]; /* the low half of the microseconds: no input waits for 65 ms */

/* A comparator at its threshold, or a pin that nothing holds, changes so often that nothing else would ever be done, not
 * even the clock's overflow counted. Who changes too often is not listened to until the next millisecond, and begins anew. */
#define CHANGES_MOST 4 /* of one input in a millisecond: a puck makes one */
#define LOOKS_MOST 6   /* at all of them in a millisecond: beyond it who changes is not listened to, */
#define LOOKS_END 8    /* and then nobody */
static uint8_t changes[INPUTS], looks;
static uint8_t changed_last; /* the input to blame where all are as they were: one has changed and come back */
static uint16_t unheard; /* inputs that are not listened to until the next millisecond */

static uint16_t look(void) { return (board_read_inputs() ^ settings.active_low) & settings.fitted; }

static void report(uint8_t input, uint16_t held, stamp_t now) {
    const uint16_t bit = (uint16_t)1 << input;
    stamp_t began = now;
    began.low -= held;
    if (began.low > now.low)
        began.high--;
    stable ^= bit;
    ring_put_edge(input, (stable & bit) != 0, began);
}

/* Forgets those between `from` and `to` that wait. */
static void drop(uint8_t from, uint8_t to) {
    while (to < waiting_count)
        waiting[from++] = waiting[to++];
    waiting_count = from;
}

static void settle(stamp_t now) {
    uint8_t done = 0;
    while (done < waiting_count) {
        const uint8_t input = waiting[done];
        const uint16_t held = (uint16_t)now.low - since[input];
        if (held < settings.hold_us)
            break;
        report(input, held, now);
        done++;
    }
    if (done)
        drop(0, done);
}

static void begin_to_wait(uint8_t input, uint16_t now) {
    waiting[waiting_count++] = input;
    since[input] = now;
}

/* Back before it had held: a glitch. */
static void give_up(uint8_t input) {
    for (uint8_t i = 0; i < waiting_count; i++) {
        if (waiting[i] == input) {
            drop(i, i + 1);
            return;
        }
    }
}

static void hear_no_more(uint8_t input) {
    unheard |= (uint16_t)1 << input;
    give_up(input);
}

static void __attribute__((noinline)) changed(void) {
    const stamp_t now = clock_now();
    const uint16_t level = (look() & ~unheard) | (seen & unheard), heard = unheard;
    uint16_t differs = level ^ seen;
    settle(now);
    seen = level;
    looks++;
    if (!differs && ++changes[changed_last] >= CHANGES_MOST)
        hear_no_more(changed_last);
    uint16_t bit = 1;
    for (uint8_t i = 0; differs; i++, bit <<= 1) {
        if (!(differs & bit))
            continue;
        differs &= ~bit;
        changed_last = i;
        if (++changes[i] >= CHANGES_MOST || looks > LOOKS_MOST)
            hear_no_more(i);
        else if ((level ^ stable) & bit)
            begin_to_wait(i, (uint16_t)now.low);
        else
            give_up(i);
    }
    if (looks >= LOOKS_END)
        unheard = ALL_INPUTS;
    if (unheard != heard)
        board_listen_to(settings.fitted & ~unheard);
}

/* What was not listened to may have changed in between: it has held since now at most. */
static void hear_again(stamp_t now) {
    uint16_t bit = 1;
    board_listen_to(settings.fitted); /* first, or a change after the look would be missed */
    const uint16_t level = look(), differs = level ^ seen;
    seen = level;
    for (uint8_t i = 0; i < INPUTS; i++, bit <<= 1) {
        if (!(unheard & bit) || (!changes[i] && !(differs & bit)))
            continue;
        give_up(i);
        if ((level ^ stable) & bit)
            begin_to_wait(i, (uint16_t)now.low);
    }
    unheard = 0;
}

void inputs_tick(stamp_t now) {
    if (unheard)
        hear_again(now);
    settle(now);
    if (!looks)
        return;
    looks = 0;
    for (uint8_t i = 0; i < INPUTS; i++)
        changes[i] = 0;
}

PINS_CHANGED(changed)

void inputs_reconfigure(void) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        board_set_up_pins((settings.active_low & settings.fitted) | (ALL_INPUTS & ~settings.fitted)); /* none floats */
        board_listen_to(settings.fitted);
        unheard = 0;
        waiting_count = 0;
    }
    for (volatile uint8_t i = 0; i < 50; i++) { /* some microseconds for the pull-ups */
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        const uint16_t now = (uint16_t)clock_now().low;
        seen = look();
        stable &= settings.fitted;
        waiting_count = 0;
        for (uint8_t i = 0; i < INPUTS; i++) {
            if ((seen ^ stable) >> i & 1)
                begin_to_wait(i, now);
        }
    }
}

void inputs_begin(void) {
    inputs_reconfigure(); /* listens first: a change between a look and listening would be missed until another came */
}

uint16_t inputs_levels(void) {
    uint16_t levels;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { levels = seen; }
    return levels;
}
