#!/usr/bin/env python3
"""Proves Pipelines/catalogue/s3-presigned.yaml and s3-presigned-parts.yaml against rclone's S3 server, moto and radosgw.

The application that gives out the URLs is a few lines around boto3, which signs them. They live for a few seconds, so some expire in the
middle; rclone and radosgw check that, and moto does not. What is sent whole is sent again from the start when it was cut.
"""

import http.server
import json
import threading
import urllib.parse

from harness import install
from harness.proxy import Wire
from harness.trial import prove
from s3 import SECRET, Ceph, Moto, Rclone

LIFE = 5  # of a URL, in seconds


class ObjectWire(Wire):
    """A piece is an object, or a part of one, whatever its URL is signed with."""

    def subject(self, exchange):
        url = urllib.parse.urlsplit(exchange.target)
        query = dict(urllib.parse.parse_qsl(url.query))
        return url.path, query.get("uploadId"), query.get("partNumber")

    def piece(self, exchange):
        return (self.subject(exchange), 0) if exchange.method == "PUT" else None

    def acknowledged(self, exchange, status, fields):
        return (self.subject(exchange), int(exchange.fields["content-length"])) if exchange.is_piece and status == 200 else None


class Application(http.server.BaseHTTPRequestHandler):
    """Signs URLs for the bucket behind the proxy, and opens and completes uploads there itself."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null")

    def target(self):
        """The words of the path after /multipart, and the object."""
        url = urllib.parse.urlsplit(self.path)
        words = [urllib.parse.unquote(word) for word in url.path.split("/")[2:]]
        return words, {"Bucket": self.server.name, "Key": dict(urllib.parse.parse_qsl(url.query)).get("key", "")}

    def presigned(self, method, parameters):
        return self.server.signer.generate_presigned_url(method, Params=parameters, ExpiresIn=LIFE)

    def perform(self, action):
        from botocore.exceptions import ClientError
        try:
            self.answer(200, action())
        except ClientError as error:
            code, status = error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
            # A gateway that starts again answers 500 to some: the bucket's failure, which passes, is the application's as well.
            self.answer(404 if code == "NoSuchUpload" else 503 if status >= 500 else 400, {"message": code})

    def do_POST(self):
        value, (words, place), bucket = self.body(), self.target(), self.server.bucket
        if self.path == "/uploads":
            self.answer(200, {"url": self.presigned("put_object", {"Bucket": self.server.name, "Key": value["name"]})})
        elif not words:
            key = value["filename"]
            self.perform(lambda: {"uploadId": bucket.create_multipart_upload(Bucket=self.server.name, Key=key)["UploadId"], "key": key})
        else:
            self.perform(lambda: {"location": bucket.complete_multipart_upload(
                **place, UploadId=words[0], MultipartUpload={"Parts": value["parts"]}).get("Location")})

    def do_GET(self):
        words, place = self.target()
        if len(words) == 2:
            self.answer(200, {"url": self.presigned("upload_part", {**place, "UploadId": words[0], "PartNumber": int(words[1])})})
        else:
            self.perform(lambda: self.state(place, words[0]))

    def state(self, place, upload):
        """The parts of an open upload, or the object of a complete one: the bucket says the same of one that it has lost."""
        from botocore.exceptions import ClientError
        try:
            parts = self.server.bucket.list_parts(**place, UploadId=upload).get("Parts", [])
            return [{"PartNumber": one["PartNumber"], "ETag": one["ETag"]} for one in parts]
        except ClientError as error:
            try:
                self.server.bucket.head_object(**place)
            except ClientError:
                raise error
            return {"location": place["Key"]}

    def do_DELETE(self):
        words, place = self.target()
        self.perform(lambda: self.server.bucket.abort_multipart_upload(**place, UploadId=words[0]) and {})


class Endpoint(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A program that was killed does not take its answer."""


class Presigned:
    """A bucket, and the application before it."""

    wire, secrets, bucket = ObjectWire(), {}, "bucket"

    def signer(self, port):
        import boto3
        from botocore.config import Config
        return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", aws_access_key_id=self.key, aws_secret_access_key=SECRET,
                            region_name="us-east-1", config=Config(signature_version="s3v4", s3={"addressing_style": "path"}))

    def application(self, port):
        server = Endpoint(("127.0.0.1", 0), Application)
        server.signer, server.bucket, server.name = self.signer(port), self.client(), self.bucket
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"


class Whole(Presigned):
    pipeline = "s3-presigned.yaml"

    def inputs(self, port, source):
        return {"server": f"{self.application(port)}/uploads", "files": f"{source}/*"}


class Parts(Presigned):
    pipeline = "s3-presigned-parts.yaml"

    def inputs(self, port, source):
        return {"server": f"{self.application(port)}/multipart", "files": f"{source}/*", "part_size": "5 MiB"}


class RcloneWhole(Whole, Rclone):
    name = "rclone serve s3, presigned"


class MotoWhole(Whole, Moto):
    name = "moto, presigned"


class RcloneParts(Parts, Rclone):
    name = "rclone serve s3, presigned parts"


class MotoParts(Parts, Moto):
    name = "moto, presigned parts"


class CephWhole(Whole, Ceph):
    name = "radosgw, presigned"


class CephParts(Parts, Ceph):
    name = "radosgw, presigned parts"


if __name__ == "__main__":
    # The client that signs and reads back comes with moto.
    install.within(install.pypi("moto", "moto[server]==5.2.5", "boto3"))
    prove(__doc__, RcloneWhole, MotoWhole, CephWhole, RcloneParts, MotoParts, CephParts)
