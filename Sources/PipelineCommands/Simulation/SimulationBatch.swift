import Dispatch
import PipelineSimulator
import Synchronization

/// Runs cases with their seeds on all cores.
struct SimulationBatch {
  let seeds: [UInt64]

  private struct Progress {
    var outcomes: [[SeedOutcome?]]
    var count = 0
    var shown = 0
  }

  /// The outcomes of each case in the order of the seeds, whichever core finishes first.
  func run(_ cases: [SimulationCase]) -> [[SeedOutcome]] {
    let total = cases.count * seeds.count
    let isWatched = Terminal.isErrorInteractive && total > 20
    let progress = Mutex(
      Progress(
        outcomes: Array(repeating: Array(repeating: nil, count: seeds.count), count: cases.count)))
    DispatchQueue.concurrentPerform(iterations: total) { index in
      let (entry, place) = index.quotientAndRemainder(dividingBy: seeds.count)
      let result = cases[entry].simulation.run(seed: seeds[place], isTraced: false)
      let outcome = SeedOutcome(
        seed: result.seed, summary: result.summary, properties: result.properties)
      progress.withLock { progress in
        progress.outcomes[entry][place] = outcome
        progress.count += 1
        let percent = progress.count * 100 / total
        if isWatched, percent > progress.shown {
          progress.shown = percent
          Terminal.send("\rsimulating \(progress.count) of \(total) seeds", to: 2)
        }
      }
    }
    if isWatched { Terminal.send("\r\u{1B}[K", to: 2) }
    return progress.withLock { $0.outcomes.map { $0.compactMap { $0 } } }
  }
}
