/// A language server for pipelines (Language Server Protocol 3.17) that does no I/O itself.
///
/// Messages go in, messages come out. An invalid request gets an error response; other invalid messages are ignored.
public struct LanguageServer {
  enum Phase { case waiting, running, stopped }

  /// The exit status of the process, once the client has sent `exit`.
  public private(set) var exitStatus: Int32?
  private let version: String
  let files: @Sendable (String) -> DocumentFiles
  private let pages: RulePages?
  var phase = Phase.waiting
  var client = ClientCapabilities(nil)
  var documents: [String: OpenDocument] = [:]
  /// Documents whose new diagnostics have not been sent yet, in the order of their changes.
  var unpublished: [String] = []
  private(set) var editions = 0
  /// The maximum size of all open texts in bytes; documents opened beyond it are not checked.
  static let maximumOpenBytes = 64 << 20

  /// Makes a server that reports its `version`, reads closed files through `files`, and links diagnostics to `pages`.
  public init(
    version: String, pages: RulePages? = nil,
    files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none }
  ) { (self.version, self.pages, self.files) = (version, pages, files) }

  /// Receives the body of one message; otherwise like ``receive(_:)-([Result<Message,ResponseFailure>])``.
  public mutating func receive(_ body: [UInt8]) -> [Message] {
    receive([Result { () throws(ResponseFailure) in try Message(body) }])
  }

  /// Receives messages that arrived together; each request gets exactly one response, and diagnostics come last.
  public mutating func receive(_ messages: [Result<Message, ResponseFailure>]) -> [Message] {
    var answers = answers(to: messages)
    _ = takeDiscarded()
    while exitStatus == nil, let check = nextCheck() { answers += finish(check.run()) }
    return answers
  }

  /// Receives messages without checking documents;
  /// ``nextCheck()`` returns the document to check afterwards.
  public mutating func answers(to messages: [Result<Message, ResponseFailure>]) -> [Message] {
    var answers: [Message] = []
    for (index, message) in messages.enumerated() {
      guard exitStatus == nil else { break }
      switch message {
      case .failure(let failure): answers.append(.response(failure.id, .failure(failure.error)))
      case .success(.request(let id, let method, let params)):
        if isCancelled(id, in: messages[(index + 1)...]) {
          let error = ResponseError(code: .requestCancelled, message: "the request was cancelled")
          answers.append(.response(id, .failure(error)))
        } else {
          answers.append(.response(id, answer(method, params)))
        }
      case .success(.notification(let method, let params)): answers += take(method, params)
      // Nothing depends on the response to the only request of the server, for changes on disk.
      case .success(.response): continue
      }
    }
    return answers
  }

  mutating func takeDiscarded() -> [DocumentAnalysis] {
    documents.keys.flatMap { documents[$0]?.takeDiscarded() ?? [] }
  }

  private func isCancelled(
    _ id: Message.ID, in later: ArraySlice<Result<Message, ResponseFailure>>
  ) -> Bool {
    later.contains { message in
      guard case .success(.notification("$/cancelRequest", let params)) = message
      else { return false }
      return params["id"].flatMap(Message.ID.init) == id
    }
  }

  private mutating func answer(_ method: String, _ params: Value) -> Result<Value, ResponseError> {
    do throws(ResponseError) {
      switch phase {
      case .waiting:
        guard method == "initialize" else {
          throw ResponseError(
            code: .serverNotInitialized, message: "the first request must be 'initialize'")
        }
        return .success(try initialize(params))
      case .stopped: throw .invalidRequest("the server has been shut down")
      case .running: return .success(try result(of: method, params))
      }
    } catch { return .failure(error) }
  }

  private mutating func result(of method: String, _ params: Value) throws(ResponseError) -> Value {
    switch method {
    case "initialize": throw .invalidRequest("'initialize' may only be sent once")
    case "shutdown":
      phase = .stopped
      documents = [:]
      unpublished = []
      return .null
    case "textDocument/completion": return try completion(params)
    case "textDocument/hover": return try hover(params)
    case "textDocument/definition": return try definition(params)
    case "textDocument/references": return try references(params)
    case "textDocument/prepareRename": return try prepareRename(params)
    case "textDocument/rename": return try rename(params)
    case "textDocument/documentSymbol": return try documentSymbols(params)
    case "textDocument/codeAction": return try codeActions(params)
    case "textDocument/signatureHelp": return try signatureHelp(params)
    case "textDocument/documentHighlight": return try highlights(params)
    case "textDocument/foldingRange": return try foldingRanges(params)
    case "textDocument/documentLink": return try documentLinks(params)
    default: throw ResponseError(code: .methodNotFound, message: "unknown method '\(method)'")
    }
  }

  private mutating func initialize(_ params: Value) throws(ResponseError) -> Value {
    guard params.mapValue != nil else { throw .invalidParams("'initialize' needs parameters") }
    client = ClientCapabilities(params["capabilities"])
    phase = .running
    return [
      "capabilities": client.answer,
      "serverInfo": ["name": "pipeline", "version": .string(version)],
    ]
  }

  private mutating func take(_ method: String, _ params: Value) -> [Message] {
    if method == "exit" {
      if case .stopped = phase { exitStatus = 0 } else { exitStatus = 1 }
      return []
    }
    guard case .running = phase else { return [] }
    switch method {
    case "textDocument/didOpen": open(params)
    case "textDocument/didChange": change(params)
    case "textDocument/didClose": return close(params)
    case "initialized": return client.registersWatchers ? [Self.watchers] : []
    case "workspace/didChangeWatchedFiles": changeOnDisk(params)
    // Other notifications, which the protocol allows servers to ignore.
    default: break
    }
    return []
  }

  private mutating func open(_ params: Value) {
    guard let uri = params["textDocument", "uri"]?.stringValue,
      let text = params["textDocument", "text"]?.stringValue
    else { return }
    let others = documents.values.reduce(0) { $0 + ($1.uri == uri ? 0 : $1.bytes.count) }
    var document = OpenDocument(
      uri: uri, version: params["textDocument", "version"]?.int, text: text)
    if others + document.bytes.count > Self.maximumOpenBytes { document.drop() }
    documents[uri] = document
    markUnpublished(uri)
  }

  private mutating func change(_ params: Value) {
    guard let uri = params["textDocument", "uri"]?.stringValue,
      let changes = params["contentChanges"]?.listValue, documents[uri] != nil
    else { return }
    documents[uri]?.version = params["textDocument", "version"]?.int
    for change in changes {
      guard let text = change["text"]?.stringValue else { continue }
      if change["range"] == nil || change["range"] == .null {
        documents[uri]?.replace(with: text)
      } else if let start = ProtocolPosition(change["range", "start"]),
        let end = ProtocolPosition(change["range", "end"])
      {
        documents[uri]?.replace(from: start, to: end, with: text, client.encoding)
      }
    }
    markUnpublished(uri)
  }

  private mutating func close(_ params: Value) -> [Message] {
    guard let uri = params["textDocument", "uri"]?.stringValue, documents[uri] != nil
    else { return [] }
    let path = documents[uri]?.file
    documents[uri] = nil
    unpublished.removeAll { $0 == uri }
    if let path { markDependents(of: path) }
    // A closed document has no diagnostics in the editor.
    return [writer.message(uri, version: nil, [])]
  }

  private static let watchers = Message.request(
    .string("watch"), method: "client/registerCapability",
    params: [
      "registrations": [
        [
          "id": "watch", "method": "workspace/didChangeWatchedFiles",
          "registerOptions": [
            "watchers": [["globPattern": "**/*.yaml"], ["globPattern": "**/*.yml"]]
          ],
        ]
      ]
    ])

  private mutating func changeOnDisk(_ params: Value) {
    let paths = (params["changes"]?.listValue ?? [])
      .compactMap { $0["uri"]?.stringValue.flatMap(FileURI.path) }
    for path in Set(paths.map(FileURI.normal)).sorted() {
      // Open documents are read from the editor.
      if !documents.values.contains(where: { FileURI.normal($0.file) == path }) {
        markDependents(of: path)
      }
    }
  }

  private mutating func markUnpublished(_ uri: String) {
    mark(uri)
    if let path = documents[uri]?.file { markDependents(of: path) }
  }

  private mutating func mark(_ uri: String) {
    editions += 1
    documents[uri]?.edition = editions
    if !unpublished.contains(uri) { unpublished.append(uri) }
  }

  private mutating func markDependents(of path: String) {
    for other in documents.keys.sorted() where documents[other]?.file != path {
      guard documents[other]?.depends(on: FileURI.normal(path)) == true else { continue }
      documents[other]?.forget()
      mark(other)
    }
  }

  /// The files that a document may name; open files are read from the editor.
  func files(beside document: OpenDocument) -> (FileReads) -> DocumentFiles {
    let folder = document.file.lastIndex(of: "/").map { String(document.file[...$0]) } ?? ""
    let others = documents.values.filter { $0.uri != document.uri && !$0.isTooLarge }
    let texts = Dictionary(others.map { ($0.file, $0.bytes) }) { first, _ in first }
    let disk = files(document.file)
    @Sendable func absolute(_ path: String) -> String {
      FileURI.normal(path.hasPrefix("/") ? path : folder + path)
    }
    return { reads in
      DocumentFiles(
        { path in
          reads.note(absolute(path))
          return texts[absolute(path)] ?? disk.text(path).map { Array($0.utf8) }
        },
        list: { path in
          let folder = absolute(path) + "/"
          let open = texts.keys.filter { $0.hasPrefix(folder) }
            .map { $0.dropFirst(folder.count) }.filter { !$0.contains("/") }.map(String.init)
          return Array(Set(disk.entries(of: path) + open))
        })
    }
  }

  var writer: DiagnosticWriter { DiagnosticWriter(client: client, pages: pages) }
}
