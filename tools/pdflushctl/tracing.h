/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACING_H
#define TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <event-parse.h>
#include <tracefs.h>

#define TRACING_SYSTEM	"pdflush"
#define TRACING_VERDICT	"pdflush_verdict"
#define TRACING_RELEASE	"pdflush_release"
#define TRACING_DEVICE	33		/* room for a device's name */

/**
 * struct tracing - a trace buffer of our own
 * @tep: knows the events' fields
 * @instance: the buffer
 */
struct tracing {
	struct tep_handle *tep;
	struct tracefs_instance *instance;
};

/* Takes one event; other than 0: no more. */
typedef int (*tracing_fn)(struct tep_event *event, struct tep_record *record, int cpu, void *data);

bool tracing_there(void);
bool tracing_open(struct tracing *tracing);
bool tracing_enable(struct tracing *tracing, const char *event, const char *filter);
void tracing_read(struct tracing *tracing, tracing_fn take, void *data);
void tracing_close(struct tracing *tracing);
unsigned long long tracing_number(struct tep_event *event, struct tep_record *record,
				  const char *field);
const char *tracing_device(struct tep_event *event, struct tep_record *record);

#endif
