/* Runs the sensor board's firmware on simavr, with its serial line on a pseudo-terminal and its pins in our hands.
 *
 * harness FIRMWARE.elf [--eeprom FILE] [--realtime]
 * The first line on standard output names the terminal. Orders come as lines on standard input:
 *   pin INPUT LEVEL AT_US     sets an input's voltage (0 or 1) at a moment of the board's time
 *   after US INPUT LEVEL      the same, so long after now
 *   run US [line]             lets the board run for so long (or until it has sent a whole line);
 *                             answers "t NOW_US tx BYTES_SENT_SINCE_LAST_TOLD"
 *   rx N                      takes N bytes from the terminal and feeds them to the board at the line's speed
 *   reset                     as its button does;   stack: bytes of RAM never touched since the start
 *   outputs                   the levels of the two sides' LEDs
 *   poke ADDRESS BYTE         writes into the RAM: what would take days to come about
 * With --realtime the board runs by the wall clock instead, and takes what comes from the terminal; `pin` as above.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define CPU_HZ 16000000ULL
#define CYCLES_PER_US (CPU_HZ / 1000000)
#define CYCLES_PER_BYTE 1520 /* simavr takes eleven bits a byte at the 117,647 baud that the chip really has */
#define EEPROM_BYTES 1024
#define PAINT 0xA5
#define RAM_FROM 0x100
#define RAM_BYTES 2048
#define INPUTS 11
#define REALTIME_STEP_US 500

static const struct {
    char port;
    int bit;
} PINS[INPUTS] = {{'D', 2}, {'D', 3}, {'D', 4}, {'D', 5}, {'D', 6}, {'D', 7}, {'B', 0}, {'B', 1}, {'C', 0}, {'C', 1},
                  {'C', 2}};
static const int SIDES[2] = {2, 3}; /* of port B */

typedef struct {
    uint64_t at;
    int input, level;
} pin_t;

static avr_t *avr;
static int levels[INPUTS];
static int terminal;
static avr_irq_t *uart_in;
static pin_t *pins;
static size_t pins_count, pins_first, pins_room;
static uint8_t *rx;
static size_t rx_count, rx_first, rx_room;
static uint64_t rx_free_at;
static unsigned long sent;
static int line_ended;

static void die(const char *what) {
    fprintf(stderr, "harness: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_us(void) { return avr->cycle / CYCLES_PER_US; }

static void on_sent(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    const uint8_t byte = (uint8_t)value;
    if (write(terminal, &byte, 1) == 1)
        sent++;
    if (byte == '\n')
        line_ended = 1;
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles) { (void)a, (void)cycles; } /* time passes at once */

/* The level is also kept as the port's external one: simavr looks there whenever the port is written. */
static void set_pin(int input, int level) {
    static avr_ioport_external_t outside[3];
    avr_ioport_external_t *port = &outside[PINS[input].port - 'B'];
    levels[input] = level;
    port->name = PINS[input].port;
    port->mask |= (uint8_t)(1 << PINS[input].bit);
    port->value = (uint8_t)((port->value & ~(1 << PINS[input].bit)) | level << PINS[input].bit);
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port->name), port);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(PINS[input].port), PINS[input].bit), (uint32_t)level);
}

static void add_pin(int input, int level, uint64_t at_us) {
    if (pins_count == pins_room) {
        pins_room = pins_room ? 2 * pins_room : 1024;
        pins = realloc(pins, pins_room * sizeof *pins);
    }
    pins[pins_count++] = (pin_t){at_us * CYCLES_PER_US, input, level};
}

static void add_rx(const uint8_t *bytes, size_t count) {
    while (rx_count + count > rx_room) {
        rx_room = rx_room ? 2 * rx_room : 4096;
        rx = realloc(rx, rx_room);
    }
    memcpy(rx + rx_count, bytes, count);
    rx_count += count;
}

/* simavr's own timers wake a sleeping chip at the very cycle; each returns when it is due again, 0 for never. */
static avr_cycle_count_t move_pins(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)when, (void)param;
    while (pins_first < pins_count && pins[pins_first].at <= a->cycle) {
        set_pin(pins[pins_first].input, pins[pins_first].level);
        pins_first++;
    }
    if (pins_first < pins_count)
        return pins[pins_first].at;
    pins_first = pins_count = 0;
    return 0;
}

static avr_cycle_count_t feed_rx(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)when, (void)param;
    avr_raise_irq(uart_in, rx[rx_first++]);
    rx_free_at = a->cycle + CYCLES_PER_BYTE;
    if (rx_first < rx_count)
        return rx_free_at;
    rx_first = rx_count = 0;
    return 0;
}

static avr_cycle_count_t stop_here(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)a, (void)when, (void)param;
    return 0;
}

static uint64_t from_now(uint64_t at) { return at > avr->cycle ? at - avr->cycle : 1; }

static void run_until(uint64_t end, int stop_at_line) {
    line_ended = 0;
    avr_cycle_timer_register(avr, from_now(end), stop_here, NULL);
    if (pins_first < pins_count)
        avr_cycle_timer_register(avr, from_now(pins[pins_first].at), move_pins, NULL);
    if (rx_first < rx_count)
        avr_cycle_timer_register(avr, from_now(rx_free_at), feed_rx, NULL);
    while (avr->cycle < end && !(stop_at_line && line_ended)) {
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "harness: the firmware has crashed at %llu us\n", (unsigned long long)now_us());
            exit(3);
        }
    }
}

static void paint_ram(void) { memset(avr->data + RAM_FROM, PAINT, RAM_BYTES); }

/* The longest stretch that still bears the paint: what stack and variables have left alone. */
static int untouched_ram(void) {
    int best = 0, here = 0;
    for (int i = RAM_FROM; i < RAM_FROM + RAM_BYTES; i++) {
        here = avr->data[i] == PAINT ? here + 1 : 0;
        best = here > best ? here : best;
    }
    return best;
}

static void eeprom(const char *path, int save) {
    static uint8_t bytes[EEPROM_BYTES];
    avr_eeprom_desc_t d = {.ee = bytes, .offset = 0, .size = EEPROM_BYTES};
    FILE *file = fopen(path, save ? "wb" : "rb");
    if (file == NULL)
        return;
    if (save) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &d);
        fwrite(bytes, 1, EEPROM_BYTES, file);
    } else if (fread(bytes, 1, EEPROM_BYTES, file) == EEPROM_BYTES) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &d);
    }
    fclose(file);
}

/* Or simavr would look at a low D2 or D3 in every single cycle. A reset takes it back. */
static void no_level_interrupts(void) {
    for (int i = 0; i < 2; i++)
        avr_extint_set_strict_lvl_trig(avr, (uint8_t)i, 0);
}

static void reset(void) {
    avr_reset(avr);
    no_level_interrupts();
    for (int i = 0; i < INPUTS; i++) { /* simavr forgets what hangs on the pins, and looks at changes only */
        set_pin(i, !levels[i]);
        set_pin(i, !levels[i]);
    }
}

static void begin(const char *path) {
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(path, &firmware))
        die(path);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    firmware.frequency = CPU_HZ;
    avr_load_firmware(avr, &firmware);
    avr->frequency = CPU_HZ;
    avr->sleep = no_sleep;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent, NULL);
    no_level_interrupts();
    paint_ram();
    for (int i = 0; i < INPUTS; i++)
        set_pin(i, i != 9); /* all sensors at rest: high, but for the knock sensor */
}

static void open_terminal(void) {
    struct termios raw;
    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
        die("no pseudo-terminal");
    const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY); /* kept open: it outlives those who come and go */
    if (other < 0 || tcgetattr(other, &raw))
        die("pseudo-terminal");
    cfmakeraw(&raw);
    tcsetattr(other, TCSANOW, &raw);
    printf("%s\n", ptsname(terminal));
    fflush(stdout);
}

static void take_rx(size_t count) {
    uint8_t bytes[4096];
    while (count) {
        const ssize_t got = read(terminal, bytes, count < sizeof bytes ? count : sizeof bytes);
        if (got <= 0)
            die("pseudo-terminal");
        add_rx(bytes, (size_t)got);
        count -= (size_t)got;
    }
}

static int obey(char *order) {
    unsigned long long a, b, c;
    if (sscanf(order, "pin %llu %llu %llu", &a, &b, &c) == 3 && a < INPUTS) {
        add_pin((int)a, (int)b, c);
    } else if (sscanf(order, "after %llu %llu %llu", &a, &b, &c) == 3 && b < INPUTS) {
        add_pin((int)b, (int)c, now_us() + a);
    } else if (sscanf(order, "rx %llu", &a) == 1) {
        take_rx((size_t)a);
    } else if (sscanf(order, "run %llu", &a) == 1) {
        run_until(avr->cycle + a * CYCLES_PER_US, strstr(order, "line") != NULL);
        printf("t %llu tx %lu\n", (unsigned long long)now_us(), sent);
        sent = 0;
    } else if (!strncmp(order, "reset", 5)) {
        reset();
    } else if (!strncmp(order, "stack", 5)) {
        printf("%d\n", untouched_ram());
    } else if (sscanf(order, "poke %llu %llu", &a, &b) == 2 && a < RAM_FROM + RAM_BYTES) {
        avr->data[a] = (uint8_t)b;
    } else if (!strncmp(order, "outputs", 7)) {
        printf("%d %d\n", avr->data[0x25] >> SIDES[0] & 1, avr->data[0x25] >> SIDES[1] & 1);
    } else {
        return 0;
    }
    return 1;
}

static void by_orders(void) {
    char order[256];
    while (fgets(order, sizeof order, stdin)) {
        if (!obey(order)) {
            fprintf(stderr, "harness: what is %s", order);
            exit(2);
        }
        fflush(stdout);
    }
}

static uint64_t wall_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void by_the_clock(void) {
    const uint64_t began = wall_us();
    struct pollfd looks[2] = {{.fd = 0, .events = POLLIN}, {.fd = terminal, .events = POLLIN}};
    char orders[4096];
    size_t held = 0;
    for (;;) {
        if (poll(looks, 2, 1) < 0 && errno != EINTR)
            die("poll");
        if (looks[0].revents) {
            const ssize_t got = read(0, orders + held, sizeof orders - 1 - held);
            if (got <= 0)
                return;
            held += (size_t)got;
            orders[held] = 0;
            char *end;
            while ((end = strchr(orders, '\n')) != NULL) {
                *end = 0;
                obey(orders);
                fflush(stdout);
                held -= (size_t)(end + 1 - orders);
                memmove(orders, end + 1, held + 1);
            }
        }
        if (looks[1].revents & POLLIN) {
            uint8_t bytes[512];
            const ssize_t got = read(terminal, bytes, sizeof bytes);
            if (got > 0)
                add_rx(bytes, (size_t)got);
        }
        const uint64_t due = wall_us() - began;
        if (due > now_us())
            run_until(due * CYCLES_PER_US, 0);
    }
}

int main(int argc, char **argv) {
    const char *kept = NULL;
    int realtime = 0;
    if (argc < 2)
        return 2;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--eeprom") && i + 1 < argc)
            kept = argv[++i];
        else if (!strcmp(argv[i], "--realtime"))
            realtime = 1;
    }
    open_terminal();
    begin(argv[1]);
    if (kept)
        eeprom(kept, 0);
    if (realtime)
        by_the_clock();
    else
        by_orders();
    if (kept)
        eeprom(kept, 1);
    return 0;
}
