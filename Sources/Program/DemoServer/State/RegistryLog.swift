/// The registry's state in a file: a line of JSON for each change, read back when the server starts.
///
/// A line is written before the response to the request that changed something, so that a server
/// whose process was killed can restore everything it has reported.
final class RegistryLog: Sendable {
  struct Change: Codable, Sendable {
    var upload: Upload?
    /// The idempotency key that the upload was allocated with.
    var allocationKey: String?
    var deleted: String?
    var file: StoredFile?
  }

  private let file: JournalFile

  init(path: String) throws(DemoServerError) { file = try JournalFile(path: path) }

  func append(_ change: Change) {
    guard var line = try? JSONEncoder().encode(change) else { return }
    line.append(UInt8(ascii: "\n"))
    file.append([UInt8](line))
  }

  /// The changes in the file at `path`, oldest first; a line that a kill cut short is ignored.
  static func changes(in path: String) -> [Change] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    let decoder = JSONDecoder()
    return data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(Change.self, from: Data($0))
    }
  }
}
