import CEL
import Foundation
import PipelineLanguageServer
import Testing

/// A client: writes framed messages as editors do, and keeps what comes back.
struct Editor {
  private var session = LanguageServerSession(version: "test")
  private var reader = FrameReader()
  private var lastID = 0
  /// The diagnostics that were published last, by document.
  private(set) var diagnostics: [String: Value] = [:]
  /// Messages that are no answers, in order.
  private(set) var notifications: [Value] = []

  static let uri = "file:///home/a%20user/photos.yaml"

  var exitStatus: Int32? { session.exitStatus }

  /// An editor that has sent `initialize` and `initialized`.
  static func started(_ capabilities: Value = .visualStudioCode) throws -> Editor {
    var editor = Editor()
    _ = try editor.request(
      "initialize", ["processId": 1, "rootUri": .null, "capabilities": capabilities])
    try editor.notify("initialized", [:])
    return editor
  }

  /// Sends bytes and returns the messages that come back.
  mutating func send(_ bytes: some Collection<UInt8>) throws -> [Value] {
    try take(session.receive(bytes))
  }

  private mutating func take(_ bytes: [UInt8]) throws -> [Value] {
    reader.append(bytes)
    var messages: [Value] = []
    while let frame = reader.next() {
      guard case .body(let body) = frame else {
        Issue.record("a frame is broken")
        continue
      }
      let message = try JSONDecoder().decode(Value.self, from: Data(body))
      #expect(message["jsonrpc"] == "2.0")
      messages.append(message)
      if message["method"] == "textDocument/publishDiagnostics",
        let uri = message["params", "uri"]?.stringValue
      {
        diagnostics[uri] = message["params"]
      }
      if message["method"] != nil { notifications.append(message) }
    }
    return messages
  }

  static func frame(_ message: Value) throws -> [UInt8] {
    FrameReader.frame(Array(try JSONEncoder().encode(message)))
  }

  mutating func notify(_ method: String, _ params: Value) throws {
    _ = try send(
      Self.frame(["jsonrpc": "2.0", "method": .string(method), "params": params]))
  }

  /// Sends a request and returns the whole response.
  mutating func ask(_ method: String, _ params: Value) throws -> Value {
    lastID += 1
    let answers = try send(
      Self.frame([
        "jsonrpc": "2.0", "id": Value(lastID), "method": .string(method), "params": params,
      ]))
    let own = answers.filter { $0["id"] == Value(lastID) }
    #expect(own.count == 1, "\(method) is answered once")
    return try #require(own.first)
  }

  /// Sends a request and returns its result.
  mutating func request(_ method: String, _ params: Value) throws -> Value {
    let answer = try ask(method, params)
    #expect(answer["error"] == nil, "\(method): \(answer)")
    return answer["result"] ?? .null
  }

  mutating func open(_ text: String, version: Int = 1) throws {
    try notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(Self.uri), "languageId": "yaml", "version": Value(version),
          "text": .string(text),
        ]
      ])
  }

  mutating func change(version: Int, _ changes: [Value]) throws {
    try notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.uri), "version": Value(version)],
        "contentChanges": .list(changes),
      ])
  }

  /// A request about a place in the open document.
  mutating func at(
    _ line: Int, _ character: Int, _ method: String, _ more: [String: Value] = [:]
  ) throws -> Value {
    try request("textDocument/\(method)", Self.place(line, character, more))
  }

  static func place(
    _ line: Int, _ character: Int, _ more: [String: Value] = [:]
  ) -> Value {
    var params = more
    params["textDocument"] = ["uri": .string(uri)]
    params["position"] = ["line": Value(line), "character": Value(character)]
    return .map(MapValue(params))
  }

  mutating func labels(_ line: Int, _ character: Int) throws -> [String] {
    try at(line, character, "completion", ["context": ["triggerKind": 1]]).listValue?
      .compactMap { $0["label"]?.stringValue } ?? []
  }

  /// The codes of the diagnostics that are shown.
  var codes: [String] {
    diagnostics[Self.uri]?["diagnostics"]?.listValue?.compactMap { $0["code"]?.stringValue } ?? []
  }
}

extension Value {
  /// An edit of a stretch.
  static func edit(
    _ startLine: Int, _ start: Int, _ endLine: Int, _ end: Int, _ text: String
  ) -> Value {
    [
      "range": [
        "start": ["line": Value(startLine), "character": Value(start)],
        "end": ["line": Value(endLine), "character": Value(end)],
      ],
      "rangeLength": 0, "text": .string(text),
    ]
  }

  /// The capabilities of Visual Studio Code, as far as it matters to a server of this kind.
  static let visualStudioCode: Value = [
    "workspace": [
      "applyEdit": true, "workspaceFolders": true, "configuration": true,
      "workspaceEdit": [
        "documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
        "failureHandling": "textOnlyTransactional", "normalizesLineEndings": true,
      ],
      "didChangeConfiguration": ["dynamicRegistration": true],
    ],
    "textDocument": [
      "publishDiagnostics": [
        "relatedInformation": true, "versionSupport": true, "tagSupport": ["valueSet": [1, 2]],
        "codeDescriptionSupport": true, "dataSupport": true,
      ],
      "synchronization": [
        "dynamicRegistration": true, "willSave": true, "willSaveWaitUntil": true,
        "didSave": true,
      ],
      "completion": [
        "dynamicRegistration": true, "contextSupport": true,
        "completionItem": [
          "snippetSupport": true, "commitCharactersSupport": true,
          "documentationFormat": ["markdown", "plaintext"], "insertReplaceSupport": true,
          "insertTextModeSupport": ["valueSet": [1, 2]], "labelDetailsSupport": true,
        ],
        "insertTextMode": 2,
      ],
      "hover": ["dynamicRegistration": true, "contentFormat": ["markdown", "plaintext"]],
      "definition": ["dynamicRegistration": true, "linkSupport": true],
      "documentSymbol": [
        "dynamicRegistration": true, "hierarchicalDocumentSymbolSupport": true,
      ],
      "codeAction": [
        "dynamicRegistration": true, "isPreferredSupport": true,
        "codeActionLiteralSupport": ["codeActionKind": ["valueSet": ["", "quickfix"]]],
      ],
      "rename": [
        "dynamicRegistration": true, "prepareSupport": true,
        "prepareSupportDefaultBehavior": 1,
      ],
    ],
    "general": ["positionEncodings": ["utf-16"], "staleRequestSupport": ["cancel": true]],
    "window": ["workDoneProgress": true],
  ]
}
