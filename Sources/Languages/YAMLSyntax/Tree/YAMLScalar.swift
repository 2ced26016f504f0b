/// A scalar as written: its text after folding and escapes, with its style and tag.
public struct YAMLScalar: Hashable, Sendable {
  /// How a scalar is written (YAML 1.2.2 §7.3 and §8.1).
  public enum Style: String, Hashable, Sendable {
    /// Without quotes; the only style that the core schema resolves to anything other than a string.
    case plain
    case singleQuoted, doubleQuoted, literal, folded
  }

  /// The content.
  public let text: String
  /// The way it is written.
  public let style: Style
  /// The full tag, handles replaced (`tag:yaml.org,2002:int`), `!` for the non-specific tag, or nil.
  public let tag: String?

  /// Makes a scalar without a file.
  public init(text: String, style: Style = .plain, tag: String? = nil) {
    (self.text, self.style, self.tag) = (text, style, tag)
  }
}
