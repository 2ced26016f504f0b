struct URLOrigin: Hashable {
  let scheme: String
  let host: String

  /// `nil` if the text does not contain the whole host; `isWhole` means that nothing follows it.
  init?(_ text: String, isWhole: Bool) {
    guard let colon = text.schemeMark else { return nil }
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    // A port that may follow does not change the host.
    guard isWhole || authority.endIndex < rest.endIndex || authority.last == ":" else { return nil }
    let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    scheme = text[..<colon.lowerBound].lowercased()
    host =
      server.first == "["
      ? String(server.prefix { $0 != "]" }.dropFirst()).lowercased()
      : server.prefix { $0 != ":" }.lowercased()
    if host.isEmpty { return nil }
  }

  init?(_ template: DraftTemplate?, step: Int, in analysis: ExpressionAnalysis) {
    guard let template else { return nil }
    if let constant = template.constant {
      self.init(constant, isWhole: true)
    } else if !template.leadingText.isEmpty {
      self.init(template.leadingText, isWhole: false)
    } else if case .expression(let expression)? = template.parts.first,
      let text = analysis.entry(expression, in: step)?.syntax.firstSummand.literalText
    {
      self.init(text, isWhole: false)
    } else {
      return nil
    }
  }

  /// Whether the host is this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
  var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  func isOfSameOwner(as other: URLOrigin) -> Bool { host == other.host || domain == other.domain }

  /// The last two labels of a name; with a short second one, as in `example.co.uk`, three.
  private var domain: String {
    let labels = host.split(separator: ".")
    guard labels.count > 2, !labels.allSatisfy({ UInt8($0) != nil }), !host.contains(":")
    else { return host }
    let count = labels[labels.count - 2].count <= 3 && labels[labels.count - 1].count == 2 ? 3 : 2
    return labels.suffix(count).joined(separator: ".")
  }
}
