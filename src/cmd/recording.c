// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/log.h"
#include "base/parse.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/recording.h"
#include "export/recording.h"
#include "kernel/identity.h"

#define MAX_BYTES  (1ULL << 40)
#define MIN_AGE_NS NSEC_PER_SEC
#define MAX_AGE_NS (365 * 86400 * NSEC_PER_SEC)

static int take_path(struct record_options *o, const char *path, struct reason *why)
{
	if (!path[0])
		return reason_set(why, -EINVAL, "--record takes a file or a directory");
	if (strlen(path) >= sizeof(o->path))
		return reason_set(why, -ENAMETOOLONG, "--record: the path is too long");
	snprintf(o->path, sizeof(o->path), "%s", path);
	return 0;
}

int record_take_option(struct record_options *o, int key, const char *value,
		       struct reason *why)
{
	switch (key) {
	case KEY_RECORD:
		return take_path(o, value, why);
	case KEY_RECORD_MAX:
		return parse_bytes("--record-max", value, RECORDER_MIN_BYTES, MAX_BYTES,
				   &o->max_bytes, why);
	case KEY_RECORD_AGE:
		return parse_duration_ns("--record-age", value, MIN_AGE_NS, MAX_AGE_NS,
					 &o->max_age_ns, why);
	}
	return -ENOENT;
}

error_t record_parse_option(struct record_options *o, int key, const char *arg)
{
	struct reason why;
	int err = 0;

	if (key == KEY_FORCE)
		o->force = true;
	else
		err = record_take_option(o, key, arg, &why);
	return cmd_option_result(err, &why);
}

int record_open(const struct record_options *o, struct recorder **ret,
		struct reason *why)
{
	struct recorder_options options = {
		.path = o->path,
		.time_ns = time_ns(CLOCK_REALTIME),
		.max_bytes = o->max_bytes,
		.max_age_ns = o->max_age_ns,
		.force = o->force,
	};
	struct utsname uts;

	if (!o->path[0])
		return 0;
	if (uname(&uts))
		return reason_set(why, -errno, "cannot name this host: %s",
				  strerror(errno));
	options.host = uts.nodename;
	options.release = uts.release;
	return recorder__new(&options, ret, why);
}

int record_describe(struct probe *probe, const char *command,
		    struct recording_head *ret, struct reason *why)
{
	size_t i;
	int err;

	*ret = (struct recording_head){.time_ns = time_ns(CLOCK_REALTIME)};
	snprintf(ret->command, sizeof(ret->command), "%s", command);
	snprintf(ret->itertrace, sizeof(ret->itertrace), "%s", ITERTRACE_VERSION);
	snprintf(ret->compiler, sizeof(ret->compiler), "%s", ITERTRACE_BPF_COMPILER);
	snprintf(ret->sources, sizeof(ret->sources), "%s", ITERTRACE_BPF_SOURCES);
	gethostname(ret->host, sizeof(ret->host) - 1);
	err = identity_read(&ret->identity);
	for (i = 0; !err && i < probe_nr() && i < RECORDING_MAX_FEATURES; i++)
		err = probe_feature(probe, probe_name(i),
				    &ret->features[ret->nr_features++]);
	return err ? reason_set(why, err, "cannot probe this kernel: %s",
				strerror(-err))
		   : 0;
}

int record_start(struct recorder *r, const struct recording_head *head,
		 struct reason *why)
{
	json_t *json = recording_head_to_json(head);
	char *text =
		json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	int err;

	json_decref(json);
	if (!text)
		return reason_set(why, -ENOMEM, "out of memory");
	err = recorder_start(r, text, why);
	free(text);
	return err;
}

void record_say_news(struct recorder *r)
{
	struct reason news;

	if (r && recorder_news(r, &news))
		log_warn("%s", news.text);
}

int record_close(struct recorder *r, bool is_done)
{
	struct reason why;
	int err;

	record_say_news(r);
	err = recorder__close(r, is_done, &why);
	if (err)
		log_warn("%s", why.text);
	return err;
}
