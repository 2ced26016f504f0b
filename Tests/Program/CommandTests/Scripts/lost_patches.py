"""A server for uploads in pieces: it stores the first PATCH of each, and its response is lost; HEAD tells the offset."""
import http.server

OFFSETS = {}


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.command == "PATCH":
            is_first = self.path not in OFFSETS
            OFFSETS[self.path] = OFFSETS.get(self.path, 0) + len(body)
            if is_first:
                self.close_connection = True
                return
        self.send_response_only(200)
        self.send_header("Upload-Offset", str(OFFSETS.get(self.path, 0)))
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PATCH = do_HEAD = do_PUT = serve

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
print("listening on port", server.server_port, flush=True)
server.serve_forever()
