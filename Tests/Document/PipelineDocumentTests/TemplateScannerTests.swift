import Testing

@testable import PipelineDocument

struct TemplateScannerTests {
  /// The pieces in a form that is easy to compare: text as it is, expressions in `<…>`.
  private func pieces(_ text: String) -> [String] {
    var scanner = TemplateScanner(text)
    var pieces: [String] = []
    while let piece = scanner.next() {
      switch piece {
      case .text(let text): pieces.append(text)
      case .expression(let range):
        let scalars = Array(text.unicodeScalars)
        #expect(String(String.UnicodeScalarView(scalars[range])) == scanner.source)
        pieces.append("<\(scanner.source)>")
      case .unclosed(let place): pieces.append("!\(place)")
      }
    }
    return pieces
  }

  @Test(arguments: [
    ("a ${{ b", ["a ", "!2"]), ("${{ {", ["!0"]), ("${{ 'a }}' ", ["!0"]), ("${{ a }", ["!0"]),
  ])
  func `an expression that is not closed is reported at its place`(
    _ text: String, _ found: [String]
  ) {
    #expect(pieces(text) == found)
  }

  @Test(arguments: [
    ("", []), ("abc", ["abc"]), ("${{ a }}", ["< a >"]), ("${{a}}${{b}}", ["<a>", "<b>"]),
    ("x ${{ a }} y", ["x ", "< a >", " y"]), ("${{ {'a': {'b': 1}} }}", ["< {'a': {'b': 1}} >"]),
    (#"${{ "}}" }}"#, [#"< "}}" >"#]), (#"${{ '\'}}' }}"#, [#"< '\'}}' >"#]),
    (#"${{ r'\' + '}}' }}"#, [#"< r'\' + '}}' >"#]),
    (#"${{ """a"}}""" }}"#, [#"< """a"}}""" >"#]), ("$${{ a }}", ["${{ a }}"]),
    ("é🙂${{ ü }}", ["é🙂", "< ü >"]), ("$ {{ a }}", ["$ {{ a }}"]),
  ])
  func `text and expressions are distinguished`(_ text: String, _ found: [String]) {
    #expect(pieces(text) == found)
  }
}
