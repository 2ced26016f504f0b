/// A string compared by code points, as JSON demands (RFC 8259 §8.3), and not by canonical equivalence.
package struct ByteExact: Hashable, Sendable {
  @usableFromInline package let string: String

  @inlinable package init(_ string: String) { self.string = string }

  @inlinable package static func == (left: ByteExact, right: ByteExact) -> Bool {
    left.string.isByteEqual(to: right.string)
  }

  @inlinable package func hash(into hasher: inout Hasher) {
    var copy = string
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}

extension String {
  @inlinable package func isByteEqual(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let answer = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    // Bridged strings may not be contiguous.
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
