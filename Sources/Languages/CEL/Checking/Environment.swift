/// The variables, constants and libraries of functions that are available to expressions in one place.
public struct Environment: Sendable {
  enum Declaration: Sendable {
    case variable(ValueType)
    case constant(Value, ValueType)
    case definition(CompiledExpression)

    var type: ValueType {
      switch self {
      case .variable(let type), .constant(_, let type): type
      case .definition(let expression): expression.type
      }
    }
  }

  /// The namespace in which names are looked up first, such as `a.b`; usually empty.
  public var container: String
  private(set) var declarations: [String: Declaration] = [:]
  private(set) var functions: [String: [Overload]] = [:]
  private(set) var macros: Set<Macro> = []
  /// The environment of every library of this module, without variables.
  public static let standard = Environment(libraries: Library.all)

  /// An environment of these libraries, without variables.
  public init(libraries: [Library] = Library.all, container: String = "") {
    self.container = container
    for library in libraries { add(library) }
  }

  /// Declares a variable; the name may be a path such as `steps.allocate.id`, and the longest name wins.
  public mutating func declare(_ name: String, as type: ValueType) {
    declarations[name] = .variable(type)
  }

  /// Declares a name, possibly qualified, for a value that is already known.
  public mutating func declare(_ name: String, constant value: Value) {
    declarations[name] = .constant(value, Self.type(ofConstant: value))
  }

  /// Declares a name for an expression: reading it evaluates that, and refers to its variables.
  public mutating func define(_ name: String, as expression: CompiledExpression) {
    declarations[name] = .definition(expression)
  }

  /// Adds the functions and constants of a library; a known function gains the new signatures.
  public mutating func add(_ library: Library) {
    for function in library.functions {
      functions[function.name, default: []] += function.overloads
    }
    for constant in library.constants { declare(constant.name, constant: constant.value) }
    macros.formUnion(library.macros)
  }

  /// A copy with one more variable.
  public func declaring(_ name: String, as type: ValueType) -> Environment {
    var copy = self
    copy.declare(name, as: type)
    return copy
  }

  /// The names and types of the declared variables, by name.
  public var variables: [(name: String, type: ValueType)] {
    declared { if case .variable(let type) = $0 { type } else { nil } }
  }

  /// The names and types of the declared constants, by name; names of types are among them.
  public var constants: [(name: String, type: ValueType)] {
    declared { if case .constant(_, let type) = $0 { type } else { nil } }
  }

  private func declared(_ type: (Declaration) -> ValueType?) -> [(name: String, type: ValueType)] {
    declarations.compactMap { name, declaration in type(declaration).map { (name, $0) } }
      .sorted { $0.name < $1.name }
  }

  /// The names of the declared functions, by name; operators are not among them.
  public var functionNames: [String] {
    functions.keys.filter { name in
      // Operators have names such as `_+_`, `!_` and `@in`.
      name.unicodeScalars.first.map { $0 != "_" && $0.isNameStart } == true && !name.contains("@")
    }.sorted()
  }

  /// The signatures of a function; none for an unknown name.
  public func overloads(of function: String) -> [Overload] { functions[function] ?? [] }

  /// The signatures of a function as text, such as `string.(int)`; none for an unknown name.
  public func signatures(of function: String) -> [String] {
    (functions[function] ?? []).map { "\($0.signature) -> \($0.result)" }
  }

  /// Reads, checks and prepares an expression; errors are in the result.
  ///
  /// Unchecked, names and kinds are looked up during evaluation, and any variable may be passed. `cache` has
  /// the compilations of other texts of the same document, and gets this one.
  public func compile(
    _ source: String, isChecked: Bool = true, with cache: CompilationCache? = nil
  ) -> Compilation {
    let cache = isChecked && container.isEmpty ? cache : nil
    if let known = cache?.compilation(of: source, in: self) { return known }
    var parser = Parser(source, macros: macros)
    let syntax = parser.parse()
    var issues = parser.issues
    var checker = Checker(self)
    if isChecked {
      checker.checkRoot(syntax)
      issues += checker.issues
    }
    issues.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    guard issues.isEmpty
    else { return Compilation(expression: nil, issues: issues, syntax: syntax) }
    var planner = Planner(self, resolutions: isChecked ? checker.resolutions : nil)
    let root = planner.plan(syntax)
    let expression = CompiledExpression(
      storage: .init(source, checker, planner, root: root, variable: planner.variable(syntax)))
    let compilation = Compilation(expression: expression, issues: [], syntax: syntax)
    if checker.isReusable { cache?.add(compilation, of: source, checker.lookUps) }
    return compilation
  }

  /// The names that `name` may mean in the container, the innermost namespace first.
  func candidates(_ name: String) -> [String] {
    if name.hasPrefix(".") { return [String(name.dropFirst())] }
    guard !container.isEmpty else { return [name] }
    var result: [String] = []
    var namespace = container.split(separator: ".")
    while !namespace.isEmpty {
      result.append(namespace.joined(separator: ".") + "." + name)
      namespace.removeLast()
    }
    return result + [name]
  }

  /// The type of `name`; `nil` if it is not declared.
  public func type(of name: String) -> ValueType? { declaration(name)?.declaration.type }

  func declaration(_ name: String) -> (name: String, declaration: Declaration)? {
    find(name, in: declarations).map { ($0.name, $0.value) }
  }

  func overloads(_ name: String) -> (name: String, overloads: [Overload])? {
    find(name, in: functions).map { ($0.name, $0.value) }
  }

  private func find<Found>(
    _ name: String, in table: [String: Found]
  ) -> (name: String, value: Found)? {
    // Nearly every name is looked up unchanged.
    if container.isEmpty, let found = table[name] { return (name, found) }
    for candidate in candidates(name) {
      if let found = table[candidate] { return (candidate, found) }
    }
    return nil
  }

  /// A type as a value has the type `type` of the type that it names.
  private static func type(ofConstant value: Value) -> ValueType {
    guard case .type(let name) = value else { return ValueType(of: value) }
    return .type(named[name] ?? .dyn)
  }

  private static let named: [TypeName: ValueType] = [
    .bool: .bool, .bytes: .bytes, .double: .double, .duration: .duration, .int: .int,
    .list: .list(.dyn), .map: .map(.dyn, .dyn), .null: .null, .optional: .optional(.dyn),
    .string: .string, .timestamp: .timestamp, .uint: .uint,
  ]
}

/// The result of compiling a text: an expression, or issues.
public struct Compilation: Sendable {
  /// The expression; `nil` if there are issues.
  public let expression: CompiledExpression?
  /// All issues, by position.
  public let issues: [Issue]
  /// The syntax tree, for checks that examine the form of an expression.
  package let syntax: Syntax
}

/// A use of a variable in an expression.
public struct Reference: Hashable, Sendable {
  /// The declared name, possibly qualified, as requested from an activation.
  public let variable: String
  /// ``variable`` and the fields selected from it, such as `steps.allocate.upload_id`.
  public internal(set) var path: String
  /// The range of the path, in Unicode scalars from the start of the source.
  public internal(set) var range: Range<Int>
}
