public import CEL
import Synchronization

/// A file as expressions see it.
public struct FileValue: Hashable, Sendable {
  /// Absolute for a user's file, relative to the run's folder for a materialized one.
  public var path: String { content.facts.path }
  /// Last component of the path, or the name to show to servers.
  public var name: String { content.facts.name }
  /// Path below the folder in which its input's patterns start, unique in the input; otherwise the name.
  public var relative: String { content.facts.relative ?? content.facts.name }
  /// Size in bytes.
  public var size: Int64 { content.facts.size }
  /// Last modification in nanoseconds since 1970 UTC; used to detect changes.
  public var modified: Int64 { content.facts.modified }
  /// Media type, if known.
  public var contentType: String? { content.facts.contentType }
  /// Lower-case hexadecimal digests, if computed.
  public var digests: [DigestAlgorithm: String] { content.facts.digests }
  /// Why it was named but could not be read when the run was created; such a file is an item that fails.
  public var problem: String? { content.facts.problem }
  /// Whether it is in the run's folder, and is deleted with the run.
  public var isInRunFolder: Bool { !isUsers && !isInPieces }
  /// Whether it is a user's file.
  public var isUsers: Bool { path.utf8.starts(with: "/".utf8) }
  /// Whether its content is where its pieces are, in texts and in other files: it is sent, and never written.
  public var isInPieces: Bool { path.utf8.starts(with: Self.piecesPrefix.utf8) }

  /// The prefix of the paths of files in pieces, before the path that they would have in the run's folder.
  static let piecesPrefix = "pieces/"
  private let content: Content

  private struct Facts: Hashable {
    let path, name: String
    let relative: String?
    let size, modified: Int64
    let contentType: String?
    let digests: [DigestAlgorithm: String]
    let problem: String?
  }

  /// One object: states and scopes pass files on far more often than they read them, and the map is
  /// created once, however many expressions ask.
  private final class Content: Sendable {
    let facts: Facts
    let map = Mutex<MapValue?>(nil)

    init(_ facts: Facts) { self.facts = facts }
  }

  /// Describes a file.
  public init(
    path: String, name: String, relative: String? = nil, size: Int64, modified: Int64,
    contentType: String? = nil, digests: [DigestAlgorithm: String] = [:], problem: String? = nil
  ) {
    content = Content(
      Facts(
        path: path, name: name, relative: relative == name ? nil : relative, size: size,
        modified: modified, contentType: contentType, digests: digests, problem: problem))
  }

  /// The same file at another place below the folder of its input.
  public func with(relative: String) -> FileValue {
    FileValue(
      path: path, name: name, relative: relative, size: size, modified: modified,
      contentType: contentType, digests: digests, problem: problem)
  }

  /// The same file with another time, or with a digest that was taken of it.
  public func with(modified: Int64? = nil, sha256: String? = nil) -> FileValue {
    FileValue(
      path: path, name: name, relative: relative, size: size, modified: modified ?? self.modified,
      contentType: contentType,
      digests: sha256.map { digests.merging([.sha256: $0]) { $1 } } ?? digests, problem: problem)
  }

  /// Whether both describe the same file with the same data.
  public static func == (left: Self, right: Self) -> Bool {
    left.content === right.content || left.content.facts == right.content.facts
  }

  /// Files of the same path are rarely compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(size)
    hasher.combine(modified)
  }

  /// The file as a CEL map with the fields of the object type `File`.
  public var value: Value {
    .map(
      content.map.withLock { known in
        if let known { return known }
        let made = map
        known = made
        return made
      })
  }

  private var map: MapValue {
    var pairs: [(String, Value)] = [
      ("path", .string(path)), ("relative", .string(relative)),
      ("folder", .string(Self.folder(of: relative))), ("name", .string(name)),
      ("extension", .string(Self.fileExtension(of: name))), ("size", .int(size)),
      ("modified", .timestamp(Timestamp(clamping: modified, unitsPerSecond: 1_000_000_000))),
    ]
    // Expressions may rely on every field; RFC 9110 §8.3 has this type for unknown content.
    pairs.append(("content_type", .string(contentType ?? "application/octet-stream")))
    for algorithm in DigestAlgorithm.allCases {
      if let digest = digests[algorithm] { pairs.append((algorithm.rawValue, .string(digest))) }
    }
    return MapValue(pairs)
  }

  /// Reads a file back from the map of ``value``; `nil` if a field is missing or of another type.
  public init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let path)? = map["path"],
      case .string(let name)? = map["name"], case .int(let size)? = map["size"],
      case .timestamp(let modified)? = map["modified"]
    else { return nil }
    var digests: [DigestAlgorithm: String] = [:]
    for algorithm in DigestAlgorithm.allCases {
      if case .string(let digest)? = map[algorithm.rawValue] { digests[algorithm] = digest }
    }
    var contentType: String?
    if case .string(let type)? = map["content_type"] { contentType = type }
    // Lists that were stored before files had it.
    var relative: String?
    if case .string(let place)? = map["relative"] { relative = place }
    self.init(
      path: path, name: name, relative: relative, size: size,
      modified: modified.seconds &* 1_000_000_000 &+ Int64(modified.nanoseconds),
      contentType: contentType, digests: digests)
  }

  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  private static func fileExtension(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }
}
