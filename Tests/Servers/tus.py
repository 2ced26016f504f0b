#!/usr/bin/env python3
"""Proves Pipelines/catalogue/tus.yaml against tuspyserver, a tus 1.0 server. See harness/trial.py.

It is restarted in good order: when it is killed in the middle of a piece, its file is longer than the offset that it tells afterwards,
and what follows is appended there.
"""

import json
import signal

from harness import files, install
from harness.proxy import Wire
from harness.trial import Subject, prove

APPLICATION = """
import os
from fastapi import FastAPI
from tuspyserver import create_tus_router
app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=os.environ["TUS_FOLDER"], max_size=16 << 30))
"""


class TusWire(Wire):
    is_certain = True

    def piece(self, exchange):
        return (exchange.target, int(exchange.fields["upload-offset"])) if exchange.method == "PATCH" else None

    def acknowledged(self, exchange, status, fields):
        return (exchange.target, int(fields["upload-offset"])) if "upload-offset" in fields and exchange.method != "POST" else None


class Tus(Subject):
    name, pipeline, wire, application = "tuspyserver", "tus.yaml", TusWire(), APPLICATION
    restart = signal.SIGTERM

    def start(self):
        (self.folder / "app.py").write_text(self.application)
        self.data = self.folder / "data"
        self.data.mkdir()
        self.port = install.free_port()
        # Several workers, because one blocks for 30 s on the lock of a request that was cut.
        command = [install.pypi("tus", "tuspyserver==4.4.3", "uvicorn==0.34.0") / "python", "-m", "uvicorn", "app:app", "--workers", "6",
                   "--port", self.port, "--no-access-log"]
        return install.Process(command, self.port, self.folder / "log", self.folder, {"TUS_FOLDER": str(self.data)}).start()

    def inputs(self, port, source):
        return {"server": f"http://127.0.0.1:{port}/files/", "files": f"{source}/*", "chunk_size": "8 MiB"}

    def read_back(self, digests):
        # It sends no file back, so they are read from its disk.
        found, self.unfinished = {}, 0
        for info in self.data.glob("*.info"):
            upload = json.loads(info.read_text())
            path = info.with_suffix("")
            if path.exists() and path.stat().st_size == upload["size"]:
                found[upload["metadata"]["filename"]] = files.digest(path)
            else:
                self.unfinished += 1
        return found

    def leftovers(self):
        return self.unfinished


if __name__ == "__main__":
    prove(__doc__, Tus)
