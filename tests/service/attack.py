# SPDX-License-Identifier: BSD-2-Clause
"""attack PORT SECONDS: be every kind of bad client of 127.0.0.1:PORT at once.

They come from 127.0.0.1, and go on for SECONDS. What the listener did with those that
asked for something is printed as JSON: {kind: [what came back, ...]}.
"""
import json
import random
import resource
import socket
import struct
import sys
import threading
import time

PORT, SECONDS = int(sys.argv[1]), float(sys.argv[2])
END = time.monotonic() + SECONDS
REQUEST = b"GET /snapshot HTTP/1.1\r\nHost: localhost\r\n\r\n"
results = {}


def connect(receive_bytes=None, wait=True):
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if receive_bytes:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    s.settimeout(SECONDS if wait else 0)
    try:
        s.connect(("127.0.0.1", PORT))
    except BlockingIOError:
        pass
    return s


def answer(s):
    """The status that came, "closed", or "open" if nothing did."""
    got = b""
    try:
        while len(got) < 1 << 22:
            piece = s.recv(65536)
            if not piece:
                break
            got += piece
    except TimeoutError:
        return "open"
    except OSError:
        pass
    return got[9:12].decode("latin-1") if got.startswith(b"HTTP/1.1 ") else "closed"


def send(s, data):
    try:
        s.sendall(data)
    except OSError:
        pass


def note(kind, what):
    results.setdefault(kind, []).append(what)


def silent():
    """A thousand connections, without a word."""
    held = [connect(wait=False) for _ in range(1000)]
    time.sleep(max(0, END - time.monotonic()))
    del held


def slow_headers():
    """A byte now and then, so that none is ever silent for long."""
    held = [connect(wait=False) for _ in range(50)]
    while time.monotonic() < END:
        for i, s in enumerate(held):
            try:
                s.send(b"G")
            except BlockingIOError:
                pass
            except OSError:
                held[i] = connect(wait=False)
        time.sleep(0.5)


def slow_readers():
    """Ask for the longest page, and take next to nothing of it."""
    held = []
    while time.monotonic() < END:
        held = held[-100:]
        s = connect(2048, wait=False)
        held.append(s)
        time.sleep(0.05)
        try:
            s.send(REQUEST)
        except OSError:
            pass


def long_headers():
    while time.monotonic() < END:
        for data in (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n",
                     b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 200000 + b"\r\n"):
            with connect() as s:
                send(s, data)
                note("long header", answer(s))


GARBAGE = [
    b"\0" * 4096,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xaa" * 500,  # a TLS hello
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    b"GET /%00%ff/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\r\n" * 1000,
    b"GET\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: " + b"a/b;q=1," * 1000 + b"\r\n\r\n",
    b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n" + b"x" * (1 << 20),
    REQUEST * 500,
]


def garbage():
    chance = random.Random(1)
    while time.monotonic() < END:
        for data in GARBAGE + [chance.randbytes(chance.randrange(1, 5000)) for _ in range(10)]:
            with connect() as s:
                send(s, data)
                s.shutdown(socket.SHUT_WR) if chance.random() < .5 else None
                note("garbage", answer(s))


def resets():
    while time.monotonic() < END:
        s = connect()
        send(s, REQUEST)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()
        time.sleep(0.01)


def quietly(kind):
    def run():
        while time.monotonic() < END:
            try:
                kind()
            except OSError:
                time.sleep(0.05)
    return run


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    kinds = (silent, slow_headers, slow_readers, long_headers, garbage, resets)
    threads = [threading.Thread(target=quietly(kind), daemon=True) for kind in kinds]
    for thread in threads:
        thread.start()
    time.sleep(max(0, END - time.monotonic()))
    print(json.dumps({kind: sorted(set(found)) for kind, found in results.items()} |
                     {"tries": {kind: len(found) for kind, found in results.items()}}))
    sys.stdout.flush()


main()
