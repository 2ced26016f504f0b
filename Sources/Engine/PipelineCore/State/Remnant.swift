/// The effects that a replaced result may have left on the server,
/// and the request of ``Loop/onAbandon`` that undoes it.
public struct Remnant: Hashable, Sendable {
  /// Index of the request in ``Loop/onAbandon``.
  public let compensation: Int
  /// The item's steps, of which only those have started that the request names: as they were when one was replaced.
  ///
  /// Their outputs have no lifetime: an expired effect may still exist on the server.
  public var frame: Frame

  /// Makes a remnant.
  public init(compensation: Int, frame: Frame) {
    (self.compensation, self.frame) = (compensation, frame)
  }

  /// Positions in ``frame`` of the steps whose results are named.
  public var positions: [Int] { frame.indices.filter { frame[$0].generation > 0 } }
}

extension Item {
  /// Leaves only those remnants that could not be undone, and names them by their new places.
  mutating func settleRemnants(compensations: Int) {
    guard !remnants.isEmpty, status != .paused else { return }
    guard status == .failed, let left = abandoning?.left else {
      remnants = []
      return
    }
    let kept = left.filter { $0 >= compensations }
    abandoning?.left = left.filter { $0 < compensations } + kept.indices.map { compensations + $0 }
    remnants = kept.compactMap { index in
      remnants.indices.contains(index - compensations) ? remnants[index - compensations] : nil
    }
  }
}
