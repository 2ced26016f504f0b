import Basics
import PipelineCore

/// Makes moves at random until nothing is left to do, with a fault now and then.
public struct RandomWalk {
  /// Where it stands.
  public private(set) var node: Node
  private var random: SplitMix64
  private let kinds: FaultKinds

  /// Walks from a run's start; the seed decides every step.
  public init(_ node: Node, seed: UInt64, kinds: FaultKinds = .all) {
    self.node = node
    self.kinds = kinds
    random = SplitMix64(seed: seed)
  }

  /// Walks to the end.
  ///
  /// - Returns: The problems, with the last moves that led there.
  public mutating func run() -> [String] {
    var problems = node.make(Move(.runBegan))
    for _ in 0..<5000 where problems.isEmpty {
      let good = node.goodMoves()
      let isFault = node.faults > 0 && Int.random(in: 0..<4, using: &random) == 0
      let choices = isFault ? node.moves(kinds) : good
      guard let move = choices.randomElement(using: &random) else { return rest() }
      problems = node.make(move)
    }
    if problems.isEmpty { problems = ["never comes to an end"] }
    return problems.map { "\($0)\n    after \(node.trail.suffix(30).joined(separator: ", "))" }
  }

  private func rest() -> [String] {
    var problems: [String] = []
    for item in node.world.rows.items.joined()
    where item.status == .pending || item.status == .active {
      problems.append(
        "item \(item.key) rests as \(item.status)\n    after "
          + node.trail.suffix(30).joined(separator: ", "))
    }
    if node.machine.reservedDiskBytes != 0 { problems.append("bytes stay reserved") }
    return problems
  }
}
