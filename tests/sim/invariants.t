#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each invariant finds out an engine, or a host, that is broken on purpose; see breaks.c.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# finds BREAK PATTERN COMMAND TESTBED OPTION...: the simulator must fail, saying so and the seed
finds() {
	local break=$1 pattern=$2 output
	shift 2
	if output=$(WBSIM_BREAK=$break build/wbsim-broken "$@" 2>&1); then
		echo "nothing was found"
		return 1
	fi
	grep -E "seed [0-9]+.*$pattern" <<<"$output" >/dev/null || {
		echo "$output"
		return 1
	}
}

quiet() { build/wbsim-broken explore race --seeds 20; }

# caught BREAK PATTERN: what a thread of the pool must not do, see misdeeds
caught() { ok "$1" finds "$1" "$2" explore race --seeds 50; }

ok "not broken: nothing is found" quiet

# What the engine promises
ok "counts of the machine" finds counts "invariant counts: [0-9]+ dirty" explore race --seeds 50
ok "counts of a device" finds counts-device "invariant counts: sd[01]: " explore race --seeds 50
ok "sleeper" finds sleeper "invariant sleeper: a caller is held" explore race-unplug --seeds 50
ok "wanted" finds wanted "invariant wanted: sd[01] waits" explore race --seeds 50
ok "wanted, for long" finds wanted "invariant wanted: sd[01] waits" run race-unplug
ok "agreement" finds agreement "invariant agreement: sd[01]: its thread" explore race --seeds 50
ok "bound" finds bound "invariant bound: [0-9]+ pages dirty" run usb-stick
ok "age" finds age "invariant age: .* s old" run age
ok "one thread a device" finds one-thread "invariant one-thread: two threads" \
	explore race --seeds 50
ok "pool" finds pool "invariant pool: [0-9]+ threads, " explore race --seeds 50
ok "a job that never runs" finds once "invariant once: a job did not run" \
	explore race --seeds 50
ok "a job that runs twice" finds twice "invariant once: a job ran twice" explore race --seeds 50
caught begun-twice "invariant once: [0-9]+ operations accepted"

# What is left at the end
ok "threads" finds detach "invariant detach: [0-9]+ threads are left" explore race --seeds 50
ok "no end" finds end "invariant detach: the run does not come to an end" explore race --seeds 50
ok "a thread that writes on for the stock engine" finds worker-stays \
	"invariant detach: unloading took" run race-detach --seed 1
ok "callers that stay" finds caller-stays "invariant detach: a caller is still inside" \
	explore race --seeds 50
ok "callers that come in" finds caller-enters "invariant detach: .* is inside" \
	explore race --seeds 50
ok "devices" finds devices-stay "invariant detach: devices are still listed" \
	explore race --seeds 50
ok "pins" finds pin-stays "invariant detach: sd[01] is still pinned" explore race --seeds 50
ok "a timer" finds timer-stays "invariant detach: a timer is still set" explore race --seeds 50
ok "memory" finds leak "invariant detach: [0-9]+ objects were not freed" explore race --seeds 50

# Memory
ok "freed under a reader" finds grace "memory used after it was freed" \
	explore race-retire --seeds 2000
ok "freed twice" finds free-twice "memory used after it was freed" explore race --seeds 50
ok "freed but never allocated" finds free-what "freed that was never" explore race --seeds 50
ok "unpinned twice" finds pin-twice "BUG in .*wb->pins" explore race --seeds 50
caught overrun "beyond its end, by pdflush"
caught wild "bad memory access in pdflush"
caught unpinned "pdflush uses the record of .*, which is not pinned"
caught count-from-zero "BUG in pdflush of .*refcount"
caught count-below-zero "BUG in pdflush of .*refcount"

# Locks, sleeping, RCU
caught sleep-in-spinlock "pdflush sleeps with spinlock lock_a held"
caught resched-in-spinlock "pdflush calls cond_resched.. with spinlock lock_a held"
caught allocate-in-spinlock "pdflush allocates memory with spinlock lock_a held"
caught sleep-in-rcu "pdflush calls schedule_timeout.. in an RCU read section"
caught mutex-in-rcu "pdflush takes a mutex in an RCU read section"
caught wait-for-itself "pdflush waits for a grace period in an RCU read section"
caught schedule-without-irqs "pdflush calls schedule.. with interrupts off"
caught schedule-without-preemption "pdflush calls schedule.. with preemption off"
caught end-with-spinlock "pdflush ends with spinlock lock_a held"
caught sleep-in-timer "sleeps in a timer"
caught read-without-rcu "pdflush reads what RCU protects outside"
caught leave-rcu-twice "pdflush leaves an RCU read section that it is not in"
caught spinlock-twice "deadlock: pdflush takes lock_a, which it holds"
caught mutex-twice "deadlock: pdflush takes a mutex that it holds"
caught spinlock-not-held "pdflush releases lock_a, which it does not hold"
caught mutex-not-held "pdflush releases a mutex that it does not hold"
caught both-orders "deadlock: lock_[ab] and lock_[ab] are taken in both orders"
caught callback-spins "deadlock: lock_a is held, and a callback waits for it"
caught irqs-on "deadlock: .*lock_a"
caught irqs-on-early "deadlock: lock_a is held with interrupts on, and timers take it"
caught livelock "livelock: tasks run for ever, last pdflush"
done_testing
