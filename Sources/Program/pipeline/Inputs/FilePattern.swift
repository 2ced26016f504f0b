struct FilePattern {
  let glob: FileGlob
  let text: String
  /// Folder that a relative pattern starts in.
  let folder: String
  /// The folder that must contain the files after following all links;
  /// `nil` if the user passed the pattern.
  let root: String?

  /// Reads a pattern: one that the user passed may start with `~` or be a literal name;
  /// throws ``Outside`` if another leads out of `root`.
  init(_ text: String, in folder: String, below root: String?) throws {
    let literal = root == nil ? Self.literally(text, in: folder) : text
    (self.text, self.folder, self.root) = (text, folder, root)
    glob = try FileGlob(literal)
    if let root { try Self.check(glob.start(in: folder), below: root) }
  }

  var wholeText: String { text.hasPrefix("/") ? text : folder + "/" + text }

  /// The pattern with all parts escaped that exist as they are written, up to the first that does not.
  private static func literally(_ text: String, in folder: String) -> String {
    guard text.contains(where: { "[]{}\\".contains($0) }) else { return text }
    var path = text.hasPrefix("/") ? "" : folder
    var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for (index, part) in parts.enumerated() where !part.isEmpty {
      var raw = stat()
      path += "/" + part
      guard !part.contains("*"), !part.contains("?"), lstat(path, &raw) == 0 else { break }
      parts[index] = FileGlob.escaped(part)
    }
    return parts.joined(separator: "/")
  }

  /// A default that matches a file outside the pipeline's folder.
  struct Outside: Error, CustomStringConvertible {
    let path, root: String

    var description: String {
      "'\(path)' is outside '\(root)', and a default may only match files in it; name the files with --input, or "
        + "widen the folder with --root"
    }
  }

  /// Calls `visit` with each file; throws ``Outside`` before the first folder that a default may not read.
  func enumerate(
    _ options: GlobOptions, below lead: String, entering: @escaping (String) -> Void,
    _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    guard let root else {
      return try glob.enumerate(in: folder, options, below: lead, entering: entering, visit)
    }
    return try glob.enumerate(in: folder, options, below: lead) { folder in
      try Self.check(folder, below: root)
      entering(folder)
    } _: { file in
      if FileContents.isLink(file.path) { try Self.check(file.path, below: root) }
      try visit(file)
    }
  }

  /// Throws ``Outside`` if the path, which need not exist, leads out of `root`.
  static func check(_ path: String, below root: String) throws(Outside) {
    let place = FileContents.destination(path)
    guard
      place == (try? FileContents.resolved(root))
        || (try? FileContents.isBelow(place, root)) == true
    else { throw Outside(path: path, root: root) }
  }
}
