import Crypto

/// A run's record of a file that stays: where it is received, for a later process.
struct PartialNote: Hashable {
  /// The folder of the notes and claims in the run's folder.
  static let folder = ".saves"
  var folder, name: String
  /// Name of the incomplete file, next to the complete one.
  var partial: String
  /// The incomplete file on its device; `nil` before it is created.
  var inode: UInt64?
  var representation = Representation()
  /// Bytes that were flushed to the disk.
  var flushed: Int64 = 0
  /// The start of the machine during which it was received.
  var boot = MachineTime.boot
  var published: Published?

  /// A complete file: its number, size in bytes and modification time, which change when anyone replaces or changes it.
  struct Published: Hashable {
    var inode: UInt64
    var size, modified: Int64

    init(inode: UInt64, size: Int64, modified: Int64) {
      (self.inode, self.size, self.modified) = (inode, size, modified)
    }

    init(_ status: FileStatus) {
      self.init(inode: status.inode, size: status.size, modified: status.modified)
    }
  }

  init(_ save: SavePlan, at path: String) {
    folder = save.folder
    name = save.name
    let digest = SHA256.hash(data: Array("\(save.run)/\(path)".utf8))
    partial = SavePlan.partialPrefix + Hexadecimal.text(digest.prefix(8)) + SavePlan.partialSuffix
  }

  func isAbout(_ save: SavePlan) -> Bool { folder == save.folder && name == save.name }

  var text: String {
    var writer = JSONWriter()
    writer.object {
      $0.string("folder", folder)
      $0.string("name", name)
      $0.string("partial", partial)
      if let inode { $0.string("inode", "\(inode)") }
      if let size = representation.size { $0.string("size", "\(size)") }
      if let validator = representation.validator { $0.string("validator", validator) }
      if let type = representation.contentType { $0.string("type", type) }
      $0.string("flushed", "\(flushed)")
      if let boot { $0.string("boot", boot) }
      if let published {
        $0.string("published", "\(published.inode) \(published.size) \(published.modified)")
      }
    }
    return writer.text
  }

  /// Reads a note; `nil` if it is damaged, which costs the start of a file.
  init?(_ bytes: [UInt8]) {
    guard let root = try? JSONReader().read(bytes).root, let folder = root["folder"]?.string,
      let name = root["name"]?.string, let partial = root["partial"]?.string,
      partial.hasPrefix(SavePlan.partialPrefix), !partial.utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    (self.folder, self.name, self.partial) = (folder, name, partial)
    inode = root["inode"]?.string.flatMap { UInt64($0) }
    representation = Representation(
      size: root["size"]?.string.flatMap { Int64($0) }, validator: root["validator"]?.string,
      contentType: root["type"]?.string)
    flushed = root["flushed"]?.string.flatMap { Int64($0) } ?? 0
    boot = root["boot"]?.string
    let numbers = (root["published"]?.string ?? "").split(separator: " ").compactMap { Int64($0) }
    if numbers.count == 3 {
      published = Published(
        inode: UInt64(bitPattern: numbers[0]), size: numbers[1], modified: numbers[2])
    }
  }
}

extension FolderTree {
  func note(_ path: String) -> PartialNote? {
    let place = "\(PartialNote.folder)/notes/\(path)"
    var bytes: [UInt8] = []
    // A note is far shorter than a mebibyte.
    let wasRead: Void? = try? openFile(place).read(place, piece: 4096) {
      bytes += $0
      return bytes.count < 1 << 20
    }
    return wasRead == nil || bytes.count >= 1 << 20 ? nil : PartialNote(bytes)
  }

  func write(_ note: PartialNote, at path: String) throws(FileFailure) {
    let place = try WorkspacePath("\(PartialNote.folder)/notes/\(path)")
    try withFolder(of: place, creating: true) { folder throws(FileFailure) in
      var file = try TemporaryFile(in: folder, shownAs: path)
      if let failure = writeAll(Array(note.text.utf8), to: file.descriptor, path) { throw failure }
      try file.publish(as: place.name, shownAs: path)
    }
  }

  func removeNote(_ path: String) {
    guard let place = try? WorkspacePath("\(PartialNote.folder)/notes/\(path)") else { return }
    try? withFolder(of: place, creating: false) { folder throws(FileFailure) in
      _ = unlinkat(folder, place.name, 0)
    }
  }

  func notePaths() -> [String] {
    guard let notes = try? WorkspacePath("\(PartialNote.folder)/notes") else { return [] }
    let found = try? withFolder(of: notes, creating: false) { folder throws(FileFailure) in
      Self.files(in: folder, notes.name).flatMap { group in
        Self.files(in: folder, "\(notes.name)/\(group)").map { "\(group)/\($0)" }
      }
    }
    return (found ?? []).filter { !$0.contains(TemporaryFile.prefix) }.sorted()
  }

  private static func files(in parent: Int32, _ name: String) -> [String] {
    guard let folder = OpenFolder(name, in: parent, followingLinks: false) else { return [] }
    var listing = DirectoryListing()
    _ = folder.read(into: &listing)
    return (0..<listing.count).map { index in
      listing.withName(at: index) { String(decoding: $0, as: UTF8.self) }
    }
  }
}
