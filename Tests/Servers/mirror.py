#!/usr/bin/env python3
"""Proves Pipelines/catalogue/mirror.yaml against web servers that others wrote: nginx, lighttpd, and Python's http.server.

The servers read the files from the folder that is mirrored. nginx and lighttpd give strong entity tags and take ranges, so a file that was
begun goes on where it was; Python's server does neither, so it begins again. A second run finds everything in its place and asks for no
file; a third one replaces the one file that was spoilt meanwhile. Downloads are counted by what comes down, in a proxy.
"""

import filecmp
import json
import sys

from harness import files, install
from harness.proxy import Wire
from harness.trial import Subject, prove

NGINX = """
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 512; }}
http {{
  access_log off; default_type application/octet-stream; sendfile on; client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2;
  fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {source}; }}
}}
"""
LIGHTTPD = """
server.document-root = "{source}"
server.port = {port}
server.bind = "127.0.0.1"
server.errorlog = "{folder}/log"
server.range-requests = "enable"
mimetype.assign = ( "" => "application/octet-stream" )
"""


class DownloadWire(Wire):
    """What comes down of files: all bodies but that of the manifest."""

    def is_download(self, exchange, status):
        return status in (200, 206) and not exchange.target.endswith("/manifest.json")

    def is_question(self, exchange):
        return "range" in exchange.fields


class Mirror(Subject):
    pipeline, wire, tree = "mirror.yaml", DownloadWire(), True

    def inputs(self, port, source):
        self.target = self.folder / "mirror"
        return {"server": f"http://127.0.0.1:{port}/manifest.json", "target": str(self.target)}

    def manifest(self, source, digests):
        entries = [{"path": name, "size": (source / name).stat().st_size, "sha256": digest} for name, digest in digests.items()]
        # Some with a URL of their own, some without a digest.
        for entry in entries[1::7]:
            del entry["sha256"]
        (source / "manifest.json").write_text(json.dumps(entries))

    def prepare(self, source, digests):
        self.source = source
        self.manifest(source, digests)

    def read_back(self, digests):
        same = {name: filecmp.cmp(self.source / name, self.target / name, shallow=False) for name in digests if (self.target / name).exists()}
        return {name: digests[name] for name, equal in same.items() if equal}

    def leftovers(self):
        names = {str(path.relative_to(self.source)) for path in self.source.rglob("*") if path.is_file()}
        return len([path for path in self.target.rglob("*") if path.is_file() and str(path.relative_to(self.target)) not in names])

    async def again(self, run, proxy, digests):
        before = proxy.received
        if await run() != 0 or proxy.received != before:
            return f"a second run received {proxy.received - before} bytes of files"
        sizes = {entry["path"]: entry["size"] for entry in json.loads((self.source / "manifest.json").read_text()) if "sha256" in entry}
        spoilt = max(sizes, key=sizes.get)
        with open(self.target / spoilt, "r+b") as file:
            file.write(b"spoilt")
        if await run() != 0 or not filecmp.cmp(self.source / spoilt, self.target / spoilt, shallow=False):
            return f"a file that was spoilt is not right again: {spoilt}"
        return None


class Nginx(Mirror):
    name, lost = "nginx", 12 << 20

    def start(self):
        install.debian("nginx-light")
        self.port = install.free_port()
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, port=self.port, source=self.source))
        return install.Process(["/usr/sbin/nginx", "-c", self.folder / "nginx.conf"], self.port, self.folder / "log").start()


class Lighttpd(Mirror):
    name, lost = "lighttpd", 12 << 20

    def start(self):
        install.debian("lighttpd")
        self.port = install.free_port()
        (self.folder / "lighttpd.conf").write_text(LIGHTTPD.format(folder=self.folder, port=self.port, source=self.source))
        return install.Process(["/usr/sbin/lighttpd", "-D", "-f", self.folder / "lighttpd.conf"], self.port, self.folder / "log").start()


class PythonServer(Mirror):
    name = "python http.server"

    def start(self):
        self.port = install.free_port()
        command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", self.source, self.port]
        return install.Process(command, self.port, self.folder / "log").start()


if __name__ == "__main__":
    prove(__doc__, Nginx, Lighttpd, PythonServer)
