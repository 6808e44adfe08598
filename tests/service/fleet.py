# SPDX-License-Identifier: BSD-2-Clause
"""fleet DIRECTORY: a real Prometheus, in DIRECTORY, that has an hour of made hosts in it,
and what "itertrace compare --prometheus" makes of them."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from daemon import ITERTRACE, await_true, claim
from server import Prometheus

STEP_S = 15
HOUR_S = 3600
# A host that reboots is away for longer than Prometheus holds old samples for true: a file of
# the past has no marks of what ended.
AWAY = 360 // STEP_S
TRIPS = 16
ENTRIES_PER_S = 100
OLD, NEW = ("7.2.1", "aaaa"), ("7.3.0", "bbbb")
# ns a trip under each. exec.argv is 20% cheaper, syscall.top the same; no line fits runq.cgroup.
SITES = {"exec.argv": {OLD: 100, NEW: 80}, "syscall.top": {OLD: 40, NEW: 40},
         "runq.cgroup": {OLD: 50, NEW: 50}}
STATES = {OLD: "call", NEW: "inlined"}
PRICE_NS = {OLD: 3, NEW: 3}
BASE, NEWER = '{release=~"7.2.*",cpu="A processor"}', '{build_id="bbbb"}'


def spread(number):
    """Hosts are not alike."""
    return 1 + number / 200


class Host:
    def __init__(self, name, number, kernels, cpu="A processor"):
        self.name, self.number, self.cpu = name, number, cpu
        self.kernels = kernels  # one after the other, for as long each

    def at(self, i, nr):
        """The kernel of step i of nr, and how many steps it has run: below 0 it is away."""
        per = nr // len(self.kernels)
        which = i // per
        return self.kernels[which], i - which * per - (AWAY if which else 0)

    def cost_ns(self, site, kernel, step):
        """Of one step in 20 something else has its share; a median does not mind."""
        return SITES[site][kernel] * spread(self.number) * (10 if step % 20 == 7 else 1)


def samples_of(host, i, nr):
    """Yields (family, type, suffix, labels, value)."""
    kernel, ran = host.at(i, nr)
    if ran < 0:
        return
    release, build_id = kernel
    yield "itertrace_build", "info", "_info", {"version": "0.1.0", "loops": "bpf_for"}, 1
    yield ("itertrace_kernel", "info", "_info",
           {"release": release, "version": "#1 SMP", "build_id": build_id, "arch": "x86_64",
            "cpu": host.cpu, "clock_source": "tsc", "virtualised": "kvm"}, 1)
    yield ("itertrace_construct_state", "gauge", "",
           {"construct": "bpf_iter_num_next", "state": STATES[kernel]}, 1)
    for name, ns in (("bpf_for", PRICE_NS[kernel]), ("clock", 30)):
        yield ("itertrace_construct_trip_seconds", "gauge", "", {"construct": name},
               ns * spread(host.number) * 1e-9)
    yield "itertrace_events", "counter", "_total", {"tracer": "exec"}, 1000 * ran
    yield ("itertrace_lost_events", "counter", "_total", {"tracer": "exec", "cause": "ring_full"},
           ran if host.name == "lossy" else 0)
    for site in SITES:
        cost = host.cost_ns(site, kernel, ran)
        entries = ENTRIES_PER_S * STEP_S * (ran + 1)
        yield "itertrace_loop_trips_sum", "gauge", "", {"site": site}, TRIPS * entries
        yield "itertrace_loop_trips_count", "gauge", "", {"site": site}, entries
        yield "itertrace_loop_mean_seconds", "gauge", "", {"site": site}, TRIPS * cost * 1e-9
        fits = site != "runq.cgroup" and ran % 5
        yield "itertrace_loop_fit", "gauge", "", {"site": site, "state": "ok"}, int(fits > 0)
        # As with trips that are not linear: a cost, and none that counts.
        yield ("itertrace_loop_trip_seconds", "gauge", "", {"site": site},
               (cost if fits else 7 * cost) * 1e-9)
        yield "itertrace_loop_entry_seconds", "gauge", "", {"site": site}, 20e-9


def write_exposition(path, hosts, end):
    """Histograms stand as gauges: a file of the past may not have parts of one."""
    nr = HOUR_S // STEP_S
    families = {}
    for host in hosts:
        for i in range(nr):
            at = end - HOUR_S + (i + 1) * STEP_S
            for family, kind, suffix, labels, value in samples_of(host, i, nr):
                labels = {"instance": host.name, "job": "itertrace", **labels}
                text = ",".join(f'{k}="{v}"' for k, v in labels.items())
                families.setdefault((family, kind), []).append(
                    f"{family}{suffix}{{{text}}} {value!r} {at}\n")
    with open(path, "w") as f:
        for (family, kind), lines in families.items():
            f.write(f"# TYPE {family} {kind}\n")
            f.writelines(lines)
        f.write("# EOF\n")


class Server(Prometheus):
    """It has the hosts' past, and scrapes nobody."""

    def __init__(self, binaries, directory, hosts):
        text, data = (os.path.join(directory, name) for name in ("text", "data"))
        write_exposition(text, hosts, int(time.time()))
        subprocess.run([os.path.join(binaries, "promtool"), "tsdb", "create-blocks-from", "openmetrics",
                        text, data], check=True, stdout=subprocess.DEVNULL)
        super().__init__(binaries, directory, "scrape_configs: []\n")

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.url + "/-/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def compare(self, base, new, *options):
        return subprocess.run([ITERTRACE, "compare", "--prometheus", self.url, "--base", base,
                               "--new", new, *options], capture_output=True, text=True)

    def document(self, base, new, *options):
        ran = self.compare(base, new, "--json", *options)
        return ran, json.loads(ran.stdout) if ran.stdout else {}


def rows_of(document):
    return {row["name"]: row for row in document["rows"]}


def check_verdicts(s):
    ran, d = s.document(BASE, NEWER)
    claim("cheaper_loops_are_faster", ran.returncode == 0 and not ran.stderr and d["verdict"] == "faster", ran)
    rows = rows_of(d)
    verdicts = {name: (row["measure"], row["verdict"]) for name, row in rows.items()}
    claim("of_its_own_row_alone", verdicts == {
        "exec.argv": ("slope", "faster"), "syscall.top": ("slope", "no difference"),
        "runq.cgroup": ("mean", "no difference"), "bpf_for": ("calibration", "no difference")}, verdicts)
    argv = rows["exec.argv"]
    base = [100 * spread(n) for n in (0, 1, 2, 3, 4, 5, 2)]
    new = [80 * spread(n) for n in (0, 1, 2, 3, 4, 5, 2, 3)]
    shift = statistics.median(y - x for x in base for y in new)
    claim("its_shift_is_that_of_the_hosts_medians",
          abs(argv["base"] - statistics.median(base)) < 1e-6 and
          abs(argv["new"] - statistics.median(new)) < 1e-6 and abs(argv["shift_ns"] - shift) < 1e-6, argv)
    claim("a_host_that_went_to_the_other_kernel_stands_on_both_sides",
          [r["side"] for r in d["runs"] if r["host"] == "moved"] == ["base", "new"] and
          (argv["base_side"]["values"], argv["new_side"]["values"]) == (7, 8) and
          argv["new_side"]["most"] < 83 and argv["base_side"]["least"] > 99, argv)
    rate = argv["new_side"]["trips_per_s"]
    claim("rates_are_those_of_the_counters", abs(rate / (TRIPS * ENTRIES_PER_S) - 1) < 0.02, rate)
    claim("what_it_buys_is_rate_times_shift",
          abs(argv["saves_cpu_percent"] + argv["shift_ns"] * rate * 1e-7) < 1e-9, argv)
    claim("the_host_is_the_unit", d["unit"] == "host")
    told = {x["what"]: (x["base"], x["new"]) for x in d["differences"]}
    claim("the_kernels_are_told_apart", told == {
        "kernel release": ("7.2.1", "7.3.0"), "kernel build id": ("aaaa", "bbbb"),
        "probe: bpf_iter_num_next": ("call", "inlined")}, told)
    claim("lost_events_are_said", any("1 of 8 hosts lost events, lossy most" in w for w in d["warnings"]),
          d["warnings"])
    ran = s.compare(NEWER, BASE)
    claim("dearer_loops_are_slower", ran.returncode == 1 and "verdict: slower: " in ran.stdout, ran)
    ran = s.compare(BASE, NEWER, "--threshold", "40%")
    claim("the_threshold_decides", ran.returncode == 0 and "verdict: no difference: " in ran.stdout, ran)
    ran = s.compare('{instance="old-1"}', '{instance="new-1"}')
    claim("one_host_a_side_is_too_little",
          ran.returncode == 3 and "verdict: too little data: " in ran.stdout, ran)


def check_range(s):
    _, d = s.document(BASE, NEWER, "--since", "1m")
    sides = [r["side"] for r in d["runs"] if r["host"] == "moved"]
    claim("only_the_time_asked_for_counts", sides == ["new"], sides)


def check_guards(s):
    ran = s.compare('{release="7.2.1"}', NEWER)
    claim("another_cpu_is_not_comparable", ran.returncode == 3 and
          "CPU model, within the base side" in ran.stdout and "verdict: not comparable: " in ran.stdout, ran)
    ran = s.compare('{release="7.2.1"}', NEWER, "--force")
    claim("but_by_force", ran.returncode == 0 and "compared by force" in ran.stdout, ran)
    ran = s.compare('{cpu="A processor"}', NEWER)
    claim("two_kernels_on_a_side_are_not_comparable", ran.returncode == 3 and
          "kernel release, within the base side" in ran.stdout, ran)


def check_refusals(s):
    ran = s.compare(BASE, '{release="9.9"}')
    claim("no_host_is_said_with_the_kernels_that_there_are", ran.returncode == 3 and not ran.stdout and
          "has no host that --new {release=\"9.9\"} selects" in ran.stderr and
          "7.2.1 (build id aaaa, hosts: 8)" in ran.stderr and "7.3.0 (build id bbbb" in ran.stderr, ran)
    ran = s.compare('{release=}', NEWER)
    claim("what_the_server_says_of_a_bad_selector_is_shown",
          ran.returncode == 2 and not ran.stdout and "refuses the query: " in ran.stderr and
          "parse error" in ran.stderr and ran.stderr.count("\n") == 1, ran)


def check_views(s, directory):
    page, document = os.path.join(directory, "page.html"), os.path.join(directory, "document")
    ran = s.compare(BASE, NEWER, "--html", page, "--json")
    with open(document, "w") as f:
        f.write(ran.stdout)
    checked = subprocess.run([sys.executable, "tests/cli/validate", "tests/cli/schema/compare.json",
                              document, "--one"], capture_output=True, text=True)
    claim("the_document_fits_its_schema", checked.returncode == 0, checked)
    with open(page) as f:
        text = f.read()
    claim("the_page_speaks_of_hosts", "7 hosts" in text and "recording" not in text and "boot" not in text)


def main():
    binaries = sys.argv[1]
    hosts = [Host(f"old-{i}", i, [OLD]) for i in range(6)]
    hosts += [Host(f"new-{i}", i, [NEW]) for i in range(6)]
    hosts += [Host("moved", 2, [OLD, NEW]), Host("lossy", 3, [NEW]),
              Host("other", 0, [OLD], cpu="Another processor")]
    with tempfile.TemporaryDirectory() as directory, Server(binaries, directory, hosts) as s:
        claim("prometheus_is_up", await_true(s.is_ready))
        check_verdicts(s)
        check_range(s)
        check_guards(s)
        check_refusals(s)
        check_views(s, directory)


main()
