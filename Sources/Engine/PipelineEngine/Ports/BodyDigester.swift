/// Computes digests of a body while it is sent.
public protocol BodyDigester {
  mutating func add(_ bytes: UnsafeRawBufferPointer)
  /// The digests of all bytes so far, in lower-case hexadecimal.
  func digests() -> [DigestAlgorithm: String]
}
