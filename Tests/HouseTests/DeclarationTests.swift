import Testing

/// Types and functions stay small enough to be understood: few methods, arguments that the call explains,
/// and equality that the compiler derives, so that it cannot omit a member.
///
/// Each table states what is over its limit at present. An entry may become smaller, and is then lowered
/// or removed here; no entry may grow or be added.
struct DeclarationTests {
  static let methodsPerType = 60
  static let unlabeledParameters = 4

  /// The number of methods of the types that have too many, in all extensions, by target.
  static let largeTypes = [
    "PipelineAuthoring.DocumentAnalysis": 66,
    "PipelineCore.Evaluator": 118,
    "PipelineCore.Frames": 89,
    "PipelineCore.Machine": 154,
    "PipelineDocument.DocumentReader": 165,
  ]

  /// The number of functions with too many unlabeled parameters, by target.
  static let longSignatures = [
    "CEL": 4, "JSONSchema": 2, "PipelineAuthoring": 1, "PipelineCore": 2, "PipelineDocument": 7,
    "PipelineEngine": 5, "PipelineFiles": 1, "PipelineScenarios": 1, "PipelineSimulator": 6,
    "pipeline": 2,
  ]

  /// The number of functions with an unlabeled Boolean parameter, by target; some only write the value.
  static let unexplainedFlags = [
    "Basics": 1, "JSONSchema": 2, "PipelineCommands": 1, "PipelineConformance": 1,
    "PipelineHTTP": 1, "PipelinePostgreSQL": 2, "PipelineSQLite": 1, "pipeline": 1,
  ]

  /// Why `==` or `hash(into:)` of a type is written by hand.
  static let handwritten = [
    "Basics.ByteExact ==": "compares code points instead of characters",
    "Basics.ByteExact hash": "belongs to its ==",
    "Basics.EqualValue ==": "compares JSON values, whose members have no order",
    "Basics.EqualValue hash": "belongs to its ==",
    "Basics.JSONNumber ==": "compares mathematical values",
    "Basics.JSONNumber hash": "belongs to its ==",
    "Basics.SourcePosition ==": "not every reader counts the offset",
    "Basics.SourcePosition hash": "belongs to its ==",
    "CEL.CompiledExpression ==": "text and type determine the rest",
    "CEL.CompiledExpression hash": "belongs to its ==",
    "CEL.MapValue ==": "entries have no order",
    "CEL.MapValue hash": "belongs to its ==",
    "CEL.Value ==": "numbers of different types can be equal",
    "CEL.Value hash": "belongs to its ==",
    "PipelineCore.EffectID hash":
      "all members are compared; the run is the same in each collection",
    "PipelineCore.FileValue ==": "compares all facts, unless the object is the same",
    "PipelineCore.FileValue hash": "files of the same path are rarely compared",
    "PipelineCore.KeptResponse ==": "a class, for which the compiler derives nothing",
    "PipelineCore.KeptResponse hash": "belongs to its ==",
    "PipelineDocument.Diagnostic hash": "all members are compared; these distinguish them",
    "PipelineDocument.FileName ==": "its only member is a reference without ==",
    "PipelineDocument.FileName hash": "belongs to its ==",
    "PipelineDocument.ExpressionAnalysis.Key hash": "all members are compared, one number hashed",
  ]

  @Test func `no type has too many methods`() throws {
    var counts: [String: Int] = [:]
    for one in try Declaration.all where one.isMethod { counts[one.type, default: 0] += 1 }
    let large = counts.filter { $0.value > Self.methodsPerType }
    #expect(large == Self.largeTypes)
  }

  @Test func `no function has too many unlabeled parameters`() throws {
    let long = try Declaration.all.filter { $0.unlabeled.count > Self.unlabeledParameters }
    #expect(Self.counts(long) == Self.longSignatures)
  }

  @Test func `no function has an unlabeled flag`() throws {
    let unexplained = try Declaration.all.filter { one in
      one.unlabeled.contains { $0.hasSuffix(": Bool") }
    }
    #expect(Self.counts(unexplained) == Self.unexplainedFlags)
  }

  @Test func `equality is derived`() throws {
    let found = try Declaration.all.compactMap { one -> String? in
      if one.isIdentity { return nil }
      if one.name == "==" { return one.type + " ==" }
      return one.name == "hash" && one.text.hasPrefix("hash(into") ? one.type + " hash" : nil
    }
    #expect(found.sorted() == Self.handwritten.keys.sorted())
  }

  @Test func `the measure sees methods, parameters and equality`() {
    let text = """
      struct A {
        func one(_ first: Int, _ second: [Int: Bool], third: Bool = (false)) -> Bool { true }

        struct B {
          static func == (left: Self, right: Self) -> Bool {
            left.x == right.x
          }
        }
      }

      extension A.B: Hashable {
        public mutating func two(
          _ flag: Bool,
          _ other: (Int, Int)
        ) {}
      }

      final class C {
        static func == (left: C, right: C) -> Bool { left === right }
      }
      """
    let found = Declaration.read(
      SourceFile(path: "Sources/Area/T/A.swift", lines: text.split(separator: "\n")))
    #expect(found.map(\.type) == ["T.A", "T.A.B", "T.A.B", "T.C"])
    #expect(found.map(\.name) == ["one", "==", "two", "=="])
    #expect(found.map(\.unlabeled.count) == [2, 0, 2, 0])
    #expect(found[2].unlabeled == ["_ flag: Bool", "_ other: (Int, Int)"])
    #expect(found.map(\.isIdentity) == [false, false, false, true])
  }

  private static func counts(_ found: [Declaration]) -> [String: Int] {
    found.reduce(into: [:]) { $0[$1.target, default: 0] += 1 }
  }
}

/// A function or an initializer, in the form of `swift format`.
struct Declaration {
  let target: String
  /// The target and the type, as in `PipelineCore.Machine`.
  let type: String
  /// `init`, an operator, or the name.
  let name: String
  /// From its name to its end, or to the end of a line with it.
  let text: String

  var isMethod: Bool { name != "init" }
  /// Whether it compares references, which omits nothing.
  var isIdentity: Bool { name == "==" && text.contains("===") && !text.contains("||") }

  /// The parameters without a label, each with its type.
  var unlabeled: [String] {
    var (depth, parameters, current) = (0, [String](), "")
    for character in text.drop(while: { $0 != "(" }) {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if depth == 0 || depth == 1 && character == "," {
        parameters.append(current)
        current = ""
        if depth == 0 { break }
      } else if depth > 1 || character != "(" {
        current.append(character)
      }
    }
    return parameters.map { $0.split(separator: " ").joined(separator: " ") }
      .filter { $0.hasPrefix("_ ") }.map { String($0.prefix { $0 != "=" }) }
  }

  /// Those of all sources.
  static var all: [Declaration] { get throws { try found.get() } }
  private static let found = Result {
    try PackageFolder.swiftFiles(under: "Sources").flatMap(read)
  }

  static func read(_ file: SourceFile) -> [Declaration] {
    var found: [Declaration] = []
    var types: [(indent: Int, name: String)] = []
    for (index, line) in file.lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split(separator: " ")
      guard let first = words.first, !first.hasPrefix("//"), !first.hasPrefix("\"") else {
        continue
      }
      if !")]}{".contains(first.first ?? " ") {
        types.removeAll { $0.indent >= indent }
      }
      guard let keyword = words.firstIndex(where: { !modifiers.contains($0) && !$0.hasPrefix("@") })
      else { continue }
      let rest = words[keyword...]
      if typeKeywords.contains(rest[keyword]), rest.count > 1 {
        types.append((indent, String(rest[keyword + 1].prefix { !":<".contains($0) })))
      } else if let type = types.last, type.indent == indent - 2,
        rest[keyword] == "func" || rest[keyword].hasPrefix("init(") || rest[keyword] == "init"
      {
        let end = file.lines[index...].firstIndex { "{}".contains($0.last ?? " ") } ?? index
        let text = file.lines[index...end].map { $0.drop { $0 == " " } }.joined(separator: " ")
        let start =
          rest[keyword] == "func"
          ? text.firstRange(of: "func ")?.upperBound : text.firstRange(of: "init")?.lowerBound
        let body = text[(start ?? text.startIndex)...]
        let name = body.prefix { !"(< ".contains($0) || body.hasPrefix(String($0)) }
        found.append(
          Declaration(
            target: file.target, type: ([file.target] + types.map(\.name)).joined(separator: "."),
            name: name.hasPrefix("==") ? "==" : String(name), text: String(body)))
      }
    }
    return found
  }

  private static let typeKeywords: Set<Substring> = [
    "struct", "class", "enum", "actor", "extension", "protocol",
  ]
  private static let modifiers: Set<Substring> = [
    "public", "package", "private", "fileprivate", "internal", "static", "mutating", "final",
    "indirect", "nonisolated", "override", "consuming", "borrowing", "convenience", "required",
  ]
}
