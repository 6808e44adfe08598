# SPDX-License-Identifier: BSD-2-Clause
"""prometheus DIRECTORY: a real Prometheus, in DIRECTORY, scrapes itertrace and answers."""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from daemon import ITERTRACE, Daemon, await_true, claim
from server import Prometheus

RULES = os.path.abspath("packaging/prometheus/itertrace.rules.yml")
DASHBOARD = "packaging/grafana/itertrace.json"
CONFIGURATION = """
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files: ['{rules}']
scrape_configs:
  - job_name: itertrace
    static_configs:
      - targets: ['{target}']
"""
# What may have no sample: figures that a short run does not support, and what is 0 by
# having none.
MAY_BE_EMPTY = re.compile(r"inlined_saves|== 0\)|bpf_cpu_seconds|_trip(_lo|_hi)?_seconds")


class Server(Prometheus):
    def __init__(self, binaries, directory, target):
        super().__init__(binaries, directory, CONFIGURATION.format(rules=RULES, target=target))

    def ask(self, path, **parameters):
        url = f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)
        except OSError as error:
            return {"status": "error", "error": str(error)}

    def query(self, expression):
        """[(labels, value), ...]; None if it is refused."""
        answer = self.ask("query", query=expression)
        if answer["status"] != "success":
            return None
        return [(sample["metric"], float(sample["value"][1])) for sample in answer["data"]["result"]]

    def value(self, expression):
        """Of the one sample that there is; else None."""
        found = self.query(expression)
        return found[0][1] if found and len(found) == 1 else None


def check_scrapes(d, p):
    claim("prometheus_scrapes_it", await_true(lambda: p.value('up{job="itertrace"}') == 1),
          p.ask("targets"), d.messages())
    metadata = {m["metric"]: m for m in p.ask("targets/metadata").get("data", [])}
    # Only OpenMetrics has units and information metrics.
    claim("in_openmetrics",
          metadata["itertrace_kernel"]["type"] == "info" and
          metadata["itertrace_loop_trip_seconds"]["unit"] == "seconds" and
          metadata["itertrace_loop_trips"]["type"] == "histogram" and
          metadata["itertrace_events"]["type"] == "counter", metadata)
    claim("the_kernel_is_a_label",
          [labels["release"] for labels, _ in p.query("itertrace_kernel_info")] == [os.uname().release])
    claim("rates_come", await_true(lambda: (p.value('rate(itertrace_events_total{tracer="syscall"}[10s])') or 0) > 0))
    series = p.value('count({__name__=~"itertrace_.*"})')
    claim("a_host_has_a_few_hundred_series", series and series < 500, series)


def check_values(d, p):
    """What the server has of interval N is what the lines of JSON up to N add up to."""
    def compare():
        at = p.ask("query", query='{__name__=~"itertrace_intervals_total|itertrace_exec_execs_total|'
                   'itertrace_runq_wait_seconds_count"}')["data"]["result"]
        got = {s["metric"]["__name__"]: float(s["value"][1]) for s in at}
        lines = d.snapshots()[:int(got["itertrace_intervals_total"])]
        should = {"itertrace_intervals_total": len(lines),
                  "itertrace_exec_execs_total": sum(s["exec"]["execs"] for s in lines),
                  "itertrace_runq_wait_seconds_count": sum(s["runq"]["waits"] for s in lines)}
        return got == should and len(lines) > 5
    claim("its_counters_are_the_sums_of_the_lines_of_json", await_true(compare, 20))


def check_rules(p):
    wanted = set(re.findall(r"record: (\S+)", open(RULES).read()))

    def evaluated():
        rules = [r for g in p.ask("rules")["data"]["groups"] for r in g["rules"]]
        return len(rules) > 10 and all(r["health"] == "ok" for r in rules)
    claim("every_rule_is_evaluated", await_true(evaluated), p.ask("rules"))

    def missing():
        return [name for name in wanted
                if not p.query(f'{{__name__="{name}"}}') and not MAY_BE_EMPTY.search(name)]
    claim("every_rule_records_something", await_true(lambda: not missing()), missing())
    firing = [a for a in p.ask("alerts")["data"]["alerts"] if a["labels"]["alertname"] != "ItertraceCostly"]
    claim("a_healthy_host_raises_no_alert", not firing, firing)


def check_compare(p):
    """Of a host with itself: one is too little, but each of its sites is found."""
    def compare():
        ran = subprocess.run([ITERTRACE, "compare", "--prometheus", p.url, "--base", "{}",
                              "--new", "{}", "--since", "1m", "--json"], capture_output=True, text=True)
        return ran.stdout
    # It looks back in steps of 5 s: rates need two.
    await_true(lambda: re.search(r'"trips_per_s": [1-9]', compare()))
    text = compare()
    d = json.loads(text or '{"rows": [], "incomparable": []}')
    names = {row["name"] for row in d["rows"] + d["incomparable"]}
    sites = {labels["site"] for labels, _ in p.query("itertrace_loop_trips_count")}
    constructs = {labels["construct"] for labels, _ in p.query("itertrace_construct_trip_seconds")}
    claim("compare_asks_it_for_what_there_is", d.get("verdict") == "too little data" and
          names == sites | constructs - {"clock"}, names, sites, text)
    claim("with_rates", any(row["base_side"].get("trips_per_s") for row in d["rows"]), text)
    claim("and_shows_its_kernel", d.get("runs", [{}])[0].get("release") == os.uname().release and
          "both sides ran the same kernel" in d.get("warnings", []), text)


def plain(expression):
    """With Grafana's variables as "All" makes them."""
    for name in ("job", "instance", "release", "site"):
        expression = expression.replace(f"${name}", ".*")
    return expression.replace("$__rate_interval", "10s")


def check_dashboard(p):
    with open(DASHBOARD) as f:
        dashboard = json.load(f)
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    refused = [e for e in expressions if "$" in plain(e) or p.query(plain(e)) is None]
    claim("every_expression_of_the_dashboard_is_taken", len(expressions) > 20 and not refused, *refused)
    empty = [e for e in expressions if not p.query(plain(e)) and not MAY_BE_EMPTY.search(e)]
    claim("and_has_an_answer", not empty, *empty)
    variables = [v["definition"] for v in dashboard["templating"]["list"] if v["type"] == "query"]
    unknown = []
    for definition in variables:
        selector, label = re.fullmatch(r"label_values\((.*), (\w+)\)", definition).groups()
        if not p.ask(f"label/{label}/values", **{"match[]": plain(selector)}).get("data"):
            unknown.append(definition)
    claim("every_variable_of_the_dashboard_has_values", len(variables) == 4 and not unknown, unknown)
    check_layout(dashboard["panels"])


def check_layout(panels):
    ids = [panel["id"] for panel in panels]
    claim("panels_have_ids_of_their_own", len(ids) == len(set(ids)))
    taken = {}
    for panel in panels:
        g = panel["gridPos"]
        for x in range(g["x"], g["x"] + g["w"]):
            for y in range(g["y"], g["y"] + g["h"]):
                taken.setdefault((x, y), []).append(panel["id"])
    claim("no_panel_lies_over_another_or_outside",
          all(len(ids) == 1 for ids in taken.values()) and max(x for x, _ in taken) < 24)


def check_promtool(binaries, d):
    promtool = os.path.join(binaries, "promtool")

    def run(*arguments, text=None):
        return subprocess.run([promtool, *arguments], input=text, capture_output=True, text=True)
    linted = run("check", "metrics", text=d.metrics(openmetrics=False).text)
    claim("promtool_finds_nothing_to_say_of_the_metrics",
          linted.returncode == 0 and not linted.stdout + linted.stderr, linted)
    bad = run("check", "metrics", text="# TYPE x_seconds counter\nx_seconds 1\n")
    claim("and_would", bad.returncode != 0)
    tested = run("test", "rules", "tests/service/rules.test.yml")
    claim("the_rules_do_as_their_tests_say", tested.returncode == 0, tested.stdout, tested.stderr)


def main():
    binaries = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory, Daemon("--interval", "1") as d, \
            Server(binaries, directory, d.address) as p:
        await_true(lambda: d.metrics().status == 200)
        check_promtool(binaries, d)
        check_scrapes(d, p)
        check_values(d, p)
        check_rules(p)
        check_dashboard(p)
        check_compare(p)
        d.stop()
        claim("one_that_is_gone_is_told", await_true(lambda: p.value('up{job="itertrace"}') == 0))
        claim("and_its_alert_waits_for_its_time", await_true(
            lambda: [a["state"] for a in p.ask("alerts")["data"]["alerts"]
                     if a["labels"]["alertname"] == "ItertraceDown"] == ["pending"]))


main()
