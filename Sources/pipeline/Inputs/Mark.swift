/// A value in 128 bits, for sets of millions: a set of paths would be too large.
struct Mark: Hashable {
  private let first: Int
  private let second: Int

  init(_ value: some Hashable) {
    var hasher = Hasher()
    hasher.combine(value)
    first = hasher.finalize()
    hasher = Hasher()
    hasher.combine(1)
    hasher.combine(value)
    second = hasher.finalize()
  }
}
