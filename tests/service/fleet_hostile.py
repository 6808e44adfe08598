# SPDX-License-Identifier: BSD-2-Clause
"""fleet_hostile: what "itertrace compare --prometheus" makes of servers that are none, are
broken, or mean harm: a sentence and an exit status, in bounded time and memory."""
import base64
import gzip
import http.server
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from daemon import ITERTRACE, claim

SELECTOR = '{release="7.2"}'
TOKEN = "a-secret-token"
LABELS = {"instance": "a", "job": "j", "release": "7.2", "version": "#1", "build_id": "aa", "arch": "x86_64",
          "cpu": "c", "clock_source": "tsc", "virtualised": "kvm", "itertrace": "0.1.0", "loops": "bpf_for"}
MAX_ANSWER = 64 << 20


def vector(*samples, **more):
    return {"status": "success", "data": {"resultType": "vector", "result": list(samples)}, **more}


def sample(value, **labels):
    return {"metric": {**LABELS, **labels}, "value": [1800000000, value]}


TIME = {"status": "success", "data": {"resultType": "scalar", "result": [1800000000, "1800000000"]}}


def asks_for_hosts(query):
    return query.startswith("count_over_time((itertrace_kernel_info")


class Handler(http.server.BaseHTTPRequestHandler):
    """The first part of the path says how to behave."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, body, status=200, headers=()):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query).get("query", [""])[0]
        self.server.paths.append(url.path)
        self.close_connection = True
        try:
            getattr(self, url.path.split("/")[1])(query)
        except OSError:
            pass

    # --- no Prometheus ---------------------------------------------------------

    def status_500(self, _):
        self.reply("Internal error", 500)

    def html(self, _):
        self.reply("<!DOCTYPE html><title>Hello</title>")

    def empty(self, _):
        self.reply("")

    def not_found(self, _):
        self.reply("404 page not found", 404)

    def garbage(self, _):
        self.connection.sendall(os.urandom(5000))

    def nonsense(self, _):
        self.reply(os.urandom(5000))

    def hangs_up(self, _):
        pass

    def cut(self, _):
        self.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"status\":")

    # --- patience and memory ---------------------------------------------------

    def silent(self, _):
        self.server.stop.wait(20)

    def drips(self, _):
        self.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not self.server.stop.wait(0.001):
            self.connection.sendall(b" ")

    def headers_without_end(self, _):
        self.connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not self.server.stop.is_set():
            self.connection.sendall(b"X-More: " + b"y" * 1000 + b"\r\n")

    def endless(self, _):
        self.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n[")
        while not self.server.stop.is_set():
            self.connection.sendall(b" " * 65536)

    def bomb(self, _):
        body = gzip.compress(b" " * (4 * MAX_ANSWER), 9)
        self.reply(body, headers=[("Content-Encoding", "gzip")])

    def members(self, _):
        self.reply(b"[" + b"{}," * (10 << 20) + b"{}]")

    def deep(self, _):
        self.reply(b"[" * (1 << 20))

    # --- elsewhere -------------------------------------------------------------

    def to_file(self, _):
        self.reply("", 302, [("Location", "file:///etc/passwd")])

    def to_server(self, _):
        self.reply("", 301, [("Location", f"http://{self.headers['Host']}/html/")])

    # --- a Prometheus, of a kind -----------------------------------------------

    def answer(self, query, result):
        self.reply(TIME if query == "time()" else result)

    def bad_query(self, query):
        self.reply(TIME) if query == "time()" else self.reply(
            {"status": "error", "errorType": "bad_data", "error": "1:22: parse error:\x1b[2J no"}, 400)

    def too_much(self, query):
        self.reply(TIME) if query == "time()" else self.reply(
            {"status": "error", "errorType": "execution", "error": "query processing would load too many samples"}, 422)

    def guarded(self, query):
        basic = "Basic " + base64.b64encode(b"me:pass word").decode()
        if self.headers.get("Authorization") in (f"Bearer {TOKEN}", basic):
            self.answer(query, vector())
        else:
            self.reply("Unauthorized", 401)

    def no_hosts(self, query):
        self.answer(query, vector())

    def no_time(self, query):
        self.reply(vector())

    def odd_time(self, query):
        self.reply({"status": "success", "data": {"resultType": "scalar", "result": [1, "NaN"]}})

    def no_samples(self, query):
        self.answer(query, vector(7, None, "x"))

    def twice(self, query):
        self.answer(query, vector(sample("1"), sample("1")))

    def nameless(self, query):
        self.answer(query, vector(sample("1", instance="")))

    def many_hosts(self, query):
        self.answer(query, vector(*(sample("1", instance=f"h{i}") for i in range(513))))

    def escapes(self, query):
        self.answer(query, vector(sample("1", instance="\x1b[31mred", build_id="\u202e" * 40))
                    if asks_for_hosts(query) else vector())

    def not_numbers(self, query):
        site = {} if asks_for_hosts(query) else {"site": "s", "construct": "c"}
        self.answer(query, vector(sample("NaN", **site)))

    def partial(self, query):
        self.answer(query, vector(sample("1"), warnings=["store 10.0.0.7 does not answer"])
                    if asks_for_hosts(query) else vector())


def bounded():
    """Of memory, so that what takes more fails."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def compare(url, *options):
    start = time.monotonic()
    preexec = None if "ASAN_OPTIONS" in os.environ else bounded
    ran = subprocess.run([ITERTRACE, "compare", "--prometheus", url, "--base", SELECTOR, "--new", SELECTOR,
                          *options], capture_output=True, text=True, timeout=60, preexec_fn=preexec)
    return ran, time.monotonic() - start


def refuses(name, url, status, pattern, *options):
    """In one sentence, of printable characters, and in time."""
    ran, took = compare(url, *options)
    claim(name, ran.returncode == status and not ran.stdout and took < 15 and
          re.fullmatch(r"itertrace: [^\x00-\x1f\x7f\u202e]*\n", ran.stderr) and re.search(pattern, ran.stderr),
          f"{took:.1f} s", ran.returncode, ran.stdout[:1000], ran.stderr[:1000])


def check_no_prometheus(at):
    refuses("error_500", at("status_500"), 2, r"does not answer as a Prometheus does \(HTTP status 500\)")
    refuses("page", at("html"), 2, "does not answer as a Prometheus does")
    refuses("nothing_in_it", at("empty"), 2, "does not answer as a Prometheus does")
    refuses("not_found", at("not_found"), 2, r"\(HTTP status 404\): is that its address\?")
    refuses("no_http", at("garbage"), 2, "cannot be asked: ")
    refuses("noise", at("nonsense"), 2, "does not answer as a Prometheus does")
    refuses("hangs_up", at("hangs_up"), 2, "cannot be asked: .*[Ee]mpty reply")
    refuses("cut_off", at("cut"), 2, "cannot be asked: ")
    with socket.create_server(("127.0.0.1", 0)) as free:
        closed = "http://127.0.0.1:%d" % free.getsockname()[1]
    refuses("nobody_there", closed, 2, "cannot be asked: .*[Cc]onnect")
    refuses("no_such_name", "http://no-such-host.invalid:9090", 2, "cannot be asked: .*[Rr]esolve")
    for bad in ("", "localhost:9090", "file:///etc/passwd", "ftp://x/", "http://", "http://a?b", "http://a b"):
        refuses(f"no_address: '{bad}'", bad, 2, "is no address of a server")


def check_bounds(at):
    for name in ("silent", "drips"):
        start = time.monotonic()
        refuses(name, at(name), 2, r"has not answered within 1\.50? s", "--timeout", "1500ms")
        claim(f"and_took_the_time: {name}", 1.4 < time.monotonic() - start < 6)
    # libcurl may be a little early by our clock: whoever is asked is told of the limit all the same.
    for i in range(10):
        refuses(f"drips_{i}", at("drips"), 2, r"has not answered within 0?\.?300 ?ms", "--timeout", "300ms")
    # A connection, but no handshake: connecting's own limit of 5 s, not that of 9.
    with socket.create_server(("127.0.0.1", 0)) as mute:
        refuses("mute_handshake", "https://127.0.0.1:%d" % mute.getsockname()[1], 2, "cannot be asked: ",
                "--timeout", "9s")
    refuses("headers_without_end", at("headers_without_end"), 2,
            "cannot be asked|has not answered", "--timeout", "5s")
    refuses("endless", at("endless"), 2, r"gives an answer of more than 64\.?0? MiB")
    refuses("bomb", at("bomb"), 2, r"gives an answer of more than 64\.?0? MiB")
    refuses("members", at("members"), 2, "too large")
    refuses("deep", at("deep"), 2, "does not answer as a Prometheus does")


def check_elsewhere(server, at):
    refuses("to_a_file", at("to_file"), 2, r"redirects to file:///etc/passwd \(HTTP status 302\), which is not followed")
    del server.paths[:]
    refuses("to_a_server", at("to_server"), 2, "redirects to http://127.0.0.1")
    claim("it_was_not_asked", server.paths == ["/to_server/api/v1/query"], server.paths)


def check_answers(at):
    refuses("bad_query", at("bad_query"), 2, r"refuses the query: 1:22: parse error:\?\[2J no$")
    refuses("too_much", at("too_much"), 2, "refuses the query: query processing would load")
    refuses("no_hosts", at("no_hosts"), 3, "has no host that --base .* selects.*; nor of any other")
    refuses("no_time", at("no_time"), 2, "does not tell its time")
    refuses("odd_time", at("odd_time"), 2, "does not tell its time")
    refuses("no_samples", at("no_samples"), 2, "a sample that is none")
    refuses("twice", at("twice"), 2, "same series of a twice")
    refuses("nameless", at("nameless"), 2, "without the label instance")
    refuses("many_hosts", at("many_hosts"), 2, "more than 512 hosts")
    ran, _ = compare(at("escapes"))
    claim("no_control_character_is_shown", ran.returncode == 3 and "\x1b" not in ran.stdout + ran.stderr and
          "\u202e" not in ran.stdout + ran.stderr and "verdict: not comparable" in ran.stdout, ran)
    ran, _ = compare(at("not_numbers"))
    claim("what_is_no_number_is_no_figure", ran.returncode == 3 and "verdict: not comparable" in ran.stdout, ran)
    ran, _ = compare(at("partial"))
    claim("partial_data_is_warned_of", ran.returncode == 3 and
          ran.stdout.count("the server warns: store 10.0.0.7 does not answer") == 1, ran)


def check_credentials(at, directory):
    url = at("guarded")
    with_user = url.replace("http://", "http://me:pass%20word@")
    refuses("nobody_is_let_in", url, 2, "does not let you in .*--token-file")
    refuses("a_user_is", with_user, 3, "has no host")
    ran, _ = compare(with_user)
    claim("and_the_password_is_not_shown", "pass" not in ran.stderr and "127.0.0.1" in ran.stderr, ran)
    # Whatever is in it; and addresses that no buffer holds.
    for odd in ("http://me:pass/word@127.0.0.1:1/", "http://me:pass#word@127.0.0.1:1", "http://me:pass?word@127.0.0.1:1/"):
        ran, _ = compare(odd)
        claim(f"nor_is_{odd[10:19]!r}", ran.returncode == 2 and "pass" not in ran.stderr, ran)
    refuses("slashes", "http://a" + "/" * 5000, 2, "is no address of a server")
    path = os.path.join(directory, "token")

    def token(text):
        with open(path, "w") as f:
            f.write(text)
    token(TOKEN + "\n")
    refuses("a_token_is", url, 3, "has no host", "--token-file", path)
    token("another")
    refuses("another_is_not", url, 2, "does not let you in", "--token-file", path)
    for text in ("", "\n", "two words", "two\nlines\n", "x" * 20000):
        token(text)
        refuses(f"no_token: {text[:10]!r}", url, 2, "^itertrace: --token-file: ", "--token-file", path)
    refuses("no_file", url, 2, "--token-file: cannot read .*No such file", "--token-file", path + "x")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.paths, server.stop = True, [], threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def at(behaviour):
        return f"http://127.0.0.1:{server.server_port}/{behaviour}/"
    with tempfile.TemporaryDirectory() as directory:
        check_no_prometheus(at)
        check_bounds(at)
        check_elsewhere(server, at)
        check_answers(at)
        check_credentials(at, directory)
    server.stop.set()
    server.shutdown()


for proxy in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
    os.environ.pop(proxy, None)
main()
