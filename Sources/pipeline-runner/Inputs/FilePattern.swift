import PipelineCommands
import PipelineCore
import PipelineFiles

/// The files that a `files` input stands for.
struct FilePattern {
  let glob: FileGlob
  /// Folder that a relative pattern begins in.
  let folder: String
  /// Where the files must lie when all links are followed; `nil` where a person gave the pattern.
  let root: String?

  /// A default that names what lies outside the pipeline's folder.
  struct Outside: Error, CustomStringConvertible {
    let path: String
    let root: String

    var description: String {
      "'\(path)' lies outside '\(root)', which a default must not leave; name the files with --input, or a wider "
        + "folder with --root"
    }
  }

  /// Calls `visit` with each file, in order.
  ///
  /// - Throws: ``Outside`` at the first that a default must not name, and what enumerating and `visit` throw.
  func enumerate(_ visit: (FileValue) throws -> Void) throws -> GlobReport {
    guard let root else { return try glob.enumerate(in: folder, visit) }
    let resolved = try? FileContents.resolved(root)
    // Files come folder by folder: each folder is looked at once, and of its files only the links.
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

  /// Refuses a file that does not lie in `root`.
  static func check(_ file: FileValue, below root: String) throws(Outside) {
    let place = try? FileContents.resolved(file.path)
    guard let place, (try? FileContents.isBelow(place, root)) == true else {
      throw Outside(path: file.path, root: root)
    }
  }
}
