extension RunState {
  /// A text for ``/PipelineCore/RunState/keySeed``: 100 random bits from the system's generator as 20 digits of Crockford's
  /// base 32, in lower case, so that keys fit into headers that are limited to 64 characters.
  public static func randomKeySeed() -> String {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var generator = SystemRandomNumberGenerator()
    return String((0..<20).map { _ in digits[Int.random(in: 0..<32, using: &generator)] })
  }
}
