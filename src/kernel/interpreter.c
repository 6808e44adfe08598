// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "kernel/interpreter.h"

#define JIT_ENABLE "/proc/sys/net/core/bpf_jit_enable"

int interpreter_check_on(const char *machine, const char *jit_enable, bool takes_kfuncs,
			 struct reason *why)
{
	bool is_off = jit_enable[0] ? !strcmp(jit_enable, "0") : !takes_kfuncs;

	if (!is_off || strcmp(machine, "aarch64") != 0)
		return 0;
	return reason_set(why, -ENOTSUP,
			  "without the JIT an arm64 kernel may crash on programs that "
			  "call helpers, so none is run; switch it on: sysctl "
			  "net.core.bpf_jit_enable=1");
}

int interpreter_check(bool takes_kfuncs, struct reason *why)
{
	struct utsname uts = {0};
	char line[16];

	uname(&uts);
	if (file_read_line(AT_FDCWD, JIT_ENABLE, line, sizeof(line)))
		line[0] = '\0';
	return interpreter_check_on(uts.machine, line, takes_kfuncs, why);
}
