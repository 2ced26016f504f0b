/// A pattern that matches files.
///
/// `*` is any text without a slash, `?` one character, `[a-z]` and `[!a-z]` one of a set, `{jpg,jpeg}` a choice that may contain
/// slashes and braces, `**` between slashes any number of folders, and `\` makes the next character literal. Case
/// matters. Wildcards do not match a leading dot, and `**` enters neither hidden folders nor symbolic links. A
/// pattern without wildcards that names a folder means all files below it, as if it ended with `/**`.
public struct FileGlob: Hashable, Sendable {
  /// One level of a pattern.
  enum Level: Hashable, Sendable {
    /// `**`.
    case anyDepth
    /// One name.
    case name(GlobComponent)
  }

  /// The original pattern.
  public let pattern: String
  let isAbsolute: Bool
  /// Whether the pattern is a single path, without alternatives.
  let isPlain: Bool
  /// The branches; a file matches if one of them leads to it.
  let ways: [[Level]]

  /// Reads `pattern`.
  ///
  /// - Throws: ``GlobError`` with the position of the error.
  public init(_ pattern: String) throws(GlobError) {
    self.pattern = pattern
    guard !pattern.isEmpty else {
      throw GlobError(position: 1, message: "the pattern is empty, expected a path")
    }
    var parser = GlobParser(pattern)
    let alternatives = try parser.parse()
    isPlain = !parser.hasWildcards
    isAbsolute = alternatives.allSatisfy { $0.first == .slash }
    guard isAbsolute || alternatives.allSatisfy({ $0.first != .slash }) else {
      throw GlobError(
        position: 1, message: "some alternatives are absolute and some relative, expected one kind")
    }
    var ways: [[Level]] = []
    for alternative in alternatives {
      let way = try Self.levels(of: alternative, in: pattern)
      guard isPlain || !way.isEmpty else {
        throw GlobError(position: 1, message: "an alternative in the braces is an empty path")
      }
      if !ways.contains(way) { ways.append(way) }
    }
    self.ways = Self.merged(ways)
  }

  private static func levels(
    of atoms: [GlobParser.Atom], in pattern: String
  ) throws(GlobError) -> [Level] {
    var levels: [Level] = []
    for name in atoms.split(separator: .slash) {
      let tokens = name.compactMap { if case .token(let token) = $0 { token } else { nil } }
      if tokens == [.anything, .anything] {
        // Two in a row mean the same as one.
        if levels.last != .anyDepth { levels.append(.anyDepth) }
      } else if zip(tokens, tokens.dropFirst()).contains(where: {
        $0 == .anything && $1 == .anything
      }) {
        let scalars = Array(pattern.unicodeScalars)
        let position = scalars.indices.first {
          $0 + 1 < scalars.count && scalars[$0] == "*" && scalars[$0 + 1] == "*"
            && !(($0 == 0 || scalars[$0 - 1] == "/")
              && ($0 + 2 == scalars.count || scalars[$0 + 2] == "/"))
        }
        throw GlobError(
          position: (position ?? 0) + 1,
          message: "'**' next to other characters, expected it alone between slashes, or '*'")
      } else if tokens != [.byte(UInt8(ascii: "."))] {
        levels.append(.name(GlobComponent([tokens])))
      }
    }
    if levels.last == .anyDepth { levels.append(.name(GlobComponent([[.anything]]))) }
    return levels
  }

  /// Joins branches that differ in one name only, so that `*.{jpg,png}` is one branch, not two.
  private static func merged(_ ways: [[Level]]) -> [[Level]] {
    guard ways.count > 1, let first = ways.first,
      ways.allSatisfy({ $0.count == first.count })
    else { return ways }
    let differing = first.indices.filter { index in ways.contains { $0[index] != first[index] } }
    guard differing.count == 1, let index = differing.first else { return ways }
    var tokens: [[GlobComponent.Token]] = []
    for way in ways {
      guard case .name(let component) = way[index] else { return ways }
      tokens += component.alternatives
    }
    var way = first
    way[index] = .name(GlobComponent(tokens))
    return [way]
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

  /// Maximum number of warnings kept; the rest is counted.
  public static let warningLimit = 100

  /// Number of files found.
  public internal(set) var files = 0
  /// The sum of their sizes.
  public internal(set) var bytes: Int64 = 0
  /// The first ``warningLimit`` warnings.
  public internal(set) var warnings: [Warning] = []
  /// Number of further warnings.
  public internal(set) var omittedWarnings = 0

  mutating func warn(_ path: String, _ message: String) {
    if warnings.count < Self.warningLimit {
      warnings.append(Warning(path: path, message: message))
    } else {
      omittedWarnings += 1
    }
  }
}
