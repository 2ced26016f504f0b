#!/usr/bin/env python3
"""What is wrong ends with the server's own words: wrong keys, buckets that are not there, parts that are too small, full disks.

Each case runs a pipeline of the catalogue against a server that others wrote, and looks for words in what `pipeline explain` says.
"""

import contextlib
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import gcs
import oci
import s3
import webdav
from harness import install, trial

CONFIGURATION = """
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/t1; fastcgi_temp_path {folder}/t2;
  uwsgi_temp_path {folder}/t3; scgi_temp_path {folder}/t4;
  server {{
    listen 127.0.0.1:{port}; root {folder};
    location /full/ {{ client_max_body_size 0; if ($request_method = HEAD) {{ return 404; }} if ($request_method = MKCOL) {{ return 405; }} return 507; }}
    location /small/ {{ client_max_body_size 1m; if ($request_method = HEAD) {{ return 404; }} if ($request_method = MKCOL) {{ return 405; }} return 201; }}
    location /portal/ {{ if ($request_method = HEAD) {{ return 404; }} default_type text/html; return 200 "<html><p>Welcome</html>"; }}
  }}
}}
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """A server that does one thing wrong."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, body=b"", **fields):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(status)
        for name, value in {**fields, "Content-Length": str(len(body))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class Backwards(Handler):
    """A tus server whose offset never moves."""

    def do_POST(self):
        self.answer(201, Location="/files/1")

    def do_PATCH(self):
        self.answer(204, Upload_Offset="0")

    def do_HEAD(self):
        self.answer(200, Upload_Offset="0")


class Shrinking(Handler):
    """A tus server that takes each piece, and says a smaller offset each time that it is asked."""

    offset = 1 << 20

    def do_POST(self):
        self.answer(201, Location="/files/1")

    def do_PATCH(self):
        self.answer(409)

    def do_HEAD(self):
        Shrinking.offset = max(0, Shrinking.offset - 65536)
        self.answer(200, Upload_Offset=str(Shrinking.offset))


class Revoked(Handler):
    """A server of resumable sessions that refuses the token in the middle of a file."""

    def do_GET(self):
        self.answer(404)

    def do_POST(self):
        self.answer(201, Location="/session")

    def do_PUT(self):
        if self.headers.get("content-range", "").startswith("bytes 0-"):
            self.answer(308, Range="bytes=0-262143")
        else:
            self.answer(401, b'{"error": {"code": 401, "message": "Invalid Credentials"}}', Content_Type="application/json")


class Skewed(Handler):
    """An S3 server that finds every time of a request wrong."""

    def refuse(self):
        self.answer(403, b"<?xml version='1.0'?><Error><Code>RequestTimeTooSkewed</Code><Message>The difference between the request "
                         b"time and the current time is too large.</Message></Error>", Content_Type="application/xml")

    do_GET = do_POST = do_PUT = do_HEAD = refuse


class Portal(Handler):
    """A server that answers everything with a page."""

    def page(self):
        self.answer(200, b"<html><p>Welcome</html>", Content_Type="text/html")

    do_GET = do_POST = do_PUT = do_HEAD = page


class Locked(webdav.Rclone):
    """A WebDAV server that wants a password, or that nothing can be written to."""

    option = ("--user", "someone", "--pass", "secret")

    def start(self):
        process = super().start()
        process.stop()
        process.command[-1:-1] = self.option
        return process.start()


class ReadOnly(Locked):
    option = ("--read-only",)


class Closed(oci.Registry):
    """A registry that is read-only while it is maintained."""

    def start(self):
        process = super().start()
        process.stop()
        path = self.folder / "configuration.yml"
        path.write_text(path.read_text().replace("storage: {", "storage: {maintenance: {readonly: {enabled: true}}, "))
        return process.start()


class Cases:
    def __init__(self, program, folder):
        self.program, self.folder, self.count, self.failures = program, folder, 0, 0
        self.file = folder / "a b.bin"
        self.file.write_bytes(os.urandom(3_000_000))

    def server(self, kind, name):
        """A server of a protocol's proof, which is stopped at the end of `with`."""
        data = self.folder / name
        data.mkdir()
        return kind(data)

    def check(self, what, pipeline, words, limit=60, **inputs):
        """Runs a pipeline that cannot succeed, and looks for the words in the reason."""
        self.count += 1
        state = self.folder / f"state.{self.count}"
        environment = {**os.environ, "PIPELINE_INPUT_SECRET_KEY": inputs.pop("secret", s3.SECRET),
                       "PIPELINE_INPUT_PASSWORD": "wrong", "XDG_CONFIG_HOME": str(self.folder / f"config.{self.count}")}
        given = [word for name, value in {"files": self.file, **inputs}.items() for word in ("--input", f"{name}={value}")]
        run = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            run = subprocess.run([self.program, "run", install.ROOT / "Pipelines/catalogue" / pipeline, "--state", state, *given], timeout=limit,
                                 capture_output=True, text=True, env=environment)
        said = subprocess.run([self.program, "explain", "--state", state], capture_output=True, text=True).stdout
        # Whatever it says, a person must be told how to go on.
        is_good = words in said and ("pipeline retry" in said or "pipeline resume" in said)
        self.failures += not is_good
        print(f"{'ok    ' if is_good else 'FAILED'} {what}: {words if is_good else said or run and run.stderr}", flush=True)


def run(cases):
    rclone = cases.server(s3.Rclone, "rclone")
    with contextlib.closing(Stopping(rclone.start())):
        common = {"server": f"http://127.0.0.1:{rclone.port}", "access_key": s3.KEY}
        cases.check("a wrong secret key", "s3-multipart.yaml", "SignatureDoesNotMatch: The request signature we calculated does not match",
                    bucket="bucket", secret="wrong", **common)
        cases.check("a bucket that is not there", "s3-multipart.yaml", "NoSuchBucket: The specified bucket does not exist", bucket="other", **common)
    moto = cases.server(s3.Moto, "moto")
    with contextlib.closing(Stopping(moto.start())):
        cases.check("a part that is too small", "s3-multipart.yaml", "EntityTooSmall: Your proposed upload is smaller than the minimum",
                    server=f"http://127.0.0.1:{moto.port}", access_key=s3.KEY, bucket="bucket", part_size="1 MiB")
    emulator = cases.server(gcs.Emulator, "gcs")
    with contextlib.closing(Stopping(emulator.start())):
        cases.check("a bucket of Google's that is not there", "gcs-resumable.yaml", "POST returned 404",
                    server=f"http://127.0.0.1:{emulator.port}", bucket="other")
    for kind, what, words in ((Locked, "a wrong password", "refuses the user or the password"), (ReadOnly, "a folder that nothing can be written to", "PUT returned 404")):
        locked = cases.server(kind, kind.__name__)
        with contextlib.closing(Stopping(locked.start())):
            cases.check(what, "webdav.yaml", words, server=f"http://127.0.0.1:{locked.port}", user="someone")
    closed = cases.server(Closed, "closed")
    with contextlib.closing(Stopping(closed.start())):
        cases.check("a registry that is read-only", "oci.yaml", "POST returned 405", server=f"http://127.0.0.1:{closed.port}", repository="a/b")
    port, folder = install.free_port(), cases.folder / "nginx"
    folder.mkdir()
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=port))
    install.debian("nginx-light")
    with contextlib.closing(Stopping(install.Process(["/usr/sbin/nginx", "-c", folder / "nginx.conf"], port, folder / "log").start())):
        here = f"http://127.0.0.1:{port}"
        cases.check("a server without tus", "tus.yaml", "POST returned 404", server=f"{here}/plain/")
        cases.check("a full disk", "webdav.yaml", "the server has no space left; make some", server=f"{here}/full")
        cases.check("a file that is too large", "webdav.yaml", "PUT returned 413", server=f"{here}/small")
        cases.check("a portal's page instead of JSON", "git-lfs.yaml", "the response is not JSON: byte 0: expected a value (status 200, text/html, 23 bytes)",
                    server=f"{here}/portal")
    with serving(Backwards) as here:
        cases.check("an offset that never moves", "tus.yaml", "of 'sent': offset 0", 10, server=f"{here}/files/")
    with serving(Shrinking) as here:
        cases.check("an offset that moves backwards", "tus.yaml", "of 'sent': offset", 10, server=f"{here}/files/", chunk_size="1 MiB")
    with serving(Revoked) as here:
        cases.check("a token that is revoked in the middle", "gcs-resumable.yaml", "Invalid Credentials", server=here, bucket="b",
                    chunk_size="256 KiB")
    keys = {"access_key": s3.KEY, "bucket": "bucket"}
    with serving(Skewed) as here:
        cases.check("a clock that is an hour wrong", "s3-multipart.yaml", "RequestTimeTooSkewed", server=here, **keys)
    with serving(Portal) as here:
        cases.check("a portal's page instead of XML", "s3-multipart.yaml", "(status 200, text/html, 23 bytes)", server=here, part_size="1 MiB", **keys)


@contextlib.contextmanager
def serving(handler):
    """The address of a server that does one thing wrong."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class Stopping:
    """A process that `closing` stops."""

    def __init__(self, process):
        self.close = process.stop


def main():
    install.within(install.pypi("moto", "moto[server]==5.2.5", "boto3"))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pipeline-server-"))
    cases = Cases(trial.options(__doc__).pipeline, folder)
    try:
        run(cases)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if cases.failures else 0)


if __name__ == "__main__":
    main()
