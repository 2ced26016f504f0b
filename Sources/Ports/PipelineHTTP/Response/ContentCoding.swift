import CZlib
import NIOCore

/// Undoes the content codings of a body (RFC 9110 §8.4): gzip and deflate, which some servers use unasked.
enum ContentCoding {
  struct Damaged: Error, Hashable {
    /// The problem, with its place; for the user.
    let reason: String
  }

  /// Most codings of one body.
  private static let longestList = 4

  /// The body without its codings, in at most `limit` bytes; throws ``Damaged``, or ``ExchangeFailure/responseTooLarge(_:)``.
  static func decoded(_ body: ByteBuffer, _ head: ResponseHead, limit: Int) throws -> [UInt8] {
    var bytes = Array(body.readableBytesView)
    let codings = head.list("content-encoding").filter { !$0.isEmpty && $0 != "identity" }
    guard !bytes.isEmpty else { return bytes }
    guard codings.count <= longestList
    else { throw Damaged(reason: "byte 0: more than \(longestList) content codings") }
    for coding in codings.reversed() {
      switch coding {
      case "gzip", "x-gzip": bytes = try inflated(bytes, coding, window: 15 + 16, limit)
      case "deflate":
        // Many servers leave out the zlib header, which is a multiple of 31.
        let start = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let hasHeader = start % 31 == 0 && bytes.first.map { $0 & 0x0F } == 8
        bytes = try inflated(bytes, coding, window: hasHeader ? 15 : -15, limit)
      default:
        throw Damaged(reason: "byte 0: the content coding '\(coding.prefix(40))' was not requested")
      }
    }
    return bytes
  }

  private static func inflated(
    _ input: [UInt8], _ coding: Substring, window: Int32, _ limit: Int
  ) throws -> [UInt8] {
    var input = input
    var output: [UInt8] = []
    return try input.withUnsafeMutableBufferPointer { input in
      var stream = z_stream()
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      func damaged(_ what: String) -> Damaged {
        Damaged(reason: "byte \(input.count - Int(stream.avail_in)): the \(coding) data \(what)")
      }
      guard
        inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { throw damaged("needs more memory than there is") }
      defer { inflateEnd(&stream) }
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let status = piece.withUnsafeMutableBufferPointer { piece in
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          return inflate(&stream, Z_NO_FLUSH)
        }
        output += piece.dropLast(Int(stream.avail_out))
        guard output.count <= limit
        else { throw ExchangeFailure.responseTooLarge(Int64(output.count)) }
        switch status {
        case Z_STREAM_END:
          // A gzip file may have several members (RFC 1952 §2.2).
          guard stream.avail_in > 0 else { return output }
          guard window > 15, inflateReset(&stream) == Z_OK
          else { throw damaged("ends before here") }
        case Z_OK where stream.avail_in > 0 || stream.avail_out == 0: break
        case Z_OK, Z_BUF_ERROR: throw damaged("is not complete")
        default: throw damaged("is damaged")
        }
      }
    }
  }
}
