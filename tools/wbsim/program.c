// SPDX-License-Identifier: GPL-2.0
/*
 * What all programs share.
 */
#include <string.h>
#include "program.h"

struct program *programs;
unsigned int nr_programs;
bool programs_stop;
unsigned int programs_left;
struct sim_wait programs_done;

static const struct program_kind *const kinds[] = {
	&program_ingest, &program_dd, &program_dbench, &program_interactive, &program_append,
	&program_reader, &program_random, &program_hog, &program_sync, &program_jobs,
	&program_reattach, &program_tune, &program_switch,
	&program_resize,
};

/**
 * program_kind - a program by its name, or NULL
 * @name: as in testbeds
 */
const struct program_kind *program_kind(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

/**
 * program_over - shall a program end?
 * @program: the program
 */
bool program_over(const struct program *program)
{
	return programs_stop || (program->wb && program->wb->disk.gone);
}

static void run_program(void *data)
{
	struct program *program = data;

	if (program->start_ns)
		sim_sleep(program->start_ns);
	if (!programs_stop)
		program->kind->run(program);
	sim_pay();
	program->stalled_ns = sim_me()->stalled_ns;
	program->task = NULL;
	program->done_at = sim_clock;
	if (!program->background && !--programs_left)
		sim_wake_all(&programs_done);
}

/**
 * programs_start - let all programs begin
 */
void programs_start(void)
{
	unsigned int i;

	programs_stop = false;
	programs_left = 0;
	sim_wait_init(&programs_done);
	for (i = 0; i < nr_programs; i++) {
		struct program *program = &programs[i];

		rng_seed(&program->rng, sim_seed, 1 << 20 | i);
		programs_left += !program->background;
		program->task = sim_new_task(program->name, run_program, program);
		sim_go(program->task);
	}
}

/**
 * program_note - an operation has ended: keep how long it took
 * @program: whose
 * @started: when it began, ns
 */
void program_note(struct program *program, u64 started)
{
	u64 us = (sim_clock + sim_me()->charge - started) / NSEC_PER_USEC;

	program->ops++;
	if (us > 10000)
		program->held_calls++;
	if (program->latency)
		histogram_add(program->latency, us);
	program->stalled_ns = sim_me()->stalled_ns;
}

/**
 * program_write - write, and keep the time it took
 * @program: who
 * @file: where
 * @offset: bytes
 * @bytes: how many
 *
 * Returns as file_write().
 */
int program_write(struct program *program, struct sim_file *file, u64 offset, u64 bytes)
{
	u64 started = sim_clock + sim_me()->charge;
	int err = file_write(file, offset, bytes);

	if (!err)
		program->bytes_written += bytes;
	program_note(program, started);
	return err;
}

/**
 * program_pause - do nothing for a while
 * @program: who
 * @ns: how long
 */
void program_pause(struct program *program, u64 ns)
{
	(void)program;
	if (ns)
		sim_sleep(ns);
}
