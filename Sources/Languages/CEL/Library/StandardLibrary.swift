extension Library {
  /// The functions, operators, types and macros of the language's specification.
  public static let standard = Library(
    name: "standard", functions: operators + conversions + collections + texts + timestamps,
    constants: [
      ("bool", .type(.bool)), ("bytes", .type(.bytes)), ("double", .type(.double)),
      ("int", .type(.int)), ("list", .type(.list)), ("map", .type(.map)),
      ("null_type", .type(.null)), ("string", .type(.string)), ("type", .type(.type)),
      ("uint", .type(.uint)), ("dyn", .type(TypeName("dyn"))),
      ("google.protobuf.Timestamp", .type(.timestamp)),
      ("google.protobuf.Duration", .type(.duration)),
    ],
    macros: Macro.standard)

  private static let operators: [Function] = {
    let a = ValueType.parameter("A")
    let numbers: [ValueType] = [.int, .uint, .double]
    func arithmetic(_ extra: [Overload] = [], types: [ValueType] = numbers) -> [Overload] {
      types.map { .operator($0, $0, returns: $0) } + extra
    }
    let ordered = numbers + [.bool, .string, .bytes, .timestamp, .duration]
    var relations: [Overload] = ordered.map { .operator($0, $0, returns: .bool) }
    for left in numbers {
      for right in numbers where left != right {
        relations.append(.operator(left, right, returns: .bool))
      }
    }
    let equality: [Overload] = [.operator(a, a, returns: .bool)]
    return [
      Function("_==_", overloads: equality), Function("_!=_", overloads: equality),
      Function("_<_", overloads: relations), Function("_<=_", overloads: relations),
      Function("_>_", overloads: relations), Function("_>=_", overloads: relations),
      Function(
        "_+_",
        overloads: arithmetic([
          .operator(.string, .string, returns: .string), .operator(.bytes, .bytes, returns: .bytes),
          .operator(.list(a), .list(a), returns: .list(a)),
          .operator(.timestamp, .duration, returns: .timestamp),
          .operator(.duration, .timestamp, returns: .timestamp),
          .operator(.duration, .duration, returns: .duration),
        ])),
      Function(
        "_-_",
        overloads: arithmetic([
          .operator(.timestamp, .duration, returns: .timestamp),
          .operator(.timestamp, .timestamp, returns: .duration),
          .operator(.duration, .duration, returns: .duration),
        ])),
      Function("_*_", overloads: arithmetic()), Function("_/_", overloads: arithmetic()),
      Function("_%_", overloads: arithmetic(types: [.int, .uint])),
      Function("!_", .operator(.bool, returns: .bool)),
      Function("-_", .operator(.int, returns: .int), .operator(.double, returns: .double)),
      Function(
        "@in", .operator(a, .list(a), returns: .bool),
        .operator(a, .map(a, .parameter("B")), returns: .bool)),
    ]
  }()

  private static let collections: [Function] = {
    let list = ValueType.list(.parameter("A"))
    let map = ValueType.map(.parameter("A"), .parameter("B"))
    let size: Overload.Body = { (arguments, meter) throws(EvaluationError) in
      switch arguments[0] {
      case .string(let text):
        try meter.charge(octets: text.utf8.count)
        return .int(Int64(text.unicodeScalars.count))
      case .bytes(let bytes): return .int(Int64(bytes.count))
      case .list(let elements): return .int(Int64(elements.count))
      case .map(let map): return .int(Int64(map.count))
      default: throw .noOverload("'size'", arguments[0])
      }
    }
    let sized = [.string, .bytes, list, map]
    return [
      Function(
        "size",
        overloads: sized.flatMap { type -> [Overload] in
          [
            .function(type, returns: .int, cost: .constant, body: size),
            .method(type, returns: .int, cost: .constant, body: size),
          ]
        })
    ]
  }()

  private static let texts: [Function] = [
    Function("contains", text { $0.containsScalars(of: $1) }),
    Function("startsWith", text { $0.utf8.starts(with: $1.utf8) }),
    Function(
      "endsWith",
      text {
        $0.utf8.count >= $1.utf8.count && $0.utf8.suffix($1.utf8.count).elementsEqual($1.utf8)
      }),
    Function(
      "matches", .function(.string, .string, returns: .bool, body: matches),
      .method(.string, .string, returns: .bool, body: matches)),
  ]

  private static func text(_ test: @escaping @Sendable (String, String) -> Bool) -> Overload {
    .method(.string, .string, returns: .bool) { (arguments, _) throws(EvaluationError) in
      .bool(test(arguments.text(0), arguments.text(1)))
    }
  }

  private static let matches: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let (text, expression) = try pattern(arguments, &meter)
    return .bool(try expression.matches(in: text, &meter))
  }
}

extension String {
  func containsScalars(of part: String) -> Bool {
    firstOffset(of: Array(part.utf8), in: Array(utf8), from: 0) != nil
  }
}

/// Where `part` occurs first from `start` on, in linear time (Knuth, Morris and Pratt).
func firstOffset<Element: Equatable>(
  of part: [Element], in text: [Element], from start: Int
) -> Int? {
  guard !part.isEmpty else { return start <= text.count ? start : nil }
  var borders = [0]
  var length = 0
  for index in part.indices.dropFirst() {
    while length > 0, part[index] != part[length] { length = borders[length - 1] }
    if part[index] == part[length] { length += 1 }
    borders.append(length)
  }
  length = 0
  for index in text.indices.dropFirst(start) {
    while length > 0, text[index] != part[length] { length = borders[length - 1] }
    if text[index] == part[length] { length += 1 }
    if length == part.count { return index - length + 1 }
  }
  return nil
}
