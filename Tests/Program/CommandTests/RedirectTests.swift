import Foundation
import TestSupport
import Testing

/// The reports of redirects that were followed.
struct RedirectTests {
  /// Redirects twice, the first time with a credential in the query, and finally fails.
  private static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = 'HTTP/1.1'
      def do_GET(self):
        path = self.path.split('?')[0]
        targets = {'/a': '/b?ticket=s3cret-ticket', '/b': '/c', '/d': '/e'}
        self.send_response(302 if path in targets else 200 if path == '/c' else 403)
        if path in targets: self.send_header('Location', targets[path])
        self.send_header('Content-Length', '0'); self.end_headers()
      def log_message(self, *a): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(' port', server.server_port, flush=True)
    server.serve_forever()

    """

  private static let pipeline = """
    pipeline: moved
    inputs: { server: { type: url } }
    steps:
      - id: ask
        request: { url: "${{ inputs.server }}/a" }
      - id: refused
        request: { url: "${{ inputs.server }}/d" }
        depends_on: [ask]

    """

  @Test func `the history shows each hop without its query, as text and as JSON`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.server, to: "server.py")
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", "server.py"])
    defer { process.signal(SIGKILL) }
    try await process.wait(for: " port ")
    let port = try #require(process.output.firstMatch(of: /port (\d+)/)).output.1
    let url = "http://127.0.0.1:\(port)"
    let run = try await scene.pipeline.run("run", "p.yaml", "--input", "server=\(url)")
    #expect(run.status == 1, "\(run)")
    let history = try await scene.pipeline.run("history")
    #expect(
      history.output.contains("\n    302 from \(url)/a\n    302 from \(url)/b\n"), "\(history)")
    #expect(history.output.contains("\n    302 from \(url)/d\n"), "\(history)")
    #expect(!history.output.contains("s3cret"), "\(history)")
    let events = try await scene.pipeline.run("history", "--format", "json").output
      .split(separator: "\n").map { try JSON.object($0) }
      .filter { $0["event"] as? String == "redirected" }
    #expect(events.map { $0["step"] as? String } == ["ask", "refused"])
    let hops = try #require(events.first?["hops"] as? [[String: Any]])
    #expect(hops.map { $0["status"] as? Int } == [302, 302])
    #expect(hops.map { $0["address"] as? String } == ["\(url)/a", "\(url)/b"])
  }
}
