/// Which files an enumeration includes in addition to those that its pattern matches, and which it leaves out.
public struct GlobOptions: Hashable, Sendable {
  /// Whether wildcards match a leading dot, and `**` enters hidden folders.
  public var includesHidden = false
  /// Whether `**` enters links to folders.
  public var followsLinks = false
  /// The files that are left out.
  public var exclusions: [FileExclusion] = []

  /// Neither hidden files, nor links to folders, nor anything left out.
  public init() {}

  func excludes(_ path: String, isFolder: Bool) -> Bool {
    exclusions.contains { $0.matches(path, isFolder: isFolder) }
  }
}

/// The result of an enumeration.
public struct GlobReport: Hashable, Sendable {
  /// The reason for a remark about an entry that a pattern matches, or that is on its path.
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// An exclusion matches it; a folder counts once.
    case excluded
    /// Its name starts with a dot, and the pattern's part does not.
    case hidden
    /// It is a folder, and the pattern means files.
    case folder
    /// It is a link to a folder, which `**` does not enter.
    case folderLink = "folder_link"
    /// It is a link to a folder that contains the link.
    case cycle
    /// It could not be read, and is an item that fails.
    case unreadable
    /// It is a link out of the folder in which the pattern starts, and is sent.
    case outsideLink = "outside_link"
    /// Another pattern of the same input has already named it.
    case repeated
  }

  /// What there is to remark for one cause.
  public struct Remark: Hashable, Sendable {
    /// How many files and folders.
    public internal(set) var count = 0
    /// The first ``nameLimit`` of them, below the folder in which the input's patterns start.
    public internal(set) var names: [String] = []
  }

  /// Maximum number of names kept for each cause.
  public static let nameLimit = 20

  /// Number of files found.
  public internal(set) var files = 0
  /// The sum of their sizes.
  public internal(set) var bytes: Int64 = 0
  /// The remarks, by cause.
  public internal(set) var remarks: [Cause: Remark] = [:]

  /// Nothing yet.
  public init() {}

  /// Counts a file, or an unreadable entry.
  public mutating func add(_ file: FileValue) {
    if let problem = file.problem { return remark("\(file.relative): \(problem)", .unreadable) }
    files += 1
    bytes += file.size
  }

  /// Counts something else than a file.
  public mutating func remark(_ name: String, _ cause: Cause) {
    remarks[cause, default: Remark()].count += 1
    if remarks[cause, default: Remark()].names.count < Self.nameLimit {
      remarks[cause, default: Remark()].names.append(name)
    }
  }

  /// Adds the remarks of another enumeration; its files, and unreadable entries, are counted where they are used.
  public mutating func add(remarksOf other: GlobReport) {
    for (cause, found) in other.remarks where cause != .unreadable {
      remarks[cause, default: Remark()].count += found.count
      let room = Self.nameLimit - remarks[cause, default: Remark()].names.count
      remarks[cause, default: Remark()].names += found.names.prefix(max(room, 0))
    }
  }
}
