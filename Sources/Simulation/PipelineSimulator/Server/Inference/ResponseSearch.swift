/// Searches for responses with some property, among those that differ in what expressions read.
///
/// Each part has a few candidates, likeliest first. All parts have their first one; then one deviates, then two.
struct ResponseSearch {
  private struct Slot {
    let path: ResponseReads.Path
    let candidates: [ResponseShape]
  }

  let reads: ResponseReads
  private let statuses: [Int]
  private var slots: [Slot] = []
  /// Other candidates for each text or number: a number that the response is to report.
  private let told: [ResponseShape]
  /// The texts that the whole text is compared with; if it is JSON, each of its texts is a part of it.
  private let words: [ResponseShape]

  /// The candidates that make a response: those that are not the first, by the position of their part.
  struct Choice: Hashable, Sendable {
    fileprivate var candidates: [Int: Int] = [:]
    fileprivate var status = 200
  }

  /// Maximum number of responses to try, in each order.
  private static let limit = 4000

  /// A search for a response that may have to report one of `numbers`: among `statuses`, the likeliest first, and those
  /// of the statuses in conditions that `isNamed` accepts.
  init(
    _ reads: ResponseReads, statuses: [Int], numbers: [Int64] = [],
    where isNamed: (Int) -> Bool = { _ in false }
  ) {
    self.reads = reads
    told = numbers.flatMap(Self.forms)
    words = reads.root.members.first { $0.key == "text" }?.node.compared ?? []
    self.statuses = statuses + reads.statuses.filter { isNamed($0) && !statuses.contains($0) }
    let isJSON = reads.root.members.contains { $0.key == "json" }
    for part in reads.root.members where part.key != "text" || !isJSON {
      collect(part.node, [.member(part.key)])
    }
  }

  private mutating func collect(_ node: ResponseReads.Node, _ path: ResponseReads.Path) {
    guard path.count > 1 || path != [.member("headers")] else {
      for member in node.members { collect(member.node, path + [.member(member.key)]) }
      return
    }
    var candidates = Self.candidates(for: node, name: Self.name(of: path))
    if !candidates.isEmpty, node.members.isEmpty, node.elements.isEmpty {
      if path.first == .member("json") { candidates += words.filter { !candidates.contains($0) } }
      candidates.insert(contentsOf: told, at: 1)
    }
    if !candidates.isEmpty { slots.append(Slot(path: path, candidates: candidates)) }
    for member in node.members { collect(member.node, path + [.member(member.key)]) }
    if let element = node.elements.first { collect(element, path + [.element]) }
  }

  /// How servers report their number of bytes: the number, the last byte (RFC 9110 §14.4), or the next expected one.
  private static func forms(of number: Int64) -> [ResponseShape] {
    let last = number &- 1
    return [
      .value(.int(number)), .value(.string("\(number)")), .value(.int(last)),
      .value(.string("bytes=0-\(last)")), .value(.string("bytes 0-\(last)/*")),
      .value(.string("0-\(last)")), .value(.string("\(number)-")), .absent,
    ]
  }

  private static func name(of path: ResponseReads.Path) -> String {
    for case .member(let name) in path.reversed() { return name }
    return "value"
  }

  /// Candidates for a part; none if its members determine it.
  private static func candidates(for node: ResponseReads.Node, name: String) -> [ResponseShape] {
    let mayMiss = node.uses.contains(.presence)
    let missing = mayMiss ? [ResponseShape.absent] : []
    if !node.members.isEmpty {
      // A value that is read like an object and like a list may be either.
      guard node.elements.isEmpty else { return [.object([])] + lists(node) + missing }
      return mayMiss ? [.object([])] + missing : []
    }
    if !node.elements.isEmpty || node.uses.contains(.list) {
      return lists(node) + (node.elements.isEmpty ? [.identifier(name)] : []) + missing
    }
    var forms = node.compared
    for case .value(.int(let number)) in node.compared {
      forms += [.value(.int(number &+ 1)), .value(.int(number &- 1))]
    }
    forms += node.uses.flatMap { self.forms(for: $0, name) } + guesses(from: name)
    forms += [
      .identifier(name), .value(true), .value(false), .number, .moment, .life, .lifeText,
      .link(name), .momentSeconds, .value(.int(1)), .value(.int(0)), .value(""), .value(.null),
      .list([]), .object([]), .absent,
    ]
    var seen: Set<ResponseShape> = []
    return forms.filter { seen.insert($0).inserted }
  }

  private static func lists(_ node: ResponseReads.Node) -> [ResponseShape] {
    let lengths = node.lengths.filter { (0...20).contains($0) }.map(Int.init)
    var seen: Set<Int> = []
    let lists = (lengths + [2, 1, 0, 3]).filter { seen.insert($0).inserted }
      .map { ResponseShape.list(Array(repeating: .absent, count: $0)) }
    return (node.uses.contains(.each) ? [.each(.absent)] : []) + lists
  }

  private static func forms(for use: ResponseReads.Use, _ name: String) -> [ResponseShape] {
    switch use {
    case .bool: [.value(true), .value(false)]
    case .text: [.identifier(name)]
    case .number: guesses(from: name) + [.value(.int(1)), .number]
    case .moment: [.moment]
    case .momentSeconds: [.momentSeconds]
    case .life: [.life]
    case .lifeText: [.lifeText]
    case .link: [.link(name)]
    case .signedLink: [.signedLink(name)]
    case .list, .presence, .each: []
    }
  }

  private static func guesses(from name: String) -> [ResponseShape] {
    let name = name.lowercased()
    func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
    if has("expires_in", "expiresin", "ttl", "lifetime", "max_age") { return [.life] }
    if has("expires", "expiry", "_at", "until") { return [.moment] }
    if has("url", "uri", "href", "location", "link") { return [.link(name)] }
    if ["part", "chunk", "block", "piece"].contains(where: { has($0) }), has("size", "length") {
      return [.value(.int(16 << 20))]
    }
    if has("size", "count", "length", "offset", "bytes") { return [.number] }
    return []
  }

  /// The first response for which `isGood` holds; the one of a `known` choice is tried before all others.
  ///
  /// - Parameter isThorough: Whether to try the second order too, which is too slow for each turn of a simulation.
  func first(
    trying known: Choice?, isThorough: Bool, where isGood: (ResponsePlan) -> Bool
  ) -> (plan: ResponsePlan, choice: Choice)? {
    if let known {
      let plan = plan(known.candidates, status: known.status)
      if isGood(plan) { return (plan, known) }
    }
    return choices(1, isThorough: isThorough, where: isGood).first
  }

  /// The first responses for which `isGood` holds, at most `count` of them.
  func found(_ count: Int, where isGood: (ResponsePlan) -> Bool) -> [ResponsePlan] {
    choices(count, isThorough: true, where: isGood).map(\.plan)
  }

  private func choices(
    _ count: Int, isThorough: Bool, where isGood: (ResponsePlan) -> Bool
  ) -> [(plan: ResponsePlan, choice: Choice)] {
    var tried = 0
    var found: [(plan: ResponsePlan, choice: Choice)] = []
    func visit(_ choice: [Int: Int]) -> Bool {
      for status in statuses {
        guard tried < Self.limit else { return false }
        tried += 1
        let plan = plan(choice, status: status)
        if isGood(plan) { found.append((plan, Choice(candidates: choice, status: status))) }
        if found.count >= count { return false }
      }
      return true
    }
    guard visit([:]) else { return found }
    for first in slots.indices {
      for one in slots[first].candidates.indices.dropFirst() {
        guard visit([first: one]) else { return found }
      }
    }
    func visitPairs(_ order: [Int]) {
      for (place, first) in order.enumerated() {
        for second in order.dropFirst(place + 1) {
          for one in slots[first].candidates.indices.dropFirst() {
            for other in slots[second].candidates.indices.dropFirst() {
              guard visit([first: one, second: other]) else { return }
            }
          }
        }
      }
    }
    visitPairs(Array(slots.indices))
    guard found.isEmpty, tried >= Self.limit, isThorough else { return found }
    // Not all pairs were tried: now those of parts with few candidates first, such as lists, which decide most.
    tried = 0
    visitPairs(
      slots.indices.sorted { (slots[$0].candidates.count, $0) < (slots[$1].candidates.count, $1) })
    return found
  }

  // MARK: Assembling a response

  private func plan(_ choice: [Int: Int], status: Int) -> ResponsePlan {
    var forms: [ResponseReads.Path: ResponseShape] = [:]
    for (index, slot) in slots.enumerated() {
      forms[slot.path] = slot.candidates[choice[index] ?? 0]
    }
    var plan = ResponsePlan(status: status)
    for part in reads.root.members {
      let path: ResponseReads.Path = [.member(part.key)]
      switch part.key {
      case "headers":
        plan.headers = part.node.members.map { header in
          let form = forms[path + [.member(header.key)]] ?? .absent
          return ResponseShape.Member(key: header.key.lowercased(), form: form)
        }
      case "text": plan.text = forms[path]
      case "xml": plan.xml = form(part.node, path, forms)
      default: plan.json = form(part.node, path, forms)
      }
    }
    return plan
  }

  private func form(
    _ node: ResponseReads.Node, _ path: ResponseReads.Path,
    _ forms: [ResponseReads.Path: ResponseShape]
  ) -> ResponseShape {
    let chosen = forms[path]
    switch chosen {
    case .absent?: return .absent
    case .list(let places)?:
      guard let element = node.elements.first
      else { return .list(places.map { _ in .identifier(Self.name(of: path)) }) }
      return .list(places.map { _ in form(element, path + [.element], forms) })
    case .each?:
      guard let element = node.elements.first
      else { return .each(.identifier(Self.name(of: path))) }
      return .each(form(element, path + [.element], forms))
    default: break
    }
    guard node.members.isEmpty else {
      return .object(
        node.members.map { member in
          ResponseShape.Member(
            key: member.key, form: form(member.node, path + [.member(member.key)], forms))
        })
    }
    return chosen ?? .object([])
  }
}
