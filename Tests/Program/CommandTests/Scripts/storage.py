#!/usr/bin/env python3
"""Keeps files as a WebDAV server does: storage.py AHEAD KEEPS

Its clock is AHEAD seconds ahead. If KEEPS is 1, it stores the time that is sent with a file, and otherwise its own.
It prints its address, and then a line for each file that it receives.
"""
import email.utils
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ahead, keeps = float(sys.argv[1]), sys.argv[2] == "1"
stored = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(time.time() + ahead if timestamp is None else timestamp, usegmt=True)

    def reply(self, status, fields=()):
        self.send_response(status)
        for name, value in dict({"Content-Length": "0"}, **dict(fields)).items():
            self.send_header(name, value)
        self.end_headers()

    def do_HEAD(self):
        if self.path not in stored:
            return self.reply(404)
        body, modified = stored[self.path]
        self.reply(200, {"Content-Length": str(len(body)), "Last-Modified": self.date_time_string(modified)})

    def do_MKCOL(self):
        self.reply(405)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        sent = float(self.headers["X-OC-Mtime"])
        assert email.utils.parsedate_to_datetime(self.headers["Date"]).timestamp() == sent
        stored[self.path] = (body, sent if keeps else time.time() + ahead)
        print("stored", body.decode(), flush=True)
        self.reply(201)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
