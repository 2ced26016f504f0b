public import PipelineCore
public import PipelineEngine

/// Digests of a body while it is sent, by the same code as those of files.
public struct StreamDigester: BodyDigester {
  private var digester: Digester

  /// Takes `algorithms`.
  public init(_ algorithms: [DigestAlgorithm]) { digester = Digester(algorithms) }
  /// Adds bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) { digester.update(bytes) }
  /// The digests of all bytes so far, in lower-case hexadecimal.
  public func digests() -> [DigestAlgorithm: String] { digester.finish() }
}
