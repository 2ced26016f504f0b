/// Reads pipelines from YAML.
///
/// ```swift
/// let result = PipelineDocument.load(text: text, file: "photos.yaml")
/// guard let pipeline = result.pipeline else {
///   print(DiagnosticText(sources: ["photos.yaml": text]).render(result.diagnostics))
///   return
/// }
/// ```
public enum PipelineDocument {
  /// The result of loading a document.
  public struct Result: Sendable {
    /// The pipeline; present if and only if no diagnostic is an error.
    public let pipeline: Pipeline?
    /// The pipeline for simulations.
    public let simulated: SimulatedPipeline?
    /// All diagnostics for the document and the files it uses, in the order of files and positions.
    public let diagnostics: [Diagnostic]
    /// The texts of used files by their names in diagnostics.
    public let usedSources: [String: String]
    /// The texts of used files, by the paths requested from ``DocumentFiles``.
    public let usedFiles: [String: String]

    init(_ simulated: SimulatedPipeline?, _ reader: DocumentReader) {
      let used = reader.used
      let found = reader.collector.diagnostics + used.diagnostics
      self.simulated = found.contains { $0.severity == .error } ? nil : simulated
      pipeline = self.simulated?.pipeline
      diagnostics = found.sortedByPlace()
      usedSources = used.sources
      usedFiles = used.contents
    }
  }

  /// Reads and checks the text of a file; `file` is its name in messages.
  ///
  /// Never throws: all findings are in the result.
  ///
  /// - Parameter copiesRanges: Whether the pipeline is for a transfer service that only sends whole files, as the background
  ///   sessions of phones do (TX1). An upload of a `range` is then two steps: `ID.copy` writes those bytes to a file, within the disk
  ///   budget, and `ID` sends that file.
  public static func load(
    text: String, file: String, files: DocumentFiles = .none, copiesRanges: Bool = false
  ) -> Result { load(bytes: text.utf8, file: file, files: files, copiesRanges: copiesRanges) }

  /// Reads and checks the bytes of a file, which must be UTF-8; otherwise like ``load(text:file:files:copiesRanges:)``.
  public static func load(
    bytes: some Sequence<UInt8>, file: String, files: DocumentFiles = .none,
    copiesRanges: Bool = false
  ) -> Result {
    let reader = reader(bytes, file, files, SharedBudget())
    return Result(reader.pipeline(copiesRanges: copiesRanges), reader)
  }

  /// Checks the bytes of a document of any kind: a pipeline, or definitions that pipelines use.
  ///
  /// Never throws: all findings are in the result, which contains no pipeline.
  public static func validate(
    bytes: some Sequence<UInt8>, file: String, files: DocumentFiles = .none
  ) -> Result {
    validate(bytes: bytes, file: file, files: files, budget: SharedBudget())
  }

  /// The same at the cost of a budget.
  package static func validate(
    bytes: some Sequence<UInt8>, file: String, files: DocumentFiles = .none, budget: SharedBudget
  ) -> Result {
    let reader = reader(bytes, file, files, budget)
    if reader.isDefinitions { _ = reader.usedDefinitions() } else { _ = reader.pipeline() }
    return Result(nil, reader)
  }

  private static func reader(
    _ bytes: some Sequence<UInt8>, _ file: String, _ files: DocumentFiles, _ budget: SharedBudget
  ) -> DocumentReader {
    DocumentReader(
      bytes: Array(bytes), file: file,
      used: UsedFiles(files, root: file, budget: budget) { $0.usedPipeline() })
  }
}

extension DocumentReader {
  fileprivate func pipeline(copiesRanges: Bool = false) -> SimulatedPipeline? {
    guard let root = document.root else { return finished(nil) }
    if isDefinitions {
      collector.report(
        .notAPipeline, "the file contains definitions for other pipelines, not a pipeline",
        at: root.entry("definitions").map { range($0.key) } ?? range(root))
      return finished(nil)
    }
    guard let (draft, linked, _) = checked(root) else { return finished(nil) }
    guard copiesRanges, linked.simulated.steps.contains(where: \.sendsRange)
    else { return finished(linked.simulated) }
    return finished(PipelineLinker.link(draft, self, copiesRanges: true)?.simulated)
  }

  fileprivate func usedPipeline() -> UsedPipeline? {
    guard let root = document.root, let (draft, linked, outputs) = checked(root)
    else { return finished(nil) }
    return finished(
      UsedPipeline(
        draft, document, collector, outputs, hasLoops: !linked.simulated.loops.isEmpty))
  }

  private func checked(
    _ root: YAMLNode
  ) -> (draft: DraftPipeline, linked: LinkedPipeline, outputs: [UsedPipeline.Output])? {
    guard let draft = pipeline(root),
      collector.allows(draft.steps.count, .steps, at: draft.steps.last?.range)
    else { return nil }
    runRules { $0.check(draft, collector) }
    var checker = PipelineChecker(draft, reader: self)
    checker.check()
    runRules { $0.check(checker.analysis, collector) }
    guard !collector.hasErrors,
      let linked = checker.pipeline().map({ LinkedPipeline($0, checker.examples, draft) })
        ?? PipelineLinker.link(draft, self, copiesRanges: false)
    else { return nil }
    let document = CheckedDocument(linked, draft, self)
    // Steps of used files count, but their problems were reported with their own file.
    collector.dropping(at: Set(draft.steps.compactMap { $0.use == nil ? nil : $0.range })) {
      runRules { $0.check(document, collector) }
    }
    return collector.hasErrors ? nil : (draft, linked, checker.outputs)
  }

  private func runRules(_ check: (any Rule.Type) -> Void) {
    for rule in Rules.all where collector.spend(0) { check(rule) }
  }
}

extension Step {
  fileprivate var sendsRange: Bool {
    if case .upload(let upload) = action { upload.range != nil } else { false }
  }
}
