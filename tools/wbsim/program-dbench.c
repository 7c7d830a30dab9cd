// SPDX-License-Identifier: GPL-2.0
/*
 * A dbench client: the operations of a load file of dbench, read once and kept in short form. What
 * only takes CPU time (stat, find, close) is counted with the next operation that does more.
 */
#include <errno.h>
#include <string.h>
#include "program.h"

#define NR_HANDLES	65536
#define FIRST_FILES	256

enum kind { CREATE, WRITE, READ, FLUSH, UNLINK, RENAME, NOTHING };

struct op {
	u8 kind;
	u16 file;
	u16 calls;	/* cheap ones before it */
	u32 offset;	/* RENAME: the new file */
	u32 length;
};

static struct {
	struct op *op;
	size_t used, room;
	char **name;
	u64 *size;		/* of the largest it gets, bytes */
	unsigned int names;
	const char *path;
	int lines;
} load;

static unsigned int file_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < load.names; i++)
		if (!strcasecmp(load.name[i], name))
			return i;
	if (!(load.names & (load.names - 1)) || !load.names) {
		size_t room = load.names ? 2 * load.names : 1;

		load.name = realloc(load.name, room * sizeof(*load.name));
		load.size = realloc(load.size, room * sizeof(*load.size));
	}
	load.name[load.names] = strdup(name);
	load.size[load.names] = 0;
	return load.names++;
}

static void keep(enum kind kind, unsigned int file, u32 offset, u32 length, unsigned int *calls)
{
	if (load.used == load.room) {
		load.room = load.room ? 2 * load.room : 4096;
		load.op = realloc(load.op, load.room * sizeof(*load.op));
		if (!load.op)
			sim_fail("no memory for the load file");
	}
	load.op[load.used++] = (struct op){
		.kind = kind, .file = file, .calls = min(*calls, 65535u), .offset = offset,
		.length = length,
	};
	*calls = 0;
}

/* One line of the load file: NTCreateX "name" options disposition handle STATUS and the like. */
static void take_line(const char *line, u16 *handle, unsigned int *calls)
{
	unsigned int options, disposition, h, offset, length;
	char name[256], other[256];
	int n = 0;

	if (strstr(line, "NT_STATUS_OK") == NULL && !strstr(line, " SUCCESS")) {
		++*calls;
	} else if (sscanf(line, "NTCreateX \"%255[^\"]\" %x %x %u", name, &options, &disposition,
			  &h) == 4) {
		unsigned int file = file_of(name);

		handle[h % NR_HANDLES] = file;
		/* made anew, or emptied; a folder is neither */
		if (!(options & 1) && disposition != 1 && disposition != 3)
			keep(CREATE, file, 0, 0, calls);
		else
			++*calls;
	} else if (sscanf(line, "WriteX %u %u %u", &h, &offset, &length) == 3) {
		unsigned int file = handle[h % NR_HANDLES];

		load.size[file] = max(load.size[file], (u64)offset + length);
		keep(WRITE, file, offset, length, calls);
	} else if (sscanf(line, "ReadX %u %u %u", &h, &offset, &length) == 3) {
		unsigned int file = handle[h % NR_HANDLES];

		load.size[file] = max(load.size[file], (u64)offset + length);
		keep(READ, file, offset, length, calls);
	} else if (sscanf(line, "Flush %u", &h) == 1) {
		keep(FLUSH, handle[h % NR_HANDLES], 0, 0, calls);
	} else if (sscanf(line, "Unlink \"%255[^\"]\"", name) == 1) {
		if (strpbrk(name, "<*?"))
			++*calls;
		else
			keep(UNLINK, file_of(name), 0, 0, calls);
	} else if (sscanf(line, "Rename \"%255[^\"]\" \"%255[^\"]\"%n", name, other, &n) == 2) {
		unsigned int from = file_of(name), to = file_of(other);

		load.size[to] = max(load.size[to], load.size[from]);
		keep(RENAME, from, to, 0, calls);
	} else {
		++*calls;
	}
}

/**
 * dbench_prepare - read a load file, unless that was the last one read
 * @path: where it is
 * @lines: how much of it; 0: all
 */
void dbench_prepare(const char *path, int lines)
{
	unsigned int calls = 0;
	char line[1024];
	u16 *handle;
	FILE *file;
	int n = 0;

	if (load.path && !strcmp(load.path, path) && load.lines == lines)
		return;
	file = fopen(path, "r");
	if (!file)
		sim_fail("%s: %s (it comes with Debian's package dbench)", path, strerror(errno));
	load.used = 0;
	load.path = strdup(path);
	load.lines = lines;
	handle = calloc(NR_HANDLES, sizeof(*handle));
	while ((!lines || n++ < lines) && fgets(line, sizeof(line), file))
		take_line(line, handle, &calls);
	keep(NOTHING, 0, 0, 0, &calls);
	free(handle);
	fclose(file);
}

struct client {
	struct program *program;
	struct sim_file **file;
};

static struct sim_file *the_file(struct client *client, unsigned int which)
{
	if (!client->file[which])
		client->file[which] = file_new(client->program->wb,
					       load.size[which] / PAGE_SIZE + 1,
					       client->program->number + 1);
	return client->file[which];
}

static void remove_file(struct client *client, unsigned int which)
{
	struct sim_file *file = client->file[which];

	client->file[which] = NULL;
	if (file)
		file_remove(file);
}

static void do_op(struct client *client, const struct op *op)
{
	struct program *program = client->program;
	u64 started = sim_clock + sim_me()->charge, op_ns = program->op_ns ?: machine.call_ns;

	sim_charge(op->calls * op_ns);
	switch (op->kind) {
	case CREATE:
		if (client->file[op->file])
			file_truncate(client->file[op->file]);
		sim_charge(op_ns);
		break;
	case WRITE:
		if (!file_write(the_file(client, op->file), op->offset, op->length))
			program->bytes_written += op->length;
		break;
	case READ:
		file_read(the_file(client, op->file), op->offset, op->length);
		program->bytes_read += op->length;
		break;
	case FLUSH:
		if (program->flush)
			file_fsync(the_file(client, op->file));
		break;
	case UNLINK:
		remove_file(client, op->file);
		sim_charge(op_ns);
		break;
	case RENAME:
		if (op->offset != op->file && client->file[op->file]) {
			remove_file(client, op->offset);
			client->file[op->offset] = client->file[op->file];
			client->file[op->file] = NULL;
		}
		sim_charge(op_ns);
		break;
	default:
		break;
	}
	program_note(program, started);
}

static void dbench(struct program *program)
{
	struct client client = { .program = program };
	unsigned int i;
	int loop;
	size_t n;

	client.file = calloc(load.names, sizeof(*client.file));
	for (loop = 0; loop < program->loops && !program_over(program); loop++) {
		for (n = 0; n < load.used && !program_over(program); n++)
			do_op(&client, &load.op[n]);
		for (i = 0; i < load.names && !program_over(program); i++)
			remove_file(&client, i);
	}
	free(client.file);
}

const struct program_kind program_dbench = {
	.name = "dbench", .run = dbench, .needs_device = true,
};
