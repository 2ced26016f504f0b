"""A gate between a run and the demo server, which keeps a run in a state for as long as a test needs it there.

gate.py PORT [RULE...]    PORT is the demo server's. A RULE is JSON, and the first that holds decides:
  match    expression on "METHOD PATH NAME", NAME being that of the file where the gate has seen it allocated
  do       hold: the request goes no further; keep: it is carried out, and its answer goes no further;
           lose: it is carried out, and the connection is closed; half: half of the answer's body goes through;
           answer: the gate answers itself with `status`, `json` and `headers`
  from, to the first and the last of the matching requests for which the rule holds, from 1; all where left out
"""
import http.client
import http.server
import json
import re
import sys
import threading

RULES = [dict(json.loads(text), seen=0) for text in sys.argv[2:]]
NAMES = {}
LOCK = threading.Lock()
FOREVER = threading.Event()


def rule_for(text):
    with LOCK:
        for rule in RULES:
            if re.search(rule["match"], text):
                rule["seen"] += 1
                if rule.get("from", 1) <= rule["seen"] <= rule.get("to", rule["seen"]):
                    return rule
    return {"do": "pass"}


class Gate(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def name(self, body):
        upload = re.search(r"up_[0-9a-f]+", self.path)
        if upload:
            return NAMES.get(upload.group(), "")
        try:
            value = json.loads(body)
            return value.get("name", "") if isinstance(value, dict) else ""
        except ValueError:
            return ""

    def forwarded(self, body):
        server = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
        headers = {name: text for name, text in self.headers.items() if name.lower() != "expect"}
        server.request(self.command, self.path, body, headers)
        answer = server.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        name = self.name(body)
        rule = rule_for(f"{self.command} {self.path} {name}")
        if rule["do"] == "hold":
            print(f"held {self.command} {self.path}\n", end="", flush=True)
            FOREVER.wait()
        if rule["do"] == "answer":
            headers = list(rule.get("headers", {}).items()) + [("Content-Type", "application/json")]
            return self.send(rule["status"], headers, json.dumps(rule.get("json", {})).encode())
        status, headers, answer = self.forwarded(body)
        if self.path == "/v1/uploads" and status == 201:
            NAMES[json.loads(answer)["id"]] = name
        if rule["do"] == "keep":
            FOREVER.wait()
        if rule["do"] == "lose":
            self.close_connection = True
            return
        self.send(status, headers, answer, half=rule["do"] == "half")

    def send(self, status, headers, body, half=False):
        self.send_response_only(status)
        for name, text in headers:
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, text)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if half else body)
        self.wfile.flush()
        if half:
            FOREVER.wait()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = serve

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gate)
server.daemon_threads = True
print("listening on port", server.server_port, flush=True)
server.serve_forever()
