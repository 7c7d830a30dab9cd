// SPDX-License-Identifier: GPL-2.0
/*
 * Large files written in one go: from a network that delivers at a rate (ingest), or as fast as
 * they
 * can be (dd).
 */
#include "program.h"

/*
 * What has arrived and not been taken waits in a window; when that is full the sender stops, so
 * time
 * that the writer is held for longer is lost.
 */
static void ingest(struct program *program)
{
	struct sim_file *file = file_new(program->wb, program->size / PAGE_SIZE + 1, 0);
	u64 arrives = sim_clock, offset;

	for (offset = 0; offset < program->size && !program_over(program);) {
		u64 bytes = min(program->block, program->size - offset);
		u64 window_ns = program->window * NSEC_PER_SEC / program->rate;

		if (arrives + window_ns < sim_clock)
			arrives = sim_clock - window_ns;
		arrives += bytes * NSEC_PER_SEC / program->rate;
		if (arrives > sim_clock) {
			sim_pay();
			sim_sleep_until(arrives);
		}
		sim_charge(bytes / PAGE_SIZE * machine.page_ns);	/* off the network */
		if (program_write(program, file, offset, bytes))
			break;
		offset += bytes;
	}
	if (program->fsync && !program_over(program))
		file_fsync(file);
}

const struct program_kind program_ingest = {
	.name = "ingest", .run = ingest, .needs_device = true,
};

static void dd(struct program *program)
{
	int loop;

	for (loop = 0; loop < program->loops && !program_over(program); loop++) {
		struct sim_file *file = file_new(program->wb, program->size / PAGE_SIZE + 1, 0);
		u64 offset;

		for (offset = 0; offset < program->size && !program_over(program);) {
			u64 bytes = min(program->block, program->size - offset);

			if (program_write(program, file, offset, bytes))
				break;
			offset += bytes;
			program_pause(program, program->think_ns);
		}
		if (program->fsync && !program_over(program))
			file_fsync(file);
		if (loop + 1 < program->loops)
			file_remove(file);
	}
}

const struct program_kind program_dd = {
	.name = "dd", .run = dd, .needs_device = true,
};
