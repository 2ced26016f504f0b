import NIOCore
import TestSupport
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
    // By RFC 2046 `--bx` is not a delimiter, yet its prefix is; a boundary is chosen not to occur.
    let text = form.replacing("--bx", with: "-bx")
    let (fields, fileName, file) = try read(text, by: size)
    #expect(fields == ["k": "v"])
    #expect(fileName == "a;\"b.txt")
    #expect(file == "\r\n--\r\n-bx\r-")
  }

  @Test func `a damaged form is read the same in pieces, or refused the same`() throws {
    let fuzz = Fuzz("forms", inputs: 2000, share: 0.05)
    let pieces = [
      "\r\n", "\r", "\n", "--", "--b", "--b--", "\r\n--b\r\n", "\r\n\r\n", "\"", "\\", ";", ":",
      "=",
      "Content-Disposition: form-data; name=\"k\"", "; filename=\"f\"", "; filename*=UTF-8''%",
      "\0",
    ]
    while let seed = try fuzz.next() {
      var damage = TextDamage(seed: seed, pieces: pieces)
      let bytes = seed % 5 == 0 ? damage.soup() : damage.apply(to: Array(form.utf8))
      let text = String(decoding: bytes, as: UTF8.self)
      fuzz.trying(text, seed: seed)
      func outcome(by size: Int) -> String {
        do {
          let (fields, fileName, file) = try read(text, by: size)
          return "\(fields.sorted { $0.key < $1.key }) \(fileName ?? "-") \(file ?? "-")"
        } catch {
          return "\(error)"
        }
      }
      #expect(outcome(by: 1) == outcome(by: 1 << 20), "seed \(seed)")
    }
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
  func `a malformed form is reported with the problem`(
    text: String, expected: MultipartReader.Malformed
  ) {
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
