#!/usr/bin/env python3
"""Proves Pipelines/catalogue/oci-image.yaml against docker-registry: what its tag names is read back. See oci.py and harness/trial.py."""

import hashlib
import json
import urllib.request

from harness.trial import prove
from oci import Registry


class Image(Registry):
    """A registry of which an artifact is read, as a client of it would."""

    name, pipeline = "docker-registry, an artifact", "oci-image.yaml"

    def inputs(self, port, source):
        return {**super().inputs(port, source), "tag": "v1"}

    def read_back(self, digests):
        root = f"http://127.0.0.1:{self.port}/v2/team/films"
        media = "application/vnd.oci.image.manifest.v1+json"
        with urllib.request.urlopen(urllib.request.Request(f"{root}/manifests/v1", headers={"Accept": media})) as answer:
            manifest = json.load(answer)
        assert answer.headers["Content-Type"] == media, answer.headers["Content-Type"]
        found = {}
        for blob in [manifest["config"], *manifest["layers"]]:
            with urllib.request.urlopen(f"{root}/blobs/{blob['digest']}") as answer:
                body = answer.read()
            assert len(body) == blob["size"], blob
            found[blob.get("annotations", {}).get("org.opencontainers.image.title")] = hashlib.sha256(body).hexdigest()
        return found


if __name__ == "__main__":
    prove(__doc__, Image)
