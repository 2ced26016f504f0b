/// Sampling; values are never negative.
extension Distribution {
  /// Draws a value.
  public func sample(using random: inout SplitMix64) -> Double {
    switch self {
    case .constant(let value): return max(value, 0)
    case .uniform(let low, let high): return max(low + (high - low) * random.nextFraction(), 0)
    case .exponential(let mean): return max(-mean * Logarithm.natural(1 - random.nextFraction()), 0)
    case .logNormal(let median, let p90):
      guard median > 0, p90 > median else { return max(median, 0) }
      // The 0.9 quantile of the standard normal distribution.
      let sigma = Logarithm.natural(p90 / median) / 1.281_551_565_544_600_4
      return median * Logarithm.exponential(sigma * Self.normal(&random))
    }
  }

  var mean: Double {
    switch self {
    case .constant(let value): return max(value, 0)
    case .uniform(let low, let high): return max((low + high) / 2, 0)
    case .exponential(let mean): return max(mean, 0)
    case .logNormal(let median, let p90):
      guard median > 0, p90 > median else { return max(median, 0) }
      let sigma = Logarithm.natural(p90 / median) / 1.281_551_565_544_600_4
      return median * Logarithm.exponential(sigma * sigma / 2)
    }
  }

  /// A standard normal value, by the polar method of Marsaglia.
  private static func normal(_ random: inout SplitMix64) -> Double {
    while true {
      let x = 2 * random.nextFraction() - 1
      let y = 2 * random.nextFraction() - 1
      let square = x * x + y * y
      guard square > 0, square < 1 else { continue }
      return x * (-2 * Logarithm.natural(square) / square).squareRoot()
    }
  }
}

/// Logarithm and exponential that are the same on all platforms, unlike the system's, so that seeds reproduce.
enum Logarithm {
  private static let two = 0.693_147_180_559_945_3

  static func natural(_ number: Double) -> Double {
    guard number > 0, number.isFinite else { return number > 0 ? .infinity : -.infinity }
    let ratio = (number.significand - 1) / (number.significand + 1)
    var power = ratio
    var sum = 0.0
    for odd in stride(from: 1.0, through: 41, by: 2) {
      sum += power / odd
      power *= ratio * ratio
    }
    return 2 * sum + Double(number.exponent) * two
  }

  static func exponential(_ number: Double) -> Double {
    guard abs(number) < 700 else { return number > 0 ? .greatestFiniteMagnitude : 0 }
    let scale = (number / two).rounded()
    let rest = number - scale * two
    var term = 1.0
    var sum = 1.0
    for place in 1...20 {
      term *= rest / Double(place)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(scale), significand: 1)
  }
}
