import Basics
import PipelineCore
import YAMLSyntax

extension DocumentReader {
  /// A text whose expressions are put into XML; reports what is not XML, whatever they give.
  func xmlTemplate(_ node: YAMLNode) -> DraftTemplate? {
    guard let template = template(node, expected: "XML text") else { return nil }
    var text = ""
    var expected = 0
    for part in template.parts {
      switch part {
      case .text(let piece): text += piece
      case .expression(let expression):
        // Of the same length as the expression, so that positions stay what they are.
        let length = expression.source.unicodeScalars.count + 5
        text += String(repeating: Character(Self.placeholder), count: length)
        expected += length
      }
    }
    do throws(XMLSyntaxError) {
      var reader = try XMLReader(text.utf8)
      var found = 0
      while let event = try reader.next() {
        switch event {
        case .start(_, let attributes): found += attributes.reduce(0) { $0 + Self.count($1.value) }
        case .text(let text): found += Self.count(text)
        case .end: break
        }
      }
      guard found != expected else { return template }
      collector.report(
        .invalidXML,
        "an expression can only be part of an element's text or of an attribute's value",
        at: range(node))
    } catch {
      // What is missing at the end is reported at the last character, which may be a line break above the end.
      let all = text.unicodeScalars.reversed().drop { $0 == "\n" }.count
      let place = min(
        String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).unicodeScalars.count,
        max(0, all - 1))
      collector.report(
        .invalidXML, "the text is not XML: \(Self.words(error))",
        at: range(place..<min(place + 1, all), in: node))
    }
    return nil
  }

  /// A character for private use, which no name contains.
  private static let placeholder: Unicode.Scalar = "\u{E000}"

  private static func count(_ text: String) -> Int {
    text.unicodeScalars.count { $0 == placeholder }
  }

  private static func words(_ error: XMLSyntaxError) -> String {
    error.explanation.unicodeScalars.contains(placeholder)
      ? "an expression is not possible here" : error.explanation
  }
}
