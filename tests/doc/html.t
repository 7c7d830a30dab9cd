#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make htmldocs: no warning, and no link into the void.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/../sim/lib.sh"

html=build/doc/html

# What make and its tools have to say is no fault, a warning is
build_pages() {
	make -s htmldocs "$@" 2>&1 | tee "$work/said"
	return "${PIPESTATUS[0]}"
}

quietly() { ! grep -Ev '^  [A-Z]+ |^Read |^Installing ' "$work/said"; }

# Every file gives a page
pages_of() {
	local file
	for file; do
		file=${file##*/}
		case $file in
		*.rst) file=$html/${file%.rst}.html ;;
		*) file=$html/man/$file.html ;;
		esac
		[[ -s $file ]] || { echo "no $file" && return 1; }
	done
}

# dead_links ATTRIBUTE: links and pictures of ours that are not there
dead_links() {
	local page target
	for page in "$html"/*.html "$html"/man/*.html; do
		grep -oP "\\b$1=\"\\K[^\"#?]+" "$page" | grep -Ev '^[a-z]+:' | sort -u |
			while read -r target; do
				[[ -e ${page%/*}/$target ]] || echo "$page: $target"
			done
	done
}

no_dead() {
	local dead
	dead=$(dead_links "$1")
	[[ -z $dead ]] || { echo "$dead" && return 1; }
}

fails_of_picture() {
	! build_pages DOC="$work/doc" && grep -q 'image file not readable: .*cole.png' "$work/said"
}

ok "all pages are made" build_pages
ok "... without a warning" quietly
ok "each text has its page" pages_of Documentation/*.rst
mapfile -t manuals < <(git ls-files -co --exclude-standard '*.[1-8]')
ok "each manual page, too" pages_of "${manuals[@]}"
ok "what they send readers to is there" no_dead href
ok "... and the pictures" no_dead src

# Is a fault found, and found again when no page is new?
cp -a build/doc "$work/doc"
rm "$work/doc/source/pictures/cole.png"
ok "a picture that is missing is a fault" fails_of_picture
ok "... still" fails_of_picture
done_testing
