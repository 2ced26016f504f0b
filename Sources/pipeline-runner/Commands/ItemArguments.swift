import ArgumentParser
import PipelineCore

/// Positional arguments of commands that take a run and some of its items.
///
/// Either may be omitted. No run is named like an item, so `explain 0/12` means item 12 of the newest run.
struct ItemArguments {
  let run: String?
  let items: [ItemKey]

  init(run: String?, items: [String]) throws {
    var items = items
    if let run, ItemKey(run) != nil {
      items.insert(run, at: 0)
      self.run = nil
    } else {
      self.run = run
    }
    self.items = try items.map { text in
      guard let key = ItemKey(text) else {
        throw ValidationError("invalid item '\(text)'; expected LOOP/NUMBER, such as 0/12.")
      }
      return key
    }
  }
}
