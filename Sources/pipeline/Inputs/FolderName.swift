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
