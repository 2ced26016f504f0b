/// What an enumeration takes besides what its pattern says.
public struct GlobOptions: Hashable, Sendable {
  /// Whether wildcards match a leading dot, and `**` enters hidden folders.
  public var includesHidden = false
  /// Whether `**` enters links to folders.
  public var followsLinks = false
  /// What is left out.
  public var exclusions: [FileExclusion] = []

  /// Neither hidden files, nor links to folders, nor anything left out.
  public init() {}

  func excludes(_ path: String, isFolder: Bool) -> Bool {
    exclusions.contains { $0.matches(path, isFolder: isFolder) }
  }
}

/// The result of an enumeration.
public struct GlobReport: Hashable, Sendable {
  /// A folder or file that could not be read.
  public struct Warning: Hashable, Sendable {
    /// Its absolute path.
    public let path: String
    /// The operating system's message.
    public let message: String
  }

  /// Why something that a pattern would match, or that lies on its way, is not a file of the run.
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// An exclusion matches it; a folder counts once.
    case excluded
    /// Its name begins with a dot, and the pattern's part does not.
    case hidden
    /// It is a folder, and the pattern means files.
    case folder
    /// It is a link to a folder, which `**` does not enter.
    case folderLink = "folder_link"
    /// It is a link to a folder that contains the link.
    case cycle
    /// It is a link that leads nowhere.
    case brokenLink = "broken_link"
    /// It is a pipe, a socket or a device.
    case notAFile = "not_a_file"
    /// Its name is not UTF-8.
    case notUTF8 = "not_utf8"
    /// Another pattern of the same input has already named it.
    case repeated
  }

  /// What was left out for one cause.
  public struct LeftOut: Hashable, Sendable {
    /// How many files and folders.
    public internal(set) var count = 0
    /// The first ``nameLimit`` of them, below the folder in which the input's patterns begin.
    public internal(set) var names: [String] = []
  }

  /// Maximum number of warnings kept; the rest is counted.
  public static let warningLimit = 100
  /// Maximum number of names kept for each cause.
  public static let nameLimit = 20

  /// Number of files found.
  public internal(set) var files = 0
  /// The sum of their sizes.
  public internal(set) var bytes: Int64 = 0
  /// The first ``warningLimit`` warnings.
  public internal(set) var warnings: [Warning] = []
  /// Number of further warnings.
  public internal(set) var omittedWarnings = 0
  /// What was left out, by cause.
  public internal(set) var leftOut: [Cause: LeftOut] = [:]

  /// Nothing yet.
  public init() {}

  mutating func warn(_ path: String, _ message: String) {
    if warnings.count < Self.warningLimit {
      warnings.append(Warning(path: path, message: message))
    } else {
      omittedWarnings += 1
    }
  }

  /// Counts a file.
  public mutating func add(_ file: FileValue) {
    files += 1
    bytes += file.size
  }

  /// Counts something that is not a file of the run.
  public mutating func leaveOut(_ name: String, _ cause: Cause) {
    leftOut[cause, default: LeftOut()].count += 1
    if leftOut[cause, default: LeftOut()].names.count < Self.nameLimit {
      leftOut[cause, default: LeftOut()].names.append(name)
    }
  }

  /// Adds what another enumeration left out and could not read; its files are counted where they are taken.
  public mutating func add(remarksOf other: GlobReport) {
    for warning in other.warnings { warn(warning.path, warning.message) }
    omittedWarnings += other.omittedWarnings
    for (cause, found) in other.leftOut {
      leftOut[cause, default: LeftOut()].count += found.count
      let room = Self.nameLimit - leftOut[cause, default: LeftOut()].names.count
      leftOut[cause, default: LeftOut()].names += found.names.prefix(max(room, 0))
    }
  }
}
