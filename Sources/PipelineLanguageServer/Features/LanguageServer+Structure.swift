import Basics
import PipelineAuthoring
import PipelineDocument

extension LanguageServer {
  mutating func signatureHelp(_ params: JSONValue) throws(ResponseError) -> JSONValue {
    guard let place = try place(params),
      let help = place.analysis.signatureHelp(at: place.position)
    else { return .null }
    return [
      "signatures": .array(help.signatures.map(signature)),
      "activeSignature": .int(help.activeSignature),
      "activeParameter": .int(help.activeParameter),
    ]
  }

  private func signature(_ signature: SignatureHelp.Signature) -> JSONValue {
    let label = Array(signature.label.unicodeScalars)
    let parameters = signature.parameters.map { range -> JSONValue in
      guard client.knowsLabelOffsets else {
        return ["label": .string(String(String.UnicodeScalarView(label[range])))]
      }
      // Labels are counted in UTF-16, whatever the positions are counted in.
      let start = label[..<range.lowerBound].reduce(0) { $0 + UTF16.width($1) }
      let length = label[range].reduce(0) { $0 + UTF16.width($1) }
      return ["label": [.int(start), .int(start + length)]]
    }
    var members: [String: JSONValue] = [
      "label": .string(signature.label), "parameters": .array(parameters),
    ]
    if let documentation = signature.documentation {
      members["documentation"] = client.signatureMarkup.content(documentation)
    }
    return .object(members)
  }

  mutating func highlights(_ params: JSONValue) throws(ResponseError) -> JSONValue {
    guard let place = try place(params) else { return [] }
    return .array(
      place.analysis.highlights(at: place.position).map {
        ["range": json($0.range, in: place.document), "kind": .int($0.kind.number)]
      })
  }

  mutating func foldingRanges(_ params: JSONValue) throws(ResponseError) -> JSONValue {
    guard let (_, analysis) = try document(params) else { return [] }
    return .array(
      analysis.foldingRanges.map {
        [
          "startLine": .int($0.start - 1), "endLine": .int($0.end - 1),
          "kind": .string($0.kind.rawValue),
        ]
      })
  }

  mutating func documentLinks(_ params: JSONValue) throws(ResponseError) -> JSONValue {
    guard let (document, analysis) = try document(params) else { return [] }
    return .array(
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
