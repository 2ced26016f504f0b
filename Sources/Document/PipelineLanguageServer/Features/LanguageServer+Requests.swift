extension LanguageServer {
  /// The document and position of a request; `nil` if the document is not open.
  mutating func place(_ params: Value) throws(ResponseError) -> CursorTarget? {
    guard let position = ProtocolPosition(params["position"])
    else { throw .invalidParams("'position' must have a 'line' and a 'character' from 0") }
    guard let (document, analysis) = try document(params) else { return nil }
    return CursorTarget(
      document: document, analysis: analysis,
      position: document.textPosition(position, client.encoding))
  }

  struct CursorTarget {
    let document: OpenDocument
    let analysis: DocumentAnalysis
    let position: SourcePosition
  }

  /// The document of a request, with its analysis; `nil` if it is not open or too long.
  mutating func document(
    _ params: Value
  ) throws(ResponseError) -> (document: OpenDocument, analysis: DocumentAnalysis)? {
    guard let uri = params["textDocument", "uri"]?.stringValue
    else { throw .invalidParams("'textDocument' must have a 'uri'") }
    guard let document = documents[uri], !document.isTooLarge else { return nil }
    let files = files(beside: document)
    guard let analysis = documents[uri]?.analysis(files) else { return nil }
    return (document, analysis)
  }

  func json(_ range: TextRange, in document: OpenDocument) -> Value {
    document.json(range, client.encoding)
  }

  private func location(_ range: TextRange, in document: OpenDocument) -> Value {
    document.location(range, client.encoding)
  }

  mutating func completion(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params) else { return [] }
    // A typed space triggers completion only at the start of a value, an element or an expression.
    if params["context", "triggerCharacter"]?.stringValue == " ",
      !place.document.text(before: place.position).endsOpen
    {
      return []
    }
    var completions = place.analysis.completions(at: place.position)
    // A slash separates folders; in URLs and divisions it asks for nothing.
    if params["context", "triggerCharacter"]?.stringValue == "/" {
      completions.removeAll { $0.kind != .file && $0.kind != .folder }
    }
    return .list(completions.map { item($0, in: place.document) })
  }

  private func item(_ completion: Completion, in document: OpenDocument) -> Value {
    let snippet = client.knowsSnippets ? completion.snippet : nil
    var item: [String: Value] = [
      "label": .string(completion.label), "kind": Value(completion.kind.number),
      "sortText": .string(completion.sortText), "filterText": .string(completion.label),
      "insertTextFormat": Value(snippet == nil ? 1 : 2),
      "textEdit": [
        "range": json(completion.range, in: document),
        "newText": .string(snippet ?? completion.text),
      ],
    ]
    if client.knowsInsertTextMode { item["insertTextMode"] = 2 }
    if let detail = completion.detail { item["detail"] = .string(detail) }
    if let documentation = completion.documentation {
      item["documentation"] = client.completionMarkup.content(documentation)
    }
    return .map(MapValue(item))
  }

  mutating func hover(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params), let hover = place.analysis.hover(at: place.position)
    else { return .null }
    return [
      "contents": client.hoverMarkup.content(hover.markdown),
      "range": json(hover.range, in: place.document),
    ]
  }

  mutating func definition(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params), let range = place.analysis.definition(at: place.position)
    else { return .null }
    return location(range, in: place.document)
  }

  mutating func references(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params) else { return [] }
    let includes = params["context", "includeDeclaration"]?.boolValue ?? true
    let ranges = place.analysis.references(at: place.position, includingDefinition: includes)
    return .list(ranges.map { location($0, in: place.document) })
  }

  mutating func prepareRename(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params) else { return .null }
    do throws(RenameRefusal) {
      let target = try place.analysis.renameTarget(at: place.position)
      return ["range": json(target.range, in: place.document), "placeholder": .string(target.name)]
    } catch { throw .failed(error.message) }
  }

  mutating func rename(_ params: Value) throws(ResponseError) -> Value {
    guard let name = params["newName"]?.stringValue
    else { throw .invalidParams("'newName' must be a string") }
    guard let place = try place(params) else { return .null }
    do throws(RenameRefusal) {
      let fixes = try place.analysis.rename(at: place.position, to: name)
      var edits = [(place.document, fixes)]
      if !fixes.isEmpty, let shared = place.analysis.sharedName(at: place.position) {
        for user in users(of: place.document) {
          let fixes = try user.analysis.rename(shared, of: place.document.file, to: name)
          if !fixes.isEmpty { edits.append((user.document, fixes)) }
        }
      }
      return edit(edits)
    } catch { throw .failed(error.message) }
  }

  private func edit(_ changes: [(document: OpenDocument, fixes: [Diagnostic.Fix])]) -> Value {
    let edits = changes.map { document, fixes in
      Value.list(
        fixes.map { ["range": json($0.range, in: document), "newText": .string($0.replacement)] })
    }
    guard client.knowsDocumentChanges else {
      let uris = changes.map(\.document.uri)
      return ["changes": .map(MapValue(zip(uris, edits)))]
    }
    return [
      "documentChanges": .list(
        zip(changes, edits).map { change, edits in
          let version = change.document.version.map { Value($0) } ?? .null
          return [
            "textDocument": ["uri": .string(change.document.uri), "version": version],
            "edits": edits,
          ]
        })
    ]
  }

  mutating func codeActions(_ params: Value) throws(ResponseError) -> Value {
    guard let start = ProtocolPosition(params["range", "start"]),
      let end = ProtocolPosition(params["range", "end"])
    else { throw .invalidParams("'range' must have a 'start' and an 'end'") }
    let kinds = params["context", "only"]?.listValue?.compactMap(\.stringValue)
    guard let (document, analysis) = try document(params), client.knowsCodeActions,
      kinds?.contains(where: { $0.isEmpty || $0 == "quickfix" }) ?? true
    else { return [] }
    let range = TextRange(
      file: document.file, start: document.textPosition(start, client.encoding),
      end: document.textPosition(end, client.encoding))
    let fixes = analysis.fixes(in: range).map { diagnostic, fix in
      action(document.title(of: fix), fix, of: diagnostic, in: document)
    }
    let silencings = analysis.silencings(in: range).map { diagnostic, fix in
      action("Ignore '\(diagnostic.code.rawValue)' here", fix, of: diagnostic, in: document)
    }
    return .list(fixes + silencings)
  }

  private func action(
    _ title: String, _ fix: Diagnostic.Fix, of diagnostic: Diagnostic, in document: OpenDocument
  ) -> Value {
    [
      "title": .string(title), "kind": "quickfix", "isPreferred": .bool(fix.isSafe),
      "diagnostics": [writer.json(diagnostic, in: document)], "edit": edit([(document, [fix])]),
    ]
  }

  mutating func documentSymbols(_ params: Value) throws(ResponseError) -> Value {
    guard let (document, analysis) = try document(params) else { return [] }
    let symbols = analysis.documentSymbols
    guard client.knowsNestedSymbols
    else { return .list(symbols.flatMap { flat($0, of: nil, in: document) }) }
    return .list(symbols.map { nested($0, in: document) })
  }

  private func nested(_ symbol: DocumentSymbol, in document: OpenDocument) -> Value {
    // Clients drop a symbol whose name is outside its range, which an alias can cause.
    let isInside =
      symbol.range.start <= symbol.nameRange.start && symbol.nameRange.end <= symbol.range.end
    var members: [String: Value] = [
      "name": .string(symbol.name), "kind": Value(symbol.kind.number),
      "range": json(symbol.range, in: document),
      "selectionRange": json(isInside ? symbol.nameRange : symbol.range, in: document),
      "children": .list(symbol.children.map { nested($0, in: document) }),
    ]
    if let detail = symbol.detail { members["detail"] = .string(detail) }
    return .map(MapValue(members))
  }

  private func flat(
    _ symbol: DocumentSymbol, of container: String?, in document: OpenDocument
  ) -> [Value] {
    var members: [String: Value] = [
      "name": .string(symbol.name), "kind": Value(symbol.kind.number),
      "location": location(symbol.range, in: document),
    ]
    if let container { members["containerName"] = .string(container) }
    return [.map(MapValue(members))]
      + symbol.children.flatMap { flat($0, of: symbol.name, in: document) }
  }
}
