#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads whole files, with the system's own reason where that fails.
package enum FileContents {
  /// Why a file cannot be read, in words without a final stop.
  package struct Problem: Error {
    package let reason: String
  }

  /// The bytes of the file that an argument names; `-` is standard input.
  package static func argument(_ file: String) throws(CommandFailure) -> [UInt8] {
    do throws(Problem) {
      return file == "-" ? try bytes(of: STDIN_FILENO) : try bytes(file)
    } catch {
      throw CommandFailure(.invalid, "cannot read '\(file)': \(error.reason)")
    }
  }

  /// The bytes of the file at `path`.
  package static func bytes(_ path: String) throws(Problem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem(reason: reason(errno)) }
    defer { close(descriptor) }
    return try bytes(of: descriptor)
  }

  /// Writes a text to the file at `path`, or to standard output where that is `-`.
  package static func write(_ text: String, to path: String) throws(CommandFailure) {
    if path == "-" {
      Terminal.write(text, to: STDOUT_FILENO)
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(.environment, "cannot write '\(path)': \(reason(errno))")
    }
    defer { close(descriptor) }
    var text = text
    let code = text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = systemWrite(
          descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        if count < 0, errno != EINTR { return errno }
        offset += max(count, 0)
      }
      return 0
    }
    if code != 0 { throw CommandFailure(.environment, "cannot write '\(path)': \(reason(code))") }
  }

  private static func systemWrite(
    _ descriptor: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, start, count)
    #else
      Darwin.write(descriptor, start, count)
    #endif
  }

  private static func bytes(of descriptor: Int32) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw Problem(reason: reason(errno))
      }
    }
  }

  /// What the system calls an error, as the middle of a sentence.
  package static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: return "no such file or folder"
    case EISDIR: return "it is a folder"
    default:
      let text = String(cString: strerror(code))
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }
}
