/// Bounds on time and memory; exceeding one is reported, and ends the parse.
public struct YAMLLimits: Hashable, Sendable {
  /// The size of the text in bytes.
  public var bytes: Int
  /// The nesting of collections, aliases followed; a scalar at the top has depth 1.
  public var depth: Int
  /// The number of nodes of the tree with every alias replaced by its target.
  ///
  /// The tree itself never copies shared content; the bound protects code that follows aliases.
  public var expandedNodes: Int

  /// Makes a set of bounds: by default 16 MiB, depth 100 and 1,000,000 nodes.
  public init(bytes: Int = 16 << 20, depth: Int = 100, expandedNodes: Int = 1_000_000) {
    (self.bytes, self.depth, self.expandedNodes) = (bytes, depth, expandedNodes)
  }

  /// The bounds of ``init(bytes:depth:expandedNodes:)`` without arguments.
  public static let standard = YAMLLimits()
}
