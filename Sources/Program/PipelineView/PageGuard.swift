/// Decides which requests are the user's.
///
/// Other users of the machine do not know the token. Pages of other sites that the user has open do not either, and cannot read a response;
/// a name that was rebound to this address (DNS rebinding) is not in `hosts`.
struct PageGuard: Sendable {
  /// The first component of each path.
  let token: String
  /// The values of `Host` that name this server.
  let hosts: Set<String>

  /// The components of the path after the token.
  func path(of request: Request) throws(PageError) -> [Substring] {
    guard let host = request.head.authority, hosts.contains(host.lowercased()) else {
      throw PageError(.misdirectedRequest, "the address of this page is another one")
    }
    if let origin = request.headers[.origin], origin.lowercased() != "http://" + host.lowercased() {
      throw PageError(.forbidden, "the request is from a page of another site")
    }
    let path = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard let first = path.first, isToken(first) else {
      throw PageError(
        .forbidden, "the address has no valid token; `pipeline view` prints the address")
    }
    return Array(path.dropFirst())
  }

  /// Compares in a time that does not depend on the first difference.
  private func isToken(_ text: Substring) -> Bool {
    let (known, given) = (Array(token.utf8), Array(text.utf8))
    var difference = known.count ^ given.count
    for index in known.indices {
      difference |= Int(known[index] ^ (index < given.count ? given[index] : 0))
    }
    return difference == 0
  }
}
