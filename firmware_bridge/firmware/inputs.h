/* From pins to edges. The rule: a level counts once it has held for `hold_us`, and is stamped with when it began. */
#ifndef INPUTS_H
#define INPUTS_H

#include "clock.h"

void inputs_begin(void);
void inputs_reconfigure(void);     /* after the settings have changed */
void inputs_tick(stamp_t now);     /* each millisecond: takes what has held for long enough; interrupts must be off */
uint16_t inputs_levels(void);      /* a bit for each input that is active now */

#endif
