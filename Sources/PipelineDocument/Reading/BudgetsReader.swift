import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func budgets(_ node: YAMLNode) -> DraftBudgets? {
    guard let fields = fields(node, .budgets) else { return nil }
    var rates: [Rate] = []
    if let count = fields.integer("requests_per_second") {
      if count <= Rate.maximumRequests {
        rates.append(Rate(name: Rate.ofAllRequests, requests: count, period: .seconds(1)))
      } else if let node = fields["requests_per_second"] {
        collector.report(
          .outOfRange,
          "'requests_per_second' is \(count), expected at most \(Rate.maximumRequests)",
          at: range(node))
      }
    }
    let named = (fields["rates"].flatMap { map($0, of: "rates by name") } ?? []).filter { name, _ in
      check(rateName: name)
    }
    rates += named.compactMap { name, node in rate(node, name: name.value) }
    return DraftBudgets(
      limits: Budgets(
        diskBytes: fields["disk"].flatMap(disk), transfers: fields.integer("transfers"),
        rates: rates, bytesPerSecond: fields["bytes_per_second"].flatMap(bytesPerSecond)),
      rates: named.map(\.name))
  }

  private func disk(_ node: YAMLNode) -> Int64? {
    guard let bytes = size(node) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'disk' is 0, in which no file fits", at: range(node),
        help:
          "write how much all body files may take together, such as '512 MiB', or leave out the key"
      )
    }
    return bytes
  }

  private func check(rateName name: Located<String>) -> Bool {
    guard name.value != Rate.ofAllRequests else {
      collector.report(
        .reservedName, "'\(name.value)' is the rate of all requests, which has a key of its own",
        at: name.range, help: "write '\(name.value): 10' under 'budgets'")
      return false
    }
    return check(name: name, of: "the name of a rate", allowsHyphen: true)
  }

  private func rate(_ node: YAMLNode, name: String) -> Rate? {
    guard node.mapping != nil else {
      return requestRate(node).map { Rate(name: name, requests: $0.requests, period: $0.period) }
    }
    guard let fields = fields(node, .pace), let limit = fields["limit"].flatMap(requestRate)
    else { return nil }
    let burst = fields.integer("burst") ?? 1
    guard burst <= limit.requests else {
      return collector.refuse(
        .outOfRange, "'burst' is \(burst), expected at most the \(limit.requests) of 'limit'",
        at: fields["burst"].map(range) ?? fields.headRange)
    }
    return Rate(name: name, requests: limit.requests, period: limit.period, burst: burst)
  }

  private func requestRate(_ node: YAMLNode) -> RequestRateLiteral? {
    scalarText(node, expected: "a rate such as '6/1m'").flatMap {
      literal($0, .invalidRate, RequestRateLiteral.init)
    }
  }

  private func bytesPerSecond(_ node: YAMLNode) -> Int64? {
    if let text = node.string, text.hasSuffix("/s") {
      let rest = String(text.dropLast(2))
      return collector.refuse(
        .invalidSize, "'\(text)' is a size per second, expected a size: the key says the rest",
        at: range(node), nearest: rest)
    }
    guard let bytes = size(node) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'bytes_per_second' is 0, expected at least 1 byte", at: range(node))
    }
    return bytes
  }

  func rate(_ fields: FieldReader) -> Located<String>? {
    fields["rate"].flatMap { name($0, of: "the name of a rate", allowsHyphen: true) }
  }
}
