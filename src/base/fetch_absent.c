// SPDX-License-Identifier: BSD-2-Clause
/* In place of fetch.c in a build with CURL=0. */
#include <errno.h>

#include "base/fetch.h"

int fetch__new(const struct fetch_options *options, struct fetch **ret,
	       struct reason *why)
{
	(void)options;
	(void)ret;
	return reason_set(why, -ELIBACC,
			  "this itertrace was built without what asks servers "
			  "(CURL=0): compare recordings, or use another build");
}

void fetch__free(struct fetch *f)
{
	(void)f;
}

const char *fetch_server(const struct fetch *f)
{
	(void)f;
	return "";
}

int fetch_get(struct fetch *f, const char *path,
	      const struct fetch_parameter *parameters, struct fetched *ret,
	      struct reason *why)
{
	(void)f;
	(void)path;
	(void)parameters;
	(void)ret;
	return reason_set(why, -ELIBACC, "there is no server");
}
