import Crypto
import Synchronization

/// Which step of which item has which file that stays: lines in up to 65,536 files, so that a run of a million files holds none in memory.
final class SaveClaims: Sendable {
  private let lock = Mutex(())

  /// Claims a name in a folder for `owner`, once for the whole run; refused if another owner has it.
  func claim(
    _ name: String, in folder: FileStatus, for owner: String, of save: SavePlan,
    _ tree: borrowing FolderTree
  ) throws(FileFailure) {
    let digest = SHA256.hash(data: Array("\(folder.device):\(folder.inode)/\(name)".utf8))
    let key = Hexadecimal.text(digest.prefix(16))
    let place = try WorkspacePath("\(PartialNote.folder)/claims/\(key.prefix(4))")
    let other = try tree.withFolder(of: place, creating: true) { folder throws(FileFailure) in
      try lock.withLock { _ throws(FileFailure) in
        try Self.owner(of: key, in: folder, place.name, orClaimFor: owner)
      }
    }
    guard let other else { return }
    let item = Evaluator.item(ofPath: other).map { "item \($0)" } ?? "a step of the run"
    throw FileFailure(
      .refused, message: "'\(save.name)' in '\(save.folder)' is also the file of \(item)")
  }

  /// The other owner of a key; `nil` if the key is now, or was already, claimed for `owner`.
  private static func owner(
    of key: String, in folder: Int32, _ name: String, orClaimFor owner: String
  ) throws(FileFailure) -> String? {
    let file = try Descriptor(
      name, in: folder, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600, "cannot open", name)
    var bytes: [UInt8] = []
    try file.read(name, piece: 65536) {
      bytes += $0
      return true
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: key.utf8) {
      let known = String(decoding: line.dropFirst(key.utf8.count + 1), as: UTF8.self)
      return known == owner ? nil : known
    }
    // A process that was killed may have left half a line.
    let start = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : "\n"
    if let failure = writeAll(Array("\(start)\(key) \(owner)\n".utf8), to: file.raw, name) {
      throw failure
    }
    return nil
  }
}
