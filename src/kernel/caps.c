// SPDX-License-Identifier: BSD-2-Clause
#include <cap-ng.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "kernel/caps.h"

#define REMEDY \
	"run it as root, or give the file both with 'setcap cap_bpf,cap_perfmon=ep'"

static bool has(unsigned int capability)
{
	return capng_have_capability(CAPNG_EFFECTIVE, capability) == 1;
}

bool caps_has(unsigned int capability)
{
	return !capng_get_caps_process() && has(capability);
}

int caps_require_bpf(struct reason *why)
{
	const char *missing = NULL;

	if (capng_get_caps_process())
		return reason_set(why, -EPERM,
				  "cannot read this process's capabilities");
	if (has(CAP_SYS_ADMIN) || (has(CAP_BPF) && has(CAP_PERFMON)))
		return 0;
	if (!has(CAP_BPF) && !has(CAP_PERFMON))
		missing = "CAP_BPF and CAP_PERFMON are";
	else
		missing = has(CAP_BPF) ? "CAP_PERFMON is" : "CAP_BPF is";
	return reason_set(why, -EPERM,
			  "loading BPF programs is not permitted: %s missing; " REMEDY,
			  missing);
}

/* Needs CAP_SETPCAP; without it, no_new_privs alone must do. */
static int drop_bounding_set(struct reason *why)
{
	if (!has(CAP_SETPCAP))
		return 0;
	capng_clear(CAPNG_SELECT_BOUNDS);
	if (capng_apply(CAPNG_SELECT_BOUNDS))
		return reason_set(why, -EPERM,
				  "cannot clear the bounding set of capabilities");
	return 0;
}

static int keep_only(bool keep_sys_admin, struct reason *why)
{
	const unsigned int kept[] = {CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN};
	bool keep[3] = {has(CAP_BPF), has(CAP_PERFMON), has(CAP_SYS_ADMIN)};

	if (keep[0] && keep[1] && !keep_sys_admin)
		keep[2] = false;
	capng_clear(CAPNG_SELECT_CAPS);
	capng_clear(CAPNG_SELECT_AMBIENT);
	for (int i = 0; i < 3; i++) {
		if (keep[i] &&
		    capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, kept[i]))
			return reason_set(why, -EINVAL, "cannot keep capability %u",
					  kept[i]);
	}
	if (capng_apply(CAPNG_SELECT_CAPS) || capng_apply(CAPNG_SELECT_AMBIENT))
		return reason_set(why, -EPERM, "cannot drop capabilities");
	return 0;
}

int caps_drop(bool keep_sys_admin, struct reason *why)
{
	int err;

	if (capng_get_caps_process())
		return reason_set(why, -EPERM,
				  "cannot read this process's capabilities");
	err = drop_bounding_set(why);
	if (!err)
		err = keep_only(keep_sys_admin, why);
	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = reason_set(why, -errno, "cannot set no_new_privs: %s",
				 strerror(errno));
	return err;
}
