import Foundation
import TestSupport
import Testing

/// Downloads whose connection breaks: each request is an attempt that counts.
struct BrokenDownloadTests {
  /// A file of 1000 bytes.
  ///
  /// `/lost` never sends the end of its chunked body and refuses the rest; `/part` breaks after 300 bytes
  /// of the request, and `/range` sends 300 bytes at a time.
  private static let server = """
    import http.server, re
    content = b'0123456789' * 100
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def do_GET(self):
        start = int((re.match(r'bytes=(\\d+)-', self.headers.get('Range', '')) or [0, 0])[1])
        print('GET', self.path, start, flush=True)
        if self.path == '/lost' and start > 0:
          self.send_response(416); self.send_header('Content-Range', 'bytes */1000')
          self.send_header('Content-Length', '0'); return self.end_headers()
        if self.path == '/lost':
          self.send_response(200); self.send_header('ETag', '"1"')
          self.send_header('Transfer-Encoding', 'chunked'); self.end_headers()
          self.wfile.write(b'3e8\\r\\n' + content + b'\\r\\n')
        else:
          whole = self.path == '/part' or start == 0
          end = 1000 if whole else min(start + 300, 1000)
          self.send_response(206 if start > 0 or not whole else 200); self.send_header('ETag', '"1"')
          if start > 0 or not whole: self.send_header('Content-Range', f'bytes {start}-{end - 1}/1000')
          self.send_header('Content-Length', str(end - start)); self.end_headers()
          self.wfile.write(content[start:min(start + 300, 1000)])
        self.close_connection = True
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  private func download(
    _ path: String, attempts: Int, stays: Bool
  ) async throws -> (outcome: CommandRunner.Outcome, requests: [Substring], scene: Scene) {
    let scene = try Scene()
    try scene.directory.write(Self.server, to: "server.py")
    try scene.directory.write(
      """
      pipeline: get
      inputs: { server: { type: url }, target: { type: folder, default: there } }
      retry: { standard: { attempts: \(attempts), backoff: { initial: 10ms, max: 20ms } } }
      steps:
        - id: get
          download:
            url: "${{ inputs.server }}/\(path)"
            max_size: 1 MB
            request_timeout: 60s
            \(stays ? "save: { folder: \"${{ inputs.target }}\", name: film }" : "")

      """, to: "p.yaml")
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    defer { process.signal(SIGKILL) }
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    let outcome = try await scene.pipeline.run(
      "run", "p.yaml", "--input", "server=http://127.0.0.1:\(port)")
    let requests = process.output.split(separator: "\n").filter { $0.hasPrefix("GET") }
    return (outcome, requests, scene)
  }

  @Test(arguments: [1, 2, 3, 5], [true, false])
  func `a file whose end never comes costs as many requests as attempts`(
    _ number: Int, _ stays: Bool
  ) async throws {
    let (outcome, requests, _) = try await download("lost", attempts: number, stays: stays)
    #expect(outcome.status != 0, "\(outcome)")
    let attempts = number == 1 ? "1 attempt" : "\(number) attempts"
    #expect(outcome.output.contains("gave up after \(attempts):"), "\(outcome)")
    #expect(requests.count == number)
  }

  @Test(arguments: ["part", "range"])
  func `bytes that continue a file are no failure`(_ path: String) async throws {
    let (outcome, requests, scene) = try await download(path, attempts: 2, stays: true)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try String(contentsOfFile: scene.directory.path("there/film"), encoding: .utf8)
        == String(repeating: "0123456789", count: 100))
    #expect(requests.map { $0.split(separator: " ").last } == ["0", "300", "600", "900"])
  }
}
