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
    (self.file, self.line, self.column) = (file, line, column)
  }

  /// `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// A checked CEL expression and its position.
public struct Expression: Hashable, Sendable {
  public let compiled: CompiledExpression
  /// The position of the expression's first character.
  public let location: SourceLocation

  /// Combines a compiled expression with its position.
  public init(_ compiled: CompiledExpression, at location: SourceLocation) {
    (self.compiled, self.location) = (compiled, location)
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

  /// The parts in order; a template that is a single expression keeps the expression's type.
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

/// A JSON value in which templates can replace strings or, as a single expression, any value.
public indirect enum JSONForm<Template> {
  /// A value that is the same for each item.
  case literal(Value)
  /// A scalar with expressions.
  case template(Template)
  case array([Self])
  /// An object; keys keep their order.
  case object([Member])

  /// A key of an object and its value.
  public struct Member {
    public let key: String
    public let value: JSONForm

    /// Pairs a key with its value.
    public init(key: String, value: JSONForm) { (self.key, self.value) = (key, value) }
  }

  /// The same value with its templates replaced; `nil` if one of them has no replacement.
  ///
  /// All templates are visited, so that a caller can report the problem of each.
  @inlinable public func mapped<Other>(_ transform: (Template) -> Other?) -> JSONForm<Other>? {
    switch self {
    case .literal(let value): return .literal(value)
    case .template(let template): return transform(template).map(JSONForm<Other>.template)
    case .array(let elements):
      return elements.map { $0.mapped(transform) }.complete().map(JSONForm<Other>.array)
    case .object(let members):
      return members.map { member in
        member.value.mapped(transform).map { .init(key: member.key, value: $0) }
      }.complete().map(JSONForm<Other>.object)
    }
  }

  /// The templates inside, in order.
  public var templates: [Template] {
    switch self {
    case .literal: []
    case .template(let template): [template]
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }
}

extension JSONForm: Equatable where Template: Equatable {}
extension JSONForm: Hashable where Template: Hashable {}
extension JSONForm: Sendable where Template: Sendable {}
extension JSONForm.Member: Equatable where Template: Equatable {}
extension JSONForm.Member: Hashable where Template: Hashable {}
extension JSONForm.Member: Sendable where Template: Sendable {}

/// A checked JSON value with templates.
public typealias JSONTemplate = JSONForm<Template>

extension JSONForm<Template> {
  /// The expressions inside, in order.
  public var expressions: [Expression] { templates.flatMap(\.expressions) }
}

extension Array {
  /// The elements, if none of them is `nil`.
  @inlinable package func complete<Wrapped>() -> [Wrapped]? where Element == Wrapped? {
    let present = compactMap { $0 }
    return present.count == count ? present : nil
  }
}
