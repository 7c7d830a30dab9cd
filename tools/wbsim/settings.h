/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings by their names under /proc/sys/vm.
 */
#ifndef _SIM_SETTINGS_H
#define _SIM_SETTINGS_H

void settings_reset(void);
const char *setting_apply(const char *name, const char *value);
void setting_command(const char *assignment);
void settings_command_apply(void);
void setting_command_replace(const char *name, const char *value);

/* One line on standard error, exit status 2. */
void usage_error(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
