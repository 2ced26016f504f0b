package struct ItemForm: Form {
  @Member("The shard, such as `3/16`; only in a list of several.") package var shard: String?
  @Member(itemKeySummary) package var item = ""
  @Member("The file's path below the folder of its glob, or the item as text.")
  package var name = ""
  @Member("Its state.", as: .itemStatus) package var status = ""
  @Member("Why it is paused, failed or skipped.") package var reason: String?
  @Member("The HTTP status of the response behind the reason.") package var http_status: Int?
  @Member("Finished attempts of all its steps; `poll` requests are not counted.")
  package var attempts = 0
  @Member(movedSummary) package var bytes_moved: Int64 = 0
  @Member("From the start of its first attempt to the end of its last.")
  package var seconds: Double?
  @Member("Outputs of its steps by step and name, except secret ones and those of a batch.")
  package var outputs: [String: [String: AnyValue]] = [:]
  package init() {}

  static let movedSummary =
    "Bytes that its transfers moved over the network; bytes that were moved repeatedly count once."
  static let itemKeySummary =
    "The item as `LOOP/NUMBER`, both from 0; commands accept it as the name of an item."
}

/// A value that a server or an author chose, as JSON.
package struct AnyValue: Described {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package static var shape: OutputShape { .anything }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .string(let text): try container.encode(text)
    case .int(let number): try container.encode(number)
    case .bool(let flag): try container.encode(flag)
    case .double(let number) where number.isFinite: try container.encode(number)
    case .null: try container.encodeNil()
    case .list(let values): try container.encode(values.map(AnyValue.init))
    case .map(let map):
      var members: [String: AnyValue] = [:]
      for (name, value) in map { members[name.stringValue ?? name.description] = AnyValue(value) }
      try container.encode(members)
    default: try container.encode(value.stringValue ?? value.description)
    }
  }

  package var text: String { value.stringValue ?? value.description }
}

extension OutputShape {
  static let itemStatus = OutputShape.word(Item.Status.allCases.map(\.word))

  /// Numbers of items, with a member for each state.
  static let itemCounts = OutputShape.object(
    Item.Status.allCases.map { .always($0.word, .count, "Items that are \($0.word).") } + [
      .always("interrupted", .count, "Items that were active when the last process ended.")
    ])
}
