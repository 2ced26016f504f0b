/// The signatures of the function whose arguments are being written.
public struct SignatureHelp: Hashable, Sendable {
  /// One way to call the function.
  public struct Signature: Hashable, Sendable {
    /// The whole call with names and types, such as `hex(bytes: bytes) -> string`.
    public let label: String
    /// The ranges of the parameters in ``label``, in Unicode scalars; the receiver of a method is none.
    public let parameters: [Range<Int>]
    /// The documentation, in Markdown.
    public let documentation: String?
  }

  /// All signatures with the function's name, in the order of the function's declaration.
  public let signatures: [Signature]
  /// The index of the first signature that has room for the arguments so far.
  public let activeSignature: Int
  /// The index of the argument at the cursor, which may be beyond the parameters.
  public let activeParameter: Int
}

extension SignatureHelp.Signature {
  /// Writes the parts of a signature and notes where its parameters are.
  init(head: String, parameters: [String], tail: String, documentation: String?) {
    var label = head
    var ranges: [Range<Int>] = []
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { label += ", " }
      let start = label.unicodeScalars.count
      label += parameter
      ranges.append(start..<label.unicodeScalars.count)
    }
    self.init(label: label + tail, parameters: ranges, documentation: documentation)
  }
}
