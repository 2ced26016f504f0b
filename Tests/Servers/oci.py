#!/usr/bin/env python3
"""Proves Pipelines/catalogue/oci.yaml against docker-registry, an OCI registry. See harness/trial.py.

An upload that was cut in the middle of a chunk, or whose last response was lost, is lost with it: the registry takes no URL but the
newest, and holds the bytes of the cut chunk against it. Such an upload begins again, so pieces of it are sent again.
"""

import hashlib
import pathlib
import re
import urllib.error
import urllib.request

from harness import install
from harness.proxy import Wire
from harness.trial import Subject, prove

CONFIGURATION = """
version: 0.1
log: {{level: error}}
storage: {{filesystem: {{rootdirectory: {folder}}}, delete: {{enabled: true}}}}
http: {{addr: "127.0.0.1:{port}", secret: any}}
"""


class ChunkWire(Wire):
    is_certain = True

    def piece(self, exchange):
        span = re.fullmatch(r"(\d+)-(\d+)", exchange.fields.get("content-range", ""))
        return (exchange.target.split("?")[0], int(span[1])) if exchange.method == "PATCH" and span else None

    def acknowledged(self, exchange, status, fields):
        last = re.fullmatch(r"0-([1-9]\d*)", fields.get("range", ""))
        return (exchange.target.split("?")[0], int(last[1]) + 1) if status in (202, 204) and last else None

    def is_question(self, exchange):
        return exchange.method == "GET"


class Registry(Subject):
    name, pipeline, wire = "docker-registry", "oci.yaml", ChunkWire()

    def start(self):
        install.debian("docker-registry")
        self.port = install.free_port()
        (self.folder / "configuration.yml").write_text(CONFIGURATION.format(folder=self.folder / "data", port=self.port))
        return install.Process(["docker-registry", "serve", self.folder / "configuration.yml"], self.port, self.folder / "log").start()

    def inputs(self, port, source):
        return {"server": f"http://127.0.0.1:{port}", "repository": "team/films", "files": f"{source}/*", "chunk_size": "4 MiB"}

    def read_back(self, digests):
        found = {}
        for name, digest in digests.items():
            try:
                url = f"http://127.0.0.1:{self.port}/v2/team/films/blobs/sha256:{digest}"
                with urllib.request.urlopen(url) as answer:
                    found[name] = hashlib.file_digest(answer, "sha256").hexdigest()
            except urllib.error.HTTPError as error:
                print(f"{name}: {error}")
        return found

    def leftovers(self):
        uploads = self.folder / "data" / "docker/registry/v2/repositories/team/films/_uploads"
        return len(list(pathlib.Path(uploads).glob("*")))


if __name__ == "__main__":
    prove(__doc__, Registry)
