/// A map of the language, in the order in which its keys were added: `bool`, `int`, `uint` or `string`.
///
/// Keys are found by numeric value: `1`, `1u` and `1.0` find the same entry.
public struct MapValue: Sendable {
  private var storage: Storage

  /// A map without entries.
  public init() { storage = .empty }

  /// A map of the pairs, in their order; a repeated key keeps its first position and its last value.
  public init(_ pairs: some Sequence<(String, Value)>) {
    storage = Storage()
    for (key, value) in pairs { storage.set(value, for: .string(key)) }
  }

  /// A map of the entries of a dictionary, in the order of the keys' code points.
  public init(_ dictionary: [String: Value]) {
    self.init(dictionary.sorted { $0.key.precedesByScalars($1.key) }.map { ($0.key, $0.value) })
  }

  /// The number of entries.
  public var count: Int { storage.entries.count }
  /// Whether there is no entry.
  public var isEmpty: Bool { storage.entries.isEmpty }
  /// The keys, in order.
  public var keys: some Sequence<Value> { storage.entries.lazy.map(\.key) }

  /// The value of the string key `key`; setting `nil` removes the entry.
  public subscript(key: String) -> Value? {
    get { storage.value(ofString: key) }
    set {
      makeUnique()
      if let newValue {
        storage.set(newValue, for: .string(key))
      } else {
        storage.remove(.string(key))
      }
    }
  }

  /// The value of `key`; also `nil` if `key` has a kind that keys cannot have.
  public subscript(key: Value) -> Value? {
    if case .string(let text) = key { return storage.value(ofString: text) }
    guard let normalized = MapKey(key) else { return nil }
    return storage.value(of: normalized)
  }

  /// Adds an entry, unless its key is invalid or already present; returns whether it did.
  @discardableResult public mutating func insert(_ value: Value, for key: Value) -> Bool {
    guard key.isMapKey, let normalized = MapKey(key), storage.position(of: normalized) == nil
    else { return false }
    makeUnique()
    storage.append(value, for: key, normalized: normalized)
    return true
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
  }
}

extension MapValue: Hashable {
  /// Whether both have equal keys with equal values, in any order.
  public static func == (lhs: MapValue, rhs: MapValue) -> Bool {
    if lhs.storage === rhs.storage { return true }
    guard lhs.count == rhs.count else { return false }
    return lhs.allSatisfy { key, value in rhs[key] == value }
  }

  /// Feeds the entries so that their order does not matter.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var entry = Hasher()
      entry.combine(MapKey(key))
      entry.combine(value)
      sum &+= entry.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension MapValue: Sequence {
  /// The entries, in order.
  public func makeIterator() -> AnyIterator<(key: Value, value: Value)> {
    var base = storage.entries.makeIterator()
    return AnyIterator { base.next() }
  }

  /// The entries, in order, for iteration inside the module.
  var entries: [(key: Value, value: Value)] { storage.entries }
}

extension MapValue: ExpressibleByDictionaryLiteral {
  /// A map with string keys; for a repeated key the last value is kept.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Value {
  var isMapKey: Bool {
    switch self {
    case .bool, .int, .uint, .string: true
    default: false
    }
  }
}

/// A key in canonical form: every integer that fits is an `int`.
enum MapKey: Hashable, Sendable {
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case string(ByteExact)

  init?(_ value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = Int64(exactly: value).map(MapKey.int) ?? .uint(value)
    case .double(let value):
      if let integer = Int64(exactly: value) {
        self = .int(integer)
      } else if let integer = UInt64(exactly: value) {
        self = .uint(integer)
      } else {
        return nil
      }
    case .string(let value): self = .string(ByteExact(value))
    default: return nil
    }
  }
}

/// Only written by a `MapValue` with a unique reference to it, hence `@unchecked`.
private final class Storage: @unchecked Sendable {
  static let empty = Storage()
  /// Up to this many entries a scan beats a hash table, and needs no memory.
  static let scanLimit = 8
  private(set) var entries: [(key: Value, value: Value)] = []
  private var positions: [MapKey: Int] = [:]

  func copy() -> Storage {
    let copy = Storage()
    copy.entries = entries
    copy.positions = positions
    return copy
  }

  func value(ofString key: String) -> Value? {
    if entries.count > Self.scanLimit {
      return positions[.string(ByteExact(key))].map { entries[$0].value }
    }
    for entry in entries {
      if case .string(let candidate) = entry.key, candidate.isByteEqual(to: key) {
        return entry.value
      }
    }
    return nil
  }

  func value(of key: MapKey) -> Value? { position(of: key).map { entries[$0].value } }

  func position(of key: MapKey) -> Int? {
    if entries.count > Self.scanLimit { return positions[key] }
    return entries.firstIndex { MapKey($0.key) == key }
  }

  func set(_ value: Value, for key: Value) {
    guard let normalized = MapKey(key) else { return }
    if let position = position(of: normalized) {
      entries[position].value = value
    } else {
      append(value, for: key, normalized: normalized)
    }
  }

  func append(_ value: Value, for key: Value, normalized: MapKey) {
    entries.append((key, value))
    if entries.count == Self.scanLimit + 1 {
      rebuildPositions()
    } else if entries.count > Self.scanLimit {
      positions[normalized] = entries.count - 1
    }
  }

  func remove(_ key: Value) {
    guard let normalized = MapKey(key), let position = position(of: normalized) else { return }
    entries.remove(at: position)
    positions = [:]
    if entries.count > Self.scanLimit { rebuildPositions() }
  }

  private func rebuildPositions() {
    for (offset, entry) in entries.enumerated() {
      if let key = MapKey(entry.key) { positions[key] = offset }
    }
  }
}
