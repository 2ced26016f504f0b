import CELFunctions

package enum Variables {
  package static let file = ObjectType(
    name: "File",
    fields: [
      .init("path", .string), .init("relative", .string), .init("folder", .string),
      .init("name", .string),
      .init("extension", .string), .init("size", .int), .init("modified", .timestamp),
      .init("content_type", .string),
    ] + DigestAlgorithm.allCases.map { .init($0.rawValue, .string) })

  package static let digest = ObjectType(
    name: "Digest", fields: [.init("hex", .string), .init("base64", .string)])

  static let digests = ObjectType(
    name: "Digests", fields: DigestAlgorithm.allCases.map { .init($0.rawValue, .object(digest)) })

  /// Names that the expressions of examples and of scripted answers see of the request, and their types; values come through
  /// ``/PipelineCore/Scope/locals``.
  package static let ofRequest: [(name: String, type: ValueType)] = [
    ("request.method", .string), ("request.url", .string),
    ("request.headers", .map(.string, .string)), ("request.json", .dyn), ("request.text", .string),
    ("request.size", .int), ("request.number", .int), ("request.elapsed", .duration),
  ]

  package static let base =
    Environment(libraries: Library.all + [.uploads]).declaring(always)

  package static let always: [(name: String, type: ValueType)] = [
    ("run.id", .string), ("now", .timestamp),
  ]

  package static let response: [(name: String, type: ValueType)] = [
    ("response.status", .int), ("response.headers", .map(.string, .string)),
    ("response.json", .dyn), ("response.text", .string), ("response.url", .string),
    ("response.error", .string), ("response.xml", .dyn), ("history.statuses", .list(.int)),
  ]

  package static let item: [(name: String, type: ValueType)] = [
    ("item.index", .int), ("item.key", .string),
  ]

  package static let batchEntries = "batch.entries"
  package static let batchEntry = "batch.entry"
  package static let batchIndex = "batch.index"
  package static let batchResult = "batch.result"

  /// The type of an input; `dyn` if its declaration is broken, so that no further errors follow from it.
  package static func type(of kind: InputDeclaration.Kind?) -> ValueType {
    switch kind {
    case .string, .url, .secret, .folder: .string
    case .int, .size: .int
    case .bool: .bool
    case .duration: .duration
    case .file: .object(file)
    case .files: .list(.object(file))
    case nil: .dyn
    }
  }
}

extension Environment {
  func declaring(_ names: [(name: String, type: ValueType)]) -> Environment {
    var environment = self
    for (name, type) in names { environment.declare(name, as: type) }
    return environment
  }
}
