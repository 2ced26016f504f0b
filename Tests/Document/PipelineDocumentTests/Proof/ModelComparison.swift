import CEL
import PipelineCore

/// The meaning of a checked pipeline: all of it except locations and descriptions, as text.
enum ModelComparison {
  static func meaning(of pipeline: Pipeline) -> String { text(of: pipeline) }

  private static func text(of value: Any) -> String {
    if let expression = value as? Expression {
      return "${\(expression.compiled.source.filter { !$0.isWhitespace })}"
    }
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    let fields = mirror.children.compactMap { child -> String? in
      switch child.label {
      // A message is only for the user.
      case "location", "description", "stepIndex", "message": nil
      default: "\(child.label ?? "")=\(text(of: child.value))"
      }
    }
    let name = mirror.displayStyle == .enum ? "\(value)".prefix { $0 != "(" } : ""
    return "\(name)(\(fields.joined(separator: ",")))"
  }
}
