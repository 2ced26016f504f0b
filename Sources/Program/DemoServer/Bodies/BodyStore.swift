import NIOPosix

/// The folder for bodies, or nothing if they are only hashed; a body is moved to its place from `incoming/` when it is complete.
struct BodyStore: Sendable {
  let folder: String?

  init(_ storage: DemoServer.Storage) throws {
    switch storage {
    case .discard: folder = nil
    case .folder(let path):
      folder = path
      for name in ["incoming", "uploads", "files"] {
        try FileManager.default.createDirectory(
          atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      }
    }
  }

  func beginBody() async throws -> IncomingBody? {
    guard let folder else { return nil }
    let path = "\(folder)/incoming/\(RandomText.hexadecimal(bytes: 12))"
    return try await NIOThreadPool.singleton.runIfActive {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw DemoServerError("cannot create a body file", errno) }
      return IncomingBody(path: path, descriptor: descriptor)
    }
  }

  func uploadPath(id: String) -> String? { folder.map { "\($0)/uploads/\(id)" } }

  /// The path of a file put by name; the name is percent-encoded so that it stays in the folder.
  func filePath(name: String) -> String? {
    folder.map { folder in
      let safe = PercentEncoding.encode(name)
      // `.` and `..` are names of folders.
      return "\(folder)/files/\(safe.hasPrefix(".") ? "%2E" + safe.dropFirst() : safe)"
    }
  }

  func remove(_ path: String) async {
    _ = try? await NIOThreadPool.singleton.runIfActive { unlink(path) }
  }
}

/// A body that is being received; must be ended by exactly one of ``commit(to:)`` and ``discard()``.
struct IncomingBody: Sendable {
  let path: String
  let descriptor: Int32

  func write(_ buffer: ByteBuffer) async throws {
    let descriptor = descriptor
    try await NIOThreadPool.singleton.runIfActive {
      guard buffer.withUnsafeReadableBytes({ writeAll($0, to: descriptor) }) else {
        throw DemoServerError("cannot write a body file", errno)
      }
    }
  }

  func commit(to destination: String) async throws {
    let body = self
    try await NIOThreadPool.singleton.runIfActive {
      close(body.descriptor)
      guard rename(body.path, destination) == 0 else {
        let reason = errno
        unlink(body.path)
        throw DemoServerError("cannot move a body file into place", reason)
      }
    }
  }

  func discard() async {
    let body = self
    _ = try? await NIOThreadPool.singleton.runIfActive {
      close(body.descriptor)
      unlink(body.path)
    }
  }
}
