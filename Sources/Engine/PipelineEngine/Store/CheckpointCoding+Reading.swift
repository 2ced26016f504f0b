package import CEL

package typealias Damage = CheckpointCoding.Damage

package struct Fields {
  private let map: MapValue

  package init(_ bytes: [UInt8]) throws(Damage) {
    guard let value = try? Value(json: bytes) else { throw Damage(message: "expected JSON") }
    try self.init(value)
  }

  package init(_ value: Value) throws(Damage) {
    guard case .map(let map) = value else { throw Damage(message: "expected an object") }
    self.map = map
  }

  package subscript(_ key: String) -> Value? {
    guard let value = map[key], value != .null else { return nil }
    return value
  }

  /// The member that is an object; `nil` if there is none.
  package func object<Result>(
    _ key: String, _ read: (Fields) throws(Damage) -> Result
  ) throws(Damage) -> Result? {
    guard let value = self[key] else { return nil }
    return try read(Fields(value))
  }

  /// The unchanged member, where `null` is a value like any other.
  package func value(_ key: String) throws(Damage) -> Value? {
    try map[key].map { value throws(Damage) in try Value(stored: value) }
  }

  package func string(_ key: String) throws(Damage) -> String {
    guard case .string(let text)? = map[key] else {
      throw Damage(message: "expected a string in '\(key)'")
    }
    return text
  }

  package func int(_ key: String) throws(Damage) -> Int {
    guard let number = optionalInt(key) else {
      throw Damage(message: "expected an integer in '\(key)'")
    }
    return number
  }

  package func optionalInt(_ key: String) -> Int? {
    guard case .int(let number)? = map[key] else { return nil }
    return Int(exactly: number)
  }

  package func optionalInstant(_ key: String) -> Instant? {
    optionalInt(key).map { Instant(milliseconds: Int64($0)) }
  }

  package func optionalDouble(_ key: String) -> Double? {
    switch map[key] {
    case .double(let number)?: number
    case .int(let number)?: Double(number)
    default: nil
    }
  }

  package func bool(_ key: String) -> Bool { map[key] == .bool(true) }

  package func ints(_ key: String) throws(Damage) -> [Int] {
    try list(key).map { value throws(Damage) in
      guard case .int(let number) = value else {
        throw Damage(message: "expected integers in '\(key)'")
      }
      return Int(number)
    }
  }

  package func list(_ key: String) throws(Damage) -> [Value] {
    switch self[key] {
    case nil: return []
    case .list(let elements)?: return elements
    default: throw Damage(message: "expected an array in '\(key)'")
    }
  }

  package func members(_ key: String) throws(Damage) -> [(String, Value)] {
    guard let value = self[key] else { return [] }
    guard case .map(let members) = value else {
      throw Damage(message: "expected an object in '\(key)'")
    }
    return members.compactMap { name, value in
      if case .string(let name) = name { (name, value) } else { nil }
    }
  }

  /// Lists of `count` numbers by name.
  func numbers(_ key: String, _ count: Int) throws(Damage) -> [(String, [Int64])] {
    var found: [(String, [Int64])] = []
    for (name, value) in try members(key) {
      let numbers = value.listValue?.compactMap { number -> Int64? in
        if case .int(let number) = number { number } else { nil }
      }
      guard let numbers, numbers.count == count else {
        throw Damage(message: "expected \(count) numbers in '\(key)'")
      }
      found.append((name, numbers))
    }
    return found
  }
}

extension FileValue {
  package init(stored fields: Fields) throws(Damage) {
    var digests: [DigestAlgorithm: String] = [:]
    for algorithm in DigestAlgorithm.allCases {
      if case .string(let digest)? = fields[algorithm.rawValue] { digests[algorithm] = digest }
    }
    var type: String?
    if case .string(let text)? = fields["type"] { type = text }
    var relative, problem: String?
    if case .string(let text)? = fields["relative"] { relative = text }
    if case .string(let text)? = fields["problem"] { problem = text }
    self.init(
      path: try fields.string("path"), name: try fields.string("name"), relative: relative,
      size: Int64(try fields.int("size")), modified: Int64(try fields.int("modified")),
      contentType: type, digests: digests, problem: problem)
  }
}

extension Failure {
  package init(stored fields: Fields) throws(Damage) {
    var lacking: Lack?
    if case .string(let name)? = fields["lacking"] { lacking = Lack(rawValue: name) }
    self.init(
      try fields.string("message"), status: fields.optionalInt("status"), lacking: lacking,
      response: try fields.object("response", KeptResponse.init(stored:)),
      duration: fields.optionalInt("milliseconds").map { .milliseconds($0) })
  }
}

extension KeptResponse {
  convenience init(stored fields: Fields) throws(Damage) {
    let names = try fields.list("request_ids").map { value throws(Damage) in
      guard case .list(let pair) = value, pair.count == 2, case .string(let name) = pair[0],
        case .string(let text) = pair[1]
      else { throw Damage(message: "expected a header's name and value") }
      return Response.Header(name: name, value: text)
    }
    self.init(
      body: fields["body"]?.stringValue ?? "", bodyBytes: try fields.int("bytes"),
      requestIDs: names)
  }
}

extension LoopState {
  init(stored fields: Fields) throws(Damage) {
    self.init()
    for (status, count) in zip(Item.Status.allCases, try fields.ints("counts")) {
      counts[status] = count
    }
    isEnumerated = fields.bool("enumerated")
    bytesMoved = Int64(fields.optionalInt("bytes_moved") ?? 0)
    leftAtServer = fields.optionalInt("left") ?? 0
    isRequeued = fields.bool("requeued")
  }
}

extension Item.AbandonProgress {
  init(stored fields: Fields, requests: Int) throws(Damage) {
    guard let next = Item.Status(rawValue: try fields.int("next")) else {
      throw Damage(message: "expected an item's status")
    }
    self.init(
      index: try fields.int("index"), attempt: try fields.int("attempt"), next: next,
      isUndone: fields.bool("undone"))
    failures = fields.optionalInt("failures") ?? 0
    begun = fields.optionalInstant("begun")
    since = fields.optionalInstant("since")
    notBefore = fields.optionalInstant("not_before")
    failure = try fields.object("failure", Failure.init(stored:))
    only = try fields.ints("only")
    left = try fields.ints("left")
    cause = try fields.object("cause", Failure.init(stored:))
    guard index >= 0, (only + left).allSatisfy((0..<requests).contains) else {
      throw Damage(message: "expected the position of a compensation")
    }
  }
}

extension StepState {
  init(stored fields: Fields, _ step: Step) throws(Damage) {
    self.init()
    guard let status = Status(rawValue: try fields.string("status")) else {
      throw Damage(message: "expected the status of step '\(step.id)'")
    }
    self.status = status
    generation = try fields.int("generation")
    attempt = fields.optionalInt("attempt") ?? 0
    failures = fields.optionalInt("failures") ?? 0
    reissues = fields.optionalInt("reissues") ?? 0
    unusedInvalidations = fields.optionalInt("unused_deaths") ?? 0
    isInvalidated = fields.bool("dead")
    isForeign = fields.bool("foreign")
    since = Instant(milliseconds: Int64(try fields.int("since")))
    begun = fields.optionalInstant("begun")
    notBefore = fields.optionalInstant("not_before")
    unknownSince = fields.optionalInstant("unknown_since")
    earliest = fields.optionalInstant("earliest")
    challenges = fields.optionalInt("challenges") ?? 0
    failure = try fields.object("failure", Failure.init(stored:))
    statuses = try fields.ints("statuses")
    outputs = try fields.list("outputs").map { value throws(Damage) in
      try OutputValue(stored: Fields(value))
    }
    previous = try fields.list("previous").map { value throws(Damage) in
      try OutputValue(stored: Fields(value))
    }
    file = try fields.object("file", FileValue.init(stored:))
    sources = try fields.ints("sources")
    movedTo = Int64(fields.optionalInt("moved_to") ?? 0)
    reservedBytes = Int64(fields.optionalInt("reserved") ?? 0)
    turn = fields.optionalInt("turn") ?? 0
    isOver = fields.bool("over")
    slower = fields.optionalInt("slower").map { .milliseconds(Int64($0)) }
    farthest = fields.optionalInt("farthest").map(Int64.init)
    batch = try fields.object("batch", BatchMembership.init(stored:))
  }
}

extension BatchMembership {
  init(stored fields: Fields) throws(Damage) {
    self.init(
      first: try fields.int("first"), generation: try fields.int("generation"),
      items: try fields.int("items"), failures: fields.optionalInt("failures") ?? 0,
      begun: fields.optionalInstant("begun"), isOpen: fields.bool("open"),
      isPartial: fields.bool("partial"))
  }
}

extension OutputValue {
  package init(stored fields: Fields) throws(Damage) {
    var sealed: String?
    if case .string(let text)? = fields["sealed"] { sealed = text }
    self.init(
      value: try fields.value("value"), isSecret: fields.bool("secret"), isSealed: sealed != nil,
      sealedText: sealed.flatMap { $0.isEmpty ? nil : $0 },
      expires: fields.optionalInstant("expires"), staleFrom: fields.optionalInstant("stale"),
      slide: fields.optionalInt("slide").map { .milliseconds(Int64($0)) })
  }
}

extension Value {
  /// Reads the output of `JSONWriter.write(_:_:)`.
  init(stored value: Value) throws(Damage) {
    switch value {
    case .list(let elements):
      self = .list(try elements.map { element throws(Damage) in try Value(stored: element) })
    case .map(let map):
      if let tagged = try Self.tagged(map) {
        self = tagged
      } else {
        var read = MapValue()
        for (key, value) in map { read.insert(try Value(stored: value), for: key) }
        self = .map(read)
      }
    default: self = value
    }
  }

  private static func tagged(_ map: MapValue) throws(Damage) -> Value? {
    guard map.count == 1, let (key, value) = map.first(where: { _ in true }),
      case .string(let tag) = key, tag.hasPrefix("$")
    else { return nil }
    switch (tag, value) {
    case ("$double", .string(let text)): return Double(text).map { .double($0) }
    case ("$uint", .string(let text)): return UInt64(text).map { .uint($0) }
    case ("$bytes", .list(let bytes)):
      return .bytes(bytes.compactMap { if case .int(let byte) = $0 { UInt8(byte) } else { nil } })
    case ("$timestamp", .list(let parts)):
      guard parts.count == 2, case .int(let seconds) = parts[0], case .int(let nanos) = parts[1]
      else { return nil }
      guard let nanoseconds = Int32(exactly: nanos) else { return nil }
      return Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) }
    case ("$duration", .list(let parts)):
      guard parts.count == 2, case .int(let seconds) = parts[0], case .int(let atto) = parts[1]
      else { return nil }
      return .duration(Duration(secondsComponent: seconds, attosecondsComponent: atto))
    case ("$map", .list(let parts)):
      var read = MapValue()
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        read.insert(try Value(stored: parts[index + 1]), for: try Value(stored: parts[index]))
      }
      return .map(read)
    default: return nil
    }
  }
}

extension MapValue {
  /// Whether all keys are strings, none of which could be mistaken for a type's tag.
  var isJSONObject: Bool {
    allSatisfy { key, _ in if case .string(let name) = key { !name.hasPrefix("$") } else { false } }
  }
}
