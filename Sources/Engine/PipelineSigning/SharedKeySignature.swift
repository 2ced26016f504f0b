import Basics
import Crypto
import PipelineCore
import PipelineEngine

/// Shared Key of storage services ("Authorize with Shared Key", Azure Storage REST API, version 2015-02-21 and later).
struct SharedKeySignature {
  /// Standard headers in the order in which they are signed.
  private static let standardHeaders = [
    "Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
    "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range",
  ]

  let account: String
  private let key: [UInt8]
  private let time: Instant

  init(_ signing: RenderedSigning, time: Instant) throws(AuthorizationFailure) {
    account = try signing.required("account")
    guard let bytes = Base64.decode(try signing.required("key")), !bytes.isEmpty else {
      throw AuthorizationFailure(message: "'key' of 'shared_key' is not base64")
    }
    key = bytes
    self.time = time
  }

  func sign(_ request: inout RenderedRequest, size: Int64) {
    request.set("x-ms-date", HTTPDate.text(secondsSince1970: time.wholeSeconds))
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(textToSign(request, size: size).utf8), using: SymmetricKey(data: key))
    request.set(
      "Authorization", "SharedKey \(account):\(Base64.encode(Array(code)))", isSecret: true)
  }

  func textToSign(_ request: RenderedRequest, size: Int64) -> String {
    var lines = [request.method]
    for name in Self.standardHeaders {
      // `Date` is empty, because `x-ms-date` has precedence; so is the length without a body.
      switch name {
      case "Content-Length": lines.append(size == 0 ? "" : String(size))
      case "Date": lines.append("")
      default: lines.append(request.value(of: name) ?? "")
      }
    }
    return lines.joined(separator: "\n") + "\n" + canonicalHeaders(request)
      + canonicalResource(request.url)
  }

  private func canonicalHeaders(_ request: RenderedRequest) -> String {
    var values: [String: [String]] = [:]
    for header in request.headers where header.name.lowercased().hasPrefix("x-ms-") {
      let words = header.value.split { $0 == " " || $0 == "\t" }
      values[header.name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.sorted { $0.key < $1.key }.map {
      "\($0.key):\($0.value.joined(separator: ","))\n"
    }.joined()
  }

  private func canonicalResource(_ url: String) -> String {
    let target = RequestTarget(url)
    var values: [String: [String]] = [:]
    for item in QueryItems(target.query, plusIsSpace: false).items {
      let name = String(decoding: item.name, as: UTF8.self).lowercased()
      values[name, default: []].append(String(decoding: item.value, as: UTF8.self))
    }
    let items = values.sorted { $0.key < $1.key }.map {
      "\n\($0.key):\($0.value.sorted().joined(separator: ","))"
    }
    return "/\(account)\(target.path)" + items.joined()
  }
}
