/// Where the pages of checks are, for editors and reports that link to them.
///
/// The project has no address on the web, so anyone who publishes `docs` names theirs. On a machine with the pages, their
/// file does.
public struct RulePages: Hashable, Sendable {
  /// The URL of the page with all checks.
  private let page: String
  /// Whether the pages are on the web, so that a link to them works on other machines too.
  public let isPublic: Bool

  /// Names the folder of `checks.md` by an `http`, `https` or `file` URL, or by its absolute path; `nil` for anything else.
  public init?(folder: String) {
    let scheme = folder.prefix { $0 != ":" }.lowercased()
    isPublic = folder.contains("://") && (scheme == "https" || scheme == "http")
    let base: String
    if isPublic || folder.lowercased().hasPrefix("file:///") {
      base = folder
    } else if folder.hasPrefix("/") {
      base = "file://" + PercentEncoding.encode(folder, keeping: "/!$&'()*+,;=@")
    } else {
      return nil
    }
    page = base + (base.hasSuffix("/") ? "" : "/") + "checks.md"
  }

  /// The URL of a check's page.
  public func address(of code: DiagnosticCode) -> String { "\(page)#\(code.rawValue)" }
}
