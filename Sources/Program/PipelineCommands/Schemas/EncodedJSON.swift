/// JSON of reports, with keys in order.
package enum EncodedJSON {
  /// One line, without a line feed.
  package static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Lines of at most 100 columns, with a line feed at the end.
  package static func lines(_ value: some Encodable) -> String {
    let text = of(value)
    return ((try? Value(json: text)).map(JSONText.render) ?? text) + "\n"
  }
}
