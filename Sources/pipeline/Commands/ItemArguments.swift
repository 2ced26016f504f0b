import PipelineCommands
import PipelineCore

/// Positional arguments of commands that take a run and some of its items, of which either may be omitted: `explain 0/12`.
struct ItemArguments {
  let run: String?
  let names: [String]
  /// The first argument, if it may have been meant as a run.
  let guess: String?
  private let folder: StateFolder

  /// - Parameter isList: Whether there may be several items.
  init(run: String?, items: [String], isList: Bool = false, in folder: StateFolder) {
    self.folder = folder
    guard let run else {
      (self.run, names, guess) = (nil, items, nil)
      return
    }
    let isRun = folder.folders().contains {
      $0.id.rawValue.hasPrefix(run) || $0.origin?.name == run
    }
    if ItemKey(run) != nil {
      (self.run, names, guess) = (nil, [run] + items, nil)
    } else if isRun || !items.isEmpty && !isList {
      (self.run, names, guess) = (run, items, nil)
    } else {
      (self.run, names, guess) = (nil, [run] + items, run)
    }
  }

  func items(_ known: ItemNames) async throws -> [Item] {
    var items: [Item] = []
    for name in names {
      do {
        items.append(try await known.item(name))
      } catch let failure as CommandFailure where name == guess {
        throw CommandFailure(
          failure.status,
          "no run is called '\(name)' in '\(folder.path)', and \(failure.message ?? "no item is")",
          details: failure.details)
      }
    }
    return items
  }
}
