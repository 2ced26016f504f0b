"""A run of a pipeline that is killed again and again, while its server is restarted, and what is left of it."""

import argparse
import asyncio
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

from . import files
from .install import ROOT
from .proxy import Faults, Proxy


class Subject:
    """A pipeline and a server. Each protocol has a subclass; `folder` is where the server may keep its data."""

    name = "?"            # of the server, in the report
    pipeline = "?"        # file name in Pipelines/catalogue
    restart = signal.SIGKILL  # how the server is ended in the middle, before it starts again; None if it keeps nothing
    is_heavy = False      # so much is installed and started that `--light` leaves it out, unless it is asked for by name
    tree = False          # the files are in folders
    wire = None           # what its requests mean
    is_large = False      # a single large file is sent
    sizes = {}            # of the files, in bytes, by digest
    secrets = {}          # inputs that no run stores, by name
    lost = None           # bytes of downloads on their way that a kill may lose, where the server lets downloads go on

    def __init__(self, folder):
        self.folder = folder

    def prepare(self, source, digests):
        """Does what is left to do before the server starts: `digests` are those of the files in the folder, by name."""

    async def again(self, run, proxy, digests):
        """Runs the pipeline again with `await run()`, which returns the exit status; returns what is wrong, or None."""

    def start(self):
        """Starts the server and returns its process."""
        raise NotImplementedError

    def inputs(self, port, files):
        """The inputs of the run by name; the server is reached at the port, and the files are in the folder."""
        return {"server": f"http://127.0.0.1:{port}", "files": f"{files}/*"}

    def read_back(self, digests):
        """Reads everything with another client, and returns the digests found by name (or by whatever `digests` has)."""
        raise NotImplementedError

    def leftovers(self):
        """What the server has besides the files: unfinished uploads, temporary files."""
        return 0


class Trial:
    """One run: where it is killed is drawn before it begins."""

    def __init__(self, subject, options, folder, draw):
        self.subject, self.options, self.folder, self.draw = subject, options, folder, draw
        self.process, self.is_due, self.kills, self.restarts = None, False, 0, 0

    def plan(self, size):
        """Most kills come when so many bytes were sent, or before the response that follows; a fifth come by the clock."""
        kinds = [["bytes", "answer", "bytes", "answer", "clock"][index % 5] for index in range(self.options.kills)]
        moments = sorted(self.draw.randrange(max(size, 1)) for kind in kinds if kind != "clock")
        others = [kind for kind in kinds if kind != "clock"]
        self.draw.shuffle(others)
        self.moments = list(zip(moments, others))
        self.clock = [self.draw.uniform(0.01, self.options.pause) for kind in kinds if kind == "clock"]
        self.restart_at = size // 2 if self.subject.restart and not self.options.no_restart else None

    def kill(self):
        if self.process is not None and self.process.returncode is None:
            # It may just have ended by itself.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.proxy.forget()

    @property
    def moved(self):
        """Bytes of files that went either way."""
        return self.proxy.sent + self.proxy.received

    def passed(self):
        """Bytes were passed on: a kill, or the server's, may be due."""
        if self.moments and not self.is_due and self.process.returncode is None and self.moved > self.moments[0][0]:
            if self.moments.pop(0)[1] == "bytes":
                self.kill()
            else:
                self.is_due = True
        if self.restart_at is not None and self.moved > self.restart_at:
            self.restart_at = None
            self.restarts += 1
            self.restarting = asyncio.get_running_loop().run_in_executor(None, self.server.restart, self.subject.restart)

    def begin_answer(self):
        """A response has come, and is not yet passed on."""
        if self.is_due:
            self.is_due = False
            self.kill()

    async def run(self, command, resume):
        """Runs to the end; returns the exit status."""
        state = self.folder / "state"
        is_retried = False
        known = {**os.environ, **{f"PIPELINE_INPUT_{name.upper()}": value for name, value in self.subject.secrets.items()}}
        for turn in range(self.options.kills + 20):
            self.process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.DEVNULL, stderr=open(self.folder / "log", "wb"), start_new_session=True, env=known)
            limit = self.clock.pop() if self.clock and (turn % 2 or not self.moments) else None
            try:
                status = await asyncio.wait_for(self.process.wait(), limit or self.options.limit)
            except asyncio.TimeoutError:
                self.kill()
                status = await self.process.wait()
                if limit is None:
                    return "took too long"
            # A server that took longer than the retries to come back is what `pipeline retry` is for.
            if status == 1 and self.restarting is not None and not is_retried:
                await self.restarting
                command, is_retried = [resume[0], "retry", *resume[2:]], True
                continue
            if status != -signal.SIGKILL:
                return status
            self.kills += 1
            # What it still connected, before it was gone, was its own as well.
            self.proxy.forget()
            if state.exists() and any(state.iterdir()):
                command = resume
        return "does not end"

    async def prove(self):
        subject, options = self.subject, self.options
        source = self.folder / "in"
        source.mkdir()
        lengths = [options.large] * options.files if options.large else files.sizes(options.files, options.largest, self.draw)
        digests = files.make(source, lengths, self.draw, subject.tree)
        subject.sizes = {digest: (source / name).stat().st_size for name, digest in digests.items()}
        size = sum(lengths)
        subject.prepare(source, digests)
        self.server = await asyncio.to_thread(subject.start)
        try:
            faults = Faults(random.Random(options.seed)) if options.faults else None
            self.proxy = Proxy(self.server.port, subject.wire, self.begin_answer, self.passed, faults)
            port = await self.proxy.listen()
            self.plan(size)
            self.restarting = None
            state = ["--state", str(self.folder / "state")]
            inputs = [word for name, value in subject.inputs(port, source).items() for word in ("--input", f"{name}={value}")]
            begun = time.monotonic()
            status = await self.run([options.pipeline, "run", str(ROOT / "Pipelines/catalogue" / subject.pipeline), *inputs, *state],
                                    [options.pipeline, "resume", *state])
            took = time.monotonic() - begun
            received = self.proxy.received
            if self.restarting is not None:
                await self.restarting
            found = await asyncio.to_thread(subject.read_back, digests)
            left = await asyncio.to_thread(subject.leftovers)
            self.moments, self.is_due, self.restart_at, self.proxy.faults = [], False, None, None
            wrong = await subject.again(lambda: self.once(inputs), self.proxy, digests)
        finally:
            await asyncio.to_thread(self.server.stop)
        return self.report(status, took, size, digests, found, left, received, wrong, faults)

    async def once(self, inputs):
        """A run of its own, without kills; returns the exit status."""
        self.process = await asyncio.create_subprocess_exec(
            self.options.pipeline, "run", str(ROOT / "Pipelines/catalogue" / self.subject.pipeline), *inputs, "--state",
            tempfile.mkdtemp(dir=self.folder), stdout=asyncio.subprocess.DEVNULL, stderr=open(self.folder / "log", "wb"), start_new_session=True)
        return await self.process.wait()

    def report(self, status, took, size, digests, found, left, received, wrong, faults):
        broken = [name for name, digest in digests.items() if found.get(name) != digest]
        proxy, options = self.proxy, self.options
        allowed = size * 1.05 + proxy.largest * (self.kills + self.restarts)
        is_thrifty = (not options.large or proxy.sent <= allowed) and (
            self.subject.lost is None or received <= size * 1.05 + self.subject.lost * (self.kills + self.restarts))
        # A response that was cut has reached no one, and so its piece may come again, where the server cannot be asked.
        is_good = status == 0 and not broken and (not proxy.again or faults) and is_thrifty and not wrong
        # A network that broke nothing proves nothing.
        is_good = is_good and (not faults or faults.resets > 0)
        moved = received or proxy.sent
        network = f", {faults.resets} of {faults.connections} connections reset" if faults else ""
        print(f"{self.subject.name}: {len(digests)} files of {size:,} bytes, {self.kills} kills, {self.restarts} restarts of the server{network}, "
              f"{took:.1f} s: {proxy.requests} requests, {proxy.pieces} pieces of {moved:,} bytes ({moved / max(size, 1):.3f} of the "
              f"files), {proxy.questions} questions, {proxy.again} pieces again, {proxy.lost} offsets that moved backwards, {left} leftovers, {len(digests) - len(broken)} files whole"
              + ("" if is_good else f"; FAILED with status {status}"), flush=True)
        if not is_good:
            for line in [wrong or "", *(f"not whole: {name}" for name in broken[:5]), *proxy.told[:5]]:
                print(f"  {line}", file=sys.stderr)
            print((self.folder / "log").read_text(errors="replace")[-3000:], file=sys.stderr)
        return bool(is_good)


def options(description):
    """What the command line says; `--light` is what fits in a few minutes for all servers together."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=str(ROOT / ".build/release/pipeline"), help="the program")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--largest", type=int, default=64 << 20, help="the size of the largest file in bytes")
    parser.add_argument("--large", type=int, default=0, help="the size of each file in bytes, instead of odd sizes")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--pause", type=float, default=0.5, help="the longest time until a kill by the clock, in seconds")
    parser.add_argument("--limit", type=float, default=600, help="the longest time of one process, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-restart", action="store_true", help="leave the server alone")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and state")
    parser.add_argument("--only", default="", help="prove the servers whose name has this word")
    parser.add_argument("--light", action="store_true", help="16 files of at most 6 MiB, 4 kills")
    parser.add_argument("--faults", action="store_true", help="a bad network instead of kills: a fifth of all connections is reset at "
                        "some byte, and each response takes 100 ms more")
    chosen = parser.parse_args()
    if chosen.faults:
        chosen.kills, chosen.no_restart = 0, True
    if chosen.light:
        chosen.files, chosen.largest, chosen.kills = 16, 6 << 20, min(chosen.kills, 4)
    return chosen


def prove(description, *subjects):
    """Proves each subject, and ends the program: 0 if all are good."""
    chosen = options(description)
    good = True
    for subject in subjects:
        if chosen.only not in subject.name or (chosen.light and subject.is_heavy and not chosen.only):
            continue
        folder = pathlib.Path(tempfile.mkdtemp(prefix="pipeline-server-"))
        try:
            data = folder / "server"
            data.mkdir()
            tried = subject(data)
            tried.is_large = chosen.large > 0
            trial = Trial(tried, chosen, folder, random.Random(chosen.seed))
            good &= asyncio.run(trial.prove())
        finally:
            if chosen.keep:
                print(f"kept: {folder}")
            else:
                shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if good else 1)
