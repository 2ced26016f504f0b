public import CEL

/// Messages of editors are encoded by another JSON library than the server's own.
extension Value: Codable {
  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The commonest first, because each wrong guess is an error that is thrown.
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let members = try? container.decode([String: Value].self) {
      self = .map(MapValue(members))
    } else if let number = try? container.decode(Int64.self) {
      self = .int(number)
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else {
      self = .list(try container.decode([Value].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .int(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .list(let elements): try container.encode(elements)
    case .map(let map):
      try container.encode(
        Dictionary(uniqueKeysWithValues: map.map { ($0.key.stringValue ?? "", $0.value) }))
    default:
      throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "not JSON"))
    }
  }
}
