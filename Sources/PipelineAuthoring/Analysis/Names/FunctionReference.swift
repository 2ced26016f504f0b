import PipelineDocument
import PipelineScenarios
import CEL

/// Descriptions of the functions, macros and constants of expressions.
///
/// A test compares the names with those known to expressions.
enum FunctionReference {
  /// A macro: a call whose arguments are not all values.
  struct Macro: Sendable {
    let name: String
    let signature: String
    let summary: String
    /// The text inserted after the name, as a snippet.
    let arguments: String
    /// The kind of its target, or `nil` for a call without one.
    let target: Target?

    enum Target: Sendable { case collection, optional }
  }

  static let macros: [Macro] = [
    Macro(
      name: "has", signature: "has(a.b) -> bool", summary: "Whether the field or key exists.",
      arguments: "$1", target: nil),
    Macro(
      name: "cel.bind", signature: "cel.bind(name, value, expression)",
      summary: "Names a value within an expression.",
      arguments: "${1:name}, ${2:value}, ${3:expression}", target: nil),
    Macro(
      name: "math.greatest", signature: "math.greatest(number, …)",
      summary: "The greatest of the numbers, or of a list.", arguments: "$1", target: nil),
    Macro(
      name: "math.least", signature: "math.least(number, …)",
      summary: "The least of the numbers, or of a list.", arguments: "$1", target: nil),
    Macro(
      name: "all", signature: "all(x, condition) -> bool",
      summary: "Whether the condition holds for every element, or every key of a map.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "exists", signature: "exists(x, condition) -> bool",
      summary: "Whether the condition holds for any element, or any key of a map.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "exists_one", signature: "exists_one(x, condition) -> bool",
      summary: "Whether the condition holds for exactly one element.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "filter", signature: "filter(x, condition) -> list",
      summary: "The elements for which the condition holds.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "map", signature: "map(x, value) -> list",
      summary:
        "A list with a new value for each element; with three arguments, only for elements that meet the second.",
      arguments: "${1:x}, ${2:value}", target: .collection),
    Macro(
      name: "transformList", signature: "transformList(index, x, value) -> list",
      summary: "A list with a new value for each index and element, or each key and value.",
      arguments: "${1:index}, ${2:x}, ${3:value}", target: .collection),
    Macro(
      name: "transformMap", signature: "transformMap(key, x, value) -> map",
      summary: "A map with the same keys and new values.",
      arguments: "${1:key}, ${2:x}, ${3:value}", target: .collection),
    Macro(
      name: "transformMapEntry", signature: "transformMapEntry(key, x, {newKey: value}) -> map",
      summary: "A map with a new entry for each key and value.",
      arguments: "${1:key}, ${2:x}, {${3:newKey}: ${4:value\\}}", target: .collection),
    Macro(
      name: "optMap", signature: "optMap(x, value) -> optional",
      summary: "The transformed value, if there is one.",
      arguments: "${1:x}, ${2:value}", target: .optional),
    Macro(
      name: "optFlatMap", signature: "optFlatMap(x, optional) -> optional",
      summary: "The optional that the value is transformed into, if there is one.",
      arguments: "${1:x}, ${2:optional}", target: .optional),
  ]

  static func macro(_ name: String) -> Macro? { macros.first { $0.name == name } }

  private static let entries = EmbeddedTexts.functions.flatMap { DescriptionList.entries($0.text) }

  /// Descriptions of functions, by name.
  static let summaries = Dictionary(
    uniqueKeysWithValues: entries.map { ($0.name.prefix { $0 != "(" }.description, $0.text) })

  /// Names of parameters, by function.
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
