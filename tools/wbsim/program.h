/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs: what dirties and reads pages.
 */
#ifndef _SIM_PROGRAM_H
#define _SIM_PROGRAM_H

#include "histogram.h"
#include "machine.h"

/**
 * struct program - a running program, and what a testbed says of it
 * @kind: which one
 * @name: in figures
 * @wb: the device it works on
 * @number: among those of one entry of the testbed, from 0
 * @rate: bytes a second; 0: as fast as it can
 * @size: bytes in all
 * @block: bytes of a call
 * @file_size: of the file it works in
 * @window: what may arrive while it is held
 * @start_ns: begins then
 * @think_ns: pause between operations
 * @fsync: ends with an fsync
 * @background: the run does not wait for it
 * @loops: repetitions
 * @lines: of the load file
 * @load: its path
 * @flush: honour its Flush lines
 * @op_ns: CPU time of its operations other than reads and writes; 0: of a system call
 * @bytes_written: so far
 * @bytes_read: so far
 * @ops: so far
 * @stalled_ns: held by the engine
 * @done_at: 0, or when it ended
 * @latency: of operations, us
 * @held_calls: calls that took longer than 10 ms
 */
struct program {
	const struct program_kind *kind;
	const char *name;
	struct bdi_writeback *wb;
	unsigned int number;
	u64 rate;
	u64 size;
	u64 block;
	u64 file_size;
	u64 window;
	u64 start_ns;
	u64 think_ns;
	bool fsync;
	bool background;
	int loops;
	int lines;
	const char *load;
	bool flush;
	u64 op_ns;

	u64 bytes_written;
	u64 bytes_read;
	u64 ops;
	u64 stalled_ns;
	u64 done_at;
	struct histogram *latency;
	u64 held_calls;
	struct rng rng;
	struct sim_task *task;
};

struct program_kind {
	const char *name;
	void (*run)(struct program *program);
	bool background;	/* runs as long as the others */
	bool needs_device;
};

extern const struct program_kind program_ingest, program_dd, program_dbench, program_interactive,
	program_append, program_reader, program_hog, program_sync, program_jobs,
	program_reattach, program_random, program_tune, program_switch,
	program_resize;

extern struct program *programs;
extern unsigned int nr_programs;
extern bool programs_stop;		/* the run is over */
extern struct sim_wait programs_done;	/* woken with the last of them */
extern unsigned int programs_left;	/* that the run waits for */

const struct program_kind *program_kind(const char *name);
void programs_start(void);
int program_write(struct program *program, struct sim_file *file, u64 offset, u64 bytes);
void program_note(struct program *program, u64 started);
void program_pause(struct program *program, u64 ns);
bool program_over(const struct program *program);
void dbench_forget(void);
void dbench_prepare(const char *load, int lines);

#endif
