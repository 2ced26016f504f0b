import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML as far as the tests need it.
enum XML {
  /// The names of the elements, in the order in which they start.
  ///
  /// - Throws: if the text is not well-formed XML.
  static func elements(_ text: String) throws -> [String] {
    let document = try XMLDocument(xmlString: text)
    func names(_ node: XMLNode) -> [String] {
      (node.kind == .element ? [node.name ?? ""] : []) + (node.children ?? []).flatMap(names)
    }
    return document.rootElement().map(names) ?? []
  }
}
