import Dispatch

/// Checks the parts of one long document on as many threads as the machine has cores.
///
/// The threads only read what they share. Each writes to its own collector, cache and tables, which are merged in
/// the order of the parts, so that the result does not depend on timing.
enum Concurrency {
  /// The number of steps that is worth a thread.
  ///
  /// Most documents are shorter than two parts and stay on their thread.
  static let stepsPerPart = 64

  /// The results of `work` for each element, in order.
  package static func map<Element, Result>(
    _ elements: [Element], _ work: (Element) -> Result
  ) -> [Result] {
    guard elements.count > 1 else { return elements.map(work) }
    var results = [Result?](repeating: nil, count: elements.count)
    withoutActuallyEscaping(work) { work in
      results.withUnsafeMutableBufferPointer { buffer in
        // Elements are only read, and each slot of the buffer belongs to one call.
        nonisolated(unsafe) let (elements, work, buffer) = (elements, work, buffer)
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
          buffer[index] = work(elements[index])
        }
      }
    }
    return results.compactMap { $0 }
  }

  /// Runs the rules on `draft`: in parallel when it is long enough for two parts, otherwise one by one.
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

  /// Ranges of `elements` with enough steps for a thread each; `steps` counts the steps of an element.
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
