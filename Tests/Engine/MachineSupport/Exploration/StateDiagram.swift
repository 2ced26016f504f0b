import PipelineCore

/// The page `docs/state-machine.md`: diagrams of the transitions that explorations saw.
public enum StateDiagram {
  /// The page, the same for the same transitions.
  public static func page(_ reports: [Explorer.Report]) -> String {
    let steps = reports.reduce(into: Set<Explorer.Change>()) { $0.formUnion($1.stepChanges) }
    let items = reports.reduce(into: Set<Explorer.Change>()) { $0.formUnion($1.itemChanges) }
    return """
      # State machine

      Both diagrams are generated: a test visits every state that some small pipelines can reach, with interruptions,
      crashes, expiries, lost responses and user commands in between, and draws the transitions that it saw from one
      checkpoint to the next. `make generated` rewrites this page.

      States within one event are not drawn: a result that is found expired and reissued at once appears as
      `succeeded` → `running`.

      ## A step

      \(diagram(steps, first: StepState.Status.pending.rawValue))

      | state | meaning |
      |---|---|
      | `pending` | to be issued: for the first time, again, or after its delay or its wait |
      | `queued` | waits to join a batch, which sends it or finds that one of its inputs has expired |
      | `running` | an attempt is in flight |
      | `unknown` | the server may have processed the last attempt; the probe must determine this before another attempt |
      | `probing` | the probe is in flight |
      | `succeeded` | done; reissued when the result, or a result that it depends on, expires |
      | `skipped` | its condition was false, or a matcher ended the item |

      ## An item

      \(diagram(items, first: "pending"))

      | state | meaning |
      |---|---|
      | `pending` | a row in the store, not in the window |
      | `active` | in the window: in progress, waiting, or being undone |
      | `paused` | waits for `pipeline retry`; its results are kept |
      | `failed` | undone as far as `on_abandon` defines it; `pipeline retry` repeats the undone steps |
      | `done`, `skipped`, `cancelled` | final |

      """
  }

  private static func diagram(_ changes: Set<Explorer.Change>, first: String) -> String {
    let lines = changes.sorted().map { "  \($0.from) --> \($0.to)" }
    return (["```mermaid", "stateDiagram-v2", "  [*] --> \(first)"] + lines + ["```"])
      .joined(separator: "\n")
  }
}
