# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# apt with a state of its own, in the cache. The archive is the one that the
# machine's own apt uses, its signatures are checked with Debian's keyring; the
# machine's sources, lists and packages stay as they are.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

codename() { (. /etc/os-release && echo "${VERSION_CODENAME-}"); }

archive_base() {
	apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE)' \
		'Created-By: Packages' |
		awk -v release="$(codename)" '$2 == release { print $1; exit }'
}

# For a suite and an architecture: sets apt, updates once. To apt no package is
# installed there.
declare -A updated
use_suite() { # suite arch
	local state=$CACHE/apt/$1-$2 base

	mkdir -p "$state/lists/partial" "$state/cache/archives/partial" || return
	apt=(-q -o "Dir::State=$state" -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache"
	     -o Dir::State::Status=/dev/null
	     -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=-
	     -o "APT::Architecture=$2" -o "APT::Architectures=$2"
	     -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=2)
	[[ ${updated[$1-$2]-} ]] && return
	base=$(archive_base)
	[[ $base ]] || { say "this machine's apt names no archive of its own release"; return 1; }
	echo "deb [signed-by=$KEYRING] $base $1 main" >"$state/sources.list"
	say "reading the package list of $1 ($2)"
	apt-get "${apt[@]}" --error-on=any update </dev/null >"$state/log" 2>&1 ||
		{ tail -n 5 "$state/log" >&2; return 1; }
	updated[$1-$2]=1
}
