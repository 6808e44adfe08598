# SPDX-License-Identifier: BSD-2-Clause
"""What "itertrace run --listen" serves, where, and to whom."""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

from daemon import ITERTRACE, OPENMETRICS, TEXT, Daemon, await_true, claim, samples, skip
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as parse_text

MAN_PAGE = "packaging/man/itertrace-metrics.7"


def families_of_man_page():
    with open(MAN_PAGE) as f:
        text = f.read()
    return set(re.findall(r"^\.It (itertrace_\w+)", text, re.M))


def sample_names(family):
    """As a query spells them."""
    return {"counter": family.name + "_total", "info": family.name + "_info"}.get(family.type, family.name)


def check_pages():
    with Daemon("--interval", "1") as d:
        early = d.get("/healthz")
        claim("before_the_first_interval_it_is_healthy", early.status == 200, early.text)
        claim("an_interval_comes", d.await_interval(), d.messages())

        a = d.metrics()
        claim("openmetrics_is_served_if_it_is_asked_for",
              a.status == 200 and a.headers["content-type"] == OPENMETRICS, a.headers)
        b = d.metrics(openmetrics=False)
        claim("the_text_format_is_served_else",
              b.status == 200 and b.headers["content-type"] == TEXT, b.headers)
        families = list(text_string_to_metric_families(a.text))
        claim("a_strict_parser_takes_openmetrics",
              a.text.endswith("# EOF\n") and len(families) > 20)
        claim("and_the_text_format", len(list(parse_text(b.text))) > 20 and "# EOF" not in b.text)
        claim("every_metric_has_its_help", all(f.documentation for f in families))
        names = {label for f in families for s in f.samples for label in s.labels} - {"le"}
        info = {label for f in families if f.type == "info" for s in f.samples for label in s.labels}
        claim("labels_are_of_the_fixed_ones",
              names - info == {"site", "tracer", "cause", "construct", "state"}, names - info)
        listed, served = families_of_man_page(), {sample_names(f) for f in families}
        claim("the_man_page_lists_what_is_served_and_nothing_else", listed == served,
              f"only in the man page: {listed - served}", f"not in it: {served - listed}")

        page = d.get("/")
        policy = page.headers.get("content-security-policy", "")
        claim("the_live_page_is_html_under_a_strict_policy",
              page.status == 200 and page.headers["content-type"] == "text/html; charset=utf-8" and
              "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, policy)
        claim("the_live_page_names_no_other_file",
              not re.search(r"(src|href)=\"(?!data:|metrics\"|snapshot\")|@import|url\(", page.text))
        claim("the_snapshot_is_a_line_of_json",
              d.get("/snapshot").text.startswith('{"schema":"itertrace.snapshot/1"') and
              d.get("/snapshot").text.count("\n") == 1)
        claim("the_identity_is_json", '"release"' in d.get("/identity").text)
        claim("nothing_is_kept_by_caches", d.get("/metrics").headers["cache-control"] == "no-store")
        head = d.get("/metrics", method="HEAD")
        claim("HEAD_is_answered_without_a_body", head.status == 200 and head.body == b"")
        claim("other_paths_are_not_found_and_the_paths_told",
              d.get("/metrics/").status == 404 and "/healthz" in d.get("/nosuch?x=/metrics").text)
        post = d.get("/metrics", method="POST", body=b"x" * 1000)
        claim("other_methods_are_refused", post.status == 405 and post.headers["allow"] == "GET, HEAD")
        named = d.get("/snapshot", Host="evil.example:9464")
        claim("a_web_sites_name_is_no_way_in", named.status == 421 and "localhost" in named.text)
        claim("localhost_is", d.get("/snapshot", Host=f"localhost:{d.port}").status == 200)
        check_threads(d)


def threads(d):
    """{name: what the kernel says of it}"""
    found = {}
    for task in os.listdir(f"/proc/{d.process.pid}/task"):
        with open(f"/proc/{d.process.pid}/task/{task}/status") as f:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
        found[status["Name"]] = status
    return found


def has_no_capability(thread):
    return all(int(thread[c], 16) == 0 for c in ("CapPrm", "CapEff", "CapInh", "CapAmb"))


def check_threads(d):
    found = threads(d)
    http = found.get("itertrace-http", {})
    claim("the_listeners_thread_has_no_capability",
          len(found) == 2 and has_no_capability(http) and http["NoNewPrivs"].strip() == "1", found)


def check_all_threads():
    with tempfile.TemporaryDirectory() as directory, Daemon(
            "--interval", "500ms", "--record", os.path.join(directory, "a.itr")) as d:
        d.await_interval()
        found = threads(d)
        claim("nor_has_the_recorders", has_no_capability(found.get("itertrace-rec", {})), found)
        claim("what_a_thread_executes_has_none",
              len(found) == 3 and all(int(t["CapBnd"], 16) == 0 and t["NoNewPrivs"].strip() == "1"
                                      for t in found.values()), found)


def check_figures():
    """Of the first N intervals, added up from their lines of JSON."""
    with Daemon("--interval", "500ms") as d:
        await_true(lambda: len(d.snapshots()) > 3)
        got = samples(d.metrics().text)
        nr = int(got["itertrace_intervals_total", ()])
        await_true(lambda: len(d.snapshots()) >= nr)
        lines = d.snapshots()[:nr]
        should, differ = {}, []
        for s in lines:
            for t in s["tracers"]:
                add(should, ("itertrace_events_total", (("tracer", t["name"]),)), t["events"])
                for cause, lost in t["lost"].items():
                    add(should, ("itertrace_lost_events_total", (("cause", cause), ("tracer", t["name"]))), lost)
            for f in s["sites"]:
                site = (("site", f["site"]),)
                add(should, ("itertrace_loop_trips_count", site), f["entries"])
                add(should, ("itertrace_loop_trips_sum", site), f["trips"])
                add(should, ("itertrace_loop_timed_entries_total", site), f["timed"])
            add(should, ("itertrace_exec_execs_total", ()), s["exec"]["execs"])
            add(should, ("itertrace_runq_wait_seconds_count", ()), sum(s["runq"]["wait_log2"]))
            add(should, ("itertrace_runq_waits_total", ()), s["runq"]["waits"])
            add(should, ("itertrace_runq_wait_seconds_sum", ()),
                sum(c["wait_ns"] for c in s["runq"]["cgroups"]) / 1e9)
        for key, value in should.items():
            if abs(got.get(key, -1) - value) > 1e-6 * max(1, value):
                differ.append(f"{key}: {got.get(key)} instead of {value}")
        claim("counters_are_the_sums_of_the_lines_of_json", nr >= 3 and len(should) > 30 and not differ,
              nr, *differ)
        claim("every_wait_is_in_the_histogram",
              got["itertrace_runq_wait_seconds_count", ()] == got["itertrace_runq_waits_total", ()] > 0)
        for f in lines[-1]["sites"]:
            if f["ns_per_trip"] is not None:
                value = got["itertrace_loop_trip_seconds", (("site", f["site"]),)]
                claim("a_cost_is_the_last_intervals_in_seconds",
                      abs(value - f["ns_per_trip"] / 1e9) <= 1e-8 * value, value, f)
                break
        claim("it_ends_as_without", d.stop() == 0, d.messages())


def add(sums, key, value):
    sums[key] = sums.get(key, 0) + value


def check_health():
    """Nobody reads its output: the pipe fills, and no interval ends."""
    reader, writer = os.pipe()
    with Daemon("--interval", "200ms", stdout=writer) as d:
        os.close(writer)
        claim("health_is_lost_when_intervals_cease",
              await_true(lambda: d.get("/healthz").status == 503) and
              re.match(r"no interval has ended for .*, though each takes 200 ms", d.get("/healthz").text),
              d.get("/healthz").text)
        claim("the_last_interval_is_still_served", d.metrics().status == 200)
        while d.get("/healthz").status == 503 and os.read(reader, 65536):
            pass
        claim("and_is_back_when_they_come", d.get("/healthz").text == "ok\n")
    os.close(reader)


def check_places(directory):
    with Daemon("--interval", "60") as d:
        other = subprocess.run([ITERTRACE, "run", "--listen", d.address], capture_output=True, text=True)
        claim("an_address_in_use_is_an_error_with_a_remedy",
              other.returncode == 2 and other.stderr.count("\n") == 1 and d.address in other.stderr and
              "choose another port" in other.stderr, other)
        none = d.metrics()
        claim("before_the_first_interval_there_are_no_metrics",
              none.status == 503 and "first interval" in none.text, none.text)
        claim("loopback_needs_no_warning", "not loopback" not in d.messages(), d.messages())
    with Daemon("--interval", "60", listen="0.0.0.0:0") as d:
        claim("all_addresses_are_listened_on_if_said_so_and_with_a_warning",
              d.address.startswith("0.0.0.0:") and "0.0.0.0" in d.messages() and
              "is not loopback" in d.messages(), d.messages())
        claim("there_hosts_have_names", d.get("/healthz", Host="web1.example:9464").status == 200)
    with Daemon("--interval", "60", listen=None, wait=False) as d:
        await_true(lambda: "loops run on" in d.messages())
        sockets = [fd for fd in os.listdir(f"/proc/{d.process.pid}/fd")
                   if os.readlink(f"/proc/{d.process.pid}/fd/{fd}").startswith("socket:")]
        claim("without_the_option_there_is_no_socket", not sockets and "listening" not in d.messages(), sockets)
    path = os.path.join(directory, "socket")
    with Daemon("--interval", "60", listen=f"unix:{path}") as d:
        claim("a_unix_socket_is_served", d.get("/healthz").text == "ok\n" and d.get("/").status == 200)
        d.stop(signal.SIGKILL)
    claim("a_killed_process_leaves_it", os.path.exists(path))
    with Daemon("--interval", "60", listen=f"unix:{path}") as d:
        claim("and_the_next_one_replaces_it", d.get("/healthz").text == "ok\n", d.messages())
        claim("which_goes_with_its_process", d.stop() == 0 and not os.path.exists(path))


ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="http")
os.execv(sys.argv[2], sys.argv[2:])
"""


def check_activation():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = [sys.executable, "-c", ACTIVATE, str(server.fileno())]
        with Daemon("--interval", "60", listen=None, command=command, pass_fds=[server.fileno()]) as d:
            claim("the_socket_that_systemd_passes_is_served",
                  d.address == f"127.0.0.1:{port}" and d.get("/healthz").text == "ok\n", d.messages())
        with Daemon(listen=f"127.0.0.1:{port}", command=command, pass_fds=[server.fileno()]) as d:
            claim("not_together_with_the_option",
                  d.process.wait(20) == 2 and "leave one of them out" in d.messages(), d.messages())


def check_privileged_port():
    name = "a_port_that_is_not_permitted_is_an_error_with_a_remedy"
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start") as f:
        if int(f.read()) <= 80:
            return skip(name, "every port is permitted here")
    drop = ["setpriv", "--bounding-set", "-net_bind_service", "--inh-caps", "-net_bind_service"]
    with Daemon(listen="127.0.0.1:80", command=drop) as d:
        claim(name, d.process.wait(20) == 4 and "CAP_NET_BIND_SERVICE" in d.messages(), d.messages())


def main():
    check_pages()
    check_all_threads()
    check_figures()
    check_health()
    with tempfile.TemporaryDirectory() as directory:
        check_places(directory)
    check_activation()
    check_privileged_port()


main()
