/// A short HTTP request, as the author wrote it.
public struct RequestTemplate: Hashable, Sendable {
  /// How a request is authorized.
  public typealias Authorization = RequestAuthorization<Compiled>
  /// The content of a request.
  public typealias Body = RequestBody<Compiled>
  /// A name and its value.
  public typealias Field = NamedTemplate<Compiled>

  /// How to handle a response that redirects a request.
  public enum Redirects: Hashable, Sendable {
    /// Redirects that keep the request are followed; a body is never sent to another origin.
    case follow
    /// Every redirect is the response.
    case forbid
    /// As ``follow``, but only to these hosts, which may receive a body.
    case to([HostPattern])
  }

  /// The method, in capitals.
  public let method: String
  /// The absolute URL.
  public let url: Template
  /// Query items, escaped and appended to the URL.
  public let query: [Field]
  /// Headers in order; one whose value is `null` is left out.
  public let headers: [Field]
  /// Maps of headers among ``headers``.
  public let headerMaps: [HeaderMap<Compiled>]
  /// How the request is authorized.
  public let authorization: Authorization?
  /// The content of the request.
  public let body: Body?
  /// Timeout of the whole exchange.
  public let timeout: Duration
  /// How to handle a redirect.
  public let redirects: Redirects
  /// Most bytes of the response's body; `nil` for the transport's own limit.
  public let maximumResponse: Int64?
  /// The name of the rate that it counts towards; `nil` if it does not name a rate.
  public let rate: String?
  /// Whether it sends the cookies that responses to the item's requests set, and keeps new ones.
  public let keepsCookies: Bool

  /// Default timeout of a short request: 30 s, which is all the time that a process
  /// has when a finished transfer resumes it (BT2).
  public static let defaultTimeout: Duration = .seconds(30)

  /// Makes a request.
  public init(
    method: String = "GET", url: Template, query: [Field] = [], headers: [Field] = [],
    headerMaps: [HeaderMap<Compiled>] = [],
    authorization: Authorization? = nil, body: Body? = nil, timeout: Duration = defaultTimeout,
    redirects: Redirects = .follow, maximumResponse: Int64? = nil, rate: String? = nil,
    keepsCookies: Bool = false
  ) {
    self.keepsCookies = keepsCookies
    (self.rate, self.headerMaps, self.maximumResponse) = (rate, headerMaps, maximumResponse)
    (self.method, self.url, self.query, self.headers) = (method, url, query, headers)
    (self.authorization, self.body, self.timeout) = (authorization, body, timeout)
    self.redirects = redirects
  }

  func timed(_ timeout: Duration) -> Self {
    Self(
      method: method, url: url, query: query, headers: headers, headerMaps: headerMaps,
      authorization: authorization, body: body, timeout: timeout, redirects: redirects,
      maximumResponse: maximumResponse, rate: rate, keepsCookies: keepsCookies)
  }
}
