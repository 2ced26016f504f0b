/// Items that ended otherwise than done, by cause: many with one cause are a line with their number.
package struct FailureTally {
  /// Of each cause, this many items are shown by name, as they end.
  static let shown = 3
  /// Causes that are distinguished.
  private static let limit = 50

  /// What several items share that ended so.
  package struct Cause: Codable {
    package let status, message: String
    package var count = 0
    /// The lines of the first of them.
    package var lines: [String] = []

    /// `4000 × failed: …`; `nil` if all of them were shown.
    package var summary: Line? {
      guard count > FailureTally.shown else { return nil }
      return Line(
        status: status, text: "\(count) × \(status)\(message.isEmpty ? "" : ": \(message)")")
    }
  }

  package struct Line {
    package let status, text: String

    package init(status: String, text: String) { (self.status, self.text) = (status, text) }
  }

  private var known: [String: Cause] = [:]
  private var order: [String] = []

  /// In the order in which they arose.
  package var causes: [Cause] { order.compactMap { known[$0] } }

  package init() {}

  /// Counts an item, and returns the line to show now; `nil` if it is only counted, or is done.
  package mutating func line(for item: Item) -> Line? {
    guard item.status != .done else { return nil }
    let status = item.status.word
    let key = known.count < Self.limit ? Self.cause(of: item) : "\(status) for other reasons"
    var cause = known[key] ?? Cause(status: status, message: item.reason?.message ?? "")
    if known[key] == nil { order.append(key) }
    cause.count += 1
    defer { known[key] = cause }
    guard cause.count <= Self.shown else { return nil }
    let reason = item.reason.map { ": \(ReportFormatting.reason($0))" } ?? ""
    cause.lines.append("\(status) \(ReportFormatting.label(item))\(reason)")
    return cause.lines.last.map { Line(status: status, text: $0) }
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
    return "\(item.status.word) \(status) \(words)"
  }
}
