import Dispatch

/// Work on the parts of one long document, on as many threads as the machine has.
///
/// What the threads share is only read. Each writes to a collector, a cache and tables of its own, which are put together in
/// the order of the parts, so that the outcome does not depend on who was first.
enum Concurrency {
  /// A part of so many steps is worth a thread; most documents are shorter than two of them and never leave theirs.
  static let stepsPerPart = 64

  /// What `work` makes of each element, in their order.
  package static func map<Element, Result>(
    _ elements: [Element], _ work: (Element) -> Result
  ) -> [Result] {
    guard elements.count > 1 else { return elements.map(work) }
    var results = [Result?](repeating: nil, count: elements.count)
    withoutActuallyEscaping(work) { work in
      results.withUnsafeMutableBufferPointer { buffer in
        // Elements are only read, and each place of the buffer belongs to one call.
        nonisolated(unsafe) let (elements, work, buffer) = (elements, work, buffer)
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
          buffer[index] = work(elements[index])
        }
      }
    }
    return results.compactMap { $0 }
  }

  /// Puts `draft` through rules: all at once where it is long enough for two parts, else one after the other.
  package static func check<Rule>(
    _ rules: [Rule], _ draft: DraftPipeline, _ collector: DiagnosticCollector,
    _ check: (Rule, DiagnosticCollector) -> Void
  ) {
    guard draft.steps.count >= 2 * stepsPerPart else {
      for rule in rules { check(rule, collector) }
      return
    }
    let parts = map(rules) { rule in
      let part = collector.part()
      check(rule, part)
      return part
    }
    for part in parts { collector.add(part) }
  }

  /// Stretches of `elements` that have steps enough for a thread each; `steps` tells how many an element has.
  package static func parts<Element>(
    of elements: [Element], steps: (Element) -> Int
  ) -> [(elements: ArraySlice<Element>, firstStep: Int)] {
    var parts: [(elements: ArraySlice<Element>, firstStep: Int)] = []
    var (start, firstStep, count) = (0, 0, 0)
    for (index, element) in elements.enumerated() {
      count += steps(element)
      guard count >= stepsPerPart || index == elements.count - 1 else { continue }
      parts.append((elements[start...index], firstStep))
      (start, firstStep, count) = (index + 1, firstStep + count, 0)
    }
    return parts
  }
}
