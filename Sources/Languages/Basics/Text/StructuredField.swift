/// Structured field values for HTTP (RFC 9651).
package enum StructuredField {
  /// A single value (§3.3).
  package enum Bare: Hashable, Sendable {
    /// A whole number of at most 15 digits.
    case integer(Int64)
    /// A number with at most 3 digits of fraction.
    case decimal(Double)
    /// A string, a display string or a token.
    case string(String)
    case bytes([UInt8])
    /// `?0` or `?1`.
    case boolean(Bool)
    case date(Int64)
  }

  /// An item: a value with parameters (§3.3), or an inner list with them (§3.1.1).
  package struct Item: Hashable, Sendable {
    /// The value, or the members of an inner list.
    package let value: Content
    /// The parameters in order; of a repeated name the last one.
    package let parameters: [Parameter]
  }

  package indirect enum Content: Hashable, Sendable {
    case bare(Bare)
    case list([Item])
  }

  /// A parameter (§3.1.2).
  package struct Parameter: Hashable, Sendable {
    package let name: String
    /// Its value; true if there is no value.
    package let value: Bare
  }

  /// Why a text is not a structured field.
  package struct SyntaxError: Error, Hashable, Sendable {
    /// The expected element, and the character found, if any.
    package let message: String
    /// Where, in octets from the start.
    package let offset: Int
  }

  /// Reads a dictionary (§3.2): members in order; of a repeated name the last one.
  package static func dictionary(
    _ text: String
  ) throws(SyntaxError) -> [(name: String, item: Item)] {
    var parser = StructuredFieldParser(text)
    return try parser.dictionary()
  }

  /// Reads a list (§3.1).
  package static func list(_ text: String) throws(SyntaxError) -> [Item] {
    var parser = StructuredFieldParser(text)
    return try parser.list()
  }

  /// Reads an item (§3.3).
  package static func item(_ text: String) throws(SyntaxError) -> Item {
    var parser = StructuredFieldParser(text)
    return try parser.wholeItem()
  }
}
