// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's events, through libtracefs.
 *
 * They go to a buffer of our own, an instance named pdflushctl-PID, so that nobody else's tracing
 * is disturbed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "tracing.h"

#define INSTANCE	"pdflushctl-"
#define BUFFER_KB	256	/* a CPU; by itself an instance takes 1.4 MB of each */

/**
 * tracing_there - are there events, and may we have them?
 *
 * Not in a test's own folder.
 */
bool tracing_there(void)
{
	return !geteuid() && !getenv("PDFLUSHCTL_ROOT") && tracefs_tracing_dir() &&
	       tracefs_event_file_exists(NULL, TRACING_SYSTEM, TRACING_VERDICT, "format");
}

/* Those of runs that were killed. */
static void remove_old(void)
{
	char **names = tracefs_instances("^" INSTANCE "[0-9]+$");
	struct tracefs_instance *old;
	size_t i;

	for (i = 0; names && names[i]; i++) {
		if (!kill(atoi(names[i] + strlen(INSTANCE)), 0) || errno != ESRCH)
			continue;
		old = tracefs_instance_create(names[i]);
		if (!old)
			continue;
		tracefs_instance_destroy(old);
		tracefs_instance_free(old);
	}
	tracefs_list_free(names);
}

static bool parse_event(struct tep_handle *tep, const char *event)
{
	int size;
	char *text = tracefs_event_file_read(NULL, TRACING_SYSTEM, event, "format", &size);
	bool fine = text && !tep_parse_event(tep, text, (unsigned long)size, TRACING_SYSTEM);

	free(text);
	return fine;
}

/* Of our two events alone: tracefs_local_events() reads all symbols of the kernel, too. */
static struct tep_handle *read_formats(void)
{
	struct tep_handle *tep = tep_alloc();
	int size, failed = 1;
	char *text;

	if (!tep)
		return NULL;
	tep_set_long_size(tep, sizeof(long));
	tep_set_page_size(tep, getpagesize());
	text = tracefs_instance_file_read(NULL, "events/header_page", &size);
	if (text)
		failed = tep_parse_header_page(tep, text, (unsigned long)size, sizeof(long));
	free(text);
	if (!failed && parse_event(tep, TRACING_VERDICT) && parse_event(tep, TRACING_RELEASE))
		return tep;
	tep_free(tep);
	return NULL;
}

/**
 * tracing_open - make the buffer
 * @tracing: result; tracing_close() it, also after a failure
 */
bool tracing_open(struct tracing *tracing)
{
	char name[32];

	remove_old();
	snprintf(name, sizeof(name), INSTANCE "%d", getpid());
	tracing->instance = NULL;
	tracing->tep = read_formats();
	if (tracing->tep)
		tracing->instance = tracefs_instance_create(name);
	if (tracing->instance)
		tracefs_instance_set_buffer_size(tracing->instance, BUFFER_KB, -1);
	return tracing->instance;
}

/**
 * tracing_enable - have an event go to the buffer
 * @tracing: the buffer
 * @event: which
 * @filter: for which values of its fields; "": for all
 */
bool tracing_enable(struct tracing *tracing, const char *event, const char *filter)
{
	return tracefs_event_file_write(tracing->instance, TRACING_SYSTEM, event, "filter",
					*filter ? filter : "0") >= 0 &&
	       !tracefs_event_enable(tracing->instance, TRACING_SYSTEM, event);
}

/**
 * tracing_read - take the events that are in the buffer
 * @tracing: the buffer
 * @take: called with each, in the order of time
 * @data: for @take
 */
void tracing_read(struct tracing *tracing, tracing_fn take, void *data)
{
	tracefs_iterate_raw_events(tracing->tep, tracing->instance, NULL, 0, take, data);
}

/**
 * tracing_close - remove the buffer
 * @tracing: it; may be one that could not be opened
 */
void tracing_close(struct tracing *tracing)
{
	if (tracing->instance) {
		tracefs_event_disable(tracing->instance, TRACING_SYSTEM, NULL);
		tracefs_instance_destroy(tracing->instance);
		tracefs_instance_free(tracing->instance);
	}
	if (tracing->tep)
		tep_free(tracing->tep);
	tracing->instance = NULL;
	tracing->tep = NULL;
}

/**
 * tracing_number - a field of an event
 * @event: its kind
 * @record: the event
 * @field: the name; 0 if there is none
 */
unsigned long long tracing_number(struct tep_event *event, struct tep_record *record,
				  const char *field)
{
	unsigned long long value = 0;

	tep_get_field_val(NULL, event, field, record, &value, 0);
	return value;
}

/**
 * tracing_device - the device of an event, by its name in /proc/pdflush/devices
 * @event: its kind
 * @record: the event
 *
 * Events have a disk's number. The name is good until the next call.
 */
const char *tracing_device(struct tep_event *event, struct tep_record *record)
{
	static char known[TRACING_DEVICE], name[TRACING_DEVICE];
	char bdi[TRACING_DEVICE], path[96], *text, *found;
	const char *raw;
	int len = 0;

	raw = tep_get_field_raw(NULL, event, "device", record, &len, 0);
	snprintf(bdi, sizeof(bdi), "%.*s", raw ? len : 0, raw ? raw : "");
	if (!strcmp(known, bdi))
		return name;
	snprintf(known, sizeof(known), "%s", bdi);
	snprintf(name, sizeof(name), "%s", bdi);
	snprintf(path, sizeof(path), "/sys/dev/block/%s/uevent", bdi);
	text = read_text(path);
	found = text ? strstr(text, "DEVNAME=") : NULL;
	if (found)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(found + 8, "\n"), found + 8);
	free(text);
	return name;
}
