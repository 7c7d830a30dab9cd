# SPDX-License-Identifier: GPL-2.0
# Every source of the engine, once.

# Pure: decisions and arithmetic; compile anywhere.
PURE_SOURCES := \
	kernel/pdflush/rules.c \
	mm/page-writeback/allowance.c \
	mm/page-writeback/bandwidth.c \
	mm/page-writeback/decide.c \
	mm/page-writeback/limits.c \
	mm/page-writeback/policy-bdflush.c \
	mm/page-writeback/policy-ratios.c \
	mm/page-writeback/ticket.c \
	sysctl/parse.c

# The engine: kernel API, but no knowledge of a real kernel; the simulator compiles these too.
ENGINE_SOURCES := \
	kernel/pdflush/pool.c \
	mm/page-writeback/background.c \
	mm/page-writeback/bdflush.c \
	mm/page-writeback/device.c \
	mm/page-writeback/kupdate.c \
	mm/page-writeback/page-writeback.c \
	mm/page-writeback/policy.c \
	mm/page-writeback/settings.c \
	mm/page-writeback/stats.c

# Only in the kernel.
KERNEL_SOURCES := \
	mm/page-writeback/attach.c \
	mm/page-writeback/host-kernel.c \
	sysctl/bdflush.c \
	sysctl/proc-pdflush.c \
	sysctl/vm.c

# The module of tracepoints.
TRACE_SOURCES := mm/page-writeback/trace.c
