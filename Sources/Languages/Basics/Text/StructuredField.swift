/// Structured field values for HTTP (RFC 9651).
public enum StructuredField {
  /// A single value (§3.3).
  public enum Bare: Hashable, Sendable {
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
  public struct Item: Hashable, Sendable {
    /// The value, or the members of an inner list.
    public let value: Content
    /// The parameters in order; of a repeated name the last one.
    public let parameters: [Parameter]
  }

  /// What an item contains.
  public indirect enum Content: Hashable, Sendable {
    case bare(Bare)
    case list([Item])
  }

  /// A parameter (§3.1.2).
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its value; true if it has none.
    public let value: Bare
  }

  /// Why a text is not a structured field.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// What was expected, and the character found, if any.
    public let message: String
    /// Where, in octets from the start.
    public let offset: Int
  }

  /// Reads a dictionary (§3.2): members in order; of a repeated name the last one.
  public static func dictionary(
    _ text: String
  ) throws(SyntaxError) -> [(name: String, item: Item)] {
    var parser = StructuredFieldParser(text)
    return try parser.dictionary()
  }

  /// Reads a list (§3.1).
  public static func list(_ text: String) throws(SyntaxError) -> [Item] {
    var parser = StructuredFieldParser(text)
    return try parser.list()
  }

  /// Reads an item (§3.3).
  public static func item(_ text: String) throws(SyntaxError) -> Item {
    var parser = StructuredFieldParser(text)
    return try parser.wholeItem()
  }
}
