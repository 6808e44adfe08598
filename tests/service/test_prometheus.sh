#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Prometheus scrapes itertrace, evaluates our rules and answers the dashboard's queries.
. tests/cli/lib.sh

claim the_dashboard_fits_grafanas_schema
run "$PYTHON" tests/cli/validate tests/cli/schema/dashboard.json packaging/grafana/itertrace.json --one
exits_with 0 && ok || not_ok

claim there_is_a_prometheus
run tests/service/fetch-prometheus
exits_with 0 && binaries=$(<"$TMP/stdout") && ok || { not_ok; finish; }

claim prometheus_takes_it
if may_load; then
	"$PYTHON" -B tests/service/prometheus.py "$binaries" && ok || not_ok
else
	skip "$NEEDS_ROOT"
fi

finish
