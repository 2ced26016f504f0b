import PipelineCommands
import PipelineCore
import PipelineFiles

/// The files that a `files` input matches.
struct FilePattern {
  let glob: FileGlob
  /// Folder that a relative pattern starts in.
  let folder: String
  /// The folder that must contain the files after following all links; `nil` if a person gave the pattern.
  let root: String?

  /// A default that matches a file outside the pipeline's folder.
  struct Outside: Error, CustomStringConvertible {
    let path: String
    let root: String

    var description: String {
      "'\(path)' is outside '\(root)', and a default may only match files in it; name the files with --input, or "
        + "widen the folder with --root"
    }
  }

  /// Calls `visit` with each file, in order.
  ///
  /// - Throws: ``Outside`` at the first file that a default may not match, and any error of the enumeration or of `visit`.
  func enumerate(_ visit: (FileValue) throws -> Void) throws -> GlobReport {
    guard let root else { return try glob.enumerate(in: folder, visit) }
    let resolved = try? FileContents.resolved(root)
    // Files come folder by folder, so each folder is resolved once, and of its files only links.
    var known = ""
    return try glob.enumerate(in: folder) { file in
      let parent = String(file.path.dropLast(file.name.count))
      if parent != known {
        guard let resolved, let place = try? FileContents.resolved(parent),
          place == resolved || resolved == "/" || place.hasPrefix(resolved + "/")
        else { throw Outside(path: file.path, root: root) }
        known = parent
      }
      if FileContents.isLink(file.path) { try Self.check(file, below: root) }
      try visit(file)
    }
  }

  /// Rejects a file that is not in `root`.
  static func check(_ file: FileValue, below root: String) throws(Outside) {
    let place = try? FileContents.resolved(file.path)
    guard let place, (try? FileContents.isBelow(place, root)) == true else {
      throw Outside(path: file.path, root: root)
    }
  }
}
