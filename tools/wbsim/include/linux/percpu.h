/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU data: the simulated CPUs share one copy. What counts there is summed up anyway.
 */
#ifndef _SHIM_LINUX_PERCPU_H
#define _SHIM_LINUX_PERCPU_H

#include <linux/sched.h>

#define DEFINE_PER_CPU(type, name)	typeof(type) name
#define per_cpu(var, cpu)		(*((void)(cpu), &(var)))
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define this_cpu_add(var, n)		((void)((var) += (n)))
#define this_cpu_inc(var)		this_cpu_add(var, 1)
#define get_cpu_ptr(ptr)		(preempt_disable(), (ptr))
#define put_cpu_ptr(ptr)		((void)(ptr), preempt_enable())

#endif
