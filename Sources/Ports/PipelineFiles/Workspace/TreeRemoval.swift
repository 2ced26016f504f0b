/// Deletes the contents of folders; symbolic links are deleted and never followed;
/// entries that cannot be deleted stay.
enum TreeRemoval {
  /// Deletes `name` in `parent`: a file, or a folder with everything in it.
  static func removeAll(_ name: UnsafePointer<CChar>, in parent: Int32) {
    if unlinkat(parent, name, 0) == 0 || errno == ENOENT { return }
    if let folder = OpenFolder(name, in: parent, followingLinks: false) {
      var listing = DirectoryListing()
      _ = folder.read(into: &listing)
      for index in 0..<listing.count {
        listing.withName(at: index) { bytes in
          _ = bytes.withSystemName { removeAll($0, in: folder.descriptor) }
        }
      }
    }
    unlinkat(parent, name, AT_REMOVEDIR)
  }

  /// Deletes all files below the folder `root` except those at `kept`, and folders that are then empty.
  static func sweep(_ root: Int32, keeping kept: Set<String>, sparing spared: String) -> Int {
    sweep(".", in: root, prefix: "", keeping: kept, sparing: spared)
  }

  private static func sweep(
    _ name: UnsafePointer<CChar>, in parent: Int32, prefix: String, keeping kept: Set<String>,
    sparing spared: String
  ) -> Int {
    guard let folder = OpenFolder(name, in: parent, followingLinks: false) else { return 0 }
    var listing = DirectoryListing()
    _ = folder.read(into: &listing)
    var count = 0
    for index in 0..<listing.count {
      listing.withName(at: index) { bytes in
        let path = prefix + String(decoding: bytes, as: UTF8.self)
        if path == spared { return }
        _ = bytes.withSystemName { entry in
          if listing.kind(at: index) == .folder {
            count += sweep(
              entry, in: folder.descriptor, prefix: path + "/", keeping: kept, sparing: spared)
            // Fails if the folder is not empty, as intended.
            unlinkat(folder.descriptor, entry, AT_REMOVEDIR)
          } else if !kept.contains(path), unlinkat(folder.descriptor, entry, 0) == 0 {
            count += 1
          }
        }
      }
    }
    return count
  }
}
