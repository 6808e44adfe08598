# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
#
# For the scripts of tests/vm, which run from the top of the tree. The cache
# holds KERNEL/PACKAGE_VERSION/vmlinuz, and KERNEL/current, a link to the one
# that is booted; sysroot-ARCH/current likewise. Architectures have Debian's names.
set -uo pipefail
export LC_ALL=C

VM=tests/vm
# Seconds a boot; the machine may have other work.
LIMIT=${LIMIT:-300}
OUT=build/vm
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/itertrace/vm

say() { printf 'itertrace: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# The table without its comments.
kernels() { grep -vE '^(#|[[:space:]]*$)' $VM/kernels; }

kernel_names() { kernels | awk '{ print $1 }'; }

# Sets name, arch, suite, pattern and guests.
find_kernel() { # name
	local line

	line=$(kernels | awk -v name="$1" '$1 == name')
	[[ $line ]] || die "there is no kernel '$1' in $VM/kernels; there are $(kernel_names | xargs)"
	read -r name arch suite pattern guests <<<"$line"
}

kernel_image() { # name
	echo "$CACHE/$1/current/vmlinuz"
}

# What is not this machine's is built against a directory of the cache, and into
# one of its own.
native_arch() { dpkg --print-architecture; }

# What compilers call it.
machine() { # arch
	case $1 in
	amd64) echo x86_64 ;;
	arm64) echo aarch64 ;;
	*) die "it is not known how to build for $1" ;;
	esac
}

built() { # arch
	if [[ $1 == "$(native_arch)" ]]; then echo build; else echo "build/$(machine "$1")"; fi
}

sysroot() { # arch
	echo "$CACHE/sysroot-$1/current"
}

# A program for tests/run, which gives it no arguments; prints where it is.
make_test() { # name line-of-shell
	printf '#!/bin/sh\n%s\n' "$2" >"$OUT/$1" && chmod +x "$OUT/$1" && echo "$OUT/$1"
}

guest_image() { # arch
	echo "$OUT/image-$1.cpio"
}
