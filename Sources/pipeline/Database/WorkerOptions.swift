import PipelineCommands
import PipelinePostgreSQL

struct WorkerOptions {
  let inputs: InputOptions
  let state: StateOptions
  let execution: ExecutionOptions
  let key: SealKeyOptions
  let root: String?
  let atMost: Int
  /// How long a shard stays this worker's without a sign of life.
  let lease: Duration
  let records: ExchangeRecords
  let display: any ProgressDisplay
  /// The only run to work on; `nil` is any.
  let run: StoredRun?
  /// Whether to end when nothing is left to do, neither here nor by others.
  let endsAtRest: Bool
  /// The file that says when the worker last heard from the database, if one is wished for.
  let heartbeat: String?
}
