import Basics
import Crypto
import PipelineCore
import PipelineEngine

/// AWS Signature Version 4 ("Create a signed AWS API request", AWS IAM User Guide).
struct AWSSignature {
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  private static let algorithm = "AWS4-HMAC-SHA256"
  /// Services whose paths are escaped once, and not normalized: those of object storage, for whom `a//b` and `a/./b` are names.
  private static let servicesWithPlainPaths: Set<String> = [
    "s3", "s3-outposts", "s3-object-lambda", "s3express",
  ]
  /// Headers that intermediaries may change.
  private static let unsignedHeaders: Set<String> = [
    "authorization", "connection", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id",
  ]

  struct Key {
    let id, secret: String
    let sessionToken: String?
    let region, service: String

    init(_ signing: RenderedSigning) throws(AuthorizationFailure) {
      id = try signing.required("key")
      secret = try signing.required("secret")
      sessionToken = signing.optional("session_token")
      region = try signing.required("region")
      service = try signing.required("service")
    }
  }

  let key: Key
  let time: Instant
  /// SHA-256 of the body in hexadecimal, or ``unsignedPayload``.
  let payloadHash: String?

  /// `20150830T123600Z`.
  private var timeText: String {
    let time = CivilTime(secondsSince1970: time.wholeSeconds)
    return "\(dateText)T\(padded(time.hour, 2))\(padded(time.minute, 2))\(padded(time.second, 2))Z"
  }

  /// `20150830`.
  private var dateText: String {
    let date = CivilTime(secondsSince1970: time.wholeSeconds).date
    return "\(padded(date.year, 4))\(padded(date.month, 2))\(padded(date.day, 2))"
  }

  private var scope: String { "\(dateText)/\(key.region)/\(key.service)/aws4_request" }
  private var hasPlainPaths: Bool { Self.servicesWithPlainPaths.contains(key.service) }

  func sign(
    _ request: inout RenderedRequest, in place: SignaturePlace, life: Duration
  ) throws(AuthorizationFailure) {
    guard let payloadHash else {
      throw AuthorizationFailure(message: "the digest of the body is not known")
    }
    switch place {
    case .header:
      request.set("X-Amz-Date", timeText)
      // Object storage requires it, and elsewhere only a body that is not signed must declare it.
      if hasPlainPaths || payloadHash == Self.unsignedPayload {
        request.set("X-Amz-Content-Sha256", payloadHash)
      }
      if let token = key.sessionToken { request.set("X-Amz-Security-Token", token, isSecret: true) }
      let headers = signedHeaders(of: request)
      let signature = signature(of: canonicalRequest(request, headers, payloadHash))
      request.set(
        "Authorization",
        "\(Self.algorithm) Credential=\(key.id)/\(scope), SignedHeaders=\(Self.names(headers)), "
          + "Signature=\(signature)", isSecret: true)
    case .query:
      let headers = signedHeaders(of: request)
      var items = [
        ("X-Amz-Algorithm", Self.algorithm),
        ("X-Amz-Credential", PercentEncoding.encode("\(key.id)/\(scope)")),
        ("X-Amz-Date", timeText), ("X-Amz-Expires", String(life.milliseconds / 1000)),
      ]
      if let token = key.sessionToken {
        items.append(("X-Amz-Security-Token", PercentEncoding.encode(token)))
      }
      items.append(("X-Amz-SignedHeaders", PercentEncoding.encode(Self.names(headers))))
      request.addQuery(items)
      // A URL with a signature is created before the body is known; object storage does not include it.
      let payloadHash = hasPlainPaths ? Self.unsignedPayload : payloadHash
      let signature = signature(of: canonicalRequest(request, headers, payloadHash))
      request.addQuery([("X-Amz-Signature", signature)])
    }
  }

  private typealias Header = (name: String, value: String)

  /// The headers that are signed: names in lower case, in order; values without superfluous white space.
  private func signedHeaders(of request: RenderedRequest) -> [Header] {
    var values: [String: [String]] = [:]
    for header in request.headers where !Self.unsignedHeaders.contains(header.name.lowercased()) {
      let words = header.value.split { $0 == " " || $0 == "\t" }
      values[header.name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    if values["host"] == nil { values["host"] = [RequestTarget(request.url).host] }
    return values.map { ($0.key, $0.value.joined(separator: ",")) }.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  private static func names(_ headers: [Header]) -> String {
    headers.map(\.name).joined(separator: ";")
  }

  private func canonicalRequest(
    _ request: RenderedRequest, _ headers: [Header], _ payloadHash: String
  ) -> String {
    let target = RequestTarget(request.url)
    let query = QueryItems(target.query, plusIsSpace: true).sortedAndEscaped
    return [
      request.method, canonicalPath(target.path),
      query.map { "\($0.name)=\($0.value)" }.joined(separator: "&"),
      headers.map { "\($0.name):\($0.value)\n" }.joined(), Self.names(headers), payloadHash,
    ].joined(separator: "\n")
  }

  /// Object storage escapes the decoded path once; everything else removes `.`, `..` and empty segments, and escapes the path as it is sent.
  private func canonicalPath(_ path: String) -> String {
    func isKept(_ byte: UInt8) -> Bool {
      PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }
    if hasPlainPaths {
      let meant = PercentEncoding.decode(path.utf8, keepingMalformed: true) ?? Array(path.utf8)
      return String(decoding: PercentEncoding.encode(meant, keeping: isKept), as: UTF8.self)
    }
    var segments: [Substring] = []
    for segment in path.split(separator: "/") where segment != "." {
      if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
    }
    let isFolder = path.hasSuffix("/") && !segments.isEmpty
    let normalized = "/" + segments.joined(separator: "/") + (isFolder ? "/" : "")
    return String(decoding: PercentEncoding.encode(normalized.utf8, keeping: isKept), as: UTF8.self)
  }

  private func signature(of canonicalRequest: String) -> String {
    let hash = Hexadecimal.text(SHA256.hash(data: Array(canonicalRequest.utf8)))
    let text = [Self.algorithm, timeText, scope, hash].joined(separator: "\n")
    var derived = Array("AWS4\(key.secret)".utf8)
    for part in [dateText, key.region, key.service, "aws4_request", text] {
      derived = Array(
        HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: SymmetricKey(data: derived)))
    }
    return Hexadecimal.text(derived)
  }
}
