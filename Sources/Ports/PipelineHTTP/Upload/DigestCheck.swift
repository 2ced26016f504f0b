import NIOCore

/// Compares the digests of a body that is sent once with those that it had when it was created (`@unchecked`:
/// one piece is added after the other).
final class DigestCheck: @unchecked Sendable {
  private let expected: [DigestAlgorithm: String]
  private var digester: any BodyDigester

  /// - Returns: `nil` if no digests of the body are known, or nothing can compute them.
  init?(of body: BodySource, _ digester: (@Sendable ([DigestAlgorithm]) -> any BodyDigester)?) {
    let algorithms = DigestAlgorithm.allCases.filter { body.digests[$0] != nil }
    guard let digester, !algorithms.isEmpty else { return nil }
    expected = body.digests
    self.digester = digester(algorithms)
  }

  /// Processes the next bytes before they are sent; fails with the last ones if the body has changed.
  func add(_ bytes: ByteBuffer, isLast: Bool) throws(ExchangeFailure) {
    bytes.withUnsafeReadableBytes { digester.add($0) }
    guard isLast else { return }
    let found = digester.digests()
    for algorithm in DigestAlgorithm.allCases {
      guard let planned = expected[algorithm], let now = found[algorithm], planned != now
      else { continue }
      throw .fileChanged(
        """
        the body has changed since it was created: its \(algorithm.rawValue) was \(planned) and \
        is now \(now)
        """)
    }
  }
}
