/// Bounds that keep a hostile or broken file from taking time or memory.
///
/// Each breach is reported as `too-large` or `too-deep` with its place, and ends the parse.
public struct YAMLLimits: Hashable, Sendable {
  /// The size of the text in bytes.
  public var bytes: Int
  /// The nesting of collections, aliases followed.
  ///
  /// A scalar at the top has depth 1.
  public var depth: Int
  /// The number of nodes that the tree has when every alias is replaced by what it stands for.
  ///
  /// The tree itself never copies shared content; the bound protects those who walk through aliases.
  public var expandedNodes: Int

  /// Makes a set of bounds: 16 MiB, depth 100 and 1,000,000 nodes unless told otherwise.
  public init(bytes: Int = 16 << 20, depth: Int = 100, expandedNodes: Int = 1_000_000) {
    self.bytes = bytes
    self.depth = depth
    self.expandedNodes = expandedNodes
  }

  /// The bounds of ``init(bytes:depth:expandedNodes:)`` without arguments.
  public static let standard = YAMLLimits()
}
