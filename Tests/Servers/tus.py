#!/usr/bin/env python3
"""Proves Pipelines/catalogue/tus.yaml against tuspyserver, a tus 1.0 server that others wrote.

usage: Tests/Servers/tus.py [--pipeline PROGRAM] [--files N] [--kills N] [--seed N] [--port N] [--chunk SIZE] [--large SIZE]

Makes N files of 0 B to 64 MiB with odd names (or one of --large), uploads them, kills the process at random moments and resumes
the run, then compares each file with what the server has. A proxy between them counts the bytes of bodies and the offsets that the
server has acknowledged: a piece that begins below one of them was sent again. Ends with 1 where something is missing or was
sent again. Needs the network once, to install the server into .build/venv-tus.
"""

import argparse
import asyncio
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SERVER = """
import os
from fastapi import FastAPI
from tuspyserver import create_tus_router
app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=os.environ["TUS_FOLDER"], max_size=16 << 30))
"""
NAMES = ["a b.bin", "ümläut.bin", "日本語.bin", "quote'\".bin", "plus+&=%.bin", "[1].bin", "-dash.bin", "🎞.bin"]


def install():
    """The Python of an environment that has the server."""
    folder = ROOT / ".build" / "venv-tus"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        packages = ["tuspyserver==4.4.3", "uvicorn"]
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        (folder / "ready").touch()
    return python


def make(folder, count, large, draw):
    """Writes the files, and returns their digests by name."""
    digests = {}
    for index in range(count):
        name = f"{index:02d} {NAMES[index % len(NAMES)]}"
        size = large or [0, 1, 4096, draw.randrange(1 << 20), draw.randrange(64 << 20)][index % 5]
        digest = hashlib.sha256()
        with open(folder / name, "wb") as file:
            while size > 0:
                piece = draw.randbytes(min(size, 1 << 20))
                file.write(piece)
                digest.update(piece)
                size -= len(piece)
        digests[name] = digest.hexdigest()
    return digests


class Proxy:
    """Passes connections on, and counts what goes up: bytes of bodies, and pieces that the server had acknowledged."""

    def __init__(self, target):
        self.target, self.sent, self.pieces, self.again, self.questions = target, 0, 0, 0, 0
        self.acknowledged = {}

    async def serve(self, reader, writer):
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        requests = []
        await asyncio.gather(self.passing(self.up(reader, back, requests), back),
                             self.passing(self.down(there, writer, requests), writer))

    @staticmethod
    async def passing(way, end):
        """One way until it ends; what it leads to is then closed."""
        try:
            await way
        except (asyncio.IncompleteReadError, OSError):
            pass
        end.close()

    @staticmethod
    async def head(reader):
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields[name.strip().lower()] = value.strip()
        return head, first, fields

    async def up(self, reader, writer, requests):
        while True:
            head, first, fields = await self.head(reader)
            method, path = first.split(" ")[:2]
            requests.append((method, path))
            if method == "HEAD":
                self.questions += 1
            if method == "PATCH":
                self.pieces += 1
                if int(fields["upload-offset"]) < self.acknowledged.get(path, 0):
                    self.again += 1
            writer.write(head)
            left = int(fields.get("content-length", 0))
            while left > 0:
                data = await reader.read(min(left, 1 << 16))
                if not data:
                    return
                left -= len(data)
                self.sent += len(data) if method == "PATCH" else 0
                writer.write(data)
                await writer.drain()

    async def down(self, reader, writer, requests):
        while True:
            head, _, fields = await self.head(reader)
            method, path = requests.pop(0)
            if "upload-offset" in fields:
                self.acknowledged[path] = max(self.acknowledged.get(path, 0), int(fields["upload-offset"]))
            writer.write(head)
            left = 0 if method == "HEAD" else int(fields.get("content-length", 0))
            while left > 0:
                data = await reader.read(min(left, 1 << 16))
                if not data:
                    return
                left -= len(data)
                writer.write(data)
            await writer.drain()


async def run(options, folder, port, draw):
    """Runs the pipeline with kills; returns its last status and how often it was killed."""
    state = folder / "state"
    command = [options.pipeline, "run", str(ROOT / "Pipelines/catalogue/tus.yaml"), "--input", f"server=http://127.0.0.1:{port}/files/",
               "--input", f"files={folder}/in/*", "--input", f"chunk_size={options.chunk}", "--state", str(state)]
    for kill in range(options.kills + 1):
        process = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.DEVNULL, stderr=open(folder / f"log.{kill}", "wb"), start_new_session=True)
        try:
            limit = None if kill == options.kills else draw.uniform(0.02, options.pause)
            status = await asyncio.wait_for(process.wait(), limit)
            return status, kill
        except asyncio.TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if state.exists() and any(state.iterdir()):
            command = [options.pipeline, "resume", "--state", str(state)]


def compare(folder, digests):
    """Names whose files the server does not have whole; it sends none, so they are read from its disk."""
    found = {}
    for info in (folder / "server").glob("*.info"):
        name = json.loads(info.read_text())["metadata"]["filename"]
        with open(info.with_suffix(""), "rb") as file:
            digest = hashlib.file_digest(file, "sha256")
        found.setdefault(name, set()).add(digest.hexdigest())
    return [name for name, digest in digests.items() if digest not in found.get(name, set())]


async def prove(options, folder):
    draw = random.Random(options.seed)
    (folder / "in").mkdir()
    (folder / "server").mkdir()
    (folder / "app.py").write_text(SERVER)
    digests = make(folder / "in", options.files, options.large, draw)
    size = sum(file.stat().st_size for file in (folder / "in").iterdir())
    # Several workers, because one blocks for 30 s on the lock of a request that was cut.
    server = subprocess.Popen(
        [install(), "-m", "uvicorn", "app:app", "--workers", "6", "--port", str(options.port), "--no-access-log"],
        cwd=folder, env={**os.environ, "TUS_FOLDER": str(folder / "server")}, stdout=subprocess.DEVNULL,
        stderr=open(folder / "server.log", "wb"), start_new_session=True)
    try:
        proxy = Proxy(options.port)
        listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=1 << 20)
        port = listener.sockets[0].getsockname()[1]
        while True:
            try:
                socket = (await asyncio.open_connection("127.0.0.1", options.port))[1]
                socket.close()
                break
            except OSError:
                await asyncio.sleep(0.2)
        begun = time.monotonic()
        status, kills = await run(options, folder, port, draw)
        took = time.monotonic() - begun
        broken = await asyncio.to_thread(compare, folder, digests)
        print(f"{len(digests)} files of {size:,} bytes, {kills} kills, {took:.1f} s: "
              f"{proxy.pieces} pieces of {proxy.sent:,} bytes ({proxy.sent / max(size, 1):.3f} of the files), "
              f"{proxy.questions} questions, {proxy.again} pieces again, exit status {status}, {len(broken)} files not whole")
        for name in broken:
            print(f"not whole: {name}", file=sys.stderr)
        if status != 0:
            print((folder / f"log.{kills}").read_text()[-2000:], file=sys.stderr)
        return 1 if broken or status != 0 or proxy.again else 0
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=str(ROOT / ".build/release/pipeline"))
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--pause", type=float, default=0.5, help="the longest time until a kill, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=5010)
    parser.add_argument("--chunk", default="8 MiB")
    parser.add_argument("--large", type=int, default=0, help="the size of each file in bytes")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pipeline-tus-"))
    try:
        sys.exit(asyncio.run(prove(options, folder)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
