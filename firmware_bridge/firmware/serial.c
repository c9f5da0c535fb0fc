#include "serial.h"

#include <stddef.h>
#include <util/atomic.h>

#include "board.h"
#include "protocol.h"

#define RECEIVED 64 /* a power of two; 5 ms of bytes, several times what the main loop needs for a turn */

static volatile char received[RECEIVED];
static volatile uint8_t received_in, received_out;
static volatile uint16_t overruns;
static char line[LINE_MAX];
static volatile uint8_t line_length, line_at;

void serial_begin(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = UBRR_VALUE;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect) {
    const uint8_t status = UCSR0A;
    const char byte = (char)UDR0;
    const uint8_t in = (received_in + 1) & (RECEIVED - 1);
    if (status & _BV(DOR0) || in == received_out)
        overruns++;
    if (in != received_out) {
        received[received_in] = byte;
        received_in = in;
    }
}

ISR(USART_UDRE_vect) {
    UDR0 = (uint8_t)line[line_at++];
    if (line_at == line_length) {
        line_length = 0;
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    }
}

int16_t serial_take(void) {
    int16_t byte;
    if (received_in == received_out)
        return -1;
    byte = (uint8_t)received[received_out];
    received_out = (received_out + 1) & (RECEIVED - 1);
    return byte;
}

uint16_t serial_overruns(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = overruns; }
    return count;
}

char *serial_line(void) { return line_length ? NULL : line; }

void serial_send(uint8_t length) {
    line_at = 0;
    line_length = length;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { UCSR0B |= _BV(UDRIE0); }
}
