/// The stored state of a run, read without acquiring the run.
struct RunSnapshot {
  let folder: RunFolder
  let pipeline: Pipeline
  let store: any RunStore
  let state: RunState
  let isWorkedOn: Bool

  /// The measurements of the process that works on the run; `nil` if there is no such process,
  /// or it has not started measuring.
  var progress: ProgressFacts? {
    guard isWorkedOn, let facts = SharedProgress.read(folder), !facts.isAtRest else { return nil }
    return facts
  }

  var reported: ReportedRun {
    var run = ReportedRun(state, of: pipeline, in: store, at: folder, isWorkedOn: isWorkedOn)
    run.progress = progress
    return run
  }

  /// The report of the run, as another process sees it.
  func report() async -> RunReport {
    var report = reported.report
    report.progress = progress
    report.idle = (try? await store.idleTime()) ?? .zero
    return report
  }

  static func open(_ name: String?, in folder: StateFolder) async throws -> RunSnapshot {
    try await open(try folder.find(name))
  }

  static func open(_ folder: RunFolder) async throws -> RunSnapshot {
    let result = PipelineDocument.load(
      text: try folder.definition(), file: folder.definitionPath, files: .kept(folder.usedFiles))
    guard let pipeline = result.pipeline else {
      try await folder.requireKnownForm()
      throw CommandFailure.environment(
        "the definition '\(folder.definitionPath)' was changed or is damaged")
    }
    let store = try await folder.openStoreToRead(pipeline)
    return RunSnapshot(
      folder: folder, pipeline: pipeline, store: store, state: try await store.load(),
      isWorkedOn: RunLock.isHeld(folder))
  }
}

extension ItemNames {
  init(_ opened: RunSnapshot) {
    self.init(run: opened.folder, store: opened.store, pipeline: opened.pipeline)
  }
}
