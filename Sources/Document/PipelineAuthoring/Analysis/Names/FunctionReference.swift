/// Descriptions of functions, macros and constants; a test compares the names with those known to expressions.
enum FunctionReference {
  /// A macro: a call whose arguments are not all values.
  struct Macro: Sendable {
    let name, signature, summary: String
    /// The text inserted after the name, as a snippet.
    let arguments: String
    /// The kind of its target, or `nil` for a call without one.
    let target: Target?

    enum Target: String, Sendable { case collection, optional }
  }

  static let macros = EmbeddedTexts.macros.flatMap { DescriptionList.entries($0.text) }.map {
    entry in
    let parts = entry.text.split(separator: " Arguments: ")
    return Macro(
      name: String(entry.name.prefix { $0 != "(" }), signature: entry.name,
      summary: String(parts[0]), arguments: String(parts[1].dropFirst().dropLast()),
      target: Macro.Target(rawValue: entry.section))
  }

  static func macro(_ name: String) -> Macro? { macros.first { $0.name == name } }

  private static let entries = EmbeddedTexts.functions.flatMap { DescriptionList.entries($0.text) }

  static let summaries = Dictionary(
    uniqueKeysWithValues: entries.map { ($0.name.prefix { $0 != "(" }.description, $0.text) })

  private static let parameters = Dictionary(
    uniqueKeysWithValues: entries.map { entry in
      let name = entry.name.prefix { $0 != "(" }
      let parameters = entry.name.dropFirst(name.count + 1).dropLast()
      return (String(name), parameters.split(separator: ", ").map(String.init))
    })

  /// Methods that can also be called as functions, with the receiver as the first argument.
  private static let ofMethods: [String: [String]] = [
    "size": [], "matches": ["pattern"], "capture": ["pattern"],
  ]

  /// The names of the parameters, without a method's receiver.
  static func parameters(of function: String, isMethod: Bool) -> [String] {
    (isMethod ? ofMethods[function] : nil) ?? parameters[function] ?? []
  }
}
