import CELFunctions

struct EvalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "eval", "Evaluate an expression, with all functions available to pipelines.",
    status: ExitStatus.checking("the expression is invalid, or its evaluation fails"))

  @Argument(help: "The expression.") var expression: String

  @Option(name: .customLong("let"), help: .help("Define a variable.", "name=expr"))
  var bindings: [String] = []

  @Flag(help: "Print the type that the checker infers.") var type = false
  @OptionGroup var form: FormatOptions

  func run() async throws {
    var environment = Environment.standard
    environment.add(.uploads)
    var values: [String: Value] = [:]
    for binding in bindings {
      guard let equals = binding.firstIndex(of: "="), equals != binding.startIndex else {
        throw ValidationError("--let '\(binding)': expected name=expression.")
      }
      let name = String(binding[..<equals])
      let compiled = try compile(String(binding[binding.index(after: equals)...]), environment)
      values[name] = try evaluate(compiled, values)
      environment.declare(name, as: compiled.type)
    }
    let compiled = try compile(expression, environment)
    if type { return Terminal.print("\(compiled.type)") }
    let value = try evaluate(compiled, values)
    Terminal.print(form.format == .json ? value.jsonText() : value.description)
  }

  private func compile(
    _ source: String, _ environment: Environment
  ) throws(CommandFailure) -> CompiledExpression {
    let compilation = environment.compile(source)
    if let compiled = compilation.expression { return compiled }
    for issue in compilation.issues {
      var message = "error[\(issue.code)]: \(issue.message)"
      if let suggestion = issue.suggestion { message += "; did you mean '\(suggestion)'?" }
      Self.show(message, source, issue.range)
    }
    throw CommandFailure(.incomplete)
  }

  private func evaluate(
    _ compiled: CompiledExpression, _ values: [String: Value]
  ) throws(CommandFailure) -> Value {
    do { return try compiled.evaluate(values) } catch {
      Self.show("error[\(error.code)]: \(error.message)", compiled.source, error.range)
      throw CommandFailure(.incomplete)
    }
  }

  /// Prints a message, the line it refers to, and a caret below the position; offsets count Unicode scalars.
  private static func show(_ message: String, _ source: String, _ range: Range<Int>) {
    Terminal.error(message)
    var start = 0
    for line in source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      let end = start + line.count
      if range.lowerBound <= end {
        let first = max(range.lowerBound - start, 0)
        let length = max(min(range.upperBound, end) - start - first, 0)
        Terminal.error("  \(String(line))")
        Terminal.error(
          "  " + String(repeating: " ", count: width(line.prefix(first)))
            + String(repeating: "^", count: max(width(line.dropFirst(first).prefix(length)), 1)))
        return
      }
      start = end + 1
    }
  }

  /// The width in columns of part of the source when printed.
  private static func width(_ stretch: Substring.UnicodeScalarView) -> Int {
    String(String.UnicodeScalarView(stretch)).visibleLine.unicodeScalars.count
  }
}
