/// Decides whether a run whose pipeline's file has changed continues with the old text or the new one.
struct DefinitionChange {
  let folder: RunFolder
  let origin: RunFolder.Origin?
  /// The folder that must contain the files the definition names; `nil` is its own.
  let root: String?

  /// The definition to continue with; throws if the user must choose, or if a step has changed that an item has passed.
  func settle(acceptChanges: Bool, keepDefinition: Bool) async throws -> Definition {
    let kept = try await Definition.kept(folder)
    guard !keepDefinition, let file = origin?.definition, let bytes = try? FileContents.bytes(file)
    else { return kept }
    let files = DocumentFiles.beside(file, root: root)
    let newer = String(decoding: bytes, as: UTF8.self)
    let comparison = DefinitionComparison(older: kept.text, newer: newer)
    let changedFiles = kept.used.keys.sorted().filter { files.text($0) != kept.used[$0] }
    if comparison.isEmpty, changedFiles.isEmpty { return kept }
    guard acceptChanges else {
      throw CommandFailure(
        .invalid, "'\(file)' has changed since the run started:",
        details: Self.describe(comparison) + changedFiles.map { "  the used file '\($0)'" } + [
          "--accept-changes continues with the changed file, --keep-definition with the one that the "
            + "run started with"
        ])
    }
    // It is unknown which steps of a used file have changed, so no item may have passed any of them.
    guard changedFiles.isEmpty else {
      throw CommandFailure.invalid(
        "a file that '\(file)' uses has changed, and a run cannot continue with a different one; "
          + "--keep-definition continues with the old one")
    }
    let changed = try Definition.check(bytes, file: file, files: .beside(file, root: root))
    try await refuseChangesOfPassedSteps(comparison, kept.pipeline)
    try folder.writeOrigin(origin ?? .init(definition: file, demo: false), definition: changed)
    return changed
  }

  private static func describe(_ comparison: DefinitionComparison) -> [String] {
    let steps = comparison.changedSteps.map { change in
      switch change.kind {
      case .added: "  step '\(change.step)' was added"
      case .removed: "  step '\(change.step)' was removed"
      case .moved: "  step '\(change.step)' was moved"
      case .changed(let keys):
        "  step '\(change.step)': \(keys.map { "'\($0)'" }.joined(separator: ", "))"
      }
    }
    return comparison.changedSettings.map { "  '\($0)'" } + steps
  }

  /// Results made by the old definition of a step must not be mixed with those of the new one.
  private func refuseChangesOfPassedSteps(
    _ comparison: DefinitionComparison, _ pipeline: Pipeline
  ) async throws {
    let fixed = comparison.changedSettings.filter { $0 == "inputs" || $0.hasPrefix("for_each") }
    guard fixed.allSatisfy({ $0.hasSuffix(": concurrency") }) else {
      throw CommandFailure.invalid(
        "\(fixed.map { "'\($0)'" }.joined(separator: ", ")) cannot change within a run, because its items "
          + "are fixed; start a new run")
    }
    let passed = try await passedSteps(pipeline)
    let refused = comparison.changedSteps.filter { change in
      if case .added = change.kind { return passed.isAnyItemDone }
      return passed.ids.contains(change.step)
    }
    guard refused.isEmpty else {
      let names = refused.map { "'\($0.step)'" }.joined(separator: ", ")
      throw CommandFailure.invalid(
        "items have already passed \(names), so the run cannot continue with the changed file; "
          + "--keep-definition continues with the old one")
    }
  }

  private func passedSteps(
    _ pipeline: Pipeline
  ) async throws -> (ids: Set<String>, isAnyItemDone: Bool) {
    let store = try await folder.openStore(pipeline, sealer: nil)
    let state = try await store.load()
    var ids: Set<String> = []
    func note(_ steps: [Int], _ frame: Frame) {
      for (step, current) in zip(steps, frame) where current.attempt > 0 {
        ids.insert(pipeline.steps[step].id.rawValue)
      }
    }
    note(pipeline.runSteps, state.frame)
    var isAnyItemDone = false
    for (index, loop) in pipeline.loops.enumerated() {
      if state.loops[index].counts[.done] > 0 {
        isAnyItemDone = true
        ids.formUnion(loop.steps.map { pipeline.steps[$0].id.rawValue })
        continue
      }
      for status in [Item.Status.active, .paused, .failed] {
        try await store.eachPage(of: index, status) { items in
          for item in items { note(loop.steps, item.frame) }
        }
      }
    }
    await store.close()
    return (ids, isAnyItemDone)
  }
}
