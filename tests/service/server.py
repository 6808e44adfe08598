# SPDX-License-Identifier: BSD-2-Clause
"""A real Prometheus for the tests."""
import os
import socket
import subprocess


class Prometheus:
    """Runs until the block ends, with that configuration, and with DIRECTORY/data as it is."""

    def __init__(self, binaries, directory, configuration):
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = "127.0.0.1:%d" % free.getsockname()[1]
        self.url = f"http://{address}"
        path = os.path.join(directory, "prometheus.yml")
        with open(path, "w") as f:
            f.write(configuration)
        self.log = open(os.path.join(directory, "log"), "w+")
        self.process = subprocess.Popen(
            [os.path.join(binaries, "prometheus"), f"--config.file={path}",
             f"--storage.tsdb.path={directory}/data", f"--web.listen-address={address}"],
            stdout=self.log, stderr=self.log, env={**os.environ, "GOMAXPROCS": "1"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.log.close()
