import Foundation
import TestSupport

/// `openssl s_server` (its `-www` keeps it from reading standard input) with a certificate that signs itself, for any one name.
struct TLSServer {
  let process: RunningCommand
  let port: String
  /// Path of the certificate.
  let certificate: String

  init(_ scene: Scene, name: String) async throws {
    certificate = scene.directory.path("certificate.pem")
    let key = scene.directory.path("key.pem")
    let environment = URL(filePath: "/usr/bin/env")
    let made = try scene.pipeline.start(
      executable: environment,
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
        "-keyout", key, "-out", certificate,
      ])
    guard try await made.outcome().status == 0 else {
      throw CommandRunner.Failure(description: "openssl req: \(made.error)")
    }
    process = try scene.pipeline.start(
      executable: environment,
      [
        "openssl", "s_server", "-accept", "0", "-cert", certificate, "-key", key, "-www",
      ])
    try await process.wait(for: "ACCEPT ")
    let line = process.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") } ?? ""
    port = String(line.split(separator: ":").last ?? "")
  }
}

/// Python's web server, which serves files as they are.
struct PageServer {
  let process: RunningCommand
  let port: String

  init(_ scene: Scene, folder: String) async throws {
    process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder])
    try await process.wait(for: " port ")
    port = String(process.output.firstMatch(of: /port (\d+)/)?.output.1 ?? "")
  }
}
