// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "kernel/identity.h"
#include "kernel/interpreter.h"

int interpreter_check_on(const char *machine, int jit_enable, bool takes_kfuncs,
			 struct reason *why)
{
	bool is_off = jit_enable < 0 ? !takes_kfuncs : !jit_enable;

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

	uname(&uts);
	return interpreter_check_on(uts.machine, identity_read_jit_enable(),
				    takes_kfuncs, why);
}
