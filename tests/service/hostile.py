# SPDX-License-Identifier: BSD-2-Clause
"""Whatever clients do, tracing counts the same, on time, in the same memory."""
import json
import socket
import subprocess
import sys
import threading
import time

from daemon import Daemon, await_true, claim

ATTACK_S = 30
NR_EXECS = 60
MORE_BYTES = 8 << 20


def half_closed(d):
    """A request whose sender has nothing more to say."""
    with socket.create_connection(("127.0.0.1", d.port), 10) as s:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        s.shutdown(socket.SHUT_WR)
        got = b""
        while piece := s.recv(4096):
            got += piece
    return got


def silent_for(d, data):
    """Seconds until a client that sends this and no more is shown out."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", d.port), 60) as s:
        s.sendall(data)
        while s.recv(4096):
            pass
    return time.monotonic() - start


def trickle(d):
    """And one that sends a byte every half a second."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", d.port), 60) as s:
        try:
            for byte in b"GET / HTTP/1.1\r\nX: " + b"y" * 100:
                s.sendall(bytes([byte]))
                time.sleep(0.5)
        except OSError:
            pass
    return time.monotonic() - start


def execute(marker):
    """Known programs, one after the other, for as long as the attack lasts."""
    for i in range(NR_EXECS):
        subprocess.run(["/bin/true", f"{marker}-{i}", "x" * (37 * i)], check=True)
        time.sleep(ATTACK_S / NR_EXECS / 1.5)


def watch(d, measured, end):
    while time.monotonic() < end:
        measured.append(d.resident_bytes())
        time.sleep(0.1)


def check_attack(d):
    marker = f"marker-{d.process.pid}"
    await_true(lambda: len(d.snapshots()) > 1)
    before, first = d.resident_bytes(), len(d.snapshots())
    start = time.monotonic()
    attack = subprocess.Popen([sys.executable, "tests/service/attack.py", str(d.port), str(ATTACK_S)],
                              stdout=subprocess.PIPE, text=True)
    measured, answers = [], []
    threads = [threading.Thread(target=watch, args=(d, measured, start + ATTACK_S)),
               threading.Thread(target=execute, args=(marker,))]
    for thread in threads:
        thread.start()
    # Prometheus on another host, so to speak.
    while time.monotonic() < start + ATTACK_S - 5:
        time.sleep(2)
        try:
            answers.append(d.get("/metrics", timeout=10, source=("127.0.0.2", 0)).status)
        except OSError as error:
            answers.append(str(error))
    results = json.loads(attack.communicate()[0])
    for thread in threads:
        thread.join()
    took = time.monotonic() - start
    await_true(lambda: len(d.snapshots()) >= first + took - 1, 10)
    lines = d.snapshots()[first:]

    # One that still runs when an interval ends is listed then, too, without an exit code.
    seen = sorted(p["argv"][1:] for s in lines for p in s["exec"]["processes"]
                  if p["exit_code"] is not None and p["argv"][1:2] and p["argv"][1].startswith(marker))
    should = sorted([f"{marker}-{i}", "x" * (37 * i)] for i in range(NR_EXECS))
    claim("every_program_is_seen_once_with_all_its_arguments", seen == should,
          f"{len(seen)} of {len(should)}", f"took {took:.0f} s", results)
    lost = {(t["name"], cause): n for s in lines for t in s["tracers"] for cause, n in t["lost"].items()
            if n and cause != "recursion"}
    claim("nothing_is_lost", not lost, lost)
    longest = max(s["interval_ns"] for s in lines) / 1e9
    claim("intervals_end_on_time", longest < 2 and len(lines) >= took - 3, f"{len(lines)} in {took:.0f} s, {longest} s")
    claim("memory_is_bounded", len(measured) > 50 and max(measured) < before + MORE_BYTES,
          before, max(measured, default=None))
    print(f"resident: {before >> 10} KiB before, at most {max(measured) >> 10} KiB; "
          f"own CPU {max(s['self']['cpu_percent'] for s in lines):.1f}% at most; answers {answers}; {results}")
    claim("a_client_from_elsewhere_is_still_answered", answers and answers.count(200) >= len(answers) * .8, answers)
    claim("long_headers_are_refused_or_cut_off",
          set(results["long header"]) <= {"413", "414", "431", "closed"}, results)
    claim("garbage_gets_an_error_or_an_answer_and_never_hangs",
          set(results["garbage"]) <= {"200", "400", "405", "413", "414", "431", "505", "closed"}, results)
    claim("once_it_is_over_everybody_is_answered",
          await_true(lambda: answers_at_once(d), 40), d.messages())
    claim("it_says_nothing_of_it", d.messages().count("\n") == 2, d.messages())


def answers_at_once(d):
    try:
        return d.get("/healthz", timeout=1).status == 200
    except OSError:
        return False


def main():
    with Daemon("--interval", "1") as d:
        await_true(lambda: d.metrics().status == 200)
        claim("a_half_closed_connection_gets_its_answer", half_closed(d).endswith(b"\r\n\r\nok\n"), half_closed(d))
        took = silent_for(d, b"")
        claim("a_silent_client_is_shown_out", 3 < took < 12, took)
        took = trickle(d)
        claim("one_that_trickles_is_too", 3 < took < 12, took)
        check_attack(d)
        claim("and_it_ends_as_it_should", d.stop() == 0, d.messages())


main()
