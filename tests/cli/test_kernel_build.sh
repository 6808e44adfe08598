#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# packaging/kernel/build: what it refuses, and, with a source of a few lines, what it
# builds, builds again and goes on with.
. tests/cli/lib.sh

native=$(dpkg --print-architecture)
case $native in
arm64) image=Image other=amd64 other_image=bzImage other_machine=x86-64 ;;
*) image=bzImage other=arm64 other_image=Image other_machine=aarch64 ;;
esac

TREE=$TMP/tree
LINUX=$TMP/linux
BUILT=$TMP/built # a line each time that make comes to compile
export XDG_CACHE_HOME=$TMP/cache BUILT
empty= # what ends in a space, in the lines below

mkdir -p "$TREE"/{tests/vm,packaging/kernel/6.12} "$LINUX"/{kernel,tools/testing/selftests/bpf/progs}
cp tests/vm/apt.sh "$TREE/tests/vm"
cp packaging/kernel/{build,minimal*.config} "$TREE/packaging/kernel"
touch "$LINUX/Kbuild" "$LINUX/tools/testing/selftests/bpf/progs/bpf_misc.h"
printf '%s\n' one two three four five six seven >"$LINUX/kernel/a.c"
cp "$LINUX/kernel/a.c" "$LINUX/kernel/b.c"
cat >"$LINUX/Makefile" <<-'EOF'
	SHELL = /bin/bash
	tinyconfig olddefconfig: ; echo CONFIG_$@=y >>$(O)/.config
	bzImage Image: kernel/a.o ; mkdir -p $(O)/arch/$(ARCH)/boot && cp kernel/a.c $(O)/arch/$(ARCH)/boot/$@
	bindeb-pkg: kernel/a.o ; touch $(O)/../linux-{image,headers}-x.deb
	kernel/%.o: ; echo $@ $(CROSS_COMPILE) $(SAN) >>$(BUILT) && ! grep broken kernel/$*.c
	kernelrelease: ; @sed -n 's/CONFIG_LOCALVERSION="\(.*\)"/6.12.1\1/p' $(O)/.config
EOF

# A patch that makes "four" something else; its context may be another.
write_patch() { # word [context [message]]
	cat >"$TREE/packaging/kernel/6.12/0001-a.patch" <<-EOF
	${3-a: change a word}
	---
	diff --git a/kernel/a.c b/kernel/a.c
	--- a/kernel/a.c
	+++ b/kernel/a.c
	@@ -1,7 +1,7 @@
	 ${2-one}
	 two
	 three
	-four
	+$1
	 five
	 six
	 seven
	-- 
	2.39
	EOF
}

build() { run "$TREE/packaging/kernel/build" "--source=$LINUX" "$@" 6.12; }

nr_built() { grep -c . "$BUILT" 2>/dev/null; }

# --- what is refused ---------------------------------------------------------

refuses() { # claim exit-status regexp argument...
	claim "$1"
	run "$TREE/packaging/kernel/build" "${@:4}"
	refused "$2" "$3" && ok || not_ok
}

refuses a_version_is_wanted 2 'which VERSION'
refuses another_version_is_refused 2 'which VERSION' --check 6.1
refuses another_architecture_is_refused 2 "not 'vax'" --arch=vax --check 6.12
refuses packages_are_for_this_machine_only 2 "this machine's own $native" --deb "--arch=$other" 6.12
refuses what_is_no_kernel_source_is_refused 1 'no kernel source' "--source=$TMP" 6.12

claim a_missing_cross_compiler_is_named
mkdir "$TMP/bin" && ln -s /usr/bin/* "$TMP/bin" && rm -f "$TMP"/bin/*-linux-gnu-*
run env "PATH=$TMP/bin" "$TREE/packaging/kernel/build" --check "--arch=$other" 6.12
refused 1 "^itertrace: missing: apt-get install .*gcc-$other_machine-linux-gnu" && ok || not_ok

# --- what is built -----------------------------------------------------------

run "$TREE/packaging/kernel/build" --check "--arch=$other" 6.12
if ((status)); then
	claim kernels_are_built
	skip "$(sed 's/^itertrace: //' "$TMP/stderr")"
	finish
fi

is_result() { # image word release
	local result

	result=$(cat "$TMP/stdout")
	exits_with 0 && grep -qx "$2" "$result/$1" && [[ -e $result/bpf_misc.h ]] && grep -qx "$3" "$result/release" &&
		grep -qx "CONFIG_LOCALVERSION=\"${3#6.12.1}\"" "$result/config" &&
		tail -n 1 "$result/config" | grep -qx CONFIG_olddefconfig=y
}

claim a_kernel_is_built_with_its_series
write_patch 4
build
first=$(cat "$TMP/stdout")
is_result $image 4 6.12.1-itertrace && ok || not_ok

is_first() { # what make compiled since
	exits_with 0 && prints stdout "^$first$" && [[ $(nr_built) == 1 ]]
}

claim what_is_there_is_not_built_again
build
is_first && ok || not_ok

claim of_a_patch_the_message_does_not_count
write_patch 4 one 'a: say it better'
build
is_first && ok || not_ok

claim of_a_kernel_patches_of_the_tools_do_not_count
sed 's|kernel/a\.c|tools/a.c|' "$TREE/packaging/kernel/6.12/0001-a.patch" >"$TREE/packaging/kernel/6.12/0002-tools.patch"
cp "$LINUX/kernel/a.c" "$TMP/a.c"
build
is_first && ok || not_ok
rm "$TREE/packaging/kernel/6.12/0002-tools.patch"

claim another_patch_is_another_kernel
write_patch vier
build
is_result $image vier 6.12.1-itertrace && ! prints stdout "^$first$" >/dev/null && ok || not_ok

claim a_kernel_without_the_series_is_another
build --unpatched
is_result $image four 6.12.1 && ok || not_ok

claim another_architecture_is_cross_compiled
build "--arch=$other"
is_result $other_image vier 6.12.1-itertrace && grep -q "^kernel/a.o ${other_machine/-/_}-linux-gnu-" "$BUILT" && ok || not_ok

claim the_callers_make_has_no_say
write_patch quattro
MAKEFLAGS=' -- SAN=surely' build
exits_with 0 && ! grep surely "$BUILT" && ok || not_ok

# --- what is broken off ------------------------------------------------------

broken_off() { find "$XDG_CACHE_HOME/itertrace/kernel/work" -maxdepth 1 -type d -name "*-$native-minimal-patched-*"; }

claim fuzz_is_refused
write_patch 4 uno
build
refuses_patch() { exits_with 1 && prints_nothing stdout && prints stderr '^itertrace: .*/0001-a.patch does not apply'; }
refuses_patch && ok || not_ok

claim a_build_that_fails_says_so
write_patch broken
build
exits_with 1 && prints_nothing stdout && prints stderr '^itertrace: that failed; all of it is in ' && ok || not_ok

claim it_goes_on_where_it_was
work=$(broken_off)
sed -i s/broken/mended/ "$work/linux/kernel/a.c"
build
is_result $image mended 6.12.1-itertrace && ! grep -E 'unpacking|configuring' "$TMP/stderr" && ok || not_ok

claim what_was_broken_off_of_another_series_is_removed
write_patch 'broken twice'
build
work=$(broken_off)
write_patch 4.0
[[ -d $work ]] && build && exits_with 0 && [[ ! -e $work ]] && ok || not_ok

# --- what is only compiled ---------------------------------------------------

claim what_the_series_touches_is_compiled_once
rm "$BUILT"
build --compile
exits_with 0 && build --compile
exits_with 0 && [[ $(cat "$BUILT") == "kernel/a.o"* && $(nr_built) == 1 ]] && ok || not_ok

claim what_does_not_compile_fails
write_patch 'broken again'
build --compile
exits_with 1 && prints stderr '^itertrace: that failed' && ok || not_ok

claim a_patch_that_does_not_apply_does_not_compile
write_patch 4 uno
build --compile
refuses_patch && ok || not_ok

# --- packages ----------------------------------------------------------------

claim packages_have_the_configuration_of_this_host
write_patch 4
run "$TREE/packaging/kernel/build" --deb --check 6.12
if ((status)); then
	skip "$(sed 's/^itertrace: //' "$TMP/stderr")"
else
	build --deb
	result=$(cat "$TMP/stdout")
	exits_with 0 && [[ -e $result/linux-image-x.deb && -e $result/linux-headers-x.deb ]] &&
		grep -qx 6.12.1-itertrace "$result/release" &&
		grep -qxF "$({ cat "/boot/config-$(uname -r)" || zcat /proc/config.gz; } 2>/dev/null | grep -m 1 =y)" \
			"$result/config" && ok || not_ok
fi

finish
