import ArgumentParser
import PipelineCore

/// Positional arguments of commands that take a run and items of it.
///
/// Either may be left out, and an item looks like no run's name, so that `explain 0/12` means item 12 of the newest run.
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
        throw ValidationError("'\(text)' is no item; expected LOOP/NUMBER, such as 0/12.")
      }
      return key
    }
  }
}
