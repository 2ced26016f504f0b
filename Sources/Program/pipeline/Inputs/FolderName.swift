/// A path as a list of names, without `.` and `..`: two that are equal name the same folder, unless a link is before a `..`.
struct FolderName: Equatable {
  private(set) var names: [Substring] = []

  init(_ path: String) {
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
  }

  /// The deepest folder that contains all `folders`.
  init(commonTo folders: [FolderName]) {
    names = folders.first?.names ?? []
    for folder in folders.dropFirst() {
      names = zip(names, folder.names).prefix { $0 == $1 }.map(\.0)
    }
  }

  func isBelow(_ folder: FolderName) -> Bool { names.starts(with: folder.names) }

  /// The path from `folder` to it; empty if they are the same.
  func below(_ folder: FolderName) -> String {
    names.dropFirst(folder.names.count).joined(separator: "/")
  }
}

enum FolderPath {
  struct Problem: Error, CustomStringConvertible { let description: String }

  /// The path of a folder, which need not exist; `root` must contain it after following links,
  /// if the user did not name it.
  static func resolve(_ text: String, in folder: String, below root: String?) throws -> String {
    guard !text.utf8.contains(0) else { throw Problem(description: "the path contains NUL") }
    let whole = text.hasPrefix("/") ? text : folder + "/" + text
    let path = URL(filePath: whole).standardizedFileURL.path
    if let root {
      let place = FileContents.destination(path)
      guard try place == FileContents.resolved(root) || FileContents.isBelow(place, root) else {
        throw Problem(
          description: "'\(text)' is outside '\(root)', and a default may only name folders in it; "
            + "name the folder with --input, or widen the folder with --root")
      }
    }
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
      throw Problem(description: "'\(text)' is not a folder")
    }
    return path
  }
}
