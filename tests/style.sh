#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# style.sh: what holds for every file of the project, in TAP.
#
# The modules are built from a copy, from nothing, so that every warning is seen and nobody who
# builds in the tree at the same time is disturbed.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=build/style
nr=0 failed=0

# check DESCRIPTION COMMAND...: fine if the command prints nothing and succeeds
check() {
	local description=$1 output
	shift
	nr=$((nr + 1))
	if output=$("$@" 2>&1) && [[ -z $output ]]; then
		echo "ok $nr - $description"
	else
		echo "not ok $nr - $description"
		output=${output:-failed without a word}
		printf '# %s\n' "${output//$'\n'/$'\n'# }" >&2
		failed=1
	fi
}

# All files that are, or could be, committed
files() {
	git ls-files -z --cached --others --exclude-standard -- "$@" |
		while IFS= read -r -d '' file; do
			[[ ! -f $file ]] || printf '%s\n' "$file"
		done
}

c_files() { files '*.c' '*.h'; }

shell_files() {
	local file line
	files | while read -r file; do
		line=
		IFS= read -r line <"$file" || true
		[[ ! $line =~ ^#!.*[/\ ](ba|da)?sh( |$) ]] || echo "$file"
	done 2>/dev/null
}

make_files() { files Makefile '*/Makefile' Kbuild '*/Kbuild' '*.mk'; }

# A copy of all that modules are made of
copy_sources() {
	rm -rf "$copy"
	mkdir -p "$copy"
	files '*.c' '*.h' Kbuild '*/Kbuild' '*.mk' | xargs -d '\n' cp --parents -t "$copy"
}

# build_module FOLDER: the modules whose Kbuild is there
build_module() {
	local log
	log=$(make modules M="$(realpath "$copy/$1")" C=2 2>&1) || {
		echo "$log"
		return 1
	}
	# sparse finds fault with inline functions of the kernel's own headers, too
	grep -iE 'warning|error|undefined' <<<"$log" | grep -v '^/usr/src/linux-headers-' || true
}

# The engine first, as others use its symbols
other_modules_build() {
	local kbuild
	files '*/Kbuild' | while read -r kbuild; do
		build_module "${kbuild%/*}"
	done
}

shell_is_clean() { shell_files | xargs -d '\n' shellcheck; }

short_lines() {
	{ c_files; shell_files; make_files; } | while read -r file; do
		expand "$file" | awk -v name="$file" \
			'length > 100 { print name ":" NR ": " length " columns" }'
	done
}

no_trailing_space() {
	{ c_files; shell_files; make_files; } | xargs -d '\n' grep -nE '[[:blank:]]$' || true
}

spdx() {
	local file
	{ c_files; shell_files; make_files; } | while read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2\.0' || echo "$file"
	done
}

small_files() {
	local file
	files | while read -r file; do
		(($(stat -c %s "$file") <= 1000000)) || echo "$file"
	done
}

c_and_shell_only() {
	files '*.py' '*.pl' '*.js' '*.rb' '*.lua' '*.cc' '*.cpp' '*.rs' '*.go'
}

copy_sources
echo 1..8
check "pdflush.ko: no warning at W=1, none from sparse" build_module .
check "other modules: no warning at W=1, none from sparse" other_modules_build
check "shellcheck has nothing to say" shell_is_clean
check "100 columns" short_lines
check "no white space at the end of a line" no_trailing_space
check "every source bears its license" spdx
check "no file over 1 MB" small_files
check "C and shell, no other language" c_and_shell_only
exit $failed
