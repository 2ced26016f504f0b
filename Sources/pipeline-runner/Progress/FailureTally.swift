import PipelineCore

/// Items that ended otherwise than done, by cause: many with one cause are a line with their number.
struct FailureTally {
  /// Of each cause, this many items are shown by name, as they end.
  static let shown = 3
  /// Causes that are told apart.
  private static let limit = 50

  private struct Cause {
    let status: Item.Status
    let message: String
    var count = 0
  }

  private var causes: [String: Cause] = [:]
  private var order: [String] = []

  /// Counts an item.
  ///
  /// - Returns: The line to show now; `nil` if it is only counted, or is done.
  mutating func line(for item: Item) -> String? {
    guard item.status != .done else { return nil }
    let status = ReportFormatting.status(item.status)
    let message = item.reason?.message ?? ""
    let key = causes.count < Self.limit ? Self.cause(of: item) : "\(status) for other reasons"
    if causes[key] == nil {
      order.append(key)
      causes[key] = Cause(status: item.status, message: message)
    }
    causes[key]?.count += 1
    guard causes[key].map({ $0.count <= Self.shown }) == true else { return nil }
    let reason = item.reason.map { ": \(ReportFormatting.reason($0))" } ?? ""
    return "\(status) \(ReportFormatting.label(item))\(reason)"
  }

  /// A line for each cause of which more items were counted than shown.
  var lines: [(status: Item.Status, line: String)] {
    order.compactMap { key in
      guard let cause = causes[key], cause.count > Self.shown else { return nil }
      let reason = cause.message.isEmpty ? "" : ": \(cause.message)"
      let word = ReportFormatting.status(cause.status)
      return (cause.status, "\(cause.count) × \(word)\(reason)")
    }
  }

  /// How to list them; `nil` if all were shown.
  func remedy(_ id: RunID?) -> String? {
    guard !lines.isEmpty, let id else { return nil }
    return "`\(ReportFormatting.listing(id, Set(causes.values.map(\.status))))` lists them"
  }

  /// What two failures of one cause share: the message without the item's name, without numbers and without ids.
  static func cause(of item: Item) -> String {
    var text = item.reason?.message ?? ""
    let label = item.subject.label
    let names = [
      label, ReportFormatting.shortened(label), label.split(separator: "/").last.map(String.init),
    ]
    for name in names.compactMap({ $0 }) where name.count > 1 {
      text = text.replacing(name, with: "*")
    }
    var words = ""
    var word = ""
    func end() {
      let isID = word.contains { $0.isNumber } || word.count >= 20
      words += isID ? "#" : word
      word = ""
    }
    for character in text {
      if character.isLetter || character.isNumber || "-_+=%".contains(character) {
        word.append(character)
      } else {
        end()
        words.append(character)
      }
    }
    end()
    let status = item.reason?.status.map { "\($0)" } ?? ""
    return "\(ReportFormatting.status(item.status)) \(status) \(words)"
  }
}
