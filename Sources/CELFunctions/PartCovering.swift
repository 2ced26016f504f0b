import CEL

extension Library {
  /// `covering(list, size)`: the list, if its parts are the whole file.
  ///
  /// A server that names the parts of a file may name them wrongly; what is then sent would be another file.
  static let coveringFunction = Function(
    "covering",
    .function(.list(.parameter("P")), .int, returns: .list(.parameter("P"))) {
      (arguments, meter) throws(EvaluationError) in
      guard let list = arguments[0].listValue, let size = arguments[1].intValue else {
        throw EvaluationError(.noSuchOverload, "'covering' takes a list of parts and a size")
      }
      try meter.charge(list.count)
      try checkCovering(list, size)
      return arguments[0]
    })

  /// Throws unless the parts, in any order, cover `size` bytes without a gap and without an overlap.
  private static func checkCovering(
    _ list: some Collection<Value>, _ size: Int64
  ) throws(EvaluationError) {
    var parts: [(place: Int, offset: Int64, length: Int64)] = []
    for (index, part) in list.enumerated() {
      guard let fields = part.mapValue, let offset = fields["offset"]?.intValue,
        let length = fields["length"]?.intValue, offset >= 0, length >= 0
      else { throw failure("part \(index + 1) of the list has no 'offset' and 'length' in bytes") }
      parts.append((index + 1, offset, length))
    }
    parts.sort { ($0.offset, $0.length) < ($1.offset, $1.length) }
    var end: Int64 = 0
    for part in parts {
      if part.offset < end {
        throw failure(
          "part \(part.place) of the list begins at \(part.offset), but the bytes before it end at \(end)"
        )
      }
      if part.offset > end { throw failure("no part has the bytes from \(end) to \(part.offset)") }
      let (next, isOver) = part.offset.addingReportingOverflow(part.length)
      guard !isOver else { throw failure("part \(part.place) of the list is too long") }
      end = next
    }
    guard end == size else {
      throw failure("the parts end at \(end), but the file has \(size) bytes")
    }
  }

  private static func failure(_ text: String) -> EvaluationError {
    EvaluationError(.invalidArgument, "'covering': \(text)")
  }
}
