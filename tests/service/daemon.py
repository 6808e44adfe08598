# SPDX-License-Identifier: BSD-2-Clause
"""An "itertrace run --listen" for the tests, how it is asked, and how claims are told."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

ITERTRACE = os.environ.get("ITERTRACE", os.path.abspath("build/itertrace"))
WORKLOADS = os.path.join(os.path.dirname(ITERTRACE), "tests/workload")
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
TEXT = "text/plain; version=0.0.4; charset=utf-8"
# A loaded machine is slow to start it.
PATIENCE = 60


def claim(name, holds, *why):
    """Tell tests/run; what else is known where it does not hold."""
    print(("ok - " if holds else "not ok - ") + name)
    if not holds:
        for text in why:
            print(str(text)[:3000])
    sys.stdout.flush()


def skip(name, reason):
    print(f"skip - {name}: {reason}")


def await_true(condition, seconds=PATIENCE):
    """Whether it became true in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def read_again(file):
    """All of it, with an offset of its own: the writer's is shared with its process."""
    with open(f"/proc/self/fd/{file.fileno()}") as f:
        return f.read()


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()
        self.text = self.body.decode()


class Daemon:
    """Runs until the block ends. address: what it says it listens on."""

    def __init__(self, *arguments, listen="127.0.0.1:0", command=(), stdout=None, wait=True, **popen):
        self.log = tempfile.TemporaryFile("w")
        self.out = stdout or tempfile.TemporaryFile("w")
        options = ["--listen", listen] if listen else []
        self.process = subprocess.Popen(
            [*command, ITERTRACE, "run", "--json", "--no-calibrate", *options, *arguments],
            stdout=self.out, stderr=self.log, stdin=subprocess.DEVNULL,
            # With SAN=1 what is freed stays a while, which is no leak.
            env={"ASAN_OPTIONS": "quarantine_size_mb=1", **os.environ}, **popen)
        self.address = None
        if wait:
            await_true(lambda: self.find_address() or self.process.poll() is not None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)

    def messages(self):
        return read_again(self.log)

    def find_address(self):
        found = re.search(r"listening on (\S+): ", self.messages())
        self.address = found.group(1) if found else None
        return self.address

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def connection(self, timeout=20, source=None):
        if self.address.startswith("unix:"):
            return UnixConnection(self.address[len("unix:"):], timeout)
        host = self.address.rsplit(":", 1)[0].strip("[]")
        host = {"0.0.0.0": "127.0.0.1"}.get(host, host)
        return http.client.HTTPConnection(host, self.port, timeout, source)

    def get(self, path, method="GET", timeout=20, source=None, body=None, **headers):
        connection = self.connection(timeout, source)
        try:
            connection.request(method, path, body=body, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def metrics(self, openmetrics=True):
        return self.get("/metrics", Accept=OPENMETRICS.split(";")[0] if openmetrics else "text/plain")

    def await_interval(self):
        return await_true(lambda: self.metrics().status == 200)

    def snapshots(self):
        """The lines that it has printed so far."""
        lines = read_again(self.out).split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def stop(self, number=signal.SIGTERM):
        """Its exit status; None if it did not end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def samples(text):
    """{(name, labels as sorted pairs): value} of an exposition in OpenMetrics."""
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    return {(s.name, tuple(sorted(s.labels.items()))): s.value
            for family in text_string_to_metric_families(text) for s in family.samples}
