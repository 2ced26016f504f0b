public import CEL

extension Evaluator {
  /// Whether the file came from an input or a step: an expression can build any map, with any path.
  func isGiven(_ file: FileValue, _ scope: Scope) -> Bool {
    if case .file(let subject)? = scope.subject, subject.isSame(as: file) { return true }
    for frame in scope.frames
    where frame.contains(where: { $0.file?.isSame(as: file) ?? false }) { return true }
    for member in scope.members {
      if case .file(let subject) = member.subject, subject.isSame(as: file) { return true }
    }
    return pipeline.inputs.contains { input in
      switch input.kind {
      case .file, .files:
        scope.inputs[input.name].map { value in
          (value.listValue ?? [value]).contains { FileValue($0)?.isSame(as: file) ?? false }
        } ?? false
      case .string, .int, .bool, .url, .duration, .size, .folder, .secret: false
      }
    }
  }

  /// The subject for an element of a loop's list: a file if it came from an input or a step.
  public func subjects(of values: [Value], _ scope: Scope) -> [Item.Subject] {
    var given: Set<String> = []
    for input in pipeline.inputs {
      guard input.kind == .file || input.kind == .files, let value = scope.inputs[input.name]
      else { continue }
      for element in value.listValue ?? [value] {
        if let file = FileValue(element) { given.insert(file.path) }
      }
    }
    for state in scope.runFrame { if let file = state.file { given.insert(file.path) } }
    return values.map { value in
      guard let file = FileValue(value), given.contains(file.path) else { return .value(value) }
      return .file(file)
    }
  }

  /// The path, in the run's folder, of the file that a step makes for an item.
  ///
  /// A folder for each item would cost more than its small file; with a few folders, each stays
  /// short, and several threads can work in different ones.
  public static func path(of step: Step, for key: ItemKey?) -> String {
    guard let key else { return "run/\(step.id)" }
    let part = key.part.map { ".\($0.generation).\($0.number)" } ?? ""
    return "\(key.ordinal % 64)/\(key.loop)-\(key.ordinal)\(part)-\(step.id)"
  }

  /// The item of a path of ``path(of:for:)``; `nil` for the run's own.
  public static func item(ofPath path: String) -> ItemKey? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] != "run" else { return nil }
    let names = parts[1].split(separator: "-", maxSplits: 2)
    guard names.count == 3, let loop = Int(names[0]),
      let ordinal = Int(names[1].prefix { $0 != "." })
    else { return nil }
    return ItemKey(loop: loop, ordinal: ordinal)
  }

  /// The content that is sent for `file`: the file itself, or its content,
  /// generated again by a step that must not write it.
  public func body(of file: FileValue, _ scope: Scope) throws(EvaluationFailure) -> Body {
    guard let maker = unwrittenProducer(of: file, scope) else { return Body(file) }
    return try body(of: file, madeBy: maker, scope)
  }

  /// The step that made `file` without writing it; `nil` if it is on the disk.
  public func unwrittenProducer(of file: FileValue, _ scope: Scope) -> Int? {
    guard !file.isUsers else { return nil }
    func isMaker(_ index: Int, of path: some StringProtocol) -> Bool {
      let step = pipeline.steps[index]
      return Self.path(of: step, for: step.owner(readFrom: scope.item)) == path
    }
    guard file.isInPieces
    else { return pipeline.secretBodies.sorted().first { isMaker($0, of: file.path) } }
    let path = file.path.dropFirst(FileValue.piecesPrefix.count)
    return pipeline.steps.indices.first {
      pipeline.steps[$0].kind == .materialize && isMaker($0, of: path)
    }
  }

  /// The path of a file that is sent in pieces and never written.
  public static func pathInPieces(of step: Step, for key: ItemKey?) -> String {
    FileValue.piecesPrefix + path(of: step, for: key)
  }

  private func body(
    of file: FileValue, madeBy index: Int, _ scope: Scope
  ) throws(EvaluationFailure) -> Body {
    let step = pipeline.steps[index]
    guard case .materialize(let template) = step.action else { return Body(file) }
    var then = scope
    // Evaluated at the original time, even if expressions read the time.
    then.now = Instant(milliseconds: file.modified / 1_000_000)
    let id = EffectID(
      run: scope.run, item: step.owner(readFrom: scope.item), step: index,
      generation: state(of: index, in: scope)?.generation ?? 0, attempt: 0)
    let body = try plan(template, then, id: id).body
    guard body.size == file.size else {
      throw EvaluationFailure(
        "the body of step '\(step.id)' has changed since it was created", at: step.location)
    }
    return Body(body.pieces, digests: file.digests)
  }
}

extension FileValue {
  /// Whether both are the same file, regardless of other properties.
  func isSame(as other: FileValue) -> Bool {
    path == other.path && size == other.size && modified == other.modified
  }
}
