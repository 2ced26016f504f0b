import Testing

@testable import YAMLSyntax

/// A tree that is built by two threads is the one that is built by one.
struct TreeAssemblyTests {
  private static let entries = (0..<4000).map { "- { id: n\($0), list: [a, 'b c', \"d\"] }\n" }
  private static let long = entries.joined()

  @Test(arguments: [
    long, long + "é: [\n", "- é\n" + long, long + "---\na: 1\n" + long, long + "- *unknown\n",
    "- &a x\n" + long + "- *a\n", String(long.prefix(90_000)) + "\t- {", long + "[: ]}",
    long + String(repeating: "[", count: 5000), String(repeating: "[", count: 70_000), "a: 1\n", "",
  ])
  func `both threads together build what one builds`(_ text: String) {
    let (source, flaw) = SourceText.scan(Array(text.utf8))
    #expect(flaw == nil)
    let together = TreeAssembly.build(source, limits: .standard)
    let alone = TreeBuilder.build(source, limits: .standard)
    #expect(together.issues == alone.issues)
    #expect(together.root.map(Self.text) == alone.root.map(Self.text))
  }

  /// All that a node and those below it hold.
  private static func text(_ node: YAMLNode) -> String {
    let content =
      switch node.content {
      case .scalar(let scalar): "\(scalar)"
      case .sequence(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
      case .mapping(let entries):
        "{" + entries.map { text($0.key) + ":" + text($0.value) }.joined(separator: ",") + "}"
      case .alias(let name, let target): "*\(name)" + (target.map { "\($0.range)" } ?? "")
      }
    return "\(node.range) \(node.anchor ?? "") \(node.expandedNodeCount) \(node.height) \(content)"
  }
}
