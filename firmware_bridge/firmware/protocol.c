#include "protocol.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_dword(address) (*(address))
#endif

#define CHECK_LENGTH 9 /* '*' and eight digits */

/* CRC-32 as in zlib and Ethernet (reflected 0xEDB88320), four bits at a time. */
static const uint32_t CRC_OF_NIBBLE[16] PROGMEM = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t crc32_of(const char *bytes, uint8_t count) {
    uint32_t crc = 0xFFFFFFFFUL;
    while (count--) {
        const uint8_t byte = (uint8_t)*bytes++;
        crc = (crc >> 4) ^ pgm_read_dword(&CRC_OF_NIBBLE[((uint8_t)crc ^ byte) & 0x0F]);
        crc = (crc >> 4) ^ pgm_read_dword(&CRC_OF_NIBBLE[((uint8_t)crc ^ (byte >> 4)) & 0x0F]);
    }
    return ~crc;
}

static void put(writer_t *w, char byte) {
    if (w->length < LINE_MAX)
        w->text[w->length++] = byte;
}

static void put_hex(writer_t *w, uint32_t value, uint8_t digits) {
    while (digits--) {
        const uint8_t digit = (uint8_t)(value >> (4 * digits)) & 0x0F;
        put(w, (char)(digit < 10 ? '0' + digit : 'A' + digit - 10));
    }
}

void line_begin(writer_t *w, char *buffer, char kind) {
    w->text = buffer;
    w->length = 0;
    put(w, '$');
    put(w, kind);
}

void line_hex(writer_t *w, uint32_t value, uint8_t digits) {
    put(w, ' ');
    put_hex(w, value, digits);
}

void line_micros(writer_t *w, uint8_t high, uint32_t low) {
    put(w, ' ');
    put_hex(w, high, 2);
    put_hex(w, low, 8);
}

uint8_t line_end(writer_t *w) {
    put(w, '*');
    put_hex(w, crc32_of(w->text, w->length), 8);
    put(w, '\n');
    return w->length;
}

static int8_t hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return (int8_t)(c - '0');
    if (c >= 'A' && c <= 'F')
        return (int8_t)(c - 'A' + 10);
    return -1;
}

/* Reads hex digits from `*at` up to `end`; true where there was at least one and at most eight. */
static uint8_t read_hex(const char **at, const char *end, uint32_t *value) {
    uint8_t digits = 0;
    *value = 0;
    while (*at < end && hex_digit(**at) >= 0) {
        if (++digits > 8)
            return 0;
        *value = *value << 4 | (uint8_t)hex_digit(*(*at)++);
    }
    return digits > 0;
}

/* Checks a whole line, '$' to the checksum's last digit, and takes it apart. */
static uint8_t understand(reader_t *r) {
    const char *at, *star;
    uint32_t told;
    if (r->length < 2 + CHECK_LENGTH)
        return 0;
    star = r->text + r->length - CHECK_LENGTH;
    at = star + 1;
    if (*star != '*' || !read_hex(&at, r->text + r->length, &told) || at != r->text + r->length)
        return 0;
    if (crc32_of(r->text, (uint8_t)(r->length - CHECK_LENGTH + 1)) != told)
        return 0;
    r->check = told;
    r->kind = r->text[1];
    r->count = 0;
    for (at = r->text + 2; at < star;) {
        if (*at++ != ' ' || r->count == FIELDS_MAX || !read_hex(&at, star, &r->fields[r->count]))
            return 0;
        r->count++;
    }
    return 1;
}

uint8_t reader_take(reader_t *r, char byte) {
    if (byte == '$' || byte == '\n') { /* either ends a line: a lost newline costs nothing */
        const uint8_t was_reading = r->reading;
        const uint8_t whole = was_reading && r->length > 1 && understand(r);
        if (was_reading && r->length > 1 && !whole)
            r->damaged++;
        r->reading = byte == '$';
        r->length = 0;
        if (r->reading)
            r->text[r->length++] = '$';
        return whole;
    }
    if (!r->reading)
        return 0;
    if (byte < ' ' || byte > '~' || r->length == COMMAND_MAX) {
        r->reading = 0;
        r->damaged++;
        return 0;
    }
    r->text[r->length++] = byte;
    return 0;
}
