public import PipelineCore

extension RunState {
  /// A text for ``/PipelineCore/RunState/keySeed``: 100 random bits of the system's generator in 20 digits of Crockford's
  /// base 32, lower case, so that keys stay short enough for headers that take 64 characters.
  public static func randomKeySeed() -> String {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var generator = SystemRandomNumberGenerator()
    return String((0..<20).map { _ in digits[Int.random(in: 0..<32, using: &generator)] })
  }
}
