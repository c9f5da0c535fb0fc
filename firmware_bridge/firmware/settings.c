#include "settings.h"

#include <avr/eeprom.h>
#include <util/atomic.h>

#include "board.h"
#include "inputs.h"
#include "protocol.h"

#define SETTINGS_AT 0
#define SETTINGS_BYTES (sizeof(settings_t) + sizeof(uint32_t))
#define BOOTS_AT 32
#define BOOT_SLOTS 8 /* written in turn: eight times the 100,000 writes that a cell stands */
#define BOOT_BYTES 4 /* the number and its complement */
#define NOTHING_TO_WRITE 0xFF

settings_t settings;
static uint16_t boot;
static uint8_t boot_slot, boot_at, boot_kept, settings_at = NOTHING_TO_WRITE;
static uint32_t checksum;

static uint8_t byte_of_boot(uint8_t i) { return (uint8_t)((i < 2 ? boot : (uint16_t)~boot) >> (i & 1 ? 8 : 0)); }

static uint8_t byte_of_settings(uint8_t i) {
    return i < sizeof settings ? ((const uint8_t *)&settings)[i] : (uint8_t)(checksum >> 8 * (i - sizeof settings));
}

static void load_boot(void) {
    uint8_t found = 0;
    for (uint8_t i = 0; i < BOOT_SLOTS; i++) {
        const uint16_t *at = (const uint16_t *)(BOOTS_AT + i * BOOT_BYTES);
        const uint16_t number = eeprom_read_word(at);
        if (number == (uint16_t)~eeprom_read_word(at + 1) && (!found || (int16_t)(number - boot) > 0)) {
            boot = number;
            boot_slot = i;
            found = 1;
        }
    }
    boot++;
    boot_slot = (boot_slot + 1) % BOOT_SLOTS;
    boot_at = 0;
}

void settings_load(void) {
    eeprom_read_block(&settings, (const void *)SETTINGS_AT, sizeof settings);
    checksum = eeprom_read_dword((const uint32_t *)(SETTINGS_AT + sizeof settings));
    if (checksum != crc32_of((const char *)&settings, sizeof settings)) {
        settings.board = 0;
        settings.fitted = ALL_INPUTS;
        settings.active_low = ACTIVE_LOW;
        settings.hold_us = HOLD_US;
        settings.beat_ms = BEAT_MS;
    }
    load_boot();
}

void settings_save(void) {
    checksum = crc32_of((const char *)&settings, sizeof settings);
    settings_at = 0;
}

static void write_byte(uint16_t address, uint8_t value) {
    if (eeprom_read_byte((const uint8_t *)address) == value)
        return;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        EEAR = address;
        EEDR = value;
        EECR |= _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
}

uint8_t settings_work(void) {
    if (!eeprom_is_ready())
        return 1;
    if (boot_at < BOOT_BYTES) {
        write_byte((uint16_t)(BOOTS_AT + boot_slot * BOOT_BYTES + boot_at), byte_of_boot(boot_at));
        boot_at++;
        return 1;
    }
    boot_kept = 1;
    if (settings_at < SETTINGS_BYTES) {
        write_byte((uint16_t)(SETTINGS_AT + settings_at), byte_of_settings(settings_at));
        settings_at++;
        return 1;
    }
    settings_at = NOTHING_TO_WRITE;
    return 0;
}

uint16_t settings_boot(void) { return boot; }

uint8_t settings_boot_kept(void) { return boot_kept; }

static uint8_t in_range(uint32_t value, uint16_t least, uint16_t most) { return value >= least && value <= most; }

uint8_t settings_change(char key, uint32_t value) {
    settings_t changed = settings;
    if (key == 'I')
        changed.board = value;
    else if (key == 'F' && value <= ALL_INPUTS)
        changed.fitted = (uint16_t)value;
    else if (key == 'L' && value <= ALL_INPUTS)
        changed.active_low = (uint16_t)value;
    else if (key == 'H' && in_range(value, HOLD_LEAST_US, HOLD_MOST_US))
        changed.hold_us = (uint16_t)value;
    else if (key == 'B' && in_range(value, BEAT_LEAST_MS, BEAT_MOST_MS))
        changed.beat_ms = (uint16_t)value;
    else
        return OUT_OF_RANGE;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { settings = changed; }
    if (key == 'F' || key == 'L')
        inputs_reconfigure();
    settings_save();
    return DONE;
}
