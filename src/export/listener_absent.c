// SPDX-License-Identifier: BSD-2-Clause
/* In place of listener.c in a build with HTTP=0. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "export/listener.h"

int listener_check(struct reason *why)
{
	return reason_set(why, -ENOSYS,
			  "this itertrace was built without the listener (HTTP=0): "
			  "leave --listen out, or use another build");
}

int listener__new(const struct listener_options *options, struct listener **ret,
		  struct reason *why)
{
	(void)ret;
	close(options->fd);
	return listener_check(why);
}

void listener__free(struct listener *l)
{
	(void)l;
}

int listener_publish(struct listener *l, const struct listener_pages *pages)
{
	(void)l;
	for (size_t i = 0; i < NR_PAGES; i++)
		free(pages->page[i].text);
	return -ENOSYS;
}

void listener_set_interval(struct listener *l, uint64_t interval_ns)
{
	(void)l;
	(void)interval_ns;
}
