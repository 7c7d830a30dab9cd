// SPDX-License-Identifier: GPL-2.0
/*
 * Settings by their names under /proc/sys/vm, from testbeds and the command line. What is checked
 * and
 * what a value does is as in sysctl/vm.c.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>
#include <linux/pdflush.h>
#include "machine.h"
#include "settings.h"
#include "../../sysctl/parse.h"

struct setting {
	const char *name;
	size_t which;		/* threshold: its offset in struct wb_settings */
	bool bytes;
	enum {
		THRESHOLD, INTERVAL, EXPIRE, THREADS_MIN, THREADS_MAX, POLICY, BDFLUSH,
		BDFLUSH_FIELD, BDFLUSH_RULES, KUPDATED
	} kind;
};

#define FIELD(file, field)	{ .name = file, .which = field, .kind = BDFLUSH_FIELD }

#define THRESHOLD_FILES(file, member)						\
	{ file "_ratio", offsetof(struct wb_settings, member), false, THRESHOLD },	\
	{ file "_bytes", offsetof(struct wb_settings, member), true, THRESHOLD }

static const struct setting settings[] = {
	THRESHOLD_FILES("dirty_background", background),
	THRESHOLD_FILES("dirty_async", async),
	THRESHOLD_FILES("dirty", async),
	THRESHOLD_FILES("dirty_sync", sync),
	{ .name = "dirty_writeback_centisecs", .kind = INTERVAL },
	{ .name = "dirty_expire_centisecs", .kind = EXPIRE },
	{ .name = "nr_pdflush_threads_min", .kind = THREADS_MIN },
	{ .name = "nr_pdflush_threads_max", .kind = THREADS_MAX },
	{ .name = "writeback_policy", .kind = POLICY },
	{ .name = "bdflush", .kind = BDFLUSH },
	FIELD("nfract", BDFLUSH_NFRACT),
	FIELD("ndirty", BDFLUSH_NDIRTY),
	FIELD("interval", BDFLUSH_INTERVAL),
	FIELD("age_buffer", BDFLUSH_AGE_BUFFER),
	FIELD("nfract_sync", BDFLUSH_NFRACT_SYNC),
	FIELD("nfract_stop", BDFLUSH_NFRACT_STOP),
	FIELD("nfract_stop_bdflush", BDFLUSH_NFRACT_STOP),
	{ .name = "bdflush_rules", .kind = BDFLUSH_RULES },
	{ .name = "kupdated", .kind = KUPDATED },
};

#define MAX_COMMAND 64
static struct { char name[64]; char value[64]; } command[MAX_COMMAND];
static unsigned int nr_command;

/*
 * The numbers may be set before the policy is: a testbed's settings have no order. Other than on a
 * machine, where its file is there only then.
 */
static const char *set_bdflush(const char *value)
{
	unsigned long number[BDFLUSH_FIELDS];
	unsigned int n;

	if (parse_numbers(value, strlen(value), number, BDFLUSH_FIELDS, &n))
		return "not up to nine numbers";
	return bdflush_set_numbers(number, n) ? "a number is out of range" : NULL;
}

static const char *set_bdflush_field(size_t field, const char *value)
{
	unsigned long number[BDFLUSH_FIELDS];

	bdflush_get_numbers(number);
	if (parse_number(value, strlen(value), bdflush_min[field], bdflush_max[field],
			 &number[field]))
		return "value out of range, or no number";
	bdflush_set_numbers(number, BDFLUSH_FIELDS);
	return NULL;
}

static const char *set_rules(const char *value)
{
	enum bdflush_kernel rules;

	if (bdflush_parse_rules(value, &rules))
		return "there are rules of 2.4.8 and 2.4.19";
	bdflush_set_rules(rules);
	return NULL;
}

static const char *signal_kupdated(const char *value)
{
	enum host_signal signal;

	if (!strcmp(value, "stop"))
		signal = HOST_STOP;
	else if (!strcmp(value, "continue"))
		signal = HOST_CONTINUE;
	else
		return "kupdated is sent stop or continue";
	return engine_signal_kupdated(signal) ? NULL : "there is no kupdated now";
}

/**
 * settings_reset - defaults
 *
 * 2.5.31's are others.
 */
void settings_reset(void)
{
	static const unsigned long numbers[] = BDFLUSH_DEFAULTS;
	struct wb_settings *set = wb_settings_lock();

	set->background = (struct wb_setting){ old_2531 ? 40 : WB_DEFAULT_BACKGROUND, false };
	set->async = (struct wb_setting){ old_2531 ? 50 : WB_DEFAULT_ASYNC, false };
	set->sync = (struct wb_setting){ old_2531 ? 60 : WB_DEFAULT_SYNC, false };
	wb_settings_unlock();
	pdflush_set_limits(PDFLUSH_MIN_THREADS, PDFLUSH_MAX_THREADS);
	bdflush_set_numbers(numbers, BDFLUSH_FIELDS);
	bdflush_set_rules(BDFLUSH_2_4_19);
	engine_reset();
}

static const struct setting *find_setting(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		if (!strcmp(settings[i].name, name))
			return &settings[i];
	return NULL;
}

static const char *write_file(const struct setting *setting, const char *value)
{
	unsigned long number = 0, max = INT_MAX, min = 0;

	switch (setting->kind) {
	case POLICY:
		return engine_select_policy(value) ? NULL : "no such policy";
	case BDFLUSH:
		return set_bdflush(value);
	case BDFLUSH_FIELD:
		return set_bdflush_field(setting->which, value);
	case BDFLUSH_RULES:
		return set_rules(value);
	case KUPDATED:
		return signal_kupdated(value);
	default:
		break;
	}
	if (setting->kind == THRESHOLD)
		max = setting->bytes ? ULONG_MAX : 100;
	if (setting->kind == THREADS_MIN || setting->kind == THREADS_MAX) {
		min = 1;
		max = PDFLUSH_LIMIT_THREADS;
	}
	if (parse_number(value, strlen(value), min, max, &number))
		return "value out of range, or no number";
	switch (setting->kind) {
	case THRESHOLD:
		wb_setting_write((void *)wb_settings_lock() + setting->which, setting->bytes,
				 number);
		wb_settings_unlock();
		break;
	case INTERVAL:
		host_set_old_data_interval(number);
		break;
	case EXPIRE:
		host_set_old_data_age(number);
		break;
	case THREADS_MIN:
		pdflush_set_limits(number, 0);
		break;
	case THREADS_MAX:
		pdflush_set_limits(0, number);
		break;
	default:
		break;
	}
	return NULL;
}

/**
 * setting_apply - write a value to a file
 * @name: the file, under /proc/sys/vm
 * @value: the text
 *
 * Returns NULL, or what is wrong.
 */
const char *setting_apply(const char *name, const char *value)
{
	const struct setting *setting = find_setting(name);
	const char *why;

	if (!setting)
		return "no such setting";
	if (!engine_open_file())
		return "the engine is not attached";
	machine.tuning++;
	why = write_file(setting, value);
	machine.tuning--;
	machine.changes++;
	engine_close_file();
	return why;
}

/**
 * setting_command_replace - a setting of the command line, kept until the machine is there
 * @name: its name
 * @value: its value
 */
void setting_command_replace(const char *name, const char *value)
{
	unsigned int i;

	for (i = 0; i < nr_command; i++)
		if (!strcmp(command[i].name, name))
			break;
	if (i == MAX_COMMAND)
		usage_error("too many settings");
	if (i == nr_command)
		nr_command++;
	snprintf(command[i].name, sizeof(command[i].name), "%s", name);
	snprintf(command[i].value, sizeof(command[i].value), "%s", value);
}

/**
 * setting_command - the same, from NAME=VALUE
 * @assignment: that
 */
void setting_command(const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	char name[64];

	if (!equals || equals == assignment)
		usage_error("--set wants NAME=VALUE, not \"%s\"", assignment);
	snprintf(name, sizeof(name), "%.*s", (int)(equals - assignment), assignment);
	setting_command_replace(name, equals + 1);
}

/**
 * settings_command_apply - the machine is there: put the command line's settings in force
 */
void settings_command_apply(void)
{
	unsigned int i;

	for (i = 0; i < nr_command; i++) {
		const char *why = setting_apply(command[i].name, command[i].value);

		if (why)
			usage_error("%s=%s: %s", command[i].name, command[i].value, why);
	}
}
