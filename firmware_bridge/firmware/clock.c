#include "clock.h"

#include "board.h"
#include "inputs.h"

static volatile uint32_t overflows; /* of timer 1, each 65,536 ticks of half a microsecond */
static volatile uint16_t milliseconds;

void clock_begin(void) {
    TCCR1A = 0;
    TCCR1B = _BV(CS11); /* F_CPU / 8 */
    OCR1A = TICKS_PER_MS;
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
}

stamp_t clock_now(void) {
    const uint16_t ticks = TCNT1;
    uint32_t wraps = overflows;
    stamp_t now;
    if ((TIFR1 & _BV(TOV1)) && ticks < 0x8000) /* wrapped since interrupts went off */
        wraps++;
    now.low = wraps << 15 | ticks >> 1;
    now.high = (uint8_t)(wraps >> 17);
    return now;
}

uint16_t clock_milliseconds(void) {
    uint16_t ms;
    const uint8_t sreg = SREG;
    cli();
    ms = milliseconds;
    SREG = sreg;
    return ms;
}

ISR(TIMER1_OVF_vect) { overflows++; }

/* A millisecond that was over before its turn came would be waited for until the timer has gone round: it is counted now. */
ISR(TIMER1_COMPA_vect) {
    if ((int16_t)(TCNT1 - OCR1A) < 0)
        return; /* counted so */
    do {
        OCR1A += TICKS_PER_MS;
        milliseconds++;
    } while ((int16_t)(TCNT1 - OCR1A) >= 0);
    inputs_tick(clock_now());
}
