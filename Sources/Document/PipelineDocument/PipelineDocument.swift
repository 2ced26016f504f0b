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

    init(_ simulated: SimulatedPipeline?, _ loading: Loading, _ used: UsedFiles) {
      let found = loading.collector.diagnostics + used.diagnostics
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
    let used = UsedFiles(files, root: file)
    let loading = Loading(
      bytes: Array(bytes), file: file, path: DocumentPath.lastName(of: file), used: used)
    return Result(loading.pipeline(copiesRanges: copiesRanges), loading, used)
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
    let used = UsedFiles(files, root: file, budget: budget)
    let loading = Loading(
      bytes: Array(bytes), file: file, path: DocumentPath.lastName(of: file), used: used)
    if loading.isDefinitions { _ = loading.definitions() } else { _ = loading.pipeline() }
    return Result(nil, loading, used)
  }

  struct Loading {
    package let collector: DiagnosticCollector
    private let document: YAMLDocument
    private let reader: DocumentReader

    init(bytes: [UInt8], file: String, path: String, used: UsedFiles) {
      collector = DiagnosticCollector(file: file, budget: used.budget)
      let nodes = used.budget.spent.limit(.nodes)
      document = YAMLDocument.parse(bytes, limits: YAMLLimits(expandedNodes: nodes))
      collector.ignores = IgnoreList(
        IgnoreCommentReader(file: file, bytes: bytes, root: document.root).comments())
      for issue in document.issues { collector.report(issue) }
      reader = DocumentReader(document: document, collector: collector, used: used, path: path)
    }

    package func pipeline(copiesRanges: Bool = false) -> SimulatedPipeline? {
      guard let root = document.root else { return finished(nil) }
      if isDefinitions {
        collector.report(
          .notAPipeline, "the file contains definitions for other pipelines, not a pipeline",
          at: root.entry("definitions").map { reader.range($0.key) } ?? reader.range(root))
        return finished(nil)
      }
      guard let (draft, linked, _) = checked(root) else { return finished(nil) }
      guard copiesRanges, linked.simulated.steps.contains(where: \.sendsRange)
      else { return finished(linked.simulated) }
      return finished(PipelineLinker.link(draft, reader, copiesRanges: true)?.simulated)
    }

    func usable() -> UsedPipeline? {
      guard let root = document.root, let (draft, linked, outputs) = checked(root)
      else { return finished(nil) }
      return finished(
        UsedPipeline(draft, reader, outputs, hasLoops: !linked.simulated.loops.isEmpty))
    }

    package func definitions() -> Definitions? {
      let found = document.root.flatMap(reader.definitions)
      return finished(collector.hasErrors ? nil : found)
    }

    var isDocument: Bool {
      document.root?.mapping?.contains { entry in
        ["pipeline", "definitions", "steps"].contains(entry.name)
      } ?? false
    }

    var isDefinitions: Bool {
      guard let root = document.root else { return false }
      return root["definitions"] != nil && root["pipeline"] == nil
    }

    private func checked(
      _ root: YAMLNode
    ) -> (draft: DraftPipeline, linked: LinkedPipeline, outputs: [UsedPipeline.Output])? {
      guard let draft = reader.pipeline(root),
        collector.allows(draft.steps.count, .steps, at: draft.steps.last?.range)
      else { return nil }
      for rule in Rules.all where collector.spend(0) { rule.check(draft, collector) }
      var checker = PipelineChecker(draft, reader: reader)
      guard let (pipeline, outputs) = checker.check(),
        let linked = pipeline.map({ LinkedPipeline($0, checker.examples, draft) })
          ?? PipelineLinker.link(draft, reader, copiesRanges: false)
      else { return nil }
      TimeAndBytes.check(linked, draft, reader)
      return collector.hasErrors ? nil : (draft, linked, outputs)
    }

    private func finished<Found>(_ found: Found?) -> Found? {
      for finding in collector.ignores.findings(isComplete: found != nil) {
        collector.report(finding)
      }
      return found
    }
  }
}

extension Step {
  fileprivate var sendsRange: Bool {
    if case .upload(let upload) = action { upload.range != nil } else { false }
  }
}
