// SPDX-License-Identifier: GPL-2.0
/*
 * Reads testbeds. libconfig knows the syntax and where each setting stands; here is what the
 * settings mean.
 */
#include <stdarg.h>
#include <libconfig.h>
#include <string.h>
#include <unistd.h>
#include "machine.h"
#include "program.h"
#include "settings.h"
#include "testbed.h"

struct testbed testbed;

static config_t config;
static bool is_open;

#define wrong(setting, ...) wrong_at(setting, __VA_ARGS__)

static void __attribute__((noreturn, format(printf, 2, 3)))
wrong_at(const config_setting_t *setting, const char *format, ...)
{
	const char *file = config_setting_source_file(setting);
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	usage_error("%s:%u: %s", file ? file : testbed.name,
		    config_setting_source_line(setting), text);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static double number_of(const config_setting_t *setting)
{
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_INT:
		return config_setting_get_int(setting);
	case CONFIG_TYPE_INT64:
		return config_setting_get_int64(setting);
	case CONFIG_TYPE_FLOAT:
		return config_setting_get_float(setting);
	default:
		wrong(setting, "%s: a number is wanted", config_setting_name(setting));
	}
}

static double positive(const config_setting_t *setting)
{
	double value = number_of(setting);

	if (!(value >= 0))
		wrong(setting, "%s: must not be negative", config_setting_name(setting));
	return value;
}

/* Bytes: a number, or a text like "600M". */
static u64 bytes_of(const config_setting_t *setting)
{
	static const char units[] = "KMGT";
	const char *text, *unit;
	char *end;
	double value;

	if (config_setting_type(setting) != CONFIG_TYPE_STRING)
		return positive(setting);
	text = config_setting_get_string(setting);
	value = strtod(text, &end);
	unit = *end ? strchr(units, *end) : NULL;
	if (end == text || value < 0 || (*end && (!unit || end[1])))
		wrong(setting, "%s: \"%s\" is no size; 4096, \"512K\", \"1.5G\" are",
		      config_setting_name(setting), text);
	if (unit)
		value *= 1ULL << 10 * (unit - units + 1);
	return value;
}

/* ---- Groups of settings ---------------------------------------------------------------------- */

enum type { T_BYTES, T_PAGES, T_SECONDS, T_MS, T_US, T_UINT, T_INT, T_BOOL, T_STRING, T_GROUP };

struct field {
	const char *name;
	enum type type;
	void *to;
};

static void take_value(const config_setting_t *setting, const struct field *field)
{
	switch (field->type) {
	case T_BYTES:
		*(u64 *)field->to = bytes_of(setting);
		break;
	case T_PAGES:
		*(unsigned long *)field->to = bytes_of(setting) / PAGE_SIZE;
		break;
	case T_SECONDS:
		*(u64 *)field->to = positive(setting) * NSEC_PER_SEC;
		break;
	case T_MS:
		*(u64 *)field->to = positive(setting) * NSEC_PER_MSEC;
		break;
	case T_US:
		*(u64 *)field->to = positive(setting) * NSEC_PER_USEC;
		break;
	case T_UINT:
	case T_INT:
		*(int *)field->to = positive(setting);
		break;
	case T_BOOL:
		if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
			wrong(setting, "%s: true or false is wanted", field->name);
		*(bool *)field->to = config_setting_get_bool(setting);
		break;
	case T_STRING:
		if (config_setting_type(setting) != CONFIG_TYPE_STRING)
			wrong(setting, "%s: a text is wanted", field->name);
		*(const char **)field->to = config_setting_get_string(setting);
		break;
	case T_GROUP:
		break;
	}
}

/* Every setting of a group must be one of @field. */
static void take_group(const config_setting_t *group, const struct field *field)
{
	int i;

	for (i = 0; i < config_setting_length(group); i++) {
		const config_setting_t *setting = config_setting_get_elem(group, i);
		const char *name = config_setting_name(setting);
		const struct field *f;

		for (f = field; f->name && (!name || strcmp(f->name, name)); f++)
			;
		if (!f->name)
			wrong(setting, "there is no setting %s here",
			      name ? name : "without a name");
		take_value(setting, f);
	}
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void take_machine(void)
{
	const config_setting_t *group = config_lookup(&config, "machine");
	unsigned int cpus = 1;
	const struct field fields[] = {
		{ "cpus", T_UINT, &cpus },
		{ "page_us", T_US, &machine.page_ns },
		{ "new_page_us", T_US, &machine.new_page_ns },
		{ "call_us", T_US, &machine.call_ns },
		{ "slice_us", T_US, &machine.slice_ns },
		{ "memory", T_PAGES, &machine.total },
		{ "reserve", T_PAGES, &machine.reserve },
		{ "used", T_PAGES, &machine.programs },
		{ NULL }
	};

	if (!group)
		wrong(config_root_setting(&config), "there is no group machine");
	machine.page_ns = NSEC_PER_USEC;
	machine.call_ns = NSEC_PER_USEC;
	machine.new_page_ns = 0;
	machine.slice_ns = 0;
	take_group(group, fields);
	machine.cpus = cpus;
	if (!cpus || cpus > 4096)
		wrong(group, "cpus: 1 to 4096");
	if (machine.total < 256)
		wrong(group, "memory: 1 MB is the least");
	if (machine.reserve + machine.programs >= machine.total)
		wrong(group, "reserve and used leave no memory");
}

static void take_rates(const config_setting_t *list, struct sim_disk *disk)
{
	int i;

	for (i = 0; i < config_setting_length(list); i++) {
		const config_setting_t *group = config_setting_get_elem(list, i);
		struct rate_change *change = &disk->change[disk->changes];
		const struct field fields[] = {
			{ "at", T_SECONDS, &change->at },
			{ "rate", T_BYTES, &change->rate },
			{ NULL }
		};

		if (disk->changes++ == MAX_RATE_CHANGES)
			wrong(group, "rates: %d are the most", MAX_RATE_CHANGES);
		take_group(group, fields);
		if (!change->rate)
			wrong(group, "rate: 0 would stop it for good; use unplug");
	}
}

static enum elevator elevator_of(const config_setting_t *group, const char *name)
{
	static const char *const names[] = {
		[ELEVATOR_NONE] = "none", [ELEVATOR_SORTED] = "sorted",
		[ELEVATOR_DEADLINE] = "deadline",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return i;
	wrong(group, "elevator: none, sorted or deadline, not \"%s\"", name);
}

static void take_device(const config_setting_t *group)
{
	const char *name = NULL, *fs = "ext2", *elevator = "deadline";
	const config_setting_t *rates;
	u64 commit = 5 * NSEC_PER_SEC, request = 512 << 10, size = 8ULL << 30, piece = 0, bio = 0;
	struct sim_disk disk = { 0 };
	int count = 1, depth = 1, slots = 128, rpm = 0, i;
	const struct field fields[] = {
		{ "name", T_STRING, &name },
		{ "count", T_INT, &count },
		{ "size", T_BYTES, &size },
		{ "rate", T_BYTES, &disk.rate },
		{ "rates", T_GROUP, NULL },
		{ "seek_ms", T_MS, &disk.seek_ns },
		{ "same_seek", T_BOOL, &disk.same_seek },
		{ "rpm", T_INT, &rpm },
		{ "depth", T_INT, &depth },
		{ "queue", T_INT, &slots },
		{ "takes_in", T_UINT, &disk.takes_in },
		{ "wbt", T_BOOL, &disk.wbt.on },
		{ "request", T_BYTES, &request },
		{ "bio", T_BYTES, &bio },
		{ "piece", T_BYTES, &piece },
		{ "elevator", T_STRING, &elevator },
		{ "stall_every", T_SECONDS, &disk.stall_every_ns },
		{ "stall", T_SECONDS, &disk.stall_ns },
		{ "unplug", T_SECONDS, &disk.unplug_at },
		{ "fs", T_STRING, &fs },
		{ "commit", T_SECONDS, &commit },
		{ NULL }
	};

	take_group(group, fields);
	if (!name)
		wrong(group, "a device needs a name");
	if (!disk.rate)
		wrong(group, "%s: a device needs a rate", name);
	if (strcmp(fs, "ext2") && strcmp(fs, "ext3"))
		wrong(group, "fs: ext2 or ext3, not \"%s\"", fs);
	if (!commit)
		wrong(group, "commit: more than 0 s");
	if (count < 1 || depth < 1 || slots < 1 || request < PAGE_SIZE || size < 1 << 20)
		wrong(group, "%s: count, depth, queue, request and size must not be 0", name);
	if (disk.stall_every_ns && disk.stall_ns >= disk.stall_every_ns)
		wrong(group, "stall: shorter than stall_every");
	disk.pages = size / PAGE_SIZE;
	disk.turn_ns = rpm ? 60 * NSEC_PER_SEC / rpm : 0;
	disk.depth = depth;
	disk.slots = slots;
	disk.wbt.depth = slots;
	disk.max_request = request / PAGE_SIZE;
	disk.max_bio = max(bio, request) / PAGE_SIZE;
	disk.piece = piece / PAGE_SIZE;
	disk.elevator = elevator_of(group, elevator);
	rates = config_setting_get_member(group, "rates");
	if (rates)
		take_rates(rates, &disk);
	devices = realloc(devices, (nr_devices + count) * sizeof(*devices));
	for (i = 0; i < count; i++) {
		struct bdi_writeback *wb = device_alloc();
		char full[32];

		if (!devices)
			sim_fail("no memory for devices");
		snprintf(full, sizeof(full), count > 1 ? "%s%d" : "%s", name, i);
		wb->disk = disk;
		device_init(wb, full, nr_devices);
		devices[nr_devices++] = wb;
		if (!strcmp(fs, "ext3"))
			journal_create(wb, commit);
	}
}

static bool is_digits(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The device of one of several programs: those whose name begins so take turns. */
static struct bdi_writeback *device_for(const config_setting_t *group, const char *name, int number)
{
	size_t len = name ? strlen(name) : 0;
	unsigned int i, n = 0, first = 0;

	for (i = 0; name && i < nr_devices; i++) {
		if (!strcmp(devices[i]->name, name))
			return devices[i];
		if (!strncmp(devices[i]->name, name, len) && is_digits(devices[i]->name + len)) {
			if (!n)
				first = i;
			n++;
		}
	}
	if (!n)
		wrong(group, "there is no device %s", name ? name : "given");
	return devices[first + number % n];
}

static void take_program(const config_setting_t *group)
{
	struct program draft = {
		.block = 64 << 10, .size = 100 << 20, .file_size = 64 << 20, .window = 256 << 10,
		.loops = 1, .load = "/usr/share/dbench/client.txt",
	};
	const char *type = NULL, *name = NULL, *device = NULL;
	int count = 1, i;
	bool latency = true, background;
	const struct field fields[] = {
		{ "type", T_STRING, &type },
		{ "name", T_STRING, &name },
		{ "device", T_STRING, &device },
		{ "count", T_INT, &count },
		{ "rate", T_BYTES, &draft.rate },
		{ "size", T_BYTES, &draft.size },
		{ "block", T_BYTES, &draft.block },
		{ "file", T_BYTES, &draft.file_size },
		{ "window", T_BYTES, &draft.window },
		{ "start", T_SECONDS, &draft.start_ns },
		{ "think_ms", T_MS, &draft.think_ns },
		{ "fsync", T_BOOL, &draft.fsync },
		{ "background", T_BOOL, &background },
		{ "loops", T_INT, &draft.loops },
		{ "lines", T_INT, &draft.lines },
		{ "load", T_STRING, &draft.load },
		{ "flush", T_BOOL, &draft.flush },
		{ "op_us", T_US, &draft.op_ns },
		{ NULL }
	};

	take_group(group, fields);
	if (!type)
		wrong(group, "a program needs a type");
	draft.kind = program_kind(type);
	if (!draft.kind)
		wrong(group, "there is no program of type \"%s\"", type);
	draft.name = name ? name : type;
	draft.background = config_setting_get_member(group, "background") ?
			   background : draft.kind->background;
	if (draft.block < 1 || draft.file_size < draft.block || count < 1 || draft.loops < 1)
		wrong(group, "%s: block, file, count and loops must not be 0", draft.name);
	if (draft.kind == &program_ingest && !draft.rate)
		wrong(group, "%s: a rate is needed", draft.name);
	if (draft.kind == &program_dbench)
		dbench_prepare(draft.load, draft.lines);
	programs = realloc(programs, (nr_programs + count) * sizeof(*programs));
	latency = nr_programs + count <= 1000;
	for (i = 0; i < count; i++) {
		struct program *program = &programs[nr_programs++];

		*program = draft;
		program->number = i;
		if (draft.kind->needs_device) {
			program->wb = device_for(group, device, i);
			machine.writers++;
		}
		if (latency)
			program->latency = calloc(1, sizeof(*program->latency));
	}
}

static void take_sysctl(void)
{
	const config_setting_t *group = config_lookup(&config, "sysctl");
	char text[32];
	int i;

	for (i = 0; group && i < config_setting_length(group); i++) {
		const config_setting_t *setting = config_setting_get_elem(group, i);
		const char *name = config_setting_name(setting), *value = text, *why;

		if (config_setting_type(setting) == CONFIG_TYPE_STRING)
			value = config_setting_get_string(setting);
		else
			snprintf(text, sizeof(text), "%.0f", number_of(setting));
		why = setting_apply(name, value);
		if (why)
			wrong(setting, "%s: %s", name, why);
	}
}

static void take_list(const char *name, void (*take)(const config_setting_t *group))
{
	const config_setting_t *list = config_lookup(&config, name);
	int i;

	if (!list)
		wrong(config_root_setting(&config), "there is no list %s", name);
	if (config_setting_type(list) != CONFIG_TYPE_LIST)
		wrong(list, "%s: a list ( { ... }, { ... } ) is wanted", name);
	for (i = 0; i < config_setting_length(list); i++)
		take(config_setting_get_elem(list, i));
}

/* ---- Open, build, clear, close --------------------------------------------------------------- */

static void find_file(const char *name, char *path, size_t size)
{
	const char *folder = getenv("WBSIM_TESTBEDS");
	char self[512];
	ssize_t len;

	snprintf(path, size, "%s", name);
	if (!access(path, R_OK) || strchr(name, '/'))
		return;
	if (folder) {
		snprintf(path, size, "%s/%s.cfg", folder, name);
		if (!access(path, R_OK))
			return;
	}
	/* beside the program: in its tree, or where it is installed */
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len > 0) {
		static const char *const places[] = {
			"../tools/wbsim/testbeds", "../share/wbsim",
		};
		unsigned int i;

		self[len] = '\0';
		*strrchr(self, '/') = '\0';
		for (i = 0; i < ARRAY_SIZE(places); i++) {
			snprintf(path, size, "%s/%s/%s.cfg", self, places[i], name);
			if (!access(path, R_OK))
				return;
		}
	}
	usage_error("there is no testbed %s", name);
}

/**
 * testbed_open - read a testbed's text
 * @name: a file, or the name of one of those that come with the program
 */
void testbed_open(const char *name)
{
	const char *base = strrchr(name, '/');
	char path[1200], folder[1200];

	find_file(name, path, sizeof(path));
	config_init(&config);
	is_open = true;
	snprintf(folder, sizeof(folder), "%s", path);
	if (strrchr(folder, '/')) {
		*strrchr(folder, '/') = '\0';
		config_set_include_dir(&config, folder);
	}
	base = base ? base + 1 : name;
	snprintf(testbed.name, sizeof(testbed.name), "%.*s",
		 (int)(strstr(base, ".cfg") ? strstr(base, ".cfg") - base : (long)strlen(base)),
		 base);
	if (!config_read_file(&config, path)) {
		if (config_error_type(&config) == CONFIG_ERR_PARSE)
			usage_error("%s:%d: %s", config_error_file(&config) ?: path,
				    config_error_line(&config), config_error_text(&config));
		usage_error("%s: can't be read", path);
	}
}

/**
 * testbed_build - make the machine, its devices and programs
 *
 * After sim_start(): chance and time are used.
 */
void testbed_build(void)
{
	const char *engine = NULL;
	const struct field fields[] = {
		{ "title", T_STRING, &(const char *){ NULL } },
		{ "machine", T_GROUP, NULL },
		{ "sysctl", T_GROUP, NULL },
		{ "devices", T_GROUP, NULL },
		{ "programs", T_GROUP, NULL },
		{ "seconds", T_SECONDS, &testbed.max_ns },
		{ "figure", T_STRING, &testbed.figure },
		{ "runs", T_INT, &testbed.runs },
		{ "engine", T_STRING, &engine },
		{ NULL }
	};

	testbed.max_ns = 3600 * NSEC_PER_SEC;
	testbed.figure = "seconds";
	testbed.runs = 1;
	memset(&machine, 0, sizeof(machine));
	machine.interval_cs = 500;
	machine.expire_cs = 3000;
	sim_wait_init(&machine.freed);
	rng_seed(&machine.rng, sim_seed, 2);
	INIT_LIST_HEAD(&file_lru);
	take_group(config_root_setting(&config), fields);
	old_2531 = engine && !strcmp(engine, "2.5.31");
	if (engine && !old_2531)
		wrong(config_lookup(&config, "engine"), "engine: only \"2.5.31\" can be chosen");
	if (testbed.runs < 1)
		wrong(config_lookup(&config, "runs"), "runs: at least 1");
	take_machine();
	settings_reset();
	take_list("devices", take_device);
	take_list("programs", take_program);
	take_sysctl();
}

/**
 * testbed_clear - forget the machine, not the text
 */
void testbed_clear(void)
{
	unsigned int i;

	for (i = 0; i < nr_devices; i++) {
		struct bdi_writeback *wb = devices[i];

		disk_unplug(&wb->disk);
		while (!list_empty(&wb->files)) {
			struct sim_file *file = list_first_entry(&wb->files, struct sim_file, all);

			list_del_init(&file->io_list);
			file->users = 1;
			file_put(file);
		}
		journal_free(wb);
	}
	free(devices);
	devices_free();
	devices = NULL;
	nr_devices = 0;
	for (i = 0; i < nr_programs; i++)
		free(programs[i].latency);
	free(programs);
	programs = NULL;
	nr_programs = 0;
}

/**
 * testbed_close - forget the text
 */
void testbed_close(void)
{
	if (is_open)
		config_destroy(&config);
	is_open = false;
}
