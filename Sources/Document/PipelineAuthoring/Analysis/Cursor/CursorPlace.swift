struct CursorPlace {
  private(set) var shapes: [ValueShape]
  private(set) var owner: (construct: Construct, key: String)?
  private(set) var scope = DocumentIndex.Scope()

  /// Follows a path down from the root; an invalid path results in no shapes.
  init(_ context: CursorContext, in index: DocumentIndex) {
    shapes = [.construct(index.root)]
    var isProbe = false
    for (depth, element) in context.path.enumerated() {
      switch element {
      case .key(let name):
        if let shape = shapes.mapped {
          if let owner { scope.enterReplies(of: name, owner.construct, owner.key) }
          shapes = [shape]
          continue
        }
        let candidates = IndexBuilder.choose(among: shapes.allConstructs, keys: [name])
        let found = candidates.lazy.compactMap { construct in
          construct.key(name).map { (construct, $0) }
        }.first
        guard let (construct, key) = found else {
          // Inside JSON every key leads to JSON again.
          shapes = shapes.contains { if case .json = $0 { true } else { false } } ? [.json] : []
          continue
        }
        owner = (construct, name)
        shapes = [key.shape]
        if construct == .step, name == "probe" { isProbe = true }
        follow(construct, name, isProbe: isProbe, index)
      case .item(let place): enter(place, isLast: depth == context.path.count - 1, context, index)
      }
    }
  }

  private mutating func follow(
    _ construct: Construct, _ key: String, isProbe: Bool, _ index: DocumentIndex
  ) {
    switch (construct, key) {
    case (.step, "on"), (.step, "success_if"), (.step, "outputs"):
      scope.hasResponse = currentStep(index)?.hasResponse ?? true
    case (.step, "results"), (.probe, "took_effect"), (.property, "at_most_once"):
      scope.hasResponse = true
    case (.probe, "request"), (.step, "if"): scope.hasResponse = false
    case (.step, _) where StepKind(rawValue: key) != nil: scope.hasResponse = false
    case (.loop, "on_abandon"):
      scope.step = index.steps.lastIndex { $0.loop == scope.loop }.map { $0 + 1 } ?? scope.step
    case (.loop, "in"): scope.loop = nil
    case (.pipeline, "outputs"), (.pipeline, "credentials"): scope.step = index.steps.count
    // They see the results of their own steps.
    case (.innerLoop, "collect"):
      if currentStep(index) != nil { scope.parts = scope.step }
      scope.step = endOfStep(index)
    case (.repeat, "until"), (.repeat, "next"): scope.step = endOfStep(index)
    case (.repeat, "resync"):
      scope.step = endOfStep(index)
      scope.hasResponse = true
    case (.resync, "request"): scope.hasResponse = false
    default: scope.enterExpectation(construct, key)
    }
  }

  private func currentStep(_ index: DocumentIndex) -> DocumentIndex.Step? {
    index.steps.indices.contains(scope.step) ? index.steps[scope.step] : nil
  }

  private func endOfStep(_ index: DocumentIndex) -> Int {
    guard let own = currentStep(index) else { return scope.step }
    return index.steps.lastIndex { own.range.contains($0.range) }.map { $0 + 1 } ?? scope.step
  }

  private mutating func enter(
    _ place: SourcePosition, isLast: Bool, _ context: CursorContext, _ index: DocumentIndex
  ) {
    shapes = shapes.flatMap { shape -> [ValueShape] in
      switch shape {
      case .list(let element), .filledList(let element): [element]
      case .either(let shapes):
        shapes.compactMap { if case .list(let element) = $0 { element } else { nil } }
      case .json: [.json]
      default: []
      }
    }
    let constructs = shapes.allConstructs
    guard constructs.contains(.step) else { return }
    scope.step = index.steps.count { $0.start < place }
    scope.parts = index.steps.indices.contains(scope.step) ? index.steps[scope.step].partOf : nil
    if constructs.contains(.loop) {
      scope.loop = index.loops.firstIndex { $0.start >= place }
        .flatMap { $0 < index.loops.count && isOpen(index.loops[$0], place, index) ? $0 : nil }
    }
    // For an element of a list, the keys next to the cursor determine which construct it is.
    guard isLast, constructs.count > 1, !context.siblings.isEmpty else { return }
    let chosen = IndexBuilder.choose(among: constructs, keys: context.siblings)
    shapes = chosen.map { .construct($0) }
    if constructs.contains(.loop), !chosen.contains(.loop) { scope.loop = nil }
  }

  /// Whether the element that starts at `place` is the loop, not a step before it.
  private func isOpen(
    _ loop: DocumentIndex.Loop, _ place: SourcePosition, _ index: DocumentIndex
  ) -> Bool {
    !index.steps.contains { $0.loop == nil && place <= $0.start && $0.start < loop.start }
  }
}

extension [ValueShape] {
  var allConstructs: [Construct] {
    flatMap { shape -> [Construct] in
      switch shape {
      case .construct(let construct): [construct()]
      case .either(let shapes): shapes.allConstructs
      default: []
      }
    }
  }

  var mapped: ValueShape? {
    for shape in self {
      switch shape {
      case .map(let value, names: _): return value
      case .either(let shapes): if let value = shapes.mapped { return value }
      default: continue
      }
    }
    return nil
  }
}
