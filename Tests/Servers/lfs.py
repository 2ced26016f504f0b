#!/usr/bin/env python3
"""Proves Pipelines/catalogue/git-lfs.yaml against giftless, a Git LFS server. See harness/trial.py.

git-lfs itself reads everything back: it smudges a pointer of each file. giftless writes what it is sent in place, so the part of a body
that was cut stays until the object is put again.
"""

import hashlib
import os
import subprocess

from harness import install
from harness.proxy import Wire
from harness.trial import Subject, prove

CONFIGURATION = """
AUTH_PROVIDERS: ["giftless.auth.allow_anon:read_write"]
TRANSFER_ADAPTERS:
  basic:
    factory: giftless.transfer.basic_streaming:factory
    options: {{storage_class: "giftless.storage.local_storage:LocalStorage", storage_options: {{path: "{folder}"}}}}
"""
PACKAGES = ["giftless==0.6.2", "flask-marshmallow", "flask-classful", "python-dotenv", "webargs", "marshmallow<4", "pyjwt<2.10", "figcan",
            "cryptography", "pyyaml", "python-dateutil", "importlib-metadata", "typing_extensions"]


class ObjectWire(Wire):
    def piece(self, exchange):
        return (exchange.target.split("?")[0], 0) if exchange.method == "PUT" else None

    def acknowledged(self, exchange, status, fields):
        return (exchange.target.split("?")[0], int(exchange.fields["content-length"])) if exchange.is_piece and status == 200 else None


class Giftless(Subject):
    name, pipeline, wire, configuration = "giftless", "git-lfs.yaml", ObjectWire(), CONFIGURATION

    def start(self):
        install.debian("git-lfs")
        self.port = install.free_port()
        (self.folder / "configuration.yaml").write_text(self.configuration.format(folder=self.folder / "data"))
        environment = {"GIFTLESS_CONFIG_FILE": str(self.folder / "configuration.yaml"), "FLASK_APP": "giftless.wsgi_entrypoint"}
        command = [install.pypi("giftless", *PACKAGES) / "python", "-m", "flask", "run", "--host", "127.0.0.1", "--port", self.port]
        return install.Process(command, self.port, self.folder / "log", None, environment).start()

    def inputs(self, port, source):
        return {"server": f"http://127.0.0.1:{port}/team/films", "files": f"{source}/*"}

    def read_back(self, digests):
        here = self.folder / "repository"
        subprocess.run(["git", "init", "-q", here], check=True)
        subprocess.run(["git", "-C", here, "config", "lfs.url", f"http://127.0.0.1:{self.port}/team/films"], check=True)
        found = {}
        for name, digest in digests.items():
            size = self.sizes[digest]
            pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n"
            answer = subprocess.run(["git", "lfs", "smudge"], cwd=here, input=pointer.encode() if size else b"", capture_output=True,
                                    env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
            if answer.returncode != 0:
                print(f"{name}: {answer.stderr.decode()[-300:]}")
            found[name] = hashlib.sha256(answer.stdout).hexdigest()
        return found

    def leftovers(self):
        names = [path.name for path in (self.folder / "data").rglob("*") if path.is_file()]
        return len([name for name in names if name not in self.sizes])


if __name__ == "__main__":
    prove(__doc__, Giftless)
