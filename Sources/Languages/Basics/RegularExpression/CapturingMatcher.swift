/// Finds the first match of a program and the captures of its groups, on all paths at once: linear in the text.
///
/// Of several matches it finds the one that a matcher that tries alternatives in order would find first, as RE2 does: each path carries its
/// captures, and paths are kept in the order of preference (after Pike).
package struct CapturingMatcher {
  package typealias StepLimitReached = RegexProgram.StepLimitReached

  private struct Path {
    let place: Int
    var slots: [Int]
  }

  private let program: RegexProgram
  private let input: [UInt32]
  /// For each instruction the position at which a path last reached it.
  private var reached: [Int]
  private var stack: [Path] = []
  package private(set) var steps: Int

  package init(program: RegexProgram, input: [UInt32], steps: Int) {
    (self.program, self.input, self.steps) = (program, input, steps)
    reached = [Int](repeating: -1, count: program.instructions.count)
  }

  /// Start and end of the match and of each group, -1 for a group that did not participate;
  /// `nil` without a match.
  package mutating func firstMatch() throws(StepLimitReached) -> [Int]? {
    var paths: [Path] = []
    var following: [Path] = []
    var match: [Int]?
    for position in 0...input.count {
      // A match that starts later only counts if no match has been found.
      if match == nil, position == 0 || !program.isAnchored {
        var slots = [Int](repeating: -1, count: program.slotCount)
        slots[0] = position
        follow(Path(place: 0, slots: slots), at: position, into: &paths)
      }
      guard !paths.isEmpty || (match == nil && !program.isAnchored) else { break }
      following.removeAll(keepingCapacity: true)
      // The paths after one that matches are less preferred.
      search: for path in paths {
        switch program.instructions[path.place] {
        case .match:
          match = path.slots
          match?[1] = position
          break search
        case .set(let set):
          guard position < input.count, program.sets[set].contains(input[position])
          else { continue }
          follow(Path(place: path.place + 1, slots: path.slots), at: position + 1, into: &following)
        default: continue
        }
      }
      guard steps > 0 else { throw StepLimitReached() }
      swap(&paths, &following)
    }
    return match
  }

  /// Adds the instructions that a path reaches without consuming anything.
  private mutating func follow(_ start: Path, at position: Int, into paths: inout [Path]) {
    stack.append(start)
    while var path = stack.popLast() {
      guard reached[path.place] != position else { continue }
      reached[path.place] = position
      steps -= 1 + path.slots.count / 8
      var next = path.place + 1
      switch program.instructions[path.place] {
      case .set, .match:
        paths.append(path)
        continue
      case .split(let preferred, let other):
        stack.append(Path(place: other, slots: path.slots))
        stack.append(Path(place: preferred, slots: path.slots))
        continue
      case .jump(let target): next = target
      case .save(let slot): path.slots[slot] = position
      case .clear(let range): for slot in range { path.slots[slot] = -1 }
      case .start, .end, .lineStart, .lineEnd, .wordBoundary:
        guard program.instructions[path.place].holds(in: input, at: position) else { continue }
      // The other instructions occur only in programs for the backtracking matcher.
      case .setBackward, .backreference, .look, .markProgress, .requireProgress: continue
      }
      stack.append(Path(place: next, slots: path.slots))
    }
  }
}
