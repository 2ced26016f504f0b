#!/usr/bin/env python3
"""Each protocol with a real server runs into seven mistakes: wrong credentials, a bucket or folder that is not there, no space left, read-only,
a missing extension, a file that is too large, and a permission that is revoked in the middle of a file.

Where the server has no such state, a proxy before it answers as other servers of the protocol do (harness/refusing.py). Each case looks for
the server's own words in what `pipeline explain` says, and for what to do.
"""

import contextlib
import json
import pathlib
import shutil
import sys
import tempfile
import urllib.parse

import device_oauth
import gcs
import lfs
import oci
import s3
import s3_presigned
import tus
import webdav
from harness import install, trial
from harness.ceph import Gateway
from harness.refusing import Refusal, refusing
from refusals import Cases, Stopping


def google(code, message):
    return json.dumps({"error": {"code": code, "message": message}})


def registry(code, message):
    return json.dumps({"errors": [{"code": code, "message": message}]})


def said(message):
    return json.dumps({"message": message})


def xml(code, message):
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>"


PAGE = "<html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>"


class Protocol:
    """A pipeline, and the server behind the proxy."""

    def __init__(self, cases, pipeline, subject, path="", **inputs):
        self.cases, self.pipeline, self.subject, self.path, self.inputs = cases, pipeline, subject, path, inputs

    def check(self, what, words, *refusals, path=None, **inputs):
        with refusing(self.subject.port, *refusals) as here:
            self.cases.check(f"{self.subject.name}: {what}", self.pipeline, words,
                             **{"server": here + (self.path if path is None else path), **self.inputs, **inputs})


@contextlib.contextmanager
def running(cases, kind):
    subject = cases.server(kind, kind.__name__)
    with contextlib.closing(Stopping(subject.start())):
        yield subject


class Small(tus.Tus):
    """A tus server that takes files of a megabyte."""

    application = tus.APPLICATION.replace("16 << 30", "1 << 20")


def tus_cases(cases):
    with running(cases, Small) as subject:
        Protocol(cases, "tus.yaml", subject, "/files/").check("a file that is too large", "413")
    with running(cases, tus.Tus) as subject:
        one = Protocol(cases, "tus.yaml", subject, "/files/", chunk_size="1 MiB")
        one.check("wrong credentials", "Upload token required", Refusal("POST", 401, "Upload token required", "text/plain"))
        one.check("a folder that is not there", "Not Found", path="/nowhere/")
        one.check("no space left", "No space left on device", Refusal("PATCH", 507, "No space left on device", "text/plain", after=1))
        one.check("read-only", "uploads are closed", Refusal("POST", 403, "uploads are closed", "text/plain"))
        one.check("a missing extension (creation)", "405", Refusal("POST", 405, "Method Not Allowed", "text/plain"))
        one.check("another version of the protocol", "unsupported version", Refusal("POST", 412, "unsupported version", "text/plain", Tus_Version="0.2.2"))
        one.check("revoked in the middle", "token was revoked", Refusal("*", 401, "token was revoked", "text/plain", after=2))
        one.check("forbidden in the middle", "token was revoked", Refusal("PATCH", 403, "token was revoked", "text/plain", after=1))


def gcs_cases(cases):
    with running(cases, gcs.Emulator) as subject:
        one = Protocol(cases, "gcs-resumable.yaml", subject, bucket="bucket", chunk_size="1 MiB")
        denied = "someone@example.com does not have storage.objects.create access to the Google Cloud Storage object."
        one.check("wrong credentials", "Invalid Credentials", Refusal("GET", 401, google(401, "Invalid Credentials")))
        one.check("a bucket that is not there", "POST returned 404", bucket="other")
        one.check("no space left", "storage quota", Refusal("POST", 403, google(403, "The user's storage quota has been exceeded.")))
        one.check("read-only", denied, Refusal("POST", 403, google(403, denied)))
        one.check("a missing extension (resumable)", "Uploads of this kind are not supported", Refusal("POST", 501, "Uploads of this kind are not supported", "text/plain"))
        one.check("a file that is too large", "Request Entity Too Large", Refusal("PUT", 413, PAGE.format("413 Request Entity Too Large"), "text/html"))
        one.check("revoked in the middle", "Invalid Credentials", Refusal("PUT", 401, google(401, "Invalid Credentials"), after=1))


class Guarded(oci.Registry):
    """A registry that wants a password."""

    def start(self):
        process = super().start()
        process.stop()
        (self.folder / "passwords").write_text("someone:$2y$05$MZ3lXOTgFTH1GVSOWfSGAuRWTZXLrYSc/EMXPe4FPRxaUCZtSwvgK\n")
        path = self.folder / "configuration.yml"
        path.write_text(path.read_text() + f"auth: {{htpasswd: {{realm: here, path: {self.folder / 'passwords'}}}}}\n")
        return process.start()


def oci_cases(cases):
    with running(cases, Guarded) as subject:
        Protocol(cases, "oci.yaml", subject, repository="a/b").check("wrong credentials", "authentication required")
    with running(cases, oci.Registry) as subject:
        one = Protocol(cases, "oci.yaml", subject, repository="a/b", chunk_size="1 MiB")
        full = "adding 3 MiB of storage resource, which when updated to current usage will exceed the configured upper limit"
        one.check("a name that no repository may have", "404 page not found", repository="a..b")
        one.check("a repository that is not there", "repository name not known", Refusal("POST", 404, registry("NAME_UNKNOWN", "repository name not known to registry")))
        one.check("no space left", full, Refusal("PATCH", 403, registry("DENIED", full), after=1))
        one.check("read-only", "requested access to the resource is denied", Refusal("POST", 403, registry("DENIED", "requested access to the resource is denied")))
        one.check("a missing extension (a server without /v2)", "404", Refusal("POST", 404, PAGE.format("404 Not Found"), "text/html"))
        one.check("a chunk that is too large", "Request Entity Too Large", Refusal("PATCH", 413, PAGE.format("413 Request Entity Too Large"), "text/html"))
        one.check("revoked in the middle", "authentication required", Refusal("*", 401, registry("UNAUTHORIZED", "authentication required"), after=3))


def webdav_cases(cases):
    with running(cases, webdav.Nginx) as subject:
        one = Protocol(cases, "webdav.yaml", subject)
        wrong = PAGE.format("401 Authorization Required")
        one.check("wrong credentials", "refuses the user or the password", Refusal("*", 401, wrong, "text/html", WWW_Authenticate='Basic realm="here"'))
        one.check("a folder that is not there", "is not there; make it, or correct 'server'", path="/nowhere/below")
        one.check("no space left", "the server has no space left", Refusal("PUT", 507, PAGE.format("507 Insufficient Storage"), "text/html"))
        one.check("read-only", "403 Forbidden", Refusal("PUT", 403, PAGE.format("403 Forbidden"), "text/html"))
        one.check("a file that is too large", "413 Request Entity Too Large", Refusal("PUT", 413, PAGE.format("413 Request Entity Too Large"), "text/html"))
        one.check("a missing extension (a server without WebDAV)", "405 Not Allowed", Refusal("PUT", 405, PAGE.format("405 Not Allowed"), "text/html"))
        one.check("revoked before the body", "401 Authorization Required", Refusal("PUT", 401, wrong, "text/html"))


class Anonymous(lfs.Giftless):
    """A server that lets everyone read, and no one write."""

    configuration = lfs.CONFIGURATION.replace("read_write", "read_only")


def lfs_cases(cases):
    with running(cases, Anonymous) as subject:
        Protocol(cases, "git-lfs.yaml", subject, "/team/films").check("read-only", "403")
    with running(cases, lfs.Giftless) as subject:
        one = Protocol(cases, "git-lfs.yaml", subject, "/team/films")
        one.check("wrong credentials", "Credentials needed", Refusal("POST", 401, said("Credentials needed"), LFS_Authenticate='Basic realm="here"'))
        one.check("a repository that is not there", "Not found", Refusal("POST", 404, said("Not found")))
        one.check("no space left", "LFS storage", Refusal("POST", 507, said("This repository is over its LFS storage quota.")))
        one.check("a missing extension (batch)", "does not speak this", Refusal("POST", 501, said("does not speak this")))
        one.check("a file that is too large", "Request Entity Too Large", Refusal("PUT", 413, PAGE.format("413 Request Entity Too Large"), "text/html"))
        one.check("revoked in the middle", "Credentials needed", Refusal("PUT", 401, said("Credentials needed")))


def gateway(cases):
    """radosgw with a user for each mistake; a PUT has at most 2.5 MB."""
    folder = cases.folder / "ceph"
    folder.mkdir()
    subject = s3.Ceph(folder)
    subject.gateway = Gateway(folder, s3.KEY, s3.SECRET, "rgw max put size = 2500000")
    subject.port = subject.gateway.port
    process = subject.gateway.start()
    import boto3
    for name in ("someone", "full", "reader", "leaver", "other"):
        key = s3.KEY if name == "someone" else name
        if name != "someone":
            subject.gateway.user(name, key)
        boto3.client("s3", endpoint_url=f"http://127.0.0.1:{subject.port}", aws_access_key_id=key, aws_secret_access_key=s3.SECRET,
                     region_name="us-east-1").create_bucket(Bucket=name)
    subject.gateway.administer("quota", "set", "--quota-scope=user", "--uid=full", "--max-size=1M")
    subject.gateway.administer("quota", "enable", "--quota-scope=user", "--uid=full")
    subject.gateway.administer("user", "modify", "--uid=reader", "--op-mask=read")
    return subject, process


def two_megabytes(cases):
    path = cases.folder / "two.bin"
    path.write_bytes(b"x" * 2_000_000)
    return path


def s3_cases(cases, subject):
    one = Protocol(cases, "s3-multipart.yaml", subject, access_key=s3.KEY, bucket="someone", part_size="1 MiB")
    leave = Refusal("PUT", None, after=1, before=lambda: subject.gateway.administer("user", "suspend", "--uid=leaver"))
    one.check("wrong credentials", "InvalidAccessKeyId", access_key="unknown")
    one.check("a bucket that is not there", "NoSuchBucket", bucket="nowhere")
    one.check("another's bucket", "AccessDenied", bucket="other")
    one.check("no space left", "QuotaExceeded", access_key="full", bucket="full", part_size="16 MiB", files=two_megabytes(cases))
    one.check("read-only", "AccessDenied", access_key="reader", bucket="reader")
    one.check("a file that is too large", "EntityTooLarge", part_size="16 MiB")
    one.check("a missing extension (multipart)", "A header you provided implies functionality that is not implemented",
              Refusal("POST", 501, xml("NotImplemented", "A header you provided implies functionality that is not implemented"), "application/xml"))
    one.check("revoked in the middle", "UserSuspended", leave, access_key="leaver", bucket="leaver")


def gateway_cases(cases):
    subject, process = gateway(cases)
    with contextlib.closing(Stopping(process)):
        s3_cases(cases, subject)
        presigned_cases(cases, subject)


class Signed(s3_presigned.Whole, s3.Ceph):
    """The application, whose key is some user's, and the bucket, each with a proxy before it."""

    def __init__(self, subject, key, bucket):
        self.port, self.key, self.bucket = subject.port, s3.KEY if key == "someone" else key, bucket or key

    @contextlib.contextmanager
    def serving(self, to_bucket, to_application):
        with refusing(self.port, *to_bucket) as bucket:
            server = urllib.parse.urlsplit(self.inputs(urllib.parse.urlsplit(bucket).port, "")["server"])
            with refusing(server.port, *to_application) as here:
                yield here + server.path


class SignedParts(s3_presigned.Parts, Signed):
    pass


def presigned_cases(cases, subject):
    def user(*words):
        subject.gateway.administer("user", *words, "--uid=leaver")

    def check(what, words, key="someone", bucket=None, to_bucket=(), to_application=(), **inputs):
        with kind(subject, key, bucket).serving(to_bucket, to_application) as here:
            cases.check(f"{kind.pipeline}: {what}", kind.pipeline, words, server=here, **inputs)

    for kind in (Signed, SignedParts):
        user("enable")
        two = two_megabytes(cases)
        check("wrong credentials", "sign in again", to_application=[Refusal("POST", 401, said("the session has ended; sign in again"))])
        check("a bucket that is not there", "NoSuchBucket", bucket="nowhere")
        check("no space left", "QuotaExceeded", key="full", files=two)
        check("read-only", "AccessDenied", key="reader")
        check("a file that is too large", "EntityTooLarge")
        check("a missing extension (an application that signs nothing)", "no uploads here",
              to_application=[Refusal("POST", 404, said("no uploads here"))])
        check("revoked in the middle", "UserSuspended", key="leaver", files=two, to_bucket=[Refusal("PUT", None, before=lambda: user("suspend"))])


class Device(trial.Subject):
    """Authlib's server, whose person agrees at once."""

    name = "Authlib"

    def start(self):
        python, self.port = install.pypi("device", "authlib==1.9.10", "flask==3.1.3") / "python", install.free_port()
        (self.folder / "server.py").write_text(device_oauth.SERVER.replace("if user_code in approved else None", ""))
        return install.Process([python, self.folder / "server.py"], self.port, self.folder / "log", environment={"PORT": str(self.port)}).start()


def device_cases(cases):
    path, other = cases.folder / "device.yaml", cases.folder / "other.yaml"
    path.write_text(device_oauth.PIPELINE)
    other.write_text(device_oauth.PIPELINE.replace("client: tool", "client: other"))
    revoked = json.dumps({"error": "invalid_token", "error_description": "The access token was revoked"})
    denied = json.dumps({"error": "access_denied", "error_description": "The person said no"})
    scope = json.dumps({"error": "insufficient_scope", "error_description": "The token may not write files"})
    grant = json.dumps({"error": "invalid_grant", "error_description": "The session has ended"})
    with running(cases, Device) as subject:
        Protocol(cases, other, subject).check("a client that the server does not know", "invalid_client")
        one = Protocol(cases, path, subject)
        one.check("a person who says no", "The person said no", Refusal("POST", 400, denied, target="/token"))
        one.check("a missing extension (device authorization)", "404", path="/nowhere")
        one.check("a scope that the server does not give", "invalid_scope", Refusal("POST", 400, json.dumps({"error": "invalid_scope"}), target="/device"))
        one.check("read-only", "may not write files", Refusal("PUT", 403, scope))
        one.check("no space left", "storage is full", Refusal("PUT", 507, said("Your storage is full")))
        one.check("a file that is too large", "too large", Refusal("PUT", 413, said("The file is too large")))
        one.check("revoked in the middle, and the refresh token with it", "The session has ended",
                  Refusal("PUT", 401, revoked, WWW_Authenticate='Bearer error="invalid_token"'), Refusal("POST", 400, grant, target="/token", after=1))


def main():
    install.within(install.pypi("moto", "moto[server]==5.2.5", "boto3"))
    chosen = trial.options(__doc__)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pipeline-server-"))
    cases = Cases(chosen.pipeline, folder)
    try:
        for one in (tus_cases, gcs_cases, oci_cases, webdav_cases, lfs_cases, device_cases, gateway_cases):
            if chosen.only in one.__name__:
                one(cases)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if cases.failures else 0)


if __name__ == "__main__":
    main()
