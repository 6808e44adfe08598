// SPDX-License-Identifier: BSD-2-Clause
#include "export/calibration.h"
#include "export/identity.h"
#include "export/members.h"
#include "export/probe.h"
#include "export/recording.h"

json_t *recording_head_to_json(const struct recording_head *head)
{
	json_t *root = json_object();

	member_text(root, "schema", RECORDING_SCHEMA);
	member_text(root, "command", head->command);
	member_text(root, "itertrace", head->itertrace);
	member_text(root, "compiler", head->compiler);
	member_text(root, "sources", head->sources);
	member_text(root, "host", head->host);
	member_count(root, "time_ns", head->time_ns);
	member_known(root, "interval_ns",
		     head->interval_ns ? (long long)head->interval_ns : -1);
	member_text(root, "loops", head->loops);
	json_object_set_new(root, "kernel", identity_to_json(&head->identity));
	json_object_set_new(root, "features",
			    features_to_json(head->features, head->nr_features));
	json_object_set_new(root, "calibration",
			    calibration_to_json(&head->calibration));
	return root;
}
