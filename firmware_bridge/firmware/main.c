/* The sensor board of Paleo Companion: tells the host of every edge, and again until the host has it for good. */
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stddef.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "inputs.h"
#include "protocol.h"
#include "ring.h"
#include "serial.h"
#include "settings.h"

#define RESEND_MS 30       /* a line takes 4 ms, a journal some 20 ms to commit */
#define RESEND_SLOW_MS 250 /* while no host answers */
#define RESEND_SOON_MS 8   /* when the host has seen something damaged */
#define HOST_GONE_MS 2000
#define WATCHDOG WDTO_500MS
#define BLINK_SLOW_BIT 9 /* of the milliseconds: half a second on, half a second off */
#define BLINK_FAST_BIT 7
#define RESTART_WORD 0xB007
#define COUNTERS_BEATS 4 /* the counters come with every fourth heartbeat */

static uint8_t reset_cause __attribute__((section(".noinit")));

static reader_t reader;
static uint16_t send_next = FIRST_SEQUENCE;  /* the event that goes out next */
static uint16_t sent_until = FIRST_SEQUENCE; /* events before it have gone out at least once */
static uint16_t resent, heard_ms, rewound_ms, beat_ms;
static uint16_t command_number, commands_done, commands_refused;
static uint32_t command_check;
static uint8_t oldest_due; /* the oldest event goes out again, out of turn */
static uint8_t command_why, commanded, host_there, damage_seen, hello_due = 1, beat_due = 1, counters_due, answer_due, restarting;
static uint8_t lights[SIDES];

/* Before main: why the chip was reset, and no watchdog until it is wanted. */
void keep_reset_cause(void) __attribute__((naked, used, section(".init3")));
void keep_reset_cause(void) {
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* -- lines to the host: each is written when the line is free, so that its stamp is that of its first byte -- */

static stamp_t now_stamp(void) {
    stamp_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = clock_now(); }
    return now;
}

static void begin(writer_t *w, char *buffer, char kind) {
    line_begin(w, buffer, kind);
    if (kind == 'H')
        line_hex(w, PROTOCOL_VERSION, 2);
    line_hex(w, settings.board, 8);
    line_hex(w, settings_boot(), 4);
}

static void put_queue(writer_t *w, stamp_t now) {
    line_micros(w, now.high, now.low);
    line_hex(w, ring_first(), 4);
    line_hex(w, ring_next(), 4);
}

static void write_hello(writer_t *w, char *buffer) {
    begin(w, buffer, 'H');
    put_queue(w, now_stamp());
    line_hex(w, FIRMWARE_VERSION, 4);
    line_hex(w, settings.fitted, 4);
    line_hex(w, settings.active_low, 4);
    line_hex(w, settings.hold_us, 4);
    line_hex(w, settings.beat_ms, 4);
    line_hex(w, reset_cause, 2);
}

static void write_beat(writer_t *w, char *buffer) {
    begin(w, buffer, 'B');
    put_queue(w, now_stamp());
    line_hex(w, inputs_levels(), 4);
}

static void write_counters(writer_t *w, char *buffer) {
    begin(w, buffer, 'C');
    line_hex(w, resent, 4);
    line_hex(w, reader.damaged, 4);
    line_hex(w, serial_overruns(), 4);
}

static void write_answer(writer_t *w, char *buffer) {
    begin(w, buffer, 'K');
    line_hex(w, command_number, 4);
    line_hex(w, commands_done, 4);
    line_hex(w, commands_refused, 4);
    line_hex(w, command_why, 2);
}

static uint8_t write_event(writer_t *w, char *buffer) {
    event_t event;
    const uint16_t sequence = oldest_due ? ring_first() : send_next;
    const uint8_t in_turn = sequence == send_next;
    oldest_due = 0;
    if (!ring_read(sequence, &event))
        return 0;
    begin(w, buffer, event.what & GAP_FLAG ? 'G' : 'E');
    line_hex(w, sequence, 4);
    line_micros(w, event.at.high, event.at.low);
    if (event.what & GAP_FLAG) {
        line_hex(w, event.what & GAP_MOST, 4);
    } else {
        line_hex(w, event.what >> 1, 1);
        line_hex(w, event.what & 1, 1);
    }
    if (sequence == sent_until)
        sent_until++;
    else
        resent++;
    send_next += in_turn;
    return 1;
}

/* After a while without an acknowledgement, all that is not acknowledged goes out again, oldest first. A full ring takes
 * most of a second to go out: meanwhile the oldest, for which all the others wait, goes out again and again between. */
static void rewind_when_due(uint16_t ms) {
    const uint16_t patience = damage_seen ? RESEND_SOON_MS : host_there ? RESEND_MS : RESEND_SLOW_MS;
    const uint16_t first = ring_first();
    if (send_next == first) {
        rewound_ms = ms;
        damage_seen = 0;
    } else if ((uint16_t)(ms - rewound_ms) >= patience) {
        if (send_next == ring_next())
            send_next = first;
        else
            oldest_due = 1;
        rewound_ms = ms;
        damage_seen = 0;
    }
}

static void speak(uint16_t ms) {
    char *buffer = serial_line();
    writer_t w;
    if (buffer == NULL || !settings_boot_kept()) /* a boot that EEPROM does not know may come again: it says nothing */
        return;
    if ((uint16_t)(ms - beat_ms) >= settings.beat_ms) {
        beat_ms = ms;
        beat_due = 1;
        counters_due++;
    }
    rewind_when_due(ms);
    if (hello_due) {
        write_hello(&w, buffer);
        hello_due = 0;
    } else if (beat_due) {
        write_beat(&w, buffer);
        beat_due = 0;
    } else if (counters_due >= COUNTERS_BEATS) {
        write_counters(&w, buffer);
        counters_due = 0;
    } else if (answer_due) {
        write_answer(&w, buffer);
        answer_due = 0;
    } else if (!write_event(&w, buffer)) {
        return;
    }
    serial_send(line_end(&w));
}

/* -- commands from the host -- */

static void acknowledge(uint16_t boot, uint16_t sequence) {
    uint16_t first;
    if (boot != settings_boot() || !ring_acknowledge(sequence))
        return;
    first = ring_first();
    if ((int16_t)(send_next - first) < 0)
        send_next = first;
    rewound_ms = clock_milliseconds();
}

static uint8_t carry_out(void) {
    const uint32_t *f = reader.fields;
    if (reader.kind == 'L') {
        if (reader.count != 3)
            return BAD_FIELDS;
        if (f[1] >= SIDES || f[2] > 3)
            return OUT_OF_RANGE;
        lights[f[1]] = (uint8_t)f[2];
        return DONE;
    }
    if (reader.kind == 'S')
        return reader.count == 3 ? settings_change((char)f[1], f[2]) : BAD_FIELDS;
    if (reader.kind == 'R') {
        if (reader.count != 2 || f[1] != RESTART_WORD)
            return BAD_FIELDS;
        restarting = 1;
        return DONE;
    }
    return UNKNOWN_COMMAND;
}

/* A numbered command is carried out once, however often it comes; each time it is answered. The checksum tells it from
 * the next host's command of the same number. */
static void command(void) {
    uint8_t why;
    answer_due = 1;
    if (commanded && reader.check == command_check)
        return;
    commanded = 1;
    command_check = reader.check;
    command_number = reader.count ? (uint16_t)reader.fields[0] : 0;
    why = carry_out();
    if (why == DONE) {
        commands_done++;
    } else {
        commands_refused++;
        command_why = why;
    }
}

static void listen(uint16_t ms) {
    int16_t byte;
    while ((byte = serial_take()) >= 0) {
        if (!reader_take(&reader, (char)byte))
            continue;
        host_there = 1;
        heard_ms = ms;
        if (reader.kind == 'A' && reader.count == 2)
            acknowledge((uint16_t)reader.fields[0], (uint16_t)reader.fields[1]);
        else if (reader.kind == 'Q')
            hello_due = 1;
        else if (reader.kind == 'P')
            beat_due = 1;
        else if (reader.kind == 'N')
            damage_seen = 1;
        else
            command();
    }
    if (host_there && (uint16_t)(ms - heard_ms) > HOST_GONE_MS)
        host_there = 0;
}

/* -- lights, sleep -- */

static void light(uint16_t ms) {
    const uint8_t on[4] = {0, 1, (ms >> BLINK_SLOW_BIT) & 1, (ms >> BLINK_FAST_BIT) & 1};
    for (uint8_t side = 0; side < SIDES; side++)
        board_light(side, on[lights[side]]);
    board_status_light(host_there || (ms >> BLINK_FAST_BIT) % 8 == 0);
}

/* Sleeps until the next interrupt; the clock's comes each millisecond. */
static void rest(void) {
    sleep_enable();
    sleep_cpu();
    sleep_disable();
}

int main(void) {
    settings_load();
    clock_begin();
    serial_begin();
    inputs_begin();
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WATCHDOG);
    sei();
    for (;;) {
        const uint16_t ms = clock_milliseconds();
        listen(ms);
        speak(ms);
        light(ms);
        if (settings_work() || !restarting)
            wdt_reset(); /* a restart is a watchdog that nobody feeds, once the settings are saved */
        rest();
    }
}
