public import CEL

/// The position of a construct in the author's text; 1-based, columns in Unicode scalars.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  public let file: String
  /// Line, from 1.
  public let line: Int
  /// Column in Unicode scalars, from 1.
  public let column: Int

  /// Creates a position in a file.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// A checked CEL expression and its position.
public struct Expression: Hashable, Sendable {
  /// The compiled expression.
  public let compiled: CompiledExpression
  /// The position of the expression's first character.
  public let location: SourceLocation

  /// Combines a compiled expression with its position.
  public init(_ compiled: CompiledExpression, at location: SourceLocation) {
    self.compiled = compiled
    self.location = location
  }

  /// Two expressions are equal if they have the same text at the same position.
  public static func == (left: Self, right: Self) -> Bool {
    left.location == right.location && left.compiled.source == right.compiled.source
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(compiled.source)
  }
}

/// A YAML scalar that may contain `${{ … }}`.
public struct Template: Hashable, Sendable {
  /// One part of a template.
  public enum Part: Hashable, Sendable {
    /// Literal text.
    case text(String)
    /// An expression that is replaced by its value.
    case expression(Expression)
  }

  /// The parts in order.
  ///
  /// A template that is a single expression keeps the expression's type.
  public let parts: [Part]

  /// Makes a template of `parts`.
  public init(_ parts: [Part]) { self.parts = parts }

  /// A template that consists of `text`.
  public init(text: String) { self.parts = text.isEmpty ? [] : [.text(text)] }

  /// The expressions in order.
  public var expressions: [Expression] {
    parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }

  /// The text, if the template contains no expression.
  public var constant: String? {
    var text = ""
    for part in parts {
      guard case .text(let piece) = part else { return nil }
      text += piece
    }
    return text
  }
}

/// A JSON value in which templates can replace strings or, if a template is a single expression,
/// any value.
public indirect enum JSONTemplate: Hashable, Sendable {
  /// A value that is the same for each item.
  case literal(Value)
  /// A scalar with expressions.
  case template(Template)
  /// An array.
  case array([JSONTemplate])
  /// An object; keys keep their order.
  case object([Member])

  /// A key of an object and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value.
    public let value: JSONTemplate

    /// Pairs a key with its value.
    public init(key: String, value: JSONTemplate) {
      self.key = key
      self.value = value
    }
  }

  /// The expressions inside, in order.
  public var expressions: [Expression] {
    switch self {
    case .literal: []
    case .template(let template): template.expressions
    case .array(let elements): elements.flatMap(\.expressions)
    case .object(let members): members.flatMap(\.value.expressions)
    }
  }
}
