/// The syntax tree of an expression with its macros; a class, because copies would retain all parts.
package final class Syntax: Sendable {
  /// Unique within one source; the checker stores its findings by it.
  package let id: Int
  package let range: Range<Int>
  package let depth: Int
  package let kind: Kind

  init(id: Int, range: Range<Int>, depth: Int, kind: Kind) {
    (self.id, self.range, self.depth, self.kind) = (id, range, depth, kind)
  }

  package enum Kind: Sendable {
    case literal(Value)
    /// A name; `isAbsolute` if a leading dot skips local variables and the container.
    case name(String, isAbsolute: Bool)
    case select(Syntax, Field, isOptional: Bool)
    case has(Syntax, Field)
    case index(Syntax, Syntax, isOptional: Bool)
    /// A function, a method on a target, or an operator under its name in the specification.
    case call(Field, target: Syntax?, arguments: [Syntax])
    case list([ListElement])
    case map([MapEntry])
    case and([Syntax])
    case or([Syntax])
    case conditional(Syntax, Syntax, Syntax)
    indirect case comprehension(Comprehension)
    case bind(Field, value: Syntax, body: Syntax)
    /// `target.optMap(name, body)`; `isFlat` for `optFlatMap`.
    case optionalMap(Syntax, name: Field, body: Syntax, isFlat: Bool)
    case invalid
  }

  package struct Field: Sendable {
    package let name: String
    package let range: Range<Int>
  }

  package struct ListElement: Sendable {
    package let value: Syntax
    package let isOptional: Bool
  }

  package struct MapEntry: Sendable {
    package let key, value: Syntax
    package let isOptional: Bool
  }

  package struct Comprehension: Sendable {
    package enum Kind: Sendable { case all, exists, existsOne, list, map, mapEntries }
    package let kind: Kind
    package let source: Syntax
    /// One name, or two: the index or key, then the value.
    package let names: [Field]
    /// The predicate, or the filter of a transformation.
    package let condition: Syntax?
    /// The new value of each element; `nil` if elements are unchanged.
    package let transform: Syntax?
  }

  /// `a.b.c`, if this is such a path; a leading dot does not matter.
  package var pathText: String? {
    var text = ""
    return appendPath(to: &text) ? text : nil
  }

  /// The name `a`, if this is a path such as `a.b.c`.
  package var pathRoot: String? {
    switch kind {
    case .name(let name, _): name
    case .select(let operand, _, isOptional: false): operand.pathRoot
    default: nil
    }
  }

  /// Whether this is the path `root.field`, which is cheaper than building the path.
  package func isPath(_ root: String, _ field: String) -> Bool {
    guard case .select(let operand, let own, isOptional: false) = kind, own.name == field,
      case .name(let name, _) = operand.kind
    else { return false }
    return name == root
  }

  private func appendPath(to text: inout String) -> Bool {
    switch kind {
    case .name(let name, _): text = name
    case .select(let operand, let field, isOptional: false):
      guard operand.appendPath(to: &text) else { return false }
      text += "."
      text += field.name
    default: return false
    }
    return true
  }

  /// The names `a`, `b`, `c` of `a.b.c`, if this is such a path.
  package var path: (names: [Field], isAbsolute: Bool)? {
    var names: [Field] = []
    return appendNames(to: &names).map { (names, $0) }
  }

  private func appendNames(to names: inout [Field]) -> Bool? {
    switch kind {
    case .name(let name, let isAbsolute):
      // Most paths have at most this many.
      names.reserveCapacity(4)
      names.append(Field(name: name, range: range))
      return isAbsolute
    case .select(let operand, let field, isOptional: false):
      guard let isAbsolute = operand.appendNames(to: &names) else { return nil }
      names.append(field)
      return isAbsolute
    default: return nil
    }
  }
}
