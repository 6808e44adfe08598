# SPDX-License-Identifier: BSD-2-Clause
"""A day of the daemon in minutes: 10,000 intervals, by clocks that go faster. argv: what makes
them go faster, and a directory for recordings."""
import json
import os
import subprocess
import sys
from http.client import HTTPException

from daemon import Daemon, WORKLOADS, claim

ACCELERATE = 1000
INTERVAL = "8640ms"
NR_INTERVALS = 10000
SETTLED = range(2000, 5000)  # intervals by which all that is kept has been allocated
# What the heap may be fragmented by. A leak of 60 bytes an interval is more.
MORE_BYTES = 256 << 10
RECORD_MAX = 4 << 20
# As the service runs; BPF statistics, which it does not read, do not go any faster.
AS_SERVICE = ["setpriv", "--inh-caps=-all,+bpf,+perfmon", "--bounding-set=-all,+bpf,+perfmon"]


def ask(d, path):
    """The listener's patience with a client is over a thousand times sooner, too."""
    for _ in range(50):
        try:
            return d.get(path).status
        except (OSError, HTTPException):
            pass
    return None


def live(d):
    """The RSS and the time of each interval, and how often a client was answered."""
    resident, times, answers = [], [], []
    for line in d.process.stdout:
        snapshot = json.loads(line)
        if snapshot["schema"] != "itertrace.snapshot/1":
            break
        resident.append(snapshot["self"]["rss_bytes"])
        times.append(snapshot["time_ns"])
        if len(resident) % 100 == 0:
            answers += [ask(d, path) for path in ("/metrics", "/snapshot", "/")]
        if len(resident) == NR_INTERVALS:
            d.process.terminate()
    return resident, times, answers


def run(fast, recordings):
    with Daemon("--interval", INTERVAL, "--record", recordings, "--record-max", str(RECORD_MAX),
                command=[*AS_SERVICE, *fast], stdout=subprocess.PIPE) as d:
        resident, times, answers = live(d)
        status = d.process.wait()
        return resident, times, answers, status, d.messages()


def main():
    shim, recordings = sys.argv[1:]
    workload = subprocess.Popen([os.path.join(WORKLOADS, "mixed")])
    fast = ["env", f"LD_PRELOAD={shim}", f"ACCELERATE={ACCELERATE}", "ASAN_OPTIONS=verify_asan_link_order=0"]
    try:
        resident, times, answers, status, messages = run(fast, recordings)
    finally:
        workload.terminate()
        workload.wait()

    is_whole = len(resident) >= NR_INTERVALS
    hours = (times[-1] - times[0]) / 3.6e12 if is_whole else 0
    claim("it_lives_through_a_day_of_intervals", status == 0 and hours > 23, status, len(resident), hours, messages)
    if not is_whole:
        return
    early, late = max(resident[i] for i in SETTLED), max(resident[-len(SETTLED):])
    claim("its_memory_is_flat", late <= early + MORE_BYTES, early, late)
    claim("every_client_is_answered", len(answers) >= 3 * NR_INTERVALS // 100 and set(answers) == {200}, answers)
    held = sum(os.stat(os.path.join(recordings, name)).st_size for name in os.listdir(recordings))
    claim("recordings_keep_to_their_limit", RECORD_MAX / 2 < held <= RECORD_MAX, held)
    print(f"{len(resident)} intervals, {hours:.1f} hours by its clock; resident: at most {early >> 10} KiB in intervals "
          f"{SETTLED.start} to {SETTLED.stop}, {late >> 10} KiB in the last {len(SETTLED)}; recordings {held >> 10} KiB")


main()
