/// Finds bytes in bytes at the speed of the C library's vectorized scan.
enum ByteSearch {
  static func firstOffset(
    of pattern: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    guard let base = bytes.baseAddress, let wanted = pattern.baseAddress, let first = pattern.first
    else { return nil }
    var offset = 0
    while offset + pattern.count <= bytes.count {
      let window = bytes.count - pattern.count + 1 - offset
      guard let hit = memchr(base + offset, Int32(first), window) else { return nil }
      offset = UnsafeRawPointer(hit) - base
      if memcmp(base + offset, wanted, pattern.count) == 0 { return offset }
      offset += 1
    }
    return nil
  }
}
