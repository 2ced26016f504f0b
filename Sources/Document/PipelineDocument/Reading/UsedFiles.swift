/// The files that one loaded document uses, each read and checked once; a class, because readers at every depth add to it.
package final class UsedFiles {
  private static let depthLimit = 16
  private let files: DocumentFiles
  private let root: String
  private var pipelines: [String: UsedPipeline?] = [:]
  private var definitions: [String: Definitions?] = [:]
  private var stack: [String] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sources: [String: String] = [:]
  /// Texts of used files, by the path used to read them.
  private(set) var contents: [String: String] = [:]

  /// The work budget of the document and all files that it uses.
  package let budget: SharedBudget

  /// Checks a file as a pipeline for others to use; `nil` if it has errors.
  private let check: (DocumentReader) -> UsedPipeline?

  package init(
    _ files: DocumentFiles = .none, root: String = "", budget: SharedBudget = SharedBudget(),
    check: @escaping (DocumentReader) -> UsedPipeline? = { _ in nil }
  ) { (self.files, self.root, self.budget, self.check) = (files, root, budget, check) }

  package func pipeline(_ name: Located<String>, for reader: DocumentReader) -> UsedPipeline? {
    used(name, for: reader, \.pipelines, check)
  }

  package func definitions(_ name: Located<String>, for reader: DocumentReader) -> Definitions? {
    used(name, for: reader, \.definitions) { $0.usedDefinitions() }
  }

  private func used<Used>(
    _ name: Located<String>, for reader: DocumentReader,
    _ known: ReferenceWritableKeyPath<UsedFiles, [String: Used?]>,
    _ read: (DocumentReader) -> Used?
  ) -> Used? {
    guard let path = enter(name, for: reader) else { return nil }
    defer { stack.removeLast() }
    if let found = self[keyPath: known][path] { return found ?? broken(name, for: reader) }
    guard let bytes = bytes(path, name, for: reader) else { return nil }
    let file = DocumentReader(bytes: bytes, file: display(path), used: self, path: path)
    let found = read(file)
    self[keyPath: known][path] = .some(found)
    guard take(file, bytes, path, name, for: reader) else { return nil }
    return found ?? broken(name, for: reader)
  }

  private func enter(_ name: Located<String>, for reader: DocumentReader) -> String? {
    let path = DocumentPath.resolve(name.value, from: reader.path)
    if stack.contains(path) || path == reader.path {
      let chain = (stack.drop { $0 != path } + [path]).map { "'\($0)'" }.joined(separator: " → ")
      return reader.collector.refuse(
        .recursiveUse, "a file cannot use itself: \(chain)", at: name.range)
    }
    guard stack.count < Self.depthLimit else {
      return reader.collector.refuse(
        .recursiveUse, "files use each other more than \(Self.depthLimit) levels deep",
        at: name.range)
    }
    stack.append(path)
    return path
  }

  private func bytes(
    _ path: String, _ name: Located<String>, for reader: DocumentReader
  ) -> [UInt8]? {
    do throws(DocumentFiles.Refusal) { return try files.read(path) } catch {
      let reason = error.reason.isEmpty ? "" : ": \(error.reason)"
      return reader.collector.refuse(
        .unreadableUse, "the file '\(display(path))' cannot be read\(reason)", at: name.range,
        help: error.help)
    }
  }

  /// Merges the findings in a file, with its text to show them in.
  ///
  /// For a file that is not a pipeline it shows neither, because checking an untrusted pipeline must not reveal the
  /// files around it.
  private func take(
    _ file: DocumentReader, _ bytes: [UInt8], _ path: String, _ name: Located<String>,
    for reader: DocumentReader
  ) -> Bool {
    guard file.isDocument else {
      reader.collector.report(
        .brokenUse, "the file '\(name.value)' is neither a pipeline nor definitions for pipelines",
        at: name.range)
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self)
    sources[display(path)] = text
    contents[path] = text
    diagnostics += file.collector.diagnostics
    return true
  }

  private func broken<Used>(_ name: Located<String>, for reader: DocumentReader) -> Used? {
    reader.collector.refuse(.brokenUse, "the file '\(name.value)' has errors", at: name.range)
  }

  /// The path as messages show it, in the style of the loaded document's own.
  private func display(_ path: String) -> String {
    root == "-" ? path : DocumentPath.resolve(path, from: root)
  }
}

/// The definitions that steps can name: a file's own, and those of the files it uses.
package struct Definitions {
  package var policies: [String: RetryPolicy] = [:]
  package var credentials: [String: DraftRequest.Authorization] = [:]
  package var credentialSteps: [String: [CredentialStep]] = [:]

  /// Adds the definitions of `other`; existing ones have precedence.
  package mutating func add(_ other: Definitions) {
    policies.merge(other.policies) { own, _ in own }
    for (name, credential) in other.credentials where credentials[name] == nil {
      credentials[name] = credential
      credentialSteps[name] = other.credentialSteps[name]
    }
  }
}
