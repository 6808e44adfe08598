# SPDX-License-Identifier: BSD-2-Clause
#
# make help lists the targets. V=1 shows the commands, SAN=1 builds with
# ASan and UBSan, WERROR=1 makes warnings errors. Nothing here downloads but
# "make deps", which "make run" and "make check" begin with, and what boots other
# kernels: "make check", "make check-vm", "make check-service" and "make check-kernel".

VERSION := $(shell sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)

CC	?= cc
CLANG	?= clang
BPFTOOL	?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
PKG_CONFIG ?= pkg-config
INSTALL	?= install
PYTHON	?= /usr/bin/python3
HOST_ARCH := $(shell uname -m)
ifndef ARCH
ARCH	:= $(HOST_ARCH)
endif

# To build for another ARCH, with a CC and an AR for it: the directory that holds
# its libraries, as Debian lays them out. tests/vm/image does so.
SYSROOT	?=

# HTTP=0 builds without the listener, and without libmicrohttpd; SYSTEMD=0 does not tell the
# service manager anything, and builds without libsystemd; CURL=0 cannot ask a Prometheus,
# and builds without libcurl's headers; STATIC=1 does all that, and links the other
# libraries into the program.
HTTP	?= 1
SYSTEMD	?= 1
CURL	?= 1
ifeq ($(STATIC),1)
override HTTP := 0
override SYSTEMD := 0
override CURL := 0
endif
without = $(filter 0,$($(1)))

SYSROOT_PKG_CONFIG = $(if $(SYSROOT),PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(ARCH)-linux-gnu/pkgconfig)

prefix	?= /usr/local
DESTDIR	?=
sbindir	?= $(prefix)/sbin
mandir	?= $(prefix)/share/man
docdir	?= $(prefix)/share/doc/itertrace
bashcompdir ?= $(prefix)/share/bash-completion/completions
zshcompdir ?= $(prefix)/share/zsh/site-functions
fishcompdir ?= $(prefix)/share/fish/vendor_completions.d
sysconfdir ?= $(if $(filter /usr,$(prefix)),/etc,$(prefix)/etc)
unitdir	?= $(prefix)/lib/systemd/system
sysusersdir ?= $(prefix)/lib/sysusers.d

# What "make check-vm" boots, of tests/vm/kernels: all. KERNEL or KERNEL:GUEST,...
KERNELS ?=

# What "make check-service" boots, one after the other.
SERVICE_KERNELS ?= 6.12 7.3

# What "make check" boots: no iterator; one that is called; one that is inlined, on
# both architectures; what hardened hosts do; recordings of two, which are compared.
VM_IN_CHECK ?= 6.1:plain 6.12:exact 7.3:plain,exact,hostile,from-7.2 7.3-arm64:plain

# What "make check-kernel" builds, of packaging/kernel: all.
KERNEL_SERIES ?= 6.12 7.2 7.3 7.2-arm64
SELFTESTS_SERIES = $(filter-out %-arm64,$(KERNEL_SERIES))

# What "make check" sees of packaging/kernel: a kernel that is built, booted and proven,
# unless the cache says that it was; of the others that they apply and compile.
SERIES_IN_CHECK ?= 6.12 7.2:applies 7.3:applies

# How long "make fuzz" takes.
FUZZ_SECONDS ?= 60

# What "make run" runs, beside a workload.
RUN_ARGS ?= --duration 30 --interval 5

# What BPF programs are compiled to is the same with and without SAN.
K := build$(if $(filter-out $(HOST_ARCH),$(ARCH)),/$(ARCH))
B := $(K)$(if $(SAN),/san)$(if $(filter 1,$(STATIC)),/static)

# Debian 12 packages. deps installs those of them that are missing.
PKGS_LIBS := libc6-dev libbpf-dev libelf-dev zlib1g-dev libjansson-dev libcapstone-dev \
	libcap-ng-dev libseccomp-dev libinih-dev uthash-dev \
	$(if $(call without,SYSTEMD),,libsystemd-dev) $(if $(call without,HTTP),,libmicrohttpd-dev) \
	$(if $(call without,CURL),,libcurl4-gnutls-dev)
PKGS_BUILD := gcc make clang bpftool pkg-config $(PKGS_LIBS)
PKGS_TEST := libcmocka-dev python3 python3-jsonschema strace util-linux man-db libcap2-bin \
	procps clang-format git zsh fish python3-prometheus-client systemd
PKGS_FUZZ := libclang-rt-14-dev
PKGS_WEB := chromium chromium-driver python3-selenium python3-html5lib fonts-dejavu-core
PKGS_GUEST := busybox-static coreutils jq util-linux
PKGS_VM := libcmocka-dev qemu-system-x86 qemu-system-arm gcc-aarch64-linux-gnu cpio \
	debian-archive-keyring $(PKGS_GUEST)
PKGS_KERNEL := binutils bison flex bc perl python3 git xz-utils dwarves libelf-dev libdw-dev libssl-dev \
	kmod rsync cpio dpkg-dev debhelper debian-archive-keyring
# The kernels' own BPF tests want a newer clang than all else.
PKGS_SELFTESTS := clang-22 llvm-22

PKGS_DEB := dpkg-dev debhelper lintian git
PKGS_RPM := rpm git
PKGS_SERVICE := mmdebstrap $(PKGS_DEB)

LIBS := libbpf jansson capstone libcap-ng libseccomp inih \
	$(if $(call without,SYSTEMD),,libsystemd) $(if $(call without,HTTP),,libmicrohttpd)
# Its headers alone: src/base/fetch.c loads it when it is needed.
LOADED := $(if $(call without,CURL),,libcurl)

ifeq ($(V),)
Q := @
say = @printf '  %-8s %s\n' "$(1)" "$(2)"
else
Q :=
say = @:
endif
MAKEFLAGS += --no-print-directory

# --- flags -------------------------------------------------------------------

comma := ,

# Asked once, when the first compile needs it: before deps there may be none.
pkg_config = $(shell $(SYSROOT_PKG_CONFIG) $(PKG_CONFIG) $(if $(filter 1,$(STATIC)),--static) $(1) $(LIBS))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error \
	not every library is here: "make deps" installs them))
PC_CFLAGS = $(eval PC_CFLAGS := $$(call pkg_config,--cflags $(LOADED)))$(PC_CFLAGS)
PC_LIBS = $(eval PC_LIBS := $$(call pkg_config,--libs))$(PC_LIBS)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wformat=2 -Wvla $(if $(WERROR),-Werror)
OPT ?= -O2 -g
CFLAGS ?= $(OPT)
OWN_CFLAGS = -std=gnu11 $(WARN) $(CFLAGS) -D_GNU_SOURCE -DITERTRACE_VERSION='"$(VERSION)"' \
	-Isrc -I. -I$(K)/skel -I$(K)/gen $(SYSROOT:%=--sysroot=%) \
	$(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
ALL_CFLAGS = $(OWN_CFLAGS) $(PC_CFLAGS)
ALL_LDLIBS = $(PC_LIBS) -lelf -lz -lm -lpthread $(if $(filter 1,$(STATIC)),-static)

BPF_ARCH_x86_64	 := x86
BPF_ARCH_aarch64 := arm64
BPF_CFLAGS = -g -O2 -target bpf -mcpu=v3 -Wall -Wextra -Wno-unused-function -Wno-unused-parameter -Wno-gnu-variable-sized-type-not-at-end \
	$(if $(WERROR),-Werror) -D__TARGET_ARCH_$(BPF_ARCH_$(ARCH)) \
	-Ibpf -Ivmlinux -Ivmlinux/$(ARCH) -idirafter $(SYSROOT)/usr/include/$(ARCH)-linux-gnu

# --- what is built -----------------------------------------------------------

# What is left out has a file in its place.
SRCS := $(filter-out src/export/listener$(if $(call without,HTTP),,_absent).c \
	src/cmd/notify$(if $(call without,SYSTEMD),,_absent).c \
	src/base/fetch$(if $(call without,CURL),,_absent).c, $(sort $(wildcard src/*.c src/*/*.c)))
OBJS := $(SRCS:%.c=$(B)/%.o)
LIB_OBJS := $(filter-out $(B)/src/main.o,$(OBJS))
BPF_SRCS := $(sort $(wildcard bpf/*.bpf.c))
BPF_OBJS := $(BPF_SRCS:%.c=$(K)/%.o)
SKELS := $(BPF_SRCS:bpf/%.bpf.c=$(K)/skel/%.skel.h)
LIVE := $(K)/gen/export/live.h
PAGE := $(K)/gen/export/page.h

UNIT_SRCS := $(sort $(wildcard tests/unit/*.c))
UNIT_BINS := $(UNIT_SRCS:%.c=$(B)/%)
# What the fuzzers kept, once more.
REPLAY := tests/fuzz/replay
SAN_BINS := $(UNIT_SRCS:%.c=$(K)/san/%) $(K)/san/$(REPLAY)
FUZZ_SRCS := tests/fuzz/recording.c \
	$(filter $(addprefix src/,base/% model/% stat/% record/% export/%),$(SRCS))
# Tests that load programs: tests/verifier only loads, tests/kernel runs them.
KERNEL_SRCS := $(filter-out %.bpf.c,$(sort $(wildcard tests/verifier/*.c tests/kernel/*.c)))
KERNEL_BINS := $(KERNEL_SRCS:%.c=$(B)/%)
TEST_BPF_SRCS := $(sort $(wildcard tests/verifier/*.bpf.c tests/kernel/*.bpf.c))
TEST_BPF_OBJS := $(TEST_BPF_SRCS:%.c=$(K)/%.o)
TEST_SKELS := $(patsubst %.bpf.c,$(K)/skel/%.skel.h,$(notdir $(TEST_BPF_SRCS)))
BENCHES := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/bench/*.c)))
WORKLOADS := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/workload/*.c)))

# What proves the kernel series.
SERIES_TESTS := $(addprefix $(B)/packaging/kernel/tests/,battery cases count selftest)
SERIES_OBJS := $(addprefix $(B)/packaging/kernel/tests/,model.o program.o)
SERIES_BPF_SRCS := $(sort $(wildcard packaging/kernel/tests/*.bpf.c))
SERIES_SKELS := $(patsubst %.bpf.c,$(K)/skel/%.skel.h,$(notdir $(SERIES_BPF_SRCS)))

# All skeletons lie in one directory.
$(foreach s,$(SKELS) $(SERIES_SKELS),$(if $(word 2,$(filter $(s),$(SKELS) $(TEST_SKELS) $(SERIES_SKELS))), \
	$(error $(notdir $(s)): made from two sources; rename one)))

VERIFIER_TESTS := $(filter $(B)/tests/verifier/%,$(KERNEL_BINS)) $(wildcard tests/verifier/test_*.sh)
HOST_TESTS := $(filter $(B)/tests/kernel/%,$(KERNEL_BINS)) $(wildcard tests/kernel/test_*.sh)
WEB_TESTS := $(sort $(wildcard tests/web/test_*.py))
CLI_TESTS := $(sort $(wildcard tests/cli/test_*.sh))
METRICS_TESTS := $(sort $(wildcard tests/service/test_*.sh))
LINT_TESTS := $(sort $(wildcard tests/lint/test_*.sh))

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

##@ Building

.PHONY: all static deps deps-vm deps-kernel clean
all: $(B)/itertrace $(B)/.includes-checked ## build/itertrace (the default)

static: $(SKELS) $(LIVE) $(PAGE) ## build/static/itertrace, a file that needs no library: no --listen, systemd, --prometheus
	$(Q)$(MAKE) STATIC=1 SAN=

deps: ## install the Debian packages that are missing (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_TEST) $(PKGS_WEB)

deps-vm: ## and those that check-vm needs (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_VM)

deps-kernel: ## and those that packaging/kernel/build and check-kernel need (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_VM) $(PKGS_KERNEL)

clean: ## remove build/
	$(Q)rm -rf build

##@ Running

# What make knew before deps may not be so after it: pkg-config and clang may be
# new. So run and check start make anew.

.PHONY: run run-built
run: ## deps, build, then "itertrace run" beside a workload (as root)
	$(Q)$(MAKE) deps
	$(Q)$(MAKE) run-built

run-built: $(B)/itertrace $(B)/tests/workload/mixed
	$(Q)$(B)/tests/workload/mixed & workload=$$!; \
	trap : INT TERM; \
	$(B)/itertrace run $(RUN_ARGS); status=$$?; \
	kill $$workload; wait $$workload; \
	exit $$status

##@ Testing

# What the tests test: with SAN=1, the program in build/san.
export ITERTRACE := $(CURDIR)/$(B)/itertrace
export PYTHON

.PHONY: check check-built check-unit check-san check-verifier check-host check-cli check-metrics check-web check-lint
.PHONY: unit-bins san-bins
check: ## deps, build, then every test, eight guests and a kernel too; the last line counts them (as root)
	$(Q)$(MAKE) deps
	$(Q)$(MAKE) deps-kernel
	$(Q)tests/service/fetch-prometheus >/dev/null
	$(Q)$(MAKE) check-built

check-built: all static san-bins $(UNIT_BINS) $(KERNEL_BINS) $(WORKLOADS) $(B)/tests/web/pages
	+$(Q)guests=$$(tests/vm/prepare $(VM_IN_CHECK)) && \
		kernels=$$(LIMIT=600 packaging/kernel/prepare $(SERIES_IN_CHECK)) && \
		tests/run -t 620 $(LINT_TESTS) $(filter-out $(SAN_BINS),$(UNIT_BINS)) $(SAN_BINS) \
			$(VERIFIER_TESTS) $(HOST_TESTS) $(CLI_TESTS) $(METRICS_TESTS) $(WEB_TESTS) \
			$$guests $$kernels

check-unit: $(UNIT_BINS) ## what needs no kernel
	$(Q)tests/run $(UNIT_BINS)

check-san: san-bins ## the same under ASan and UBSan
	$(Q)tests/run $(SAN_BINS)

check-verifier: $(filter $(B)/%,$(VERIFIER_TESTS)) ## this kernel accepts every program, and at what cost (as root)
	$(Q)tests/run $(VERIFIER_TESTS)

check-host: $(filter $(B)/%,$(HOST_TESTS)) ## exact results against known workloads on this kernel (as root)
	$(Q)tests/run $(HOST_TESTS)

check-cli: all static $(WORKLOADS) ## the commands, their output, their documents (as root)
	$(Q)tests/run $(CLI_TESTS)

check-metrics: all ## a real Prometheus scrapes it, and hostile clients try it (as root)
	$(Q)tests/run $(METRICS_TESTS)

check-web: all $(B)/tests/web/pages ## pages in a browser; leaves pictures in build/web
	$(Q)tests/run -t 320 $(WEB_TESTS)

check-lint: ## style and layering of the sources, and that the checks find something
	$(Q)tests/run $(LINT_TESTS)

unit-bins: $(UNIT_BINS) $(B)/$(REPLAY)

.PHONY: check-vm check-vm-built vm-programs vm-packages
check-vm: ## boot other kernels under emulation, KERNELS="6.1 7.3" or all, and test there
	$(Q)$(MAKE) deps-vm
	$(Q)$(MAKE) check-vm-built

check-vm-built:
	+$(Q)tests/vm/check $(KERNELS)

.PHONY: compare-vm compare-vm-built
compare-vm: ## boot two kernels under emulation, KERNELS="7.2 7.3", record there and compare
	$(Q)$(MAKE) deps-vm
	$(Q)$(MAKE) compare-vm-built

compare-vm-built: COMPARED = $(or $(KERNELS),7.2 7.3)
compare-vm-built: $(B)/itertrace
	+$(Q)tests/vm/prepare $(COMPARED:%=%:recorded) >/dev/null && tests/vm/compare $(COMPARED)

# For tests/vm/image: once for each architecture.
vm-programs: $(B)/itertrace $(WORKLOADS) $(B)/tests/verifier/test_verifier $(B)/tests/kernel/test_shapes

vm-packages:
	@echo $(PKGS_LIBS) libcmocka-dev $(PKGS_GUEST)

.PHONY: check-service check-service-built
check-service: ## the package and its service in a Debian with systemd, on SERVICE_KERNELS="6.12 7.3" (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_VM) $(PKGS_SERVICE)
	$(Q)$(MAKE) check-service-built

check-service-built: deb $(B)/itertrace $(B)/tests/workload/mixed
	+$(Q)tests/service/check $(SERVICE_KERNELS)

.PHONY: check-kernel check-kernel-built check-kernel-applies check-kernel-selftests kernel-tests
check-kernel: ## build, boot and prove our kernels, KERNEL_SERIES="6.12 7.3" or all
	$(Q)$(MAKE) deps-kernel
	$(Q)$(MAKE) check-kernel-built
	$(Q)$(MAKE) check-kernel-selftests

check-kernel-built:
	+$(Q)packaging/kernel/check $(KERNEL_SERIES)

check-kernel-selftests: ## the kernel's own tests of loops pass on our kernels as on Debian's
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_VM) $(PKGS_KERNEL) $(PKGS_SELFTESTS)
	+$(Q)$(if $(SELFTESTS_SERIES),packaging/kernel/selftests $(SELFTESTS_SERIES))

check-kernel-applies: deps-kernel ## every series applies, and what it touches compiles
	+$(Q)packaging/kernel/check $(KERNEL_SERIES:%=%:applies)

# For packaging/kernel/prepare: once for each architecture.
kernel-tests: $(SERIES_TESTS)

# The skeletons first: both makes use them.
san-bins: $(SKELS) $(TEST_SKELS) $(LIVE) $(PAGE)
	$(Q)$(MAKE) SAN=1 unit-bins

# What is new goes into build/fuzz; what it finds lies in the current directory.
.PHONY: fuzz fuzz-built
fuzz: ## the reader of recordings under libFuzzer, ASan and UBSan, for FUZZ_SECONDS
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_FUZZ)
	$(Q)$(MAKE) fuzz-built

fuzz-built: $(K)/fuzz/recording
	$(Q)mkdir -p $(K)/fuzz/corpus
	$(Q)$< -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=1000 -max_len=20000 \
		$(K)/fuzz/corpus tests/fuzz/corpus/recording

.PHONY: bench bench-built
bench: ## speed and size, measured, beside their bars (as root)
	$(Q)$(MAKE) deps
	$(Q)$(MAKE) bench-built

bench-built: $(B)/itertrace $(BENCHES)
	$(Q)status=0; \
	$(B)/tests/bench/bars $(ITERTRACE) || status=$$?; \
	$(B)/tests/bench/compare $(ITERTRACE) || status=$$?; \
	$(B)/tests/bench/agree || status=$$?; \
	exit $$status

##@ Installing

MAN_PAGES := $(sort $(wildcard packaging/man/*.[1-8]))
DOCS := LICENSE bpf/LICENSE.GPL-2.0 README.md CHANGELOG.md packaging/prometheus/itertrace.rules.yml \
	packaging/grafana/itertrace.json
man_page = $(mandir)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
CONFIG := $(sysconfdir)/itertrace/itertrace.conf
INSTALLED := $(sbindir)/itertrace $(foreach page,$(MAN_PAGES),$(call man_page,$(page))) \
	$(bashcompdir)/itertrace $(zshcompdir)/_itertrace $(fishcompdir)/itertrace.fish \
	$(unitdir)/itertrace.service $(sysusersdir)/itertrace.conf \
	$(addprefix $(docdir)/,$(notdir $(DOCS)))

# For the shell, so that DESTDIR may hold spaces.
dest = '$(DESTDIR)$(1)'
# INSTALL -D makes directories with modes that depend on the umask.
install_file = umask 022; $(INSTALL) -D -m $(1) $(2) $(call dest,$(3))

.PHONY: install uninstall
install: $(B)/itertrace ## program, unit, man pages, completions, documents; DESTDIR and prefix
	$(call say,INSTALL,$(DESTDIR)$(prefix))
	$(Q)$(call install_file,755,$(B)/itertrace,$(sbindir)/itertrace)
	$(Q)set -e; $(foreach page,$(MAN_PAGES),$(call install_file,644,$(page),$(call man_page,$(page)));)
	$(Q)$(call install_file,644,packaging/completion/itertrace.bash,$(bashcompdir)/itertrace)
	$(Q)$(call install_file,644,packaging/completion/itertrace.zsh,$(zshcompdir)/_itertrace)
	$(Q)$(call install_file,644,packaging/completion/itertrace.fish,$(fishcompdir)/itertrace.fish)
	$(Q)set -e; $(foreach doc,$(DOCS),$(call install_file,644,$(doc),$(docdir)/$(notdir $(doc)));)
	$(Q)sed 's|/usr/sbin/|$(sbindir)/|; s|/etc/|$(sysconfdir)/|' packaging/systemd/itertrace.service >$(B)/itertrace.service
	$(Q)$(call install_file,644,$(B)/itertrace.service,$(unitdir)/itertrace.service)
	$(Q)$(call install_file,644,packaging/systemd/itertrace.sysusers,$(sysusersdir)/itertrace.conf)
	$(Q)test -e $(call dest,$(CONFIG)) || { $(call install_file,644,packaging/systemd/itertrace.conf,$(CONFIG)); }

uninstall: ## remove what install installed, but a configuration that was changed
	$(Q)rm -f $(foreach f,$(INSTALLED),$(call dest,$(f)))
	$(Q)! cmp -s packaging/systemd/itertrace.conf $(call dest,$(CONFIG)) || rm $(call dest,$(CONFIG))
	$(Q)for directory in $(call dest,$(docdir)) $(call dest,$(sysconfdir)/itertrace); do \
		! test -d "$$directory" || rmdir --ignore-fail-on-non-empty "$$directory"; done

##@ Packages

.PHONY: deb deps-deb rpm deps-rpm
deps-deb: ## and those that "make deb" needs (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_DEB)

deb: ## Debian package, in build/deb
	$(Q)packaging/deb $(VERSION)

deps-rpm: ## and those that "make rpm" needs (as root)
	$(Q)packaging/deps $(PKGS_BUILD) $(PKGS_RPM)

rpm: ## RPM package, in build/rpm
	$(Q)packaging/rpm/build $(VERSION)

##@ Help

.PHONY: help
help: ## this list
	@awk '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { name = $$0; sub(/:.*/, "", name); sub(/.*## /, ""); \
			printf "  %-22s %s\n", name, $$0 }' Makefile
	@printf '\nVariables: %s\n' 'CC CLANG BPFTOOL ARCH SYSROOT CFLAGS LDFLAGS prefix DESTDIR RUN_ARGS KERNELS SERVICE_KERNELS KERNEL_SERIES FUZZ_SECONDS HTTP=0 SYSTEMD=0 CURL=0 V=1 SAN=1 WERROR=1'

# --- rules -------------------------------------------------------------------

.PHONY: FORCE
FORCE:

# These change only when what they hold does, so that other flags rebuild.
FLAGS = $(strip $(CC) $(AR) $(OWN_CFLAGS) $(LDFLAGS) HTTP=$(HTTP) SYSTEMD=$(SYSTEMD) CURL=$(CURL))
ifneq ($(FLAGS),$(strip $(file <$(B)/.flags)))
$(B)/.flags: FORCE
endif
$(B)/.flags: export TEXT = $(FLAGS)
$(B)/.flags:
	@mkdir -p $(@D) && printf '%s\n' "$$TEXT" >$@

BPF_FLAGS = $(strip $(CLANG) $(BPF_CFLAGS))
ifneq ($(BPF_FLAGS),$(strip $(file <$(K)/.bpf-flags)))
$(K)/.bpf-flags: FORCE
endif
$(K)/.bpf-flags: export TEXT = $(BPF_FLAGS)
$(K)/.bpf-flags:
	@mkdir -p $(@D) && printf '%s\n' "$$TEXT" >$@

$(B)/itertrace: $(OBJS) $(B)/.flags
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(OBJS) $(ALL_LDLIBS)

$(B)/libitertrace.a: $(LIB_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/src/%.o: src/%.c Makefile $(B)/.flags | $(SKELS) $(LIVE) $(PAGE)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(K)/fuzz/recording: $(FUZZ_SRCS) $(PAGE) $(wildcard src/*/*.h) Makefile
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(ALL_CFLAGS) -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-o $@ $(FUZZ_SRCS) $(LDFLAGS) $(ALL_LDLIBS)

# A recording says what its BPF programs were compiled with, and from.
BPF_SOURCES := $(sort $(wildcard bpf/*.[ch]))
$(B)/src/cmd/recording.o: $(K)/.bpf-flags $(BPF_SOURCES)
$(B)/src/cmd/recording.o: private OWN_CFLAGS += -DITERTRACE_BPF_SOURCES='"sha256:$(shell cat $(BPF_SOURCES) | sha256sum | cut -c 1-16)"'
$(B)/src/cmd/recording.o: private OWN_CFLAGS += -DITERTRACE_BPF_COMPILER='"$(shell $(CLANG) --version | head -n 1)"'

# A file's text as a string of C, for a #define; and what a content policy knows stdin by.
c_string := sed 's/[\\"]/\\&/g; s/.*/"&\\n" \\/'
policy_hash := sha256sum | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64

# The live page as one string, its style and its script in it; and the policy that
# allows these two, known by what they hash to, and nothing else.
define live
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)cat src/export/page.css src/export/live.css >$@.style && cp src/export/live.js $@.script
	$(Q)sed -e '/^@style@$$/{r $@.style' -e 'd}' -e '/^@script@$$/{r $@.script' -e 'd}' \
		src/export/live.html >$@.html
	$(Q)sha256() { { echo; cat "$$1"; } | $(policy_hash); }; \
	{ echo '#define LIVE_HTML \'; $(c_string) $@.html && \
	printf '\n#define LIVE_CSP "%s; style-src %s; script-src %s"\n' "$(LIVE_POLICY)" \
		"'sha256-$$(sha256 $@.style)'" "'sha256-$$(sha256 $@.script)'"; } >$@
endef
LIVE_POLICY := default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'

$(LIVE): $(addprefix src/export/,live.html live.css live.js page.css) Makefile
	$(live)

# The style and the script of pages as strings, and what a content policy knows them by.
$(PAGE): src/export/page.css src/export/page.js Makefile
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)for type in css js; do \
		name=PAGE_$$(echo $$type | tr a-z A-Z); \
		echo "#define $$name \\"; \
		$(c_string) src/export/page.$$type; \
		hash=$$({ $(policy_hash); } <src/export/page.$$type); \
		printf '\n#define %s_HASH "sha256-%s"\n' $$name "$$hash"; \
	done >$@

$(K)/%.bpf.o: %.bpf.c Makefile $(K)/.bpf-flags
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

define skeleton
	$(call say,SKEL,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf >$@
endef

$(K)/skel/%.skel.h: $(K)/bpf/%.bpf.o
	$(skeleton)
$(K)/skel/%.skel.h: $(K)/tests/verifier/%.bpf.o
	$(skeleton)
$(K)/skel/%.skel.h: $(K)/tests/kernel/%.bpf.o
	$(skeleton)

$(K)/skel/%.skel.h: $(K)/packaging/kernel/tests/%.bpf.o
	$(skeleton)

$(SERIES_OBJS): $(B)/%.o: %.c Makefile $(B)/.flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/packaging/kernel/tests/battery: $(SERIES_OBJS)
$(SERIES_TESTS): $(B)/%: %.c $(B)/libitertrace.a Makefile $(B)/.flags | $(SERIES_SKELS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(filter %.o %.a,$^) $(LDFLAGS) $(ALL_LDLIBS)

$(B)/tests/workload/%: tests/workload/%.c Makefile $(B)/.flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(OWN_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(LDFLAGS) -lpthread

$(B)/tests/%: tests/%.c $(B)/libitertrace.a Makefile $(B)/.flags | $(TEST_SKELS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -MMD -MP -MF $@.d -o $@ $< $(B)/libitertrace.a \
		$(LDFLAGS) -lcmocka $(ALL_LDLIBS)

$(B)/.includes-checked: tests/lint/includes $(wildcard src/*.[ch] src/*/*.[ch] bpf/*.[ch])
	$(call say,CHECK,include direction)
	$(Q)mkdir -p $(@D)
	$(Q)tests/lint/includes && touch $@

-include $(OBJS:.o=.d) $(BPF_OBJS:.o=.d) $(TEST_BPF_OBJS:.o=.d) \
	$(SERIES_TESTS:=.d) $(SERIES_OBJS:.o=.d) $(SERIES_BPF_SRCS:%.c=$(K)/%.d) \
	$(UNIT_BINS:=.d) $(KERNEL_BINS:=.d) $(WORKLOADS:=.d) $(BENCHES:=.d) $(B)/tests/web/pages.d
