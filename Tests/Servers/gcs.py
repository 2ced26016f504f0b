#!/usr/bin/env python3
"""Proves Pipelines/catalogue/gcs-resumable.yaml against gcp-storage-emulator. See harness/trial.py.

The emulator forgets a session with its last byte, so that a question after it is answered with 404, and says `Range: bytes=0-0` where it
has nothing. It reads and writes the whole file for each piece, and a
kill in the middle of that loses what it had acknowledged.
"""

import json
import re
import subprocess
import sys

from harness import install
from harness.proxy import Wire
from harness.trial import Subject, prove

CLIENT = """
import hashlib, json, sys
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
client = storage.Client(project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": sys.argv[1]})
names = [blob.name for blob in client.list_blobs("bucket")]
found = {name: hashlib.sha256(client.bucket("bucket").blob(name).download_as_bytes()).hexdigest() for name in names}
print(json.dumps(found))
"""


class SessionWire(Wire):
    is_certain = True

    def piece(self, exchange):
        span = re.fullmatch(r"bytes (\d+)-(\d+)/\d+", exchange.fields.get("content-range", ""))
        return (exchange.target, int(span[1])) if span else None

    def acknowledged(self, exchange, status, fields):
        last = re.fullmatch(r"bytes=0-([1-9]\d*)", fields.get("range", ""))
        return (exchange.target, int(last[1]) + 1 if last else 0) if status == 308 else None

    def is_question(self, exchange):
        return exchange.fields.get("content-range", "").startswith("bytes */")


class Emulator(Subject):
    name, pipeline, wire = "gcp-storage-emulator", "gcs-resumable.yaml", SessionWire()

    def start(self):
        self.port = install.free_port()
        self.bin = install.pypi("gcs", "gcp-storage-emulator==2026.7.19", "google-cloud-storage")
        command = [self.bin / "python", "-m", "gcp_storage_emulator", "--data-dir", self.folder / "data", "start", "--host", "127.0.0.1",
                   "--port", self.port, "--default-bucket", "bucket", "--quiet"]
        return install.Process(command, self.port, self.folder / "log", self.folder).start()

    def inputs(self, port, source):
        # A piece must not be small against a large file: the emulator's work grows with the square of their number.
        return {"server": f"http://127.0.0.1:{port}", "bucket": "bucket", "files": f"{source}/*", "chunk_size": "32 MiB" if self.is_large else "4 MiB"}

    def read_back(self, digests):
        answer = subprocess.run([self.bin / "python", "-c", CLIENT, f"http://127.0.0.1:{self.port}"], capture_output=True, text=True)
        if answer.returncode != 0:
            print(answer.stderr, file=sys.stderr)
        return json.loads(answer.stdout or "{}")

    def leftovers(self):
        kept = next((self.folder / "data").glob("*/.meta"))
        return len(json.loads(kept.read_text())["resumable"])


if __name__ == "__main__":
    prove(__doc__, Emulator)
