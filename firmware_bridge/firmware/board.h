/* The chip and its wiring. Another chip or another layout changes this header and nothing else.
 *
 * ATmega328P at 16 MHz, as on the Arduino Uno and Nano. Inputs, by number:
 *   0, 1   first door, outer and inner beam    D2, D3     (PD2, PD3)
 *   2, 3   second door                         D4, D5     (PD4, PD5)
 *   4, 5   third door                          D6, D7     (PD6, PD7)
 *   6, 7   fourth door                         D8, D9     (PB0, PB1)
 *   8      gate                                A0         (PC0)
 *   9      knock                               A1         (PC1)
 *   A      turn button                         A2         (PC2)
 * Outputs: LED of the first side D10 (PB2), of the second side D11 (PB3), status D13 (PB5).
 */
#ifndef BOARD_H
#define BOARD_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifndef F_CPU
#define F_CPU 16000000UL
#endif

#define INPUTS 11
#define ALL_INPUTS 0x07FF
#define KNOCK_INPUT 0x0200
#define ACTIVE_LOW (ALL_INPUTS & ~KNOCK_INPUT) /* sensors pull down; the knock sensor's capacitor charges up */
#define SIDES 2

#define BAUD 115200UL
#define UBRR_VALUE ((F_CPU + 4 * BAUD) / (8 * BAUD) - 1) /* double speed: 2.1 % off at 16 MHz, as every Uno is */

#define TICKS_PER_MS (F_CPU / 8 / 1000) /* timer 1 counts at F_CPU / 8 */
#if F_CPU != 16000000UL
#error "clock.c takes two ticks of timer 1 for a microsecond: give F_CPU / 8 = 2 MHz, or change clock.c"
#endif

static inline uint16_t board_read_inputs(void) {
    return (uint16_t)(PIND >> 2) | (uint16_t)(PINB & 0x03) << 6 | (uint16_t)(PINC & 0x07) << 8;
}

/* pulled_up: inputs that get the chip's own pull-up resistor. */
static inline void board_set_up_pins(uint16_t pulled_up) {
    DDRD &= (uint8_t)~0xFC;
    DDRB = (uint8_t)((DDRB & ~0x03) | _BV(PB2) | _BV(PB3) | _BV(PB5));
    DDRC &= (uint8_t)~0x07;
    PORTD = (uint8_t)((PORTD & 0x03) | (uint8_t)(pulled_up << 2));
    PORTB = (uint8_t)((PORTB & ~0x03) | ((pulled_up >> 6) & 0x03));
    PORTC = (uint8_t)((PORTC & ~0x07) | ((pulled_up >> 8) & 0x07));
}

/* inputs: those whose changes interrupt; the others are only looked at. */
static inline void board_listen_to(uint16_t inputs) {
    PCMSK2 = (uint8_t)(inputs << 2);
    PCMSK0 = (uint8_t)(inputs >> 6) & 0x03;
    PCMSK1 = (uint8_t)(inputs >> 8) & 0x07;
    PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
}

/* The interrupts of the three ports, all handled alike. One handler under three names: of three alike, the compiler has two
 * call the third, whose end lets interrupts in while the caller's still lies on the stack; a restless pin then fills it. */
#define PINS_CHANGED(handler)                     \
    ISR(PCINT0_vect) { handler(); }               \
    ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));   \
    ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));

static inline void board_light(uint8_t side, uint8_t on) {
    const uint8_t pin = side == 0 ? _BV(PB2) : _BV(PB3);
    if (on)
        PORTB |= pin;
    else
        PORTB &= (uint8_t)~pin;
}

static inline void board_status_light(uint8_t on) {
    if (on)
        PORTB |= _BV(PB5);
    else
        PORTB &= (uint8_t)~_BV(PB5);
}

#endif
