import Basics

/// A document that repeats things a checker may multiply, and the files that it uses.
///
/// A search changes its numbers for the worse, until the checker does more for it than for any other of its size.
struct SlowInput: CustomStringConvertible {
  /// The repeated text; each has two numbers.
  enum Kind: String, CaseIterable {
    case lets, conditions, chain, matchers, aliases, texts, unknown, outputs, loops, hosts, parts,
      uses

    /// Whether the document asks for more than its size, so that only the budget bounds it.
    var multiplies: Bool { [.aliases, .texts, .loops, .uses].contains(self) }
  }

  struct Gene {
    var kind: Kind
    var numbers: [Int]
  }

  private(set) var genes: [Gene]

  init(_ draws: inout SplitMix64, kinds: [Kind] = Kind.allCases) {
    genes = (0..<Int.random(in: 1...2, using: &draws)).map { _ in
      Gene(
        kind: kinds.randomElement(using: &draws) ?? .lets,
        numbers: (0..<2).map { _ in Int.random(in: 1...6, using: &draws) })
    }
  }

  /// The same with one number changed.
  func mutated(_ draws: inout SplitMix64) -> SlowInput {
    var other = self
    let gene = Int.random(in: 0..<genes.count, using: &draws)
    let place = Int.random(in: 0..<2, using: &draws)
    let number = genes[gene].numbers[place]
    let changes = [number * 2, number + 1, number + 7, number * 10, max(1, number / 2)]
    other.genes[gene].numbers[place] = changes.randomElement(using: &draws) ?? number
    return other
  }

  var description: String { genes.map { "\($0.kind) \($0.numbers)" }.joined(separator: ", ") }

  /// The used files by path.
  var files: [String: String] {
    var files: [String: String] = [:]
    for (index, gene) in genes.enumerated() where gene.kind == .uses {
      for level in 1...min(gene.numbers[1], 14) {
        let steps = (0..<min(gene.numbers[0], 500)).map { step in
          level == min(gene.numbers[1], 14)
            ? "  - { id: s\(step), request: { url: 'https://example.com/' } }\n"
            : "  - { id: s\(step), use: u\(index)l\(level + 1).yaml }\n"
        }
        files["u\(index)l\(level).yaml"] = "pipeline: u\nsteps:\n" + steps.joined()
      }
    }
    return files
  }

  /// The document; each gene has at most `limit` bytes.
  func text(limit: Int) -> String {
    var text =
      "pipeline: slow\ninputs: { server: { type: url }, secret: { type: secret }, fs: { type: files } }\nsteps:\n"
    for (index, gene) in genes.enumerated() {
      text += Self.text(gene, "g\(index)", limit: limit)
    }
    return text
  }

  private static func lines(_ count: Int, _ limit: Int, _ line: (Int) -> String) -> String {
    var text = ""
    for number in 0..<count where text.utf8.count < limit { text += line(number) }
    return text
  }

  private static func text(_ gene: Gene, _ id: String, limit: Int) -> String {
    let (a, b) = (gene.numbers[0], gene.numbers[1])
    func step(_ number: Int, _ rest: String) -> String { Self.step(id, number, rest) }
    func repeated(_ count: Int, _ separator: String, _ part: (Int) -> String) -> String {
      Self.repeated(count, separator, limit: limit, part)
    }
    switch gene.kind {
    case .lets:
      let values = lines(a, limit) { number in
        let sum = repeated(b, " + ") { _ in number == 0 ? "inputs.server" : "n\(number - 1)" }
        return "      n\(number): '${{ \(sum) }}'\n"
      }
      return
        "  - id: \(id)\n    let:\n\(values)    request: { url: '${{ n\(max(0, values.count(where: { $0 == "\n" }) - 1)) }}' }\n"
    case .conditions:
      return lines(a, limit) { number in
        let all = repeated(b, " && ") { "inputs.server != \"a\($0)\"" }
        return step(number, "if: '${{ \(all) }}', outputs: { o: '${{ response.json.o }}' }")
      }
    case .chain:
      return lines(a, limit) { number in
        let reads = repeated(min(b, number), " + ") { "string(steps.\(id)s\(number - 1 - $0).o)" }
        return step(
          number,
          "if: '${{ inputs.server == \"\(number)\" }}', outputs: { o: '${{ response.json.o\(reads.isEmpty ? "" : " + \(reads)") }}' }"
        )
      }
    case .matchers:
      let entries = lines(a, limit) { number in
        let all = repeated(b, " && ") { "response.json.a\($0) == \(number)" }
        return "      - { if: '${{ \(all) }}', then: fail }\n"
      }
      return "  - id: \(id)\n    request: { url: 'https://example.com/' }\n    on:\n\(entries)"
    case .aliases:
      let levels = repeated(min(a, 90), ", ") { level in
        let aliases = repeated(b, ", ") { _ in
          level == 0 ? "'${{ inputs.server }}'" : "*\(id)\(level - 1)"
        }
        return "l\(level): &\(id)\(level) [\(aliases)]"
      }
      return
        "  - id: \(id)\n    request: { method: POST, url: 'https://example.com/', json: { \(levels) } }\n"
    default: return further(gene, id, limit: limit)
    }
  }

  private static func step(_ id: String, _ number: Int, _ rest: String) -> String {
    "  - { id: \(id)s\(number), \(rest), request: { url: '${{ inputs.server }}/a' } }\n"
  }

  private static func repeated(
    _ count: Int, _ separator: String, limit: Int, _ part: (Int) -> String
  ) -> String {
    var text = ""
    for number in 0..<count where text.utf8.count < limit / 4 {
      text += (number == 0 ? "" : separator) + part(number)
    }
    return text
  }

  private static func further(_ gene: Gene, _ id: String, limit: Int) -> String {
    let (a, b) = (gene.numbers[0], gene.numbers[1])
    func repeated(_ count: Int, _ separator: String, _ part: (Int) -> String) -> String {
      Self.repeated(count, separator, limit: limit, part)
    }
    switch gene.kind {
    case .lets, .conditions, .chain, .matchers, .aliases: return text(gene, id, limit: limit)
    case .texts:
      let whole = repeated(a, "") { _ in "${{ inputs.server }}" }
      let aliases = repeated(b, "") { _ in ", *\(id)" }
      return
        "  - id: \(id)\n    request: { method: POST, url: 'https://example.com/', json: [&\(id) 'x\(whole)'\(aliases)] }\n"
    case .unknown:
      let names = lines(a, limit) {
        "        - '${{ imputs.server\($0)\(String(repeating: "x", count: min(b, 80))) }}'\n"
      }
      return
        "  - id: \(id)\n    request:\n      method: POST\n      url: https://example.com/\n      json:\n\(names)"
    case .outputs:
      let outputs = lines(a, limit / 2) { "      o\($0): '${{ response.json.o\($0) }}'\n" }
      let readers = lines(b, limit / 2) { number in
        "  - { id: \(id)r\(number), request: { url: 'https://example.com/${{ steps.\(id).o\(number % a) }}' } }\n"
      }
      return
        "  - id: \(id)\n    request: { url: 'https://example.com/' }\n    outputs:\n\(outputs)\(readers)"
    case .loops:
      let list = "[\(repeated(b, ",") { "\($0)" })]"
      let loops = (0..<min(a, 12)).reduce("false") { "\(list).exists(v\($1), \($0))" }
      return lines(20, limit) { step(id, $0, "if: '${{ \(loops) }}'") }
    case .hosts:
      return lines(a, limit) { number in
        "  - { id: \(id)h\(number), request: { url: 'https://a\(number % b).example\(number % b).com/', bearer: '${{ inputs.secret }}' } }\n"
      }
    case .parts:
      let steps = lines(a, limit) {
        "          - { id: \(id)p\($0), request: { url: 'https://example.com/\($0)' } }\n"
      }
      return
        "  - for_each: f\n    id: \(id)l\n    in: ${{ inputs.fs }}\n    steps:\n      - id: \(id)\n        for_each: p\n        in: '${{ parts(f.size, {\"size\": \(b)}) }}'\n        steps:\n\(steps)"
    case .uses:
      return "  - { id: \(id), use: u\(id.dropFirst())l1.yaml }\n"
    }
  }
}
