#!/usr/bin/env python3
"""Proves `assertion` and `client_assertion` of `oauth2` against Authlib's authorization server (RFC 7523 §2.1, §2.2).

The server accepts the ID of an assertion once, and access tokens live for two seconds. The program is killed twice.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from device_oauth import arguments, ask, kill, start
from harness import install

FILES = 30
GRANTS = {
    "assertion": '{ alg: RS256, key: "${{ inputs.key }}", life: 1m, claims: { iss: robot, scope: files } }',
    "client_assertion": '{ alg: ES256, key: "${{ inputs.key }}", life: 1m }',
}
PIPELINE = """
pipeline: assertions
inputs: { server: { type: url }, files: { type: files }, key: { type: secret } }
credentials:
  api: { oauth2: { token_url: "${{ inputs.server }}/token", CLIENT } }
steps:
  - for_each: file
    in: ${{ inputs.files }}
    steps:
      - id: put
        upload: { url: "${{ inputs.server }}/files/${{ urlEscape(file.name) }}", credentials: api, file: "${{ file }}" }
"""

SERVER = r'''
import os, time
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, InvalidGrantError, grants
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from flask import Flask, jsonify, request
from joserfc import jwk

AUDIENCES = [f"http://127.0.0.1:{os.environ['PORT']}/token"]
KIND = os.environ["KIND"]
KEY = jwk.import_key(open(os.environ["PUBLIC_KEY"]).read(), "EC" if KIND == "client_assertion" else "RSA")

class Client(ClientMixin):
    def get_client_id(self): return "robot"
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return scope or ""
    def check_redirect_uri(self, uri): return False
    def check_client_secret(self, secret): return False
    def check_endpoint_auth_method(self, method, endpoint): return method == "client_assertion_jwt"
    def check_response_type(self, kind): return False
    def check_grant_type(self, kind): return True

seen, tokens, files = set(), [], {}

def is_new(identifier):
    if identifier in seen: return False
    seen.add(identifier)
    return True

class Assertion(JWTBearerGrant):
    CLAIMS_OPTIONS = dict(JWTBearerGrant.CLAIMS_OPTIONS, jti={"essential": True})
    def resolve_issuer_client(self, issuer): return Client() if issuer == "robot" else None
    def resolve_client_public_key(self, client): return KEY
    def get_audiences(self): return AUDIENCES
    def process_assertion_claims(self, assertion):
        claims = super().process_assertion_claims(assertion)
        if not is_new(claims["jti"]): raise InvalidGrantError(description="used before")
        if claims["scope"] != "files": raise InvalidGrantError(description="no scope")
        return claims

class ClientAssertion(JWTBearerClientAssertion):
    def get_audiences(self): return AUDIENCES
    def validate_jti(self, claims, jti): return is_new(jti)
    def resolve_client_public_key(self, client): return KEY

class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = [ClientAssertion.CLIENT_AUTH_METHOD]

app = Flask("assertions")
life = {"client_credentials": 2, JWTBearerGrant.GRANT_TYPE: 2}
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = life
server = AuthorizationServer(app, query_client=lambda name: Client() if name == "robot" else None,
                             save_token=lambda token, request: tokens.append(dict(token, until=time.time() + token["expires_in"])))
if KIND == "assertion":
    server.register_grant(Assertion)
else:
    server.register_client_auth_method(ClientAssertion.CLIENT_AUTH_METHOD, ClientAssertion())
    server.register_grant(ClientCredentials)

@app.post("/token")
def token(): return server.create_token_response()

@app.put("/files/<path:name>")
def put(name):
    bearer = request.headers.get("Authorization", "")[7:]
    body = request.get_data()
    time.sleep(0.2)
    if not [token for token in tokens if token["access_token"] == bearer and time.time() < token["until"]]:
        return jsonify(error="invalid_token"), 401, {"WWW-Authenticate": "Bearer"}
    files[name] = len(body)
    return "", 201

@app.get("/state")
def state(): return jsonify(files=files, tokens=len(tokens), assertions=len(seen))

import logging
logging.getLogger("werkzeug").disabled = True
app.run(port=int(os.environ["PORT"]), threaded=True)
'''


def make_keys(folder, kind):
    """A private key in the form that openssl writes by default, and its public key."""
    private, public = folder / "key.pem", folder / "public.pem"
    made = ["rsa", "-pkeyopt", "rsa_keygen_bits:2048"] if kind == "assertion" else ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    subprocess.run(["openssl", "genpkey", "-algorithm", *made, "-out", private], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private.read_text(), public


def prove(options, kind, folder, url, key):
    words = ["run", folder / "p.yaml", "--input", f"server={url}", "--input", f"files={folder}/files/*"]
    first = start(options, folder, words, PIPELINE_INPUT_KEY="not a key")
    refused = first.communicate()[0]
    problems = [] if first.returncode != 0 and "'key' of 'jwt' is not" in refused else [f"a text that is not a key: {refused}"]
    other, _ = make_keys(pathlib.Path(tempfile.mkdtemp(dir=folder)), kind)
    wrong = start(options, folder, words, PIPELINE_INPUT_KEY=other)
    refused = wrong.communicate()[0]
    if wrong.returncode == 0 or "the authorization server refuses 'api': invalid_" not in refused:
        problems.append(f"the key of someone else: {refused}")
    one = start(options, folder, words, PIPELINE_INPUT_KEY=key)
    kill(one, 1)
    two = start(options, folder, ["resume"], PIPELINE_INPUT_KEY=key)
    kill(two, 2)
    last = start(options, folder, ["resume"], PIPELINE_INPUT_KEY=key)
    said = last.communicate()[0]
    state = ask(f"{url}/state")
    if last.returncode != 0 or len(state["files"]) != FILES:
        problems.append(f"exit status {last.returncode}, {len(state['files'])} of {FILES} files:\n{said}")
    if state["tokens"] < 3 or state["assertions"] != state["tokens"]:
        problems.append(f"{state['assertions']} assertions for {state['tokens']} tokens")
    if problems:
        sys.exit("\n".join(problems))
    print(f"oauth2 {kind}: {FILES} files, 2 kills, {state['tokens']} tokens, each for an assertion of its own: whole")


def main():
    options = arguments(__doc__)
    python = install.pypi("device", "authlib==1.9.10", "flask==3.1.3") / "python"
    for kind, client in GRANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            named = "" if kind == "assertion" else "client: robot, "
            (folder / "p.yaml").write_text(PIPELINE.replace("CLIENT", f"{named}{kind}: {client}"))
            (folder / "server.py").write_text(SERVER)
            (folder / "files").mkdir()
            for number in range(FILES):
                (folder / "files" / f"{number}.bin").write_bytes(os.urandom(1000 + number))
            key, public = make_keys(folder, kind)
            port = install.free_port()
            environment = {"PORT": str(port), "KIND": kind, "PUBLIC_KEY": str(public)}
            server = install.Process([python, folder / "server.py"], port, folder / "log", environment=environment).start()
            try:
                prove(options, kind, folder, f"http://127.0.0.1:{port}", key)
            finally:
                server.stop()


if __name__ == "__main__":
    main()
