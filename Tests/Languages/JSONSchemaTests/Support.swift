import Basics
import JSONSchema
import Testing

/// Reads JSON that the test itself wrote.
func node(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONNode {
  do {
    return try JSONReader().read(text).root
  } catch {
    Issue.record("\(error) in \(text)", sourceLocation: sourceLocation)
    throw error
  }
}

/// The findings of a validation, each as one line.
func findings(
  _ schema: String, _ instance: String, options: Schema.Options = Schema.Options(),
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String] {
  let compiled = try Schema.compile(
    node(schema, sourceLocation: sourceLocation), options: options)
  let instance = try node(instance, sourceLocation: sourceLocation)
  return compiled.validate(instance).findings.map(\.description)
}

/// The issues of a schema, each as one line without its document.
func issues(
  _ schema: String, documents: [String: JSONNode] = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String] {
  let document = try node(schema, sourceLocation: sourceLocation)
  do {
    _ = try Schema.compile(document, baseURI: "urn:s", documents: documents)
    return []
  } catch {
    return error.issues.map { issue in
      let line = issue.description
      return line.hasPrefix("urn:s:") ? String(line.dropFirst(6)) : line
    }
  }
}
