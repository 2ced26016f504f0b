import CEL
import Basics
import PipelineAuthoring
import PipelineDocument

extension LanguageServer {
  mutating func signatureHelp(_ params: Value) throws(ResponseError) -> Value {
    guard let place = try place(params),
      let help = place.analysis.signatureHelp(at: place.position)
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
      guard client.knowsLabelOffsets else {
        return ["label": .string(String(String.UnicodeScalarView(label[range])))]
      }
      // Labels are counted in UTF-16, whatever the positions are counted in.
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

  /// The URI of a link's target; `nil` if the document is in no folder.
  private func target(of link: DocumentLink, in document: OpenDocument) -> String? {
    switch link.target {
    case .address(let address): return address
    case .file(let path):
      guard document.file.hasPrefix("/"), let slash = document.file.lastIndex(of: "/") else {
        return nil
      }
      return FileURI.uri(path.hasPrefix("/") ? path : document.file[...slash] + path)
    }
  }
}
