/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stddef.h>

#define PROCESS_NO_START	(-1)
#define PROCESS_STILL_RUNS	(-2)

int process_run(const char * const *argv, double seconds, char *said, size_t size);

#endif
