/// A pattern that matches files.
///
/// `*` is any text without a slash, `?` one character, `[a-z]` and `[!a-z]` one of a set, `{jpg,jpeg}` a choice that may contain
/// slashes and braces, `**` between slashes any number of folders, and `\` makes the next character literal. Case
/// matters. Unless ``GlobOptions`` allow it, wildcards do not match a leading dot, and `**` enters neither hidden folders nor
/// symbolic links. A pattern without wildcards that names a folder means all files below it, as if it ended with `/**`.
public struct FileGlob: Hashable, Sendable {
  enum Level: Hashable, Sendable {
    /// `**`.
    case anyDepth
    case name(GlobComponent)
  }

  /// The original pattern.
  public let pattern: String
  let isAbsolute, isPlain: Bool
  /// The branches; a file matches if one of them leads to it.
  let ways: [[Level]]

  /// Reads `pattern`.
  public init(_ pattern: String) throws(GlobError) {
    self.pattern = pattern
    guard !pattern.isEmpty
    else { throw GlobError(position: 1, message: "the pattern is empty, expected a path") }
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
    // The path of a file below the start of its pattern must not lead out of it.
    guard isPlain || !self.ways.contains(where: { $0.dropFirst(beginning).contains(Self.parent) })
    else {
      throw GlobError(
        position: 1,
        message:
          "'..' in braces or after a wildcard, expected it before all of them; name several patterns instead"
      )
    }
  }

  private static let parent = Level.name(GlobComponent([Array("..".utf8).map { .byte($0) }]))

  /// The number of leading levels that are exact names of folders in all branches.
  var beginning: Int {
    var level = 0
    while let first = ways.first, level + 1 < first.count, case .name(let component) = first[level],
      component.literal != nil,
      ways.allSatisfy({ level + 1 < $0.count && $0[level] == first[level] })
    {
      level += 1
    }
    return level
  }

  /// The pattern that matches exactly the path `text`.
  public static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if "\\*?[]{},".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  static func levels(of atoms: [GlobParser.Atom], in pattern: String) throws(GlobError) -> [Level] {
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
          message: "'**' next to other characters, expected it as a whole path segment, or '*'")
      } else if tokens != [.byte(UInt8(ascii: "."))] {
        levels.append(.name(GlobComponent([tokens])))
      }
    }
    if levels.last == .anyDepth { levels.append(.name(GlobComponent([[.anything]]))) }
    return levels
  }

  /// Joins branches that differ in one name only, so that `*.{jpg,png}` is one branch, not two.
  private static func merged(_ ways: [[Level]]) -> [[Level]] {
    guard ways.count > 1, let first = ways.first, ways.allSatisfy({ $0.count == first.count })
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
