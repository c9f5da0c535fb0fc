/* Lines to and from the host. hardware.md's table of the protocol is the authority; protocol.py is the other twin.
 *
 * A line is '$', a body of fields in capital hex with one blank between, '*', CRC-32 of all of it up to and with
 * the '*' as 8 hex digits, and a newline. Nothing here touches the chip: tests also run it on a computer.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

#define PROTOCOL_VERSION 0x01
#define FIRMWARE_VERSION 0x0101
#define FIRST_SEQUENCE 0xFF80u /* of each boot: the number wraps early, so every evening proves that it may */
#define LINE_MAX 88            /* the longest line to the host, the hello, is shorter; so are the host's */
#define COMMAND_MAX 40
#define FIELDS_MAX 4

/* Why a command was refused. */
enum { DONE = 0, UNKNOWN_COMMAND = 1, BAD_FIELDS = 2, OUT_OF_RANGE = 3 };

uint32_t crc32_of(const char *bytes, uint8_t count);

/* Writing: begin, add fields, end; the line's length is the result of end. */
typedef struct {
    char *text;
    uint8_t length;
} writer_t;

void line_begin(writer_t *w, char *buffer, char kind);
void line_hex(writer_t *w, uint32_t value, uint8_t digits);
void line_micros(writer_t *w, uint8_t high, uint32_t low); /* 40 bits in one field */
uint8_t line_end(writer_t *w);

/* Reading: bytes go in one by one; true when a whole undamaged command lies in `kind` and `fields`. */
typedef struct {
    char text[COMMAND_MAX];
    uint8_t length;
    uint8_t reading;
    uint16_t damaged;
    uint32_t check; /* the checksum of the newest whole line: tells one line from another */
    char kind;
    uint8_t count;
    uint32_t fields[FIELDS_MAX];
} reader_t;

uint8_t reader_take(reader_t *r, char byte);

#endif
