public import CEL

/// A short HTTP request, as the author wrote it.
public struct RequestTemplate: Hashable, Sendable {
  /// How a request is authorized.
  public enum Authorization: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Template)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(user: Template, password: Template)
  }

  /// The content of a request.
  public enum Body: Hashable, Sendable {
    /// `application/json`.
    case json(JSONTemplate)
    /// `application/x-www-form-urlencoded`.
    case form([Field])
    /// Literal text.
    case text(Template)
  }

  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: Template

    /// Pairs a name with its value.
    public init(name: String, value: Template) {
      self.name = name
      self.value = value
    }
  }

  /// How to handle a response that redirects a request.
  public enum Redirects: String, Hashable, Sendable, CaseIterable {
    /// It is followed.
    case follow
    /// It is a failure.
    case forbid
  }

  /// The method, in capitals.
  public let method: String
  /// The absolute URL.
  public let url: Template
  /// Query items, escaped and appended to the URL.
  public let query: [Field]
  /// Headers in order.
  public let headers: [Field]
  /// How the request is authorized.
  public let authorization: Authorization?
  /// The content of the request.
  public let body: Body?
  /// Timeout of the whole exchange.
  public let timeout: Duration
  /// A successful response; only for readers and simulations.
  public let example: ResponseTemplate?
  /// JSON Schema of a successful response's body, if declared; only for simulations.
  public let responseSchema: Value?
  /// How to handle a redirect.
  public let redirects: Redirects

  /// Default timeout of a short request: 30 s, which is all the time that a process
  /// has when a finished transfer resumes it (BT2).
  public static let defaultTimeout: Duration = .seconds(30)

  /// Makes a request.
  public init(
    method: String = "GET", url: Template, query: [Field] = [], headers: [Field] = [],
    authorization: Authorization? = nil, body: Body? = nil, timeout: Duration = defaultTimeout,
    example: ResponseTemplate? = nil, responseSchema: Value? = nil, redirects: Redirects = .follow
  ) {
    self.method = method
    self.url = url
    self.query = query
    self.headers = headers
    self.authorization = authorization
    self.body = body
    self.timeout = timeout
    self.example = example
    self.responseSchema = responseSchema
    self.redirects = redirects
  }

  /// The same request with another timeout.
  func timed(_ timeout: Duration) -> Self {
    Self(
      method: method, url: url, query: query, headers: headers, authorization: authorization,
      body: body, timeout: timeout, example: example, responseSchema: responseSchema,
      redirects: redirects)
  }
}

/// A background transfer from a file, as the author wrote it.
public struct UploadTemplate: Hashable, Sendable {
  /// Method, URL, headers and authorization; its body is `nil`, and its timeout is that of
  /// ``transfer``.
  public let request: RequestTemplate
  /// The file: an input, an item, or another step's `file`.
  public let file: Expression
  /// How the transfer service treats it.
  public let transfer: TransferPolicy

  /// Creates an upload; the request's own timeout is ignored.
  public init(
    request: RequestTemplate, file: Expression, transfer: TransferPolicy = TransferPolicy()
  ) {
    self.request = request.timed(transfer.resourceTimeout)
    self.file = file
    self.transfer = transfer
  }
}

/// A body file as the author wrote it.
public struct MaterializeTemplate: Hashable, Sendable {
  /// The content of the file.
  public enum Source: Hashable, Sendable {
    /// A whole file, or `length` bytes of it from `offset`.
    case file(Expression, range: ByteRange?)
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    /// A JSON text.
    case json(JSONTemplate)
    /// A text, UTF-8.
    case text(Template)
  }

  /// A range of bytes.
  public struct ByteRange: Hashable, Sendable {
    /// First byte, from 0, an int.
    public let offset: Expression
    /// Number of bytes, an int.
    public let length: Expression

    /// Makes a range.
    public init(offset: Expression, length: Expression) {
      self.offset = offset
      self.length = length
    }
  }

  /// A part of a multipart body.
  public struct Part: Hashable, Sendable {
    /// The content of a part.
    public enum Content: Hashable, Sendable {
      /// A field's text.
      case text(Template)
      /// A file's bytes.
      case file(Expression, filename: Template?)
    }

    /// The field's name.
    public let name: String
    /// Its content.
    public let content: Content
    /// Its `Content-Type`, if set.
    public let contentType: String?

    /// Makes a part.
    public init(name: String, content: Content, contentType: String? = nil) {
      self.name = name
      self.content = content
      self.contentType = contentType
    }
  }

  /// The content of the file.
  public let source: Source
  /// Digests taken while the file is written, in one pass.
  public let digests: [DigestAlgorithm]

  /// Makes a materialization.
  public init(source: Source, digests: [DigestAlgorithm] = []) {
    self.source = source
    self.digests = digests
  }
}

/// Digests that can be taken of a file.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// RFC 1321.
  case md5
  /// RFC 3174.
  case sha1
  /// FIPS 180-4.
  case sha256
  /// Castagnoli polynomial, RFC 3720 §12.1.
  case crc32c
}
