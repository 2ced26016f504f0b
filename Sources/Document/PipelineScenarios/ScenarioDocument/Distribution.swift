/// The distribution of a quantity.
public enum Distribution: Hashable, Sendable {
  case constant(Double)
  case uniform(Double, Double)
  /// Exponential, with this mean: waiting for an event that is equally likely at any time.
  case exponential(mean: Double)
  /// Many small values and a long tail: half are at most `median`, nine of ten at most `p90`.
  case logNormal(median: Double, p90: Double)

  /// The distribution of the same quantity in another unit, of which this one's fit `number` into one.
  public func divided(by number: Double) -> Self {
    switch self {
    case .constant(let value): .constant(value / number)
    case .uniform(let low, let high): .uniform(low / number, high / number)
    case .exponential(let mean): .exponential(mean: mean / number)
    case .logNormal(let median, let p90): .logNormal(median: median / number, p90: p90 / number)
    }
  }
}
