extension Representation {
  /// The file in a response to a request for the whole file.
  init(_ head: ResponseHead, mayBeCoded: Bool) {
    let codings = head.list("content-encoding").filter { $0 != "identity" }
    self.init(
      size: head.first("transfer-encoding") == nil
        ? head.first("content-length").flatMap { Int64($0) } : nil,
      validator: Self.validator(of: head), contentType: head.first("content-type"),
      coding: mayBeCoded || codings.isEmpty ? nil : codings.joined(separator: ", "))
  }

  /// Seconds by which a representation must be older than the response for its date to identify it.
  ///
  /// RFC 9110 §8.8.2.2 asks for one second on one clock; the sixty of RFC 7232 also cover a server whose files have
  /// the dates of another machine.
  private static let leastAge: Int64 = 60
  /// 2033: the reference for years of two digits in obsolete dates.
  private static let farFuture: Int64 = 2_000_000_000

  /// The value of `If-Range` (RFC 9110 §13.1.5): a strong entity tag or, without any tag, a strong date.
  private static func validator(of head: ResponseHead) -> String? {
    if let tag = head.first("etag") {
      return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count >= 2 ? tag : nil
    }
    guard let text = head.first("last-modified"),
      let modified = HTTPDate.seconds(of: text, at: farFuture),
      let date = head.first("date").flatMap({ HTTPDate.seconds(of: $0, at: farFuture) }),
      date - modified >= leastAge
    else { return nil }
    return text
  }

  /// Whether a partial response is of this representation; it must repeat the entity tag (RFC 9110 §15.3.7), but not a date.
  func isSame(in head: ResponseHead) -> Bool {
    guard let validator else { return false }
    if validator.hasPrefix("\"") { return head.first("etag") == validator }
    if head.first("etag") != nil { return false }
    return head.first("last-modified").map { $0 == validator } ?? true
  }
}
