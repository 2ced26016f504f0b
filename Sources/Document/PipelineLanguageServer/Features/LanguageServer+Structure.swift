extension LanguageServer {
  mutating func signatureHelp(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params), let help = place.analysis.signatureHelp(at: place.position)
    else { return .null }
    return [
      "signatures": .list(help.signatures.map(signature)),
      "activeSignature": Value(help.activeSignature),
      "activeParameter": Value(help.activeParameter),
    ]
  }

  private func signature(_ signature: SignatureHelp.Signature) -> Value {
    let label = Array(signature.label.unicodeScalars)
    let parameters = signature.parameters.map { range -> Value in
      guard client.knowsLabelOffsets
      else { return ["label": .string(String(String.UnicodeScalarView(label[range])))] }
      // Labels are counted in UTF-16, regardless of the unit of positions.
      let start = label[..<range.lowerBound].reduce(0) { $0 + UTF16.width($1) }
      let length = label[range].reduce(0) { $0 + UTF16.width($1) }
      return ["label": [Value(start), Value(start + length)]]
    }
    var members: [String: Value] = [
      "label": .string(signature.label), "parameters": .list(parameters),
    ]
    if let documentation = signature.documentation {
      members["documentation"] = client.signatureMarkup.content(documentation)
    }
    return .map(MapValue(members))
  }

  mutating func highlights(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params) else { return [] }
    return .list(
      place.analysis.highlights(at: place.position).map {
        ["range": json($0.range, in: place.document), "kind": Value($0.kind.number)]
      })
  }

  mutating func foldingRanges(_ params: Value) throws(ResponseError) -> Value {
    guard let (_, analysis) = try document(params) else { return [] }
    return .list(
      analysis.foldingRanges.map {
        [
          "startLine": Value($0.start - 1), "endLine": Value($0.end - 1),
          "kind": .string($0.kind.rawValue),
        ]
      })
  }

  mutating func documentLinks(_ params: Value) throws(ResponseError) -> Value {
    guard let (document, analysis) = try document(params) else { return [] }
    return .list(
      analysis.documentLinks.compactMap { link in
        target(of: link, in: document).map {
          ["range": json(link.range, in: document), "target": .string($0)]
        }
      })
  }

  private func target(of link: DocumentLink, in document: OpenDocument) -> String? {
    switch link.target {
    case .address(let address): return address
    case .file(let path):
      guard document.file.hasPrefix("/"), let slash = document.file.lastIndex(of: "/")
      else { return nil }
      return FileURI.uri(path.hasPrefix("/") ? path : document.file[...slash] + path)
    }
  }

  /// The most files on disk that are read to find those that use one.
  private static let maximumFiles = 1000

  /// The documents that may use a file: open ones, and those in its folder, two above and the folders of these, as far as `--root` allows.
  func users(of used: OpenDocument) -> [(document: OpenDocument, analysis: DocumentAnalysis)] {
    let open = documents.values.filter { $0.uri != used.uri && !$0.isTooLarge }
    let taken = Set(documents.values.map(\.file))
    let found = open.sorted { $0.uri < $1.uri } + onDisk(near: used, except: taken)
    return found.map { document in
      var document = document
      let analysis = document.analysis(files(beside: document))
      return (document, analysis)
    }
  }

  private func onDisk(near used: OpenDocument, except open: Set<String>) -> [OpenDocument] {
    guard used.file.hasPrefix("/"), let slash = used.file.lastIndex(of: "/") else { return [] }
    let folder = String(used.file[...slash])
    let name = Array(used.file[used.file.index(after: slash)...].utf8)
    let disk = files(used.file)
    var rest = Self.maximumFiles
    var seen: Set<String> = []
    var found: [OpenDocument] = []
    func read(_ path: String, depth: Int) {
      // A folder above is a new place; one that was read is not read again.
      guard seen.insert(FileURI.normal(folder + path)).inserted else { return }
      for entry in disk.entries(of: path).sorted() where !entry.hasPrefix(".") && rest > 0 {
        let path = path.isEmpty ? entry : "\(path)/\(entry)"
        if entry.hasSuffix("/") {
          if depth > 0 { read(String(path.dropLast()), depth: depth - 1) }
        } else if entry.hasSuffix(".yaml") || entry.hasSuffix(".yml") {
          let file = FileURI.normal(folder + path)
          guard !open.contains(file) else { continue }
          rest -= 1
          guard let text = disk.text(path), text.utf8.count <= OpenDocument.maximumBytes,
            Array(text.utf8).firstRange(of: name) != nil
          else { continue }
          found.append(OpenDocument(uri: FileURI.uri(file), version: nil, text: text))
        }
      }
    }
    for path in ["", "..", "../.."] { read(path, depth: 2) }
    return found
  }
}
