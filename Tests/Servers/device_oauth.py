#!/usr/bin/env python3
"""Proves `oauth2` with `device_url` against Authlib's authorization server (RFC 8628, RFC 6749 §6).

A person is played by a thread that reads the code where a person would: in what the program prints. The program is killed while it waits for
them, and twice after that: they sign in once, because the refresh token outlives the process.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from harness import install

FILES = 30
PIPELINE = """
pipeline: device
inputs: { server: { type: url }, files: { type: files } }
credentials:
  api: { oauth2: { device_url: "${{ inputs.server }}/device", token_url: "${{ inputs.server }}/token", client: tool, scope: "files offline_access" } }
steps:
  - for_each: file
    in: ${{ inputs.files }}
    steps:
      - id: put
        upload: { url: "${{ inputs.server }}/files/${{ urlEscape(file.name) }}", credentials: api, file: "${{ file }}" }
"""

SERVER = r'''
import os, threading, time
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, jsonify, request

class Client(ClientMixin):
    def get_client_id(self): return "tool"
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return scope
    def check_redirect_uri(self, uri): return False
    def check_client_secret(self, secret): return False
    def check_endpoint_auth_method(self, method, endpoint): return method == "none"
    def check_response_type(self, kind): return False
    def check_grant_type(self, kind): return True

class Token(TokenMixin):
    def __init__(self, values): self.values, self.until, self.revoked = values, time.time() + values["expires_in"], False
    def check_client(self, client): return True
    def get_scope(self): return self.values.get("scope", "")
    def get_expires_in(self): return self.values["expires_in"]
    def get_user(self): return "person"
    def get_client(self): return Client()
    def is_expired(self): return time.time() > self.until
    def is_revoked(self): return self.revoked

codes, approved, tokens, files, asked, guard = {}, set(), [], {}, {}, threading.Lock()

class Endpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]
    INTERVAL = 1
    def get_verification_uri(self): return "http://login.example.com/activate"
    def save_device_credential(self, client_id, scope, data):
        codes[data["device_code"]] = DeviceCredentialDict(dict(data, client_id=client_id, scope=scope, expires_at=time.time() + 600))

class Device(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    def query_device_credential(self, code): return codes.get(code)
    def query_user_grant(self, user_code): return ("person", True) if user_code in approved else None
    def should_slow_down(self, credential):
        last, asked[credential["device_code"]] = asked.get(credential["device_code"], 0), time.time()
        return time.time() - last < 0.9

class Refresh(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True
    def authenticate_refresh_token(self, text):
        return next((token for token in tokens if token.values.get("refresh_token") == text and not token.revoked), None)
    def authenticate_user(self, token): return "person"
    def revoke_old_credential(self, token): used.append(token)

# A refresh token is used up when the access token that came with its successor is used.
used = []
app = Flask("device")
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"refresh_token": 2, "urn:ietf:params:oauth:grant-type:device_code": 2}
server = AuthorizationServer(app, query_client=lambda name: Client() if name == "tool" else None, save_token=lambda token, request: tokens.append(Token(token)))
server.register_grant(Device)
server.register_grant(Refresh)
server.register_endpoint(Endpoint)

@app.post("/device")
def device(): return server.create_endpoint_response(Endpoint.ENDPOINT_NAME)

@app.post("/token")
def token(): return server.create_token_response()

@app.post("/approve/<code>")
def approve(code):
    approved.add(code)
    return jsonify(len(codes))

@app.put("/files/<path:name>")
def put(name):
    bearer = request.headers.get("Authorization", "")[7:]
    known = [token for token in tokens if token.values["access_token"] == bearer and not token.is_expired()]
    body = request.get_data()
    time.sleep(0.2)
    if not known: return jsonify(error="invalid_token"), 401, {"WWW-Authenticate": "Bearer"}
    with guard:
        while used: used.pop().revoked = True
        files[name] = len(body)
    return "", 201

@app.get("/state")
def state(): return jsonify(files=files, codes=len(codes), tokens=len(tokens))

import logging
logging.getLogger("werkzeug").disabled = True
app.run(port=int(os.environ["PORT"]), threaded=True)
'''


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pipeline", default=install.ROOT / ".build/release/pipeline", help="the program")
    # The other options of these scripts change nothing here.
    return parser.parse_known_args()[0]


def main():
    options = arguments(__doc__)
    python = install.pypi("device", "authlib==1.9.10", "flask==3.1.3") / "python"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "device.yaml").write_text(PIPELINE)
        (folder / "server.py").write_text(SERVER)
        (folder / "files").mkdir()
        for number in range(FILES):
            (folder / "files" / f"{number}.bin").write_bytes(os.urandom(1000 + number))
        port = install.free_port()
        server = install.Process([python, folder / "server.py"], port, folder / "log", environment={"PORT": str(port)}).start()
        try:
            prove(options, folder, f"http://127.0.0.1:{port}")
        finally:
            server.stop()


def ask(url, method="GET"):
    import urllib.request
    with urllib.request.urlopen(urllib.request.Request(url, method=method)) as response:
        return json.load(response)


def start(options, folder, words, **environment):
    return subprocess.Popen(
        [options.pipeline, *words, "--state", folder / "state"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"XDG_CONFIG_HOME": str(folder / "config")} | environment)


def code(process, lines):
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"open (\S+) and enter the code (\S+)", line):
            return found[2]
    sys.exit("no code was shown:\n" + "".join(lines))


def kill(process, delay=0.0):
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()


def prove(options, folder, url):
    words = ["run", folder / "device.yaml", "--input", f"server={url}", "--input", f"files={folder}/files/*"]
    resume, lines = ["resume"], []
    first = start(options, folder, words)
    code(first, lines)
    kill(first, 1)
    second = start(options, folder, resume)
    shown = code(second, lines)
    threading.Timer(1.5, lambda: ask(f"{url}/approve/{shown}", "POST")).start()
    # The rest of what it prints must not fill the pipe.
    threading.Thread(target=lambda: lines.extend(second.stdout), daemon=True).start()
    while len(ask(f"{url}/state")["files"]) < 3:
        if second.poll() is not None:
            sys.exit("".join(lines))
        time.sleep(0.05)
    kill(second)
    third = start(options, folder, resume)
    threading.Thread(target=lambda: lines.extend(third.stdout), daemon=True).start()
    kill(third, 2)
    last = start(options, folder, resume)
    lines += last.communicate()[0].splitlines(keepends=True)
    state = ask(f"{url}/state")
    problems = []
    if last.returncode != 0:
        problems.append(f"the last process ended with {last.returncode}")
    if len(state["files"]) != FILES:
        problems.append(f"{len(state['files'])} of {FILES} files arrived")
    if state["codes"] != 2:
        problems.append(f"{state['codes']} codes were asked for, and not 2: one was lost with its process")
    if problems:
        sys.exit("".join(lines) + "\n" + "\n".join(problems))
    print(f"device sign-in: {FILES} files, 3 kills, 1 sign-in, {state['tokens']} tokens: whole")


if __name__ == "__main__":
    main()
