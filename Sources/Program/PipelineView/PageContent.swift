/// A response to the page.
struct PageContent: Sendable {
  let text: String
  let type: String

  init(_ text: String, type: String) { (self.text, self.type) = (text, type) }

  /// Nothing from elsewhere is loaded or run, no other page embeds this one, and no cache keeps it.
  static let safety: HTTPFields = {
    var fields = HTTPFields()
    fields[.contentSecurityPolicy] =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    fields[.cacheControl] = "no-store"
    fields[.xContentTypeOptions] = "nosniff"
    for (name, value) in [
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ] { if let name = HTTPField.Name(name) { fields[name] = value } }
    return fields
  }()
}

/// What is embedded in the program, so that the page needs no folder.
enum PageFiles {
  static let document = EmbeddedTexts.documents.first?.text ?? ""
  static let style = EmbeddedTexts.styles.first?.text ?? ""
  /// The modules by name, without `.js`.
  static let scripts = Dictionary(
    EmbeddedTexts.scripts.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })

  static func content(_ path: [Substring]) -> PageContent? {
    switch path {
    case [""], ["index.html"]: PageContent(document, type: "text/html; charset=utf-8")
    case ["page.css"]: PageContent(style, type: "text/css; charset=utf-8")
    default:
      path.count == 1 && path[0].hasSuffix(".js")
        ? scripts[String(path[0].dropLast(3))].map {
          PageContent($0, type: "text/javascript; charset=utf-8")
        } : nil
    }
  }
}

extension ResponseWriter {
  consuming func write(_ content: PageContent, _ method: HTTPRequest.Method) async throws {
    var fields = PageContent.safety
    fields[.contentType] = content.type
    fields[.contentLength] = String(content.text.utf8.count)
    let head = HTTPResponse(status: .ok, headerFields: fields)
    let body =
      method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: content.text))
    try await write(response: head, body: body)
  }

  consuming func write(_ error: PageError) async throws {
    let text = PageResponder.json(["error": .string(error.message)])
    var fields = PageContent.safety
    fields[.contentType] = "application/json"
    fields[.contentLength] = String(text.utf8.count)
    // What follows may be the rest of a body that was not read.
    fields[.connection] = "close"
    try await write(
      response: HTTPResponse(status: error.status, headerFields: fields),
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
