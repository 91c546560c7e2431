#!/usr/bin/env python3
"""https.py BUILD - exporters by https: trusted ones are read, others refused in one sentence; and whatever else an HTTP server can answer.

Prints one sentence per failure; the exit status tells whether there was one.
"""
import gzip
import http.server
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

BUILD = os.path.abspath(sys.argv[1])
OURS = os.path.join(BUILD, "perfolio")
BAD = []


def fail(text):
    print(text)
    BAD.append(text)


def last(target, count=10, env=None):
    """{metric: its last value} of @count samples of module w beside the CPUs, and the messages. A slow answer is missing in some samples."""
    done = subprocess.run([OURS, "-sc", "--import", "openmetrics=w," + target, "-c", str(count), "-i", ".2", "--oformat", "json"], timeout=120,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, **(env or {})))
    err = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        fail("%s: status %d: %s" % (target, done.returncode, err[:300]))
        return {}, err
    samples = json.loads(done.stdout)["perfolio"]["samples"]
    if len(samples) != count:
        fail("%s: %d samples, not %d" % (target, len(samples), count))
    return {m["name"]: m.get("value") for s in samples for m in s["metrics"] if "instances" not in m}, err


PATIENCE = (10, 50, 150)  # samples within which the first answer must be there: on a busy host that can take a while
TEXT = b"# TYPE a counter\na_total 7\nb 2\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def text(self, body, status=200, kind="text/plain; version=0.0.4", **more):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def chunks(self, *chunks, end=True):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if end:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def do_GET(self):
        try:
            getattr(self, "on_" + self.path[1:].replace("-", "_"))()
        except OSError:
            pass  # the other end has gone, as it should

    def on_good(self):
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            self.server.asked_gzip = True
        self.text(TEXT)

    def on_gzip(self):
        self.text(gzip.compress(TEXT), Content_Encoding="gzip")

    def on_bad_gzip(self):
        self.text(b"this is no gzip", Content_Encoding="gzip")

    def on_bomb(self):
        self.text(self.server.bomb, Content_Encoding="gzip")

    def on_chunked(self):
        self.chunks(TEXT[:5], TEXT[5:20], TEXT[20:])

    def on_cut_chunks(self):
        self.chunks(TEXT, end=False)

    def on_short(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(TEXT) + 100))
        self.end_headers()
        self.wfile.write(TEXT)
        self.close_connection = True

    def on_404(self):
        self.text(b"a_total 1\n", status=404)

    def on_page(self):
        self.text(b"<html><a href='/metrics'>Metrics</a></html>", kind="text/html; charset=utf-8")

    def on_strange_type(self):
        self.text(TEXT, kind="application/x-whatever")

    def on_no_type(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(TEXT)))
        self.end_headers()
        self.wfile.write(TEXT)

    def on_nothing(self):
        self.text(b"")

    def on_100MB(self):
        block = b'a{x="1"} 1\n' * 95326  # a megabyte
        self.chunks(*(block for _ in range(100)))

    def on_drip(self):
        self.send_response(200)
        self.end_headers()
        while not self.server.stop.wait(0.1):
            self.wfile.write(b"a")
            self.wfile.flush()

    def redirect(self, to):
        self.text(b"", status=302, Location=to)

    def on_there(self):
        self.redirect("/good")

    def on_other(self):
        self.redirect(self.server.other + "/good")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a handshake that fails is what some cases are about


def serve(certificate=None):
    server = Server(("127.0.0.1", 0), Handler)
    server.stop = threading.Event()
    server.asked_gzip = False
    server.bomb = gzip.compress(b"a 1\n" * (25 << 20))
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def good(what, target, env=None):
    for count in PATIENCE:
        v, err = last(target, count, env)
        if (v.get("w.a_total"), v.get("w.b"), v.get("w.scrape.up"), v.get("w.scrape.errors")) == (7, 2, 1, 0):
            return
    fail("%s: %r %s" % (what, v, err))


def bad(what, target, words, env=None):
    """Told once, with these words; no values; the others had all their samples."""
    for count in PATIENCE:
        v, err = last(target, count, env)
        told = [line for line in err.split("\n") if line]
        if told:
            break
    if v.get("w.scrape.up") != 0 or "w.a_total" in v:
        fail("%s: it counts as up: %r" % (what, v))
    if len(told) != 1 or not re.search("module w: .*(%s)" % words, told[0]):
        fail("%s: not told once, with '%s': %r" % (what, words, told))


def test_trust(https, work, certificate):
    url = "https://127.0.0.1:%d" % https.server_address[1]
    none = {"SSL_CERT_FILE": "", "CURL_CA_BUNDLE": "", "SSL_CERT_DIR": ""}
    good("SSL_CERT_FILE", url + "/good", dict(none, SSL_CERT_FILE=certificate))
    good("CURL_CA_BUNDLE", url + "/good", dict(none, CURL_CA_BUNDLE=certificate))
    folder = os.path.join(work, "trusted")
    os.mkdir(folder)
    name = subprocess.run(["openssl", "x509", "-noout", "-hash", "-in", certificate], stdout=subprocess.PIPE, text=True).stdout.strip()
    os.symlink(certificate, os.path.join(folder, name + ".0"))
    good("SSL_CERT_DIR", url + "/good", dict(none, SSL_CERT_DIR=folder))
    bad("a server that nobody vouches for", url + "/good", "certificate.*SSL_CERT_FILE", none)
    bad("a certificate of another name", url.replace("127.0.0.1", "localhost") + "/good", "localhost|SSL_CERT_FILE", dict(none, SSL_CERT_FILE=certificate))
    bad("a file of certificates that is not there", url + "/good", "/nosuch", dict(none, SSL_CERT_FILE="/nosuch"))
    bad("http where https is spoken", url.replace("https", "http") + "/good", ".")
    return dict(none, SSL_CERT_FILE=certificate)


def test_answers(url, env):
    for path in ("good", "gzip", "chunked", "strange-type", "no-type", "there", "other"):
        good(path, "%s/%s" % (url, path), env)
    bad("no gzip", url + "/bad-gzip", ".", env)
    bad("more than allowed, packed", url + "/bomb", "more than 16777216 bytes", env)
    bad("chunks that are cut off", url + "/cut-chunks", ".", env)
    bad("a text that is cut off", url + "/short", ".", env)
    bad("404", url + "/404", "status 404", env)
    bad("a page", url + "/page", "a page for people.*/metrics", env)
    bad("100 MB", url + "/100MB", "more than 16777216 bytes", env)
    bad("a text that drips", "timeout=1,%s/drip" % url, "imed out", env)
    for count in PATIENCE:
        v, err = last(url + "/nothing", count, env)
        if v.get("w.scrape.up") == 1:
            break
    if v.get("w.scrape.up") != 1 or v.get("w.scrape.series") != 0:
        fail("an empty text: %r %s" % (v, err))


def main():
    with tempfile.TemporaryDirectory(prefix="https.") as work:
        certificate = os.path.join(work, "own.pem")
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=perfolio test", "-addext",
                               "subjectAltName=IP:127.0.0.1", "-keyout", certificate, "-out", certificate + ".crt"], stderr=subprocess.PIPE, text=True)
        if made.returncode != 0:
            print("openssl makes no certificate: " + made.stderr[-200:])
            sys.exit(77)
        with open(certificate, "a") as key, open(certificate + ".crt") as cert:
            key.write(cert.read())
        plain, https = serve(), serve(certificate)
        https.other = "http://127.0.0.1:%d" % plain.server_address[1]
        plain.other = "https://127.0.0.1:%d" % https.server_address[1]
        silent = socket.socket()
        try:
            env = test_trust(https, work, certificate + ".crt")
            test_answers(plain.other, env)
            if not https.asked_gzip:
                fail("a packed text is not asked for")
            good("a redirect from http to https", https.other + "/other", env)
            silent.bind(("127.0.0.1", 0))
            silent.listen(16)
            bad("a server that says nothing", "timeout=1,https://127.0.0.1:%d/" % silent.getsockname()[1], "imed out", env)
        finally:
            silent.close()
            for server in (plain, https):
                server.stop.set()
                server.shutdown()


main()
sys.exit(1 if BAD else 0)
