// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/answer.h"

#define SHOWN_LEN 300

/* What a reader makes of a text takes memory by its members, and not by its bytes. */
static bool is_bounded(const char *text, size_t len)
{
	size_t nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += text[i] == ',' || text[i] == '{' || text[i] == '[';
	return len <= ANSWER_MAX_BYTES && nr <= ANSWER_MAX_MEMBERS;
}

static const char *string_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int refuse(const char *server, long status, const json_t *root,
		  struct reason *why)
{
	char shown[SHOWN_LEN];

	snprintf(shown, sizeof(shown), "%s", string_of(root, "error"));
	text_make_printable(shown);
	if (status == 401 || status == 403)
		return reason_set(why, -EREMOTEIO,
				  "%.150s does not let you in (HTTP status %ld): see "
				  "--prometheus and --token-file",
				  server, status);
	if (shown[0])
		return reason_set(why, -EREMOTEIO, "%.150s refuses the query: %s",
				  server, shown);
	return reason_set(why, -EPROTO,
			  "%.200s does not answer as a Prometheus does (HTTP status "
			  "%ld): is that its address?",
			  server, status);
}

static int take(const char *server, long status, json_t *root, struct answer *ret,
		struct reason *why)
{
	const json_t *data = json_object_get(root, "data");
	const json_t *result = json_object_get(data, "result");
	bool is_scalar = !strcmp(string_of(data, "resultType"), "scalar");

	if (status != 200 || strcmp(string_of(root, "status"), "success"))
		return refuse(server, status, root, why);
	if (!json_is_array(result) ||
	    (!is_scalar && strcmp(string_of(data, "resultType"), "vector")))
		return reason_set(why, -EPROTO,
				  "%.200s answers with something else than samples: is "
				  "it a Prometheus?",
				  server);
	*ret = (struct answer){.root = root,
			       .samples = is_scalar ? NULL : result,
			       .scalar = is_scalar ? result : NULL};
	return 0;
}

int answer_read(const char *server, long status, const char *text, size_t len,
		struct answer *ret, struct reason *why)
{
	json_t *root;
	int err;

	if (!is_bounded(text, len))
		return reason_set(why, -EPROTO,
				  "%.200s gives an answer that is too large: select "
				  "fewer hosts",
				  server);
	root = json_loadb(text, len, 0, NULL);
	err = take(server, status, root, ret, why);
	if (err)
		json_decref(root);
	return err;
}

void answer_release(struct answer *a)
{
	json_decref(a->root);
	*a = (struct answer){0};
}

size_t answer_size(const struct answer *a)
{
	return json_array_size(a->samples);
}

const char *answer_label(const json_t *labels, const char *name)
{
	return string_of(labels, name);
}

/* [time, "value"]; NaN, +Inf and -Inf are values too. */
static int read_value(const json_t *pair, double *ret)
{
	const char *text = json_string_value(json_array_get(pair, 1));
	char *end;

	if (json_array_size(pair) != 2 || !text || !*text)
		return -EPROTO;
	*ret = strtod(text, &end);
	return *end ? -EPROTO : 0;
}

int answer_sample(const struct answer *a, size_t i, const json_t **ret_labels,
		  double *ret_value)
{
	const json_t *sample = json_array_get(a->samples, i);
	const json_t *labels = json_object_get(sample, "metric"), *value;
	const char *name;
	double number;

	if (!json_is_object(labels) ||
	    read_value(json_object_get(sample, "value"), &number))
		return -EPROTO;
	json_object_foreach ((json_t *)labels, name, value)
		if (!json_is_string(value))
			return -EPROTO;
	*ret_labels = labels;
	*ret_value = number;
	return 0;
}

int answer_scalar(const struct answer *a, double *ret)
{
	return read_value(a->scalar, ret);
}

/* VictoriaMetrics says it with a flag. */
const char *answer_warning(const struct answer *a, size_t i)
{
	const json_t *list = json_object_get(a->root, "warnings");
	const char *text = json_string_value(json_array_get(list, i));
	bool is_partial = json_is_true(json_object_get(a->root, "isPartial"));

	if (text)
		return text;
	return is_partial && i == json_array_size(list) ? "the answer is partial"
							: NULL;
}
