#!/usr/bin/env python3
"""Proves that a file in ten thousand parts costs little: memory, and the time of `status` and `resume`.

usage: Tests/Servers/many_parts.py [--pipeline PROGRAM] [--size BYTES] [--parts N] [--flight N]

Makes a sparse file, and sends it with Pipelines/catalogue/s3-multipart.yaml to a sink of its own, which answers as S3 does and keeps
nothing but the number of bytes of each part. In the middle the process is killed; `status` is timed, and `resume` until its first
request. Ends with 1 if the parts are not the file, if one that was acknowledged is sent again, or if a bound is passed.
"""

import argparse
import asyncio
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMORY, SECONDS = 60 << 20, 0.3


class Sink(asyncio.BufferedProtocol):
    """One connection: reads requests, and counts the bytes of bodies without keeping them."""

    parts, again, total, first = {}, 0, 0, None
    buffer = memoryview(bytearray(1 << 20))

    def __init__(self):
        self.head, self.left, self.request = b"", 0, None

    def connection_made(self, transport):
        self.transport = transport

    def get_buffer(self, _):
        return self.buffer

    def buffer_updated(self, count):
        data = self.buffer[:count]
        while data:
            if self.request is None:
                self.head += bytes(data)
                end = self.head.find(b"\r\n\r\n")
                if end < 0:
                    return
                rest = self.head[end + 4:]
                self.begin(self.head[:end].decode("latin-1"))
                self.head, data = b"", memoryview(rest)
            taken = min(self.left, len(data))
            self.left -= taken
            Sink.total += taken
            data = data[taken:]
            if self.left == 0:
                self.answer()

    def begin(self, head):
        first, *lines = head.split("\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        method, target = first.split(" ")[:2]
        self.request, self.left = (method, target, int(fields.get("content-length", 0))), int(fields.get("content-length", 0))
        Sink.first = Sink.first or time.monotonic()

    def answer(self):
        (method, target, length), self.request = self.request, None
        number = re.search(r"partNumber=(\d+)", target)
        tag, body = "", ""
        if method == "PUT" and number:
            Sink.again += int(number[1]) in Sink.parts
            Sink.parts[int(number[1])] = length
            tag = f'ETag: "{number[1]}"\r\n'
        elif method == "POST" and "uploadId" in target:
            body = "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>"
        elif method == "POST":
            body = "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>"
        status = "404 Not Found" if method in ("HEAD", "GET") else "200 OK"
        length = "" if method == "HEAD" else f"Content-Length: {len(body)}\r\n"
        self.transport.write(f"HTTP/1.1 {status}\r\n{tag}{length or 'Content-Length: 0' + chr(13) + chr(10)}\r\n{body}".encode())


async def peak(process):
    """The most memory that the process had, in bytes, until it ended or was killed."""
    most = 0
    while process.returncode is None:
        try:
            text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            most = max(most, int(re.search(r"VmHWM:\s+(\d+)", text)[1]) << 10)
        except (OSError, TypeError):
            pass
        await asyncio.sleep(0.1)
    return most


async def prove(options, folder):
    file, state = folder / "file.bin", folder / "state"
    with open(file, "wb") as output:
        output.truncate(options.size)
    server = await asyncio.get_running_loop().create_server(Sink, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    # A process that resumes needs it as well.
    environment = {**os.environ, "PIPELINE_INPUT_SECRET_KEY": "secret"}
    inputs = [f"server=http://127.0.0.1:{port}", "bucket=bkt", "access_key=key", f"files={file}", f"part_size={options.size // options.parts} B"]
    begin = [options.pipeline, "run", str(ROOT / "Pipelines/catalogue/s3-multipart.yaml"), "--state", str(state)]
    begin += [word for value in inputs for word in ("--input", value)]

    async def start(words):
        return await asyncio.create_subprocess_exec(
            *words, env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=open(folder / "log", "ab"), start_new_session=True)

    begun = time.monotonic()
    process = await start(begin)
    watch = asyncio.create_task(peak(process))
    while len(Sink.parts) < options.parts // 2 and process.returncode is None:
        await asyncio.sleep(0.05)
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    most = await watch
    asked = time.monotonic()
    await (await start([options.pipeline, "status", "--state", str(state)])).wait()
    status_time = time.monotonic() - asked
    Sink.first, asked = None, time.monotonic()
    process = await start([options.pipeline, "resume", "--state", str(state)])
    most = max(most, await peak(process))
    resume_time = (Sink.first or time.monotonic()) - asked
    whole = sorted(Sink.parts) == list(range(1, options.parts + 1)) and sum(Sink.parts.values()) == options.size
    print(f"{options.parts} parts of {options.size:,} bytes, killed in the middle, {time.monotonic() - begun:.0f} s: "
          f"peak memory {most / (1 << 20):.0f} MiB, status {status_time * 1000:.0f} ms, resume {resume_time * 1000:.0f} ms until its "
          f"first request, {Sink.again} parts again, exit status {process.returncode}")
    if process.returncode != 0 or not whole:
        print((folder / "log").read_text()[-2000:], file=sys.stderr)
        return 1
    # What was in flight when the process was killed may have arrived.
    return 0 if Sink.again <= options.flight and most <= MEMORY and max(status_time, resume_time) <= SECONDS else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=str(ROOT / ".build/release/pipeline"))
    parser.add_argument("--size", type=int, default=50_000_000_000)
    parser.add_argument("--parts", type=int, default=10_000)
    parser.add_argument("--flight", type=int, default=8, help="parts that may be in flight when the process is killed")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pipeline-parts-"))
    try:
        sys.exit(asyncio.run(prove(options, folder)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
