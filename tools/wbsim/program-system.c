// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that change the machine under the others: take memory, sync, use the pool, take the
 * engine
 * away and bring it back.
 */
#include <linux/pdflush.h>
#include "invariant.h"
#include "program.h"
#include "settings.h"

/* Takes memory at a rate up to a size, and gives it back at the end. */
static void hog(struct program *program)
{
	u64 step = max(program->rate / 10 / PAGE_SIZE, (u64)1), have = 0;

	while (!program_over(program) && have < program->size / PAGE_SIZE) {
		memory_grow_programs(step);
		have += step;
		program_pause(program, NSEC_PER_SEC / 10);
	}
	while (!program_over(program))
		program_pause(program, NSEC_PER_SEC / 10);
	memory_shrink_programs(have);
}

const struct program_kind program_hog = {
	.name = "hog", .run = hog, .background = true,
};

static void syncer(struct program *program)
{
	while (!program_over(program)) {
		u64 started = sim_clock;

		sim_sync();
		program_note(program, started);
		program_pause(program, max(program->think_ns, (u64)NSEC_PER_MSEC));
	}
}

const struct program_kind program_sync = {
	.name = "sync", .run = syncer, .background = true,
};

/* ---- Jobs of one's own for the pool: each accepted one runs exactly once --------------------- */

struct job {
	unsigned int runs;
	struct sim_wait done;
};

static void do_job(unsigned long arg)
{
	struct job *job = (struct job *)arg;

	sim_sleep(NSEC_PER_MSEC);
	if (job->runs++)
		invariant_broken("once", "a job ran twice");
	sim_wake_all(&job->done);
}

static void jobs(struct program *program)
{
	int i;

	for (i = 0; i < program->loops && !program_over(program); i++) {
		u64 started = sim_clock;
		struct job job = { 0 };

		sim_wait_init(&job.done);
		if (!pdflush_operation(do_job, (unsigned long)&job)) {
			while (!job.runs)
				if (!sim_wait_until(&job.done, sim_clock + 10 * NSEC_PER_SEC) &&
				    !job.runs && !sim_stealing)
					invariant_broken("once", "a job did not run in 10 s");
			program_note(program, started);
		}
		program_pause(program, program->think_ns);
	}
}

const struct program_kind program_jobs = {
	.name = "jobs", .run = jobs,
};

/* Detaches the engine in the middle of it all, and attaches it again. */
static void reattach(struct program *program)
{
	int i;

	for (i = 0; i < program->loops && !program_over(program); i++) {
		program_pause(program, program->think_ns / 2 +
				       rng_below(&program->rng, program->think_ns / 1000 + 1) *
				       1000ULL);
		mutex_lock(&engine_mutex);
		if (program_over(program)) {
			mutex_unlock(&engine_mutex);
			break;
		}
		if (rng_next(&program->rng) & 1) {
			engine_turn_round();
		} else {
			engine_detach();
			program_pause(program, NSEC_PER_MSEC);
			engine_attach();
		}
		mutex_unlock(&engine_mutex);
		program->ops++;
	}
}

const struct program_kind program_reattach = {
	.name = "reattach", .run = reattach,
};

/*
 * An administrator who can't make up his mind: thresholds and the bounds of the pool change
 * all the time.
 */
static void tune(struct program *program)
{
	static const char *const names[] = {
		"dirty_background_ratio", "dirty_async_ratio", "dirty_sync_ratio",
		"nr_pdflush_threads_min", "nr_pdflush_threads_max",
	};
	int i;

	for (i = 0; i < program->loops && !program_over(program); i++) {
		u32 which = rng_below(&program->rng, ARRAY_SIZE(names));
		u32 number = which < 3 ? rng_below(&program->rng, 90) :
			     1 + rng_below(&program->rng, 4);
		char value[16];

		program_pause(program, program->think_ns);
		snprintf(value, sizeof(value), "%u", number);
		setting_apply(names[which], value);
		program->ops++;
	}
}

const struct program_kind program_tune = {
	.name = "tune", .run = tune,
};

/* Another who can't: policies, 2.4's numbers and its kupdated. */
static void switcher(struct program *program)
{
	static const struct { const char *name, *value; } change[] = {
		{ "writeback_policy", "bdflush" },
		{ "writeback_policy", "bdflush" },
		{ "writeback_policy", "ratios" },
		{ "kupdated", "stop" },
		{ "kupdated", "continue" },
		{ "kupdated", "continue" },
		{ "bdflush", "10 500 0 0 10 100 20 5 0" },
		{ "bdflush", "30 500 0 0 0 100 60 0" },
		{ "bdflush", "70" },
		{ "bdflush_rules", "2.4.8" },
		{ "bdflush_rules", "2.4.19" },
		{ "dirty_writeback_centisecs", "0" },
		{ "dirty_writeback_centisecs", "20" },
	};
	int i;

	for (i = 0; i < program->loops && !program_over(program); i++) {
		u32 which = rng_below(&program->rng, ARRAY_SIZE(change));

		program_pause(program, program->think_ns);
		/* kupdated may not be there now: then nobody is sent anything */
		setting_apply(change[which].name, change[which].value);
		program->ops++;
	}
}

const struct program_kind program_switch = {
	.name = "switch", .run = switcher,
};

/* The pool is to have few threads, then more, and so on: some die, others are born. */
static void resize(struct program *program)
{
	int i;

	for (i = 0; i < program->loops && !program_over(program); i++) {
		program_pause(program, program->think_ns);
		setting_apply("nr_pdflush_threads_min", i & 1 ? "4" : "1");
		program->ops++;
	}
}

const struct program_kind program_resize = {
	.name = "resize", .run = resize,
};
