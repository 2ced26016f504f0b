/// What the page shows.
///
/// Each value is JSON as the command prints it that the documentation names, so that the page has no figures of its own.
package protocol PageSource: Sendable {
  /// The runs: `pipeline runs`.
  func runs() async throws -> String
  /// `{"status", "explain", "steps"}` of a run: `pipeline status`, `pipeline explain`, and its steps in order.
  func run(_ id: String) async throws -> String
  /// A page of the items of a run.
  func items(of run: String, _ query: ItemQuery) async throws -> String
  /// The events of a run, or of one of its items, a line each: `pipeline history`.
  func history(of run: String, _ query: HistoryQuery) async throws -> String
  /// Carries out what the user wants done with a run, and returns what the command reports.
  func perform(_ action: PageAction, on run: String) async throws(PageError) -> String
  /// A text that differs whenever the stored state of a run has changed, by run.
  func versions() async -> [String: String]
}

/// The items that a page of the list shows.
package struct ItemQuery: Sendable {
  /// The words of states; empty means any.
  package var statuses: [String] = []
  /// Part of a name.
  package var match: String?
  /// The key, `LOOP/NUMBER`, after which the page begins.
  package var after: String?
  package var limit = ItemQuery.maximum

  package static let maximum = 1000
}

package struct HistoryQuery: Sendable {
  /// The item, `LOOP/NUMBER`; `nil` is the whole run.
  package var item: String?
  /// The sequence after which the events begin.
  package var after = 0

  /// Maximum number of events of a whole run, which are the last.
  package static let maximum = 5000
}

/// A change of a run that a user may request on the page.
package enum PageAction: Hashable, Sendable {
  case pause, resume, cancel
  case retry(items: [String], cause: String?)

  /// The action with the body of its request; `nil` if there is no such action, or the body does not fit.
  init?(_ name: Substring, body: Value?) {
    guard let fields = body?.mapValue else { return nil }
    let items = fields["items"]?.listValue?.map { $0.stringValue } ?? []
    let keys = items.compactMap { $0 }.filter(Self.isKey)
    guard keys.count == items.count, fields["items"] == nil || !keys.isEmpty else { return nil }
    switch name {
    case "pause": self = .pause
    case "resume": self = .resume
    case "cancel": self = .cancel
    case "retry": self = .retry(items: keys, cause: fields["cause"]?.stringValue)
    default: return nil
    }
  }

  /// Whether a text is `LOOP/NUMBER`, so that it cannot be taken for an option.
  private static func isKey(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { Int($0).map { $0 >= 0 } ?? false }
  }
}

/// Why the page does not get what it asked for.
package struct PageError: Error {
  let status: HTTPResponse.Status
  let message: String

  package init(_ status: HTTPResponse.Status, _ message: String) {
    (self.status, self.message) = (status, message)
  }
}
