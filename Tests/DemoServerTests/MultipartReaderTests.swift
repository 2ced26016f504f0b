import NIOCore
import Testing

@testable import DemoServer

struct MultipartReaderTests {
  private let form =
    "preamble\r\n--b  \r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\n--b\r\n"
    + "content-disposition: form-data; name=\"f\"; filename=\"a;\\\"b.txt\"\r\n"
    + "Content-Type: text/plain\r\n\r\n\r\n--\r\n--bx\r-\r\n--b--\r\nepilogue"

  /// The form's fields and file, read in pieces of `size` bytes.
  private func read(
    _ text: String, by size: Int
  ) throws -> (fields: [String: String], fileName: String?, file: String?) {
    var reader = MultipartReader(boundary: "b")
    var fields: [String: String] = [:]
    var fileName: String?
    var file: [UInt8]?
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])
      for event in try reader.read(piece) {
        switch event {
        case .field(let name, let value): fields[name] = value
        case .fileBegan(let name): (fileName, file) = (name, [])
        case .fileBytes(let bytes): file?.append(contentsOf: bytes.readableBytesView)
        case .fileEnded: break
        }
      }
    }
    try reader.finish()
    return (fields, fileName, file.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test(arguments: 1...40)
  func `the pieces in which a form arrives do not matter`(size: Int) throws {
    // `--bx` is no delimiter by RFC 2046, yet its prefix is; a boundary is chosen not to occur.
    let text = form.replacing("--bx", with: "-bx")
    let (fields, fileName, file) = try read(text, by: size)
    #expect(fields == ["k": "v"])
    #expect(fileName == "a;\"b.txt")
    #expect(file == "\r\n--\r\n-bx\r-")
  }

  @Test func `an empty file is a file`() throws {
    let text = "--b\r\nContent-Disposition: form-data; name=file\r\n\r\n\r\n--b--\r\n"
    #expect(try read(text, by: 7).file == "")
  }

  @Test(arguments: [
    ("--b\r\nContent-Disposition: form-data; name=file\r\n\r\nabc", MultipartReader.Malformed.cut),
    ("", .cut), ("--b\r\n\r\nabc\r\n--b--", .header), ("--bad\r\n", .delimiter),
    ("--b\r\n" + String(repeating: "x", count: 20_000), .headerTooLarge),
    (
      "--b\r\nContent-Disposition: form-data; name=k\r\n\r\n"
        + String(repeating: "x", count: 70_000), .fieldTooLarge
    ),
    (
      String(repeating: "--b\r\nContent-Disposition: form-data; name=file\r\n\r\n\r\n", count: 2)
        + "--b--", .secondFile
    ),
  ])
  func `a malformed form says how`(text: String, expected: MultipartReader.Malformed) {
    #expect(throws: expected) { try read(text, by: 1000) }
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc" as String?),
    ("Multipart/Form-Data; charset=x; Boundary=\"a b\"", "a b"),
    ("multipart/mixed; boundary=abc", nil), ("application/json", nil), ("multipart/form-data", nil),
  ])
  func `the boundary is read from the content type`(value: String, expected: String?) {
    #expect(MultipartReader.boundary(ofContentType: value) == expected)
  }
}
