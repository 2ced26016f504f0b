import Basics
import CEL
import Synchronization

/// A response as expressions see it: each `response.…` is computed when first read.
public final class ResponseView: Sendable {
  public let response: Response
  private let statuses: [Int]
  private let converted = Mutex(Converted())

  private struct Converted {
    var json: Result<Value, JSONSyntaxError>?
    var headers: Value?
    var xml: Result<Value, XMLSyntaxError>?
    var text: ResponseText?
  }

  /// Shows `response`, and the statuses of the same step's earlier responses.
  public init(_ response: Response, earlierStatuses: [Int] = []) {
    (self.response, self.statuses) = (response, earlierStatuses)
  }

  /// The error message when an expression reads `response.json`, `.xml` or `.text`, and the body is not that.
  var bodyFailure: String? {
    let made = converted.withLock { $0 }
    guard let text = made.text else { return nil }
    if let failure = text.failure {
      return "the response cannot be decoded: \(failure) (\(outline))"
    }
    if case .failure(let error)? = made.xml {
      return "the response is not XML: \(text.invalidity ?? "\(error)") (\(outline))"
    }
    guard case .failure(let error)? = made.json else { return nil }
    let place = text.invalidity ?? "byte \(error.offset + text.mark): \(error.message)"
    return error.kind == .number
      ? "the response's JSON cannot be read exactly: \(place)"
      : "the response is not JSON: \(place) (\(outline))"
  }

  /// Whether an expression has read a body that another request would receive in the same form:
  /// damaged, or in another charset.
  var isUndecodable: Bool {
    let made = converted.withLock { $0 }
    guard let text = made.text else { return false }
    if text.failure != nil { return true }
    switch (made.json, made.xml) {
    case (.failure?, _), (_, .failure?): return text.invalidity != nil
    default: return false
    }
  }

  var outline: String {
    let type = response.header("content-type") ?? "no content-type"
    return "status \(response.status), \(type), \(response.body.count) bytes"
  }

  /// Whether a page came with success where the author reads JSON: an intermediary may have responded.
  var isForeignPage: Bool {
    guard (200..<300).contains(response.status), !response.body.isEmpty else { return false }
    let made = converted.withLock { $0 }
    if made.text?.failure != nil { return false }
    if case .failure? = made.xml { return true }
    guard case .failure(let error)? = made.json else { return false }
    return error.kind == .syntax
  }

  /// Whether a web page came with success.
  var isPage: Bool {
    let type = response.header("content-type")?.lowercased() ?? ""
    return (200..<300).contains(response.status) && !response.body.isEmpty
      && (type.hasPrefix("text/html") || type.hasPrefix("application/xhtml"))
  }

  /// Whether the response is about the resource, not about the request: a success, a redirect without
  /// a target (RFC 9110 §15.4: without `Location` there is nothing to follow), absence, a conflict or an invalid range
  /// (§15.5.5, .10, .11, .13, .17).
  var tellsOfTheResource: Bool {
    switch response.status {
    case 200..<300, 404, 409, 410, 412, 416: true
    case 300..<400: response.header("location") == nil
    default: false
    }
  }

  func value(of name: String) -> Value? {
    switch name {
    case "response.status": .int(Int64(response.status))
    case "response.headers": headerMap()
    case "response.json": parsed()
    case "response.xml": parsedXML()
    case "response.text":
      text.failure == nil ? .string(String(decoding: text.utf8, as: UTF8.self)) : nil
    case "response.url": .string(response.url)
    case "response.error": .string(response.error?.kind.rawValue ?? "")
    case "history.statuses": .list(statuses.map { .int(Int64($0)) })
    default: nil
    }
  }

  private var text: ResponseText {
    converted.withLock { made in
      let text = made.text ?? ResponseText(of: response)
      made.text = text
      return text
    }
  }

  private func parsed() -> Value? {
    let text = text
    guard text.failure == nil else { return nil }
    return converted.withLock { made in
      if let known = made.json { return try? known.get() }
      let read = Result { () throws(JSONSyntaxError) in try Value(json: text.utf8) }
      made.json = read
      return try? read.get()
    }
  }

  private func parsedXML() -> Value? {
    let text = text
    guard text.failure == nil else { return nil }
    return converted.withLock { made in
      if let known = made.xml { return try? known.get() }
      let read = Result { () throws(XMLSyntaxError) in try Value(xml: text.utf8) }
      made.xml = read
      return try? read.get()
    }
  }

  private func headerMap() -> Value {
    if let known = converted.withLock({ $0.headers }) { return known }
    var pairs: [String: String] = [:]
    for header in response.headers {
      let name = header.name.lowercased()
      pairs[name] = pairs[name].map { "\($0), \(header.value)" } ?? header.value
    }
    let map = Value.map(MapValue(pairs.mapValues { .string($0) }))
    converted.withLock { $0.headers = map }
    return map
  }
}
