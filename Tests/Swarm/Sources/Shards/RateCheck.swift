import Basics
import PipelineCore

/// Whether all shards together keep the rate.
///
/// Requests count when they are decided: what delays them afterwards is not the worker's choice.
struct RateCheck {
  /// A worker that starts with a shard.
  struct Claim {
    let at: Instant
    let shard: Int
    /// Whether it has no request that it may send at once.
    let startsEmpty: Bool
  }

  /// When requests were decided.
  var sent: [Instant] = []
  var claims: [Claim] = []

  /// The first time span found that has more requests than the rate allows, with the sixteenth that new shards may have in addition.
  ///
  /// In addition, each shard that was held before the time span may have saved one request, and so may each that is continued in it. One that
  /// starts in it has saved none.
  func excess(over rate: Rate) -> String? {
    let sent = sent.sorted()
    let perSecond = Double(rate.requests) / Double(rate.period.milliseconds) * 1000
    for start in Set(sent + claims.map(\.at)).sorted() {
      let saved = Set(claims.lazy.filter { $0.at < start }.map(\.shard)).count
      var later = claims.drop { $0.at < start }[...]
      var (count, continued) = (0, 0)
      for moment in sent.drop(while: { $0 < start }) {
        while let claim = later.first, claim.at <= moment {
          if !claim.startsEmpty { continued += 1 }
          later.removeFirst()
        }
        count += 1
        let seconds = Double((moment - start).milliseconds) / 1000
        let allowed = seconds * perSecond * 17 / 16 + Double(saved + continued)
        if Double(count) > allowed + 0.01 {
          return "\(count) requests within \(seconds) s, and the rate allows \(allowed)"
        }
      }
    }
    return nil
  }
}
