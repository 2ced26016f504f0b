extension RandomAccessCollection<UInt8> {
  /// The scalar at `index` and its length in bytes; `nil` if the bytes are not UTF-8 (RFC 3629 §4: no overlong forms, no surrogates).
  @inlinable package func scalar(at index: Index) -> (scalar: Unicode.Scalar, length: Int)? {
    var rest = self[index...].prefix(4).makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    guard case .valid(let unit) = parser.parseScalar(from: &rest) else { return nil }
    return (Unicode.UTF8.decode(unit), unit.count)
  }
}
