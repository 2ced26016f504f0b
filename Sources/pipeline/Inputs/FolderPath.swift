import PipelineCommands

enum FolderPath {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The absolute path of a folder, which need not exist.
  ///
  /// - Parameters:
  ///   - folder: The folder that a relative path starts in.
  ///   - root: The folder that must contain it after following all links; `nil` if a person named it.
  static func resolve(_ text: String, in folder: String, below root: String?) throws -> String {
    guard !text.utf8.contains(0) else { throw Problem(description: "the path contains NUL") }
    let whole = text.hasPrefix("/") ? text : folder + "/" + text
    let path = URL(filePath: whole).standardizedFileURL.path
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
      throw Problem(description: "'\(text)' is not a folder")
    }
    guard let root else { return path }
    let place = FileContents.destination(path)
    guard try place == FileContents.resolved(root) || FileContents.isBelow(place, root) else {
      throw Problem(
        description: "'\(text)' is outside '\(root)', and a default may only name folders in it; "
          + "name the folder with --input, or widen the folder with --root")
    }
    return path
  }
}
