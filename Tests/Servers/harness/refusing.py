"""A proxy that answers some requests itself, in the middle of what a real server and a program say to each other."""

import contextlib
import http.client
import http.server
import threading


class Refusal:
    """What is answered instead of the server, to requests with a method and a word in their target, after the first `after` of them."""

    def __init__(self, method, status, body=b"", kind="application/json", target="", after=0, before=None, **fields):
        self.method, self.status, self.target, self.after, self.before = method, status, target, after, before
        self.body = body if isinstance(body, bytes) else body.encode()
        self.fields = {"Content-Type": kind, **{name.replace("_", "-"): value for name, value in fields.items()}}
        self.seen, self.guard = 0, threading.Lock()

    def takes(self, method, target):
        if self.method not in (method, "*") or self.target not in target:
            return False
        with self.guard:
            self.seen += 1
            is_due, is_first = self.seen > self.after, self.seen == self.after + 1
        if is_due and is_first and self.before:
            # The server itself refuses from here on: the proxy only says when.
            self.before()
        return is_due and self.status is not None


class Between(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        for refusal in self.server.refusals:
            if refusal.takes(self.command, self.path):
                self.reply(refusal.status, refusal.fields.items(), refusal.body)
                return
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        with contextlib.closing(connection):
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            self.reply(answer.status, answer.getheaders(), answer.read())

    def reply(self, status, fields, body):
        self.send_response_only(status)
        for name, value in fields:
            # The length of what a HEAD does not send is the server's to say.
            if name.lower() not in ("transfer-encoding", "connection") and (name.lower() != "content-length" or self.command == "HEAD"):
                self.send_header(name, value)
        if status not in (204, 304) and self.command != "HEAD":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_MKCOL = do_PROPFIND = pass_on


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A program that has ended does not take its answer."""


@contextlib.contextmanager
def refusing(port, *refusals):
    """The address of a proxy before the server on the port."""
    server = Server(("127.0.0.1", 0), Between)
    server.port, server.refusals = port, refusals
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
