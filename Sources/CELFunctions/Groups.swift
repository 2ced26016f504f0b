import CEL

extension Library {
  /// `groups(keys, items)`: the items that have one key, under it.
  static let groupFunctions: [Function] = [
    Function(
      "groups",
      .function(.list(.dyn), .list(.dyn), returns: .list(.object(group))) {
        (arguments, meter) throws(EvaluationError) in
        guard let keys = arguments[0].listValue, let items = arguments[1].listValue else {
          throw EvaluationError(.noSuchOverload, "'groups' takes a list of keys and one of items")
        }
        guard keys.count == items.count else {
          throw EvaluationError(
            .invalidArgument,
            "'groups' takes a key for each item, but there are \(keys.count) keys and \(items.count) items"
          )
        }
        try meter.charge(keys.count)
        var order: [Value] = []
        var members: [Value: [Value]] = [:]
        for (key, item) in zip(keys, items) {
          if members[key] == nil { order.append(key) }
          members[key, default: []].append(item)
        }
        return .list(
          order.map { key in .map(MapValue([("key", key), ("items", .list(members[key] ?? []))])) })
      })
  ]

  private static let group = ObjectType(name: "group", fields: ["key": .dyn, "items": .list(.dyn)])
}
