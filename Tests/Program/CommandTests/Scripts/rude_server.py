"""A server whose words would steer a terminal or a build server: it refuses everything with them."""
import http.server

WORDS = "\x1b]0;owned\x07\x1b[2J\r\n::error file=x::owned\n##[error]owned \u202egpj.exe\u200b\u2028<script>\"'\x9b"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = WORDS.encode()
        self.wfile.write(
            b"HTTP/1.1 400 No \x1b]0;owned\x07 \xe2\x80\xae\r\nX-Words: \x1b[2J\xe2\x80\xae\r\n"
            + b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    do_GET = do_PUT = do_POST = answer

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on port", server.server_port, flush=True)
server.serve_forever()
