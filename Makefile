# SPDX-License-Identifier: GPL-2.0
#
# pdflush. Kbuild makes the module; this file makes everything else and calls Kbuild.
include sources.mk

# The newest kernel of the 6.1 line that there are headers for. Found when it is needed, as `make
# deps` may have just installed them.
KDIR ?= $(shell ls -d /lib/modules/6.1.*-amd64/build 2>/dev/null | sort -V | tail -n 1)
# The folder whose Kbuild is made.
M ?= $(CURDIR)

B := build

# As many jobs as there are processors, unless whoever calls says how many.
ifeq (,$(findstring jobserver,$(MAKEFLAGS)))
MAKEFLAGS += -j$(shell nproc)
endif

.PHONY: all modules modules_install install install-tools clean deps unit sim wbsim pdflushctl \
	ctl htmldocs check check-all check-style deb demo bench agree sweep feel clients report help
.DELETE_ON_ERROR:

all: modules

# ---- The module --------------------------------------------------------------------------------

need_headers = @test -d '$(KDIR)' || { echo >&2 'No headers of a 6.1 kernel$(KDIR:%= in %): \
	apt-get install linux-headers-amd64, or make KDIR=...'; exit 1; }
kbuild = $(MAKE) -C '$(KDIR)' M='$(M)' W=1

# One at a time: several may want it at once.
modules:
	$(need_headers)
	+@flock '$(M)' $(kbuild) modules

modules_install install: modules
	$(kbuild) modules_install

clean:
	rm -rf $(B)
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' -o -name '.*.d' -o -name modules.order \
		-o -name Module.symvers \) -exec rm -f {} +

# ---- Packages of the host ----------------------------------------------------------------------

# The lists beside image/ folders and the like are the guest's own.
# A packager, who has them installed, calls make DEPS=
DEPS := deps

deps:
	@tests/install-packages.sh $(wildcard Documentation/packages tests/packages \
		tests/*/packages tools/*/packages)

# ---- User space --------------------------------------------------------------------------------

# Sources of the kernel compile here as they are, on the shim's headers.
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
	-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
HOST_INCLUDES := -Itools/wbsim/include -Iinclude -Isysctl

PURE_OBJECTS := $(PURE_SOURCES:%.c=$(B)/host/%.o)
UNIT_SOURCES := $(wildcard tests/unit/*.c)
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(B)/unit/%)

$(B)/host/%.o: %.c Makefile | deps
	@mkdir -p $(@D)
	@echo "  CC      $@"
	@$(CC) $(HOST_CFLAGS) $(HOST_INCLUDES) -MMD -MP -c -o $@ $<

$(UNIT_TESTS): $(B)/unit/%: $(B)/host/tests/unit/%.o $(PURE_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	@$(CC) $(HOST_CFLAGS) -o $@ $^ -lcmocka

-include $(PURE_OBJECTS:.o=.d) $(UNIT_SOURCES:%.c=$(B)/host/%.d)

# ---- The simulator -----------------------------------------------------------------------------

# The same sources of the engine as in the module, on the shim's headers.
SIM_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DWBSIM -O2 -g -Wall -Wextra -Werror \
	-Wno-unused-parameter -Wno-sign-compare -ffp-contract=off $(CPPFLAGS) $(CFLAGS)
SIM_INCLUDES := $(HOST_INCLUDES) -Itools/wbsim
SIM_LIBS := -lconfig -ljansson -lm

SIM_SOURCES := $(ENGINE_SOURCES) $(PURE_SOURCES) $(wildcard tools/wbsim/*.c)
SIM_OBJECTS := $(SIM_SOURCES:%.c=$(B)/sim/%.o)
SIM_TESTS := $(sort $(wildcard tests/sim/*.t)) $(B)/unit/sim-ranges

$(B)/sim/%.o: %.c Makefile | $(DEPS)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	@$(CC) $(SIM_CFLAGS) $(SIM_INCLUDES) -MMD -MP -c -o $@ $<

$(B)/wbsim: $(SIM_OBJECTS)
	@echo "  LD      $@"
	@$(CC) $(SIM_CFLAGS) $(LDFLAGS) -o $@ $^ $(SIM_LIBS)

# breaks.c puts functions of its own in front of these, to see that a broken engine is found out.
$(B)/sim/breaks.wrap: tests/sim/breaks.c Makefile
	@mkdir -p $(@D)
	@sed -n 's/.*__wrap_\([a-z0-9_]*\)(.*/-Wl,--wrap=\1/p' $< >$@

$(B)/wbsim-broken: $(SIM_OBJECTS) $(B)/sim/tests/sim/breaks.o $(B)/sim/breaks.wrap
	@echo "  LD      $@"
	@$(CC) $(SIM_CFLAGS) @$(B)/sim/breaks.wrap -o $@ $(filter %.o,$^) $(SIM_LIBS)

# Faults put into the engine's source, to see that explore finds them.
$(B)/wbsim-mutant-%: tests/sim/mutations/%.patch tests/sim/mutate $(SIM_OBJECTS)
	@echo "  MUTANT  $@"
	@CC='$(CC)' CFLAGS='$(SIM_CFLAGS) $(SIM_INCLUDES)' LIBS='$(SIM_LIBS)' \
		tests/sim/mutate $* $(SIM_OBJECTS)

# The simulator's own sets of pages, with sanitizers as all unit tests.
$(B)/unit/sim-ranges: tests/sim/ranges.c $(addprefix tools/wbsim/,ranges.c ranges.h histogram.c \
		histogram.h) Makefile | deps
	@mkdir -p $(@D)
	@echo "  CC      $@"
	@$(CC) $(HOST_CFLAGS) $(SIM_INCLUDES) -o $@ $(filter %.c,$^) -lcmocka

wbsim: $(B)/wbsim

-include $(SIM_OBJECTS:.o=.d) $(B)/sim/tests/sim/breaks.d

# ---- The administrator's command --------------------------------------------------------------

CTL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Wno-format-truncation \
	-Itools/pdflushctl -I/usr/include/tracefs -I/usr/include/traceevent $(CPPFLAGS) $(CFLAGS)
CTL_LIBS := -ltracefs -ltraceevent -ljansson -lncursesw -ltinfo -lm
CTL_SOURCES := $(wildcard tools/pdflushctl/*.c)
CTL_OBJECTS := $(CTL_SOURCES:%.c=$(B)/ctl/%.o)
CTL_TESTS := $(sort $(wildcard tests/ctl/*.t))

$(B)/ctl/%.o: %.c Makefile | $(DEPS)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	@$(CC) $(CTL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/pdflushctl: $(CTL_OBJECTS)
	@echo "  LD      $@"
	@$(CC) $(CTL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CTL_LIBS)

# For the guest, which has none of these libraries.
$(B)/pdflushctl-static: $(CTL_OBJECTS)
	@echo "  LD      $@"
	@$(CC) $(CTL_CFLAGS) -static -s -o $@ $^ $(CTL_LIBS)

pdflushctl: $(B)/pdflushctl

# Where the tools go. Profiles are where a pdflushctl in /usr looks for them.
PREFIX ?= /usr
DESTDIR ?=
TO := $(DESTDIR)$(PREFIX)
NEW = install -D -m 644 -t

install-tools: $(B)/pdflushctl $(B)/wbsim
	install -D -t $(TO)/bin $(B)/wbsim
	install -D -t $(TO)/sbin $(B)/pdflushctl
	$(NEW) $(TO)/share/man/man1 tools/wbsim/wbsim.1
	$(NEW) $(TO)/share/man/man4 Documentation/man/pdflush.4
	$(NEW) $(TO)/share/man/man7 Documentation/man/writeback_policy.7
	$(NEW) $(TO)/share/man/man8 tools/pdflushctl/pdflushctl.8
	$(NEW) $(TO)/share/wbsim $(wildcard tools/wbsim/testbeds/*)
	$(NEW) $(TO)/share/pdflush/profiles $(wildcard tools/pdflushctl/profiles/*)
	$(NEW) $(TO)/share/pdflush/bpftrace $(wildcard tools/bpftrace/*.bt)
	install -D -m 644 tools/pdflushctl/pdflushctl.bash-completion \
		$(TO)/share/bash-completion/completions/pdflushctl

-include $(CTL_OBJECTS:.o=.d)

# ---- Pages to read -----------------------------------------------------------------------------

DOC := $(B)/doc
DOC_SOURCES := $(wildcard Documentation/*.rst Documentation/*.png Documentation/examples/*/*)
DOC_MANUALS := $(wildcard Documentation/man/*) tools/pdflushctl/pdflushctl.8 tools/wbsim/wbsim.1
DOC_TITLE := pdflush
# A conf.py would be a language more.
SPHINX := sphinx-build -C -W --keep-going -q -j auto -d $(DOC)/trees \
	-D project=$(DOC_TITLE) -D html_title=$(DOC_TITLE) -D html_theme=alabaster \
	-D html_theme_options.page_width=72em -D html_theme_options.fixed_sidebar=true \
	-D html_theme_options.description='A writeback engine for stock Linux kernels' \
	-D html_show_sphinx=0 -D html_show_copyright=0 -D html_copy_source=0 \
	-D highlight_language=none

# Pages that are not ours are Debian's.
DOC_MANDOC := toc,style=man.css,man=%N.%S.html;https://manpages.debian.org/%N.%S

$(B)/curves: $(B)/host/Documentation/curves.o $(PURE_OBJECTS)
	@echo "  LD      $@"
	@$(CC) $(HOST_CFLAGS) -o $@ $^

-include $(B)/host/Documentation/curves.d

$(DOC)/pictures.made: Documentation/pictures $(B)/curves $(B)/wbsim \
		$(wildcard tools/wbsim/testbeds/*) | $(DEPS)
	@Documentation/pictures $(DOC)/source/pictures
	@touch $@

htmldocs: $(DOC)/pictures.made $(DEPS)
	@find $(DOC)/source -name pictures -prune -o -type f -exec rm {} +
	@cd Documentation && cp --parents -t $(abspath $(DOC)/source) \
		$(DOC_SOURCES:Documentation/%=%)
	@cp tests/bench/sweep-cole-2001.csv tools/wbsim/testbeds/kropelin-2002.cfg \
		$(DOC)/source/examples
	@sed -i /^#/d $(DOC)/source/examples/sweep-cole-2001.csv
	@$(SPHINX) $(DOC)/source $(DOC)/html
	@mkdir -p $(DOC)/html/man $(DOC)/man
	@cp -t $(DOC)/man $(DOC_MANUALS)
	@cp -t $(DOC)/html/man Documentation/man.css
	@cd $(DOC)/man && for page in *; do mandoc -T html -O '$(DOC_MANDOC)' $$page \
		>../html/man/$$page.html || exit; done
	@echo 'Read $(DOC)/html/index.html'

# ---- Packages ----------------------------------------------------------------------------------

# In build/deb.
deb: deps
	@debian/make-packages

# ---- Tests -------------------------------------------------------------------------------------

# A make that a test calls is nobody's child.
prove = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL prove --failures --exec tests/run-test.sh

# Of what measures; all but the sweep without a guest.
BENCH_TESTS := $(wildcard tests/bench/*.t)

# Of pages to read.
DOC_TESTS := $(sort $(wildcard tests/doc/*.t))

unit: $(UNIT_TESTS)
	@$(prove) $(UNIT_TESTS) $(filter-out %/html.t,$(DOC_TESTS)) \
		$(filter-out %/sweep.t,$(BENCH_TESTS))

sim: $(B)/wbsim $(B)/wbsim-broken $(B)/unit/sim-ranges
	@$(prove) --timer $(SIM_TESTS)

ctl: $(B)/pdflushctl
	@$(prove) --timer $(CTL_TESTS)

check-style: deps
	@$(prove) tests/style.sh

GUEST_TESTS := $(sort $(wildcard tests/guest/t/*.t))

# Two guests at once. What prove prints last is the verdict on everything.
check: $(UNIT_TESTS) $(B)/wbsim $(B)/wbsim-broken $(B)/unit/sim-ranges $(B)/pdflushctl deps
	@$(prove) -j2 --timer $(UNIT_TESTS) tests/style.sh tests/compat.t \
		$(SIM_TESTS) $(CTL_TESTS) \
		$(DOC_TESTS) $(BENCH_TESTS) tests/package/lintian.t tests/package/skip.t \
		$(sort $(wildcard tests/guest/6.12/*.t)) $(GUEST_TESTS)

# All on the second kernel, too, and a Debian that gets the packages: twice the time.
check-all: check
	@$(prove) --timer tests/package/install.t
	@GUEST_OPTIONS="--kernel 6.12" $(prove) -j2 --timer $(GUEST_TESTS)

demo: deps
	@tests/bench/demo

bench: deps $(B)/wbsim
	@tests/bench/bench
	@tests/bench/sim
	@tests/bench/ctl

agree: deps $(B)/wbsim
	@tests/bench/agree

# With other options: make sweep SWEEP="--policy ratios --jobs 1"
sweep: deps
	@tests/bench/sweep --against tests/bench/sweep-cole-2001.csv $(or $(SWEEP),--feel)

feel: deps
	@tests/bench/feel $(FEEL)

clients: deps
	@tests/bench/clients $(CLIENTS)

report: deps
	@tests/bench/report $(REPORT)

help:
	@echo 'make                build pdflush.ko for the newest 6.1 kernel with headers'
	@echo 'make KDIR=...       ... for the kernel built there'
	@echo 'make install        install it for that kernel'
	@echo 'make demo           the engine beside the stock one, in guests'
	@echo 'make check          all tests: units, style, simulator, guests'
	@echo 'make check-all      ... all guests with Linux 6.12, too, and the packages'
	@echo 'make unit           tests of decisions, limits, parsers alone'
	@echo 'make pdflushctl     the administrator'"'"'s command, build/pdflushctl'
	@echo 'make ctl            its tests alone'
	@echo 'make install-tools  install pdflushctl and wbsim; PREFIX, DESTDIR'
	@echo 'make deb            Debian packages, in build/deb'
	@echo 'make wbsim          the simulator, build/wbsim'
	@echo 'make sim            tests in the simulator alone'
	@echo 'make check-style    warnings, sparse, shellcheck, line lengths alone'
	@echo 'make bench          cost of a call, engine and stock; of looking at it'
	@echo 'make agree          guest and simulator side by side'
	@echo 'make sweep          dbench over a grid of settings, in guests'
	@echo 'make feel           how a busy machine feels, in guests'
	@echo 'make clients        dbench in memory, with more and more clients'
	@echo 'make report         a page of what was measured, build/report/index.html'
	@echo 'make htmldocs       all pages to read, build/doc/html/index.html'
	@echo 'make deps           install the packages that all this needs'
	@echo 'make clean          remove all that was built'
