import Basics
import CEL

extension Evaluator {
  /// The file that `template` describes, for one issue of a step.
  public func plan(
    _ template: MaterializeTemplate, _ scope: Scope, id: EffectID
  ) throws(EvaluationFailure) -> MaterializationPlan {
    switch template.source {
    case .file(let expression, let range):
      let file = try file(expression, scope)
      let (offset, length) = try bounds(range, of: file, scope)
      let body = try body(of: file, scope)
      return MaterializationPlan(
        pieces: range == nil ? body.pieces : body.slice(from: offset, length: length).pieces,
        digests: template.digests, name: file.name, contentType: file.contentType)
    case .multipart(let parts): return try plan(parts, template.digests, scope, id)
    case .json(let json):
      let text = try value(json, scope).jsonText()
      return MaterializationPlan(
        pieces: [.bytes(Array(text.utf8))], digests: template.digests, name: "body.json",
        contentType: "application/json")
    case .text(let text):
      return MaterializationPlan(
        pieces: [.bytes(Array(try self.text(text, scope).utf8))], digests: template.digests,
        name: "body.txt", contentType: "text/plain; charset=utf-8")
    case .xml(let text):
      return MaterializationPlan(
        pieces: [.bytes(Array(try xml(text, scope).utf8))], digests: template.digests,
        name: "body.xml", contentType: "application/xml")
    case .concat(let pieces):
      return MaterializationPlan(
        pieces: try self.pieces(pieces, scope), digests: template.digests, name: "body.bin",
        contentType: "application/octet-stream")
    }
  }

  private func pieces(
    _ pieces: [MaterializeTemplate.Piece], _ scope: Scope
  ) throws(EvaluationFailure) -> [Body.Piece] {
    var result: [Body.Piece] = []
    for piece in pieces {
      switch piece {
      case .text(let text): result.append(.bytes(Array(try self.text(text, scope).utf8)))
      case .file(let expression, let range):
        let file = try file(expression, scope)
        let body = try body(of: file, scope)
        let (offset, length) = try bounds(range, of: file, scope)
        result += range == nil ? body.pieces : body.slice(from: offset, length: length).pieces
      }
    }
    return result
  }

  /// The part of the upload's file that is sent.
  public func body(
    _ template: UploadTemplate, of file: FileValue, _ scope: Scope
  ) throws(EvaluationFailure) -> Body {
    let body = try body(of: file, scope)
    guard let range = template.range else { return body }
    let (offset, length) = try bounds(range, of: file, scope)
    return body.slice(from: offset, length: length)
  }

  func bounds(
    _ range: MaterializeTemplate.ByteRange?, of file: FileValue, _ scope: Scope
  ) throws(EvaluationFailure) -> (offset: Int64, length: Int64) {
    guard let range else { return (0, file.size) }
    let offset = try integer(range.offset, scope)
    let length = try integer(range.length, scope)
    guard offset >= 0, length >= 0, offset <= file.size, length <= file.size - offset else {
      throw EvaluationFailure(
        "the range \(offset) + \(length) exceeds the file's \(file.size) bytes",
        at: range.offset.location)
    }
    return (offset, length)
  }

  private func integer(
    _ expression: Expression, _ scope: Scope
  ) throws(EvaluationFailure) -> Int64 {
    guard case .int(let number) = try value(expression, scope)
    else { throw EvaluationFailure("expected an int", at: expression.location) }
    return number
  }

  private func plan(
    _ parts: [MaterializeTemplate.Part], _ digests: [DigestAlgorithm], _ scope: Scope,
    _ id: EffectID
  ) throws(EvaluationFailure) -> MaterializationPlan {
    let boundary = Self.boundary(of: id)
    var pieces: [Body.Piece] = []
    var text = ""
    for part in parts {
      text += "--\(boundary)\r\n"
      text += "Content-Disposition: form-data; name=\"\(Self.quotable(part.name))\""
      switch part.content {
      case .text(let template):
        text += Self.typeLine(part.contentType)
        text += try headerLines(part.headers, scope) + "\r\n\r\n"
        text += try self.text(template, scope) + "\r\n"
      case .file(let expression, let range, let filename):
        let file = try file(expression, scope)
        let (offset, length) = try bounds(range, of: file, scope)
        let name =
          try filename.map { template throws(EvaluationFailure) in try self.text(template, scope) }
          ?? file.name
        text += "; filename=\"\(Self.quotable(name))\""
        text += Self.typeLine(part.contentType ?? file.contentType ?? "application/octet-stream")
        text += try headerLines(part.headers, scope) + "\r\n\r\n"
        pieces.append(.bytes(Array(text.utf8)))
        let body = try body(of: file, scope)
        pieces += range == nil ? body.pieces : body.slice(from: offset, length: length).pieces
        text = "\r\n"
      }
    }
    pieces.append(.bytes(Array((text + "--\(boundary)--\r\n").utf8)))
    return MaterializationPlan(
      pieces: pieces, digests: digests, name: "body.multipart",
      contentType: "multipart/form-data; boundary=\(boundary)")
  }

  /// The other headers of a part; one whose value is `null` is left out.
  private func headerLines(
    _ headers: [NamedTemplate<Compiled>], _ scope: Scope
  ) throws(EvaluationFailure) -> String {
    var lines = ""
    for field in headers {
      let location = field.value.expressions.first?.location
      let value = try header(
        field, scope, at: location ?? SourceLocation(file: "", line: 1, column: 1))
      if let value { lines += "\r\n\(field.name): \(value)" }
    }
    return lines
  }

  private static func typeLine(_ type: String?) -> String {
    type.map { "\r\nContent-Type: \($0)" } ?? ""
  }

  /// The same for each attempt of a generation, and too unusual to occur in a file by chance.
  private static func boundary(of id: EffectID) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let owner = id.item.map { "\($0)" } ?? ""
    for byte in "\(id.run) \(owner) \(id.step ?? -1) \(id.generation ?? 0)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    var generator = SplitMix64(seed: hash)
    // Always of the same length, so that a body's size does not depend on the fence.
    let noise = (0..<24).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }
    return "pipeline-" + String(decoding: noise, as: UTF8.self)
  }

  /// Escapes characters that a quoted form-data parameter cannot contain, as browsers do (RFC 7578 §2, WHATWG).
  private static func quotable(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
