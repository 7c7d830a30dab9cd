// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that do small things and mind how long they take.
 */
#include "program.h"

static u64 somewhere(struct program *program, u64 size)
{
	return (u64)rng_next(&program->rng) * (size / PAGE_SIZE) / U32_MAX * PAGE_SIZE;
}

/* A user: something is read that may not be in memory, a little is written, and he thinks. */
static void interactive(struct program *program)
{
	struct sim_file *library = file_new(program->wb, program->file_size / PAGE_SIZE + 1, 1);
	struct sim_file *document = file_new(program->wb, 1024, 2);

	while (!program_over(program)) {
		u64 started = sim_clock;

		file_read(library, somewhere(program, program->file_size), program->block);
		if (program_over(program))
			break;
		if (file_write(document, somewhere(program, 1024 * PAGE_SIZE), program->block))
			break;
		program->bytes_read += program->block;
		program->bytes_written += program->block;
		sim_pay();
		program_note(program, started);
		program_pause(program, program->think_ns / 2 +
				       rng_below(&program->rng, program->think_ns / 1000 + 1) *
				       1000ULL);
	}
}

const struct program_kind program_interactive = {
	.name = "interactive", .run = interactive, .background = true, .needs_device = true,
};

/* A log or a mail server: appends, and wants each on the disk. */
static void append(struct program *program)
{
	struct sim_file *file = file_new(program->wb, program->file_size / PAGE_SIZE + 1, 3);
	u64 offset = 0;

	while (!program_over(program)) {
		u64 started = sim_clock;

		if (file_write(file, offset, program->block))
			break;
		file_fsync(file);
		program->bytes_written += program->block;
		program_note(program, started);
		offset += program->block;
		if (offset + program->block > program->file_size)
			offset = 0;
		program_pause(program, program->think_ns);
	}
}

const struct program_kind program_append = {
	.name = "append", .run = append, .background = true, .needs_device = true,
};

/* Reads a large file from one end to the other, again and again. */
static void reader(struct program *program)
{
	struct sim_file *file = file_new(program->wb, program->file_size / PAGE_SIZE + 1, 0);
	u64 offset = 0;

	while (!program_over(program)) {
		u64 started = sim_clock;

		file_read(file, offset, program->block);
		program->bytes_read += program->block;
		program_note(program, started);
		offset = (offset + program->block) % program->file_size;
		if (program->rate)
			program_pause(program, program->block * NSEC_PER_SEC / program->rate);
	}
}

const struct program_kind program_reader = {
	.name = "reader", .run = reader, .background = true, .needs_device = true,
};

/* A database without care: writes here and there in a large file. */
static void random_writer(struct program *program)
{
	struct sim_file *file = file_new(program->wb, program->file_size / PAGE_SIZE + 1, 0);

	while (!program_over(program)) {
		if (program->size && program->bytes_written >= program->size)
			break;
		if (program_write(program, file, somewhere(program, program->file_size),
				  program->block))
			break;
		if (program->rate)
			program_pause(program, program->block * NSEC_PER_SEC / program->rate);
		program_pause(program, program->think_ns);
	}
}

const struct program_kind program_random = {
	.name = "random", .run = random_writer, .needs_device = true,
};
