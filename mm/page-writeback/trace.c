// SPDX-License-Identifier: GPL-2.0
/*
 * The bodies of the tracepoints; they show as events/pdflush in tracefs.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/pdflush.h>
