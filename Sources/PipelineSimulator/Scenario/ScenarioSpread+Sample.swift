#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import PipelineCore
import PipelineDocument

extension ScenarioSpread {
  /// Draws a value.
  func sample(using random: inout SplitMix64) -> Double {
    switch self {
    case .constant(let value): return value
    case .uniform(let low, let high):
      return low + (high - low) * Double.random(in: 0..<1, using: &random)
    case .exponential(let mean): return -mean * log(1 - Double.random(in: 0..<1, using: &random))
    case .logNormal(let median, let p90):
      guard median > 0, p90 > median else { return median }
      // Box and Muller; 1.2816 is the normal distribution's ninth decile.
      let radius = sqrt(-2 * log(1 - Double.random(in: 0..<1, using: &random)))
      let normal = radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
      return median * exp(log(p90 / median) / 1.2815515655 * normal)
    }
  }
}
