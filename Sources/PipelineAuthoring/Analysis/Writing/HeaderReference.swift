import YAMLSyntax

enum HeaderReference {
  struct Header: Sendable {
    let name: String
    let summary: String
    var values: [String]

    init(_ name: String, _ summary: String, _ values: [String] = []) {
      self.name = name
      self.summary = summary
      self.values = values
    }
  }

  static let headers: [Header] = {
    let general = content + negotiation + conditions + uploads + objects
    let names = Set(general.map { $0.name.lowercased() })
    return general + ofCatalogue.filter { !names.contains($0.name.lowercased()) }
  }()

  static func header(_ name: String) -> Header? {
    headers.first { $0.name.lowercased() == name.lowercased() }
  }

  private static let content = [
    Header(
      "Content-Type", "The media type of the body (RFC 9110 section 8.3).",
      [
        "application/json", "application/octet-stream", "application/x-www-form-urlencoded",
        "application/xml", "application/offset+octet-stream", "application/partial-upload",
        "image/jpeg", "image/png", "text/plain; charset=utf-8", "video/mp4",
      ]),
    Header(
      "Content-Disposition", "A file name for the body (RFC 6266).", ["attachment", "inline"]),
    Header(
      "Content-Encoding", "How the body is coded (RFC 9110 section 8.4).", ["gzip", "identity"]),
    Header("Content-Language", "The language of the body (RFC 9110 section 8.5)."),
    Header("Content-Location", "The URL of what the body is (RFC 9110 section 8.7)."),
    Header(
      "Content-MD5", "The MD5 digest of the body in base64 (RFC 1864), which older services want."),
    Header("Content-Range", "Which bytes of the whole the body has (RFC 9110 section 14.4)."),
    Header("Content-Digest", "Digests of the body, as structured fields (RFC 9530)."),
    Header("Digest", "Digests of the body, as older services want them (RFC 3230)."),
    Header("Repr-Digest", "Digests of the whole representation (RFC 9530)."),
  ]

  private static let negotiation = [
    Header(
      "Accept", "The media types that are wanted (RFC 9110 section 12.5.1).",
      ["application/json", "application/xml", "*/*"]),
    Header(
      "Accept-Encoding", "The codings that are wanted (RFC 9110 section 12.5.3).",
      ["identity", "gzip"]),
    Header("Accept-Language", "The languages that are wanted (RFC 9110 section 12.5.4)."),
    Header(
      "Authorization",
      "Credentials (RFC 9110 section 11.6.2); `bearer` and `basic` write it for you."),
    Header(
      "Cache-Control", "Which stored responses are wanted (RFC 9111 section 5.2).",
      ["no-cache", "no-store"]),
    Header(
      "Expect", "Asks the server before the body is sent (RFC 9110 section 10.1.1).",
      ["100-continue"]),
    Header("From", "A person's e-mail address (RFC 9110 section 10.1.2)."),
    Header("Origin", "The origin of the request (RFC 6454)."),
    Header("Range", "The wanted bytes (RFC 9110 section 14.2)."),
    Header(
      "Prefer", "What the client would like (RFC 7240).",
      ["return=minimal", "return=representation", "respond-async"]),
    Header("Referer", "Where the URL was found (RFC 9110 section 10.1.3)."),
    Header("User-Agent", "The name of the client (RFC 9110 section 10.1.5)."),
    Header("Cookie", "Cookies of the server (RFC 6265)."),
  ]

  private static let conditions = [
    Header("If-Match", "Only if the entity tag is this (RFC 9110 section 13.1.1).", ["*"]),
    Header(
      "If-None-Match",
      "Only if the entity tag is not this; `*`: only if there is nothing (section 13.1.2).", ["*"]),
    Header("If-Modified-Since", "Only if it has changed since (RFC 9110 section 13.1.3)."),
    Header("If-Unmodified-Since", "Only if it has not changed since (RFC 9110 section 13.1.4)."),
    Header("If-Range", "The range only if it has not changed (RFC 9110 section 13.1.5)."),
    Header("Idempotency-Key", "Lets a server recognise a repeat; `idempotency` writes it for you."),
    Header("Overwrite", "Whether COPY and MOVE replace (RFC 4918 section 10.6).", ["T", "F"]),
    Header("Destination", "The target of COPY and MOVE (RFC 4918 section 10.3)."),
    Header(
      "Depth", "How deep a WebDAV request goes (RFC 4918 section 10.2).", ["0", "1", "infinity"]),
  ]

  private static let uploads = [
    Header("Tus-Resumable", "The version of tus.", ["1.0.0"]),
    Header("Upload-Length", "The size of the whole file (tus, and the IETF's uploads)."),
    Header("Upload-Offset", "Where the body begins in the file."),
    Header("Upload-Metadata", "Names and base64 values about the file (tus)."),
    Header("Upload-Concat", "Joins uploads into one (tus)."),
    Header("Upload-Checksum", "The digest of the body (tus)."),
    Header("Upload-Defer-Length", "The size is not known yet (tus).", ["1"]),
    Header(
      "Upload-Complete", "Whether the file ends with the body (the IETF's uploads).", ["?1", "?0"]),
    Header("Upload-Draft-Interop-Version", "The version of the IETF's uploads."),
  ]

  private static let objects = [
    Header("x-amz-acl", "Who may read the object (S3).", ["private"]),
    Header("x-amz-checksum-crc32c", "The CRC-32C of the body in base64 (S3)."),
    Header("x-amz-checksum-sha256", "The SHA-256 of the body in base64 (S3)."),
    Header(
      "x-amz-content-sha256", "The SHA-256 of the body in hexadecimal (S3).", ["UNSIGNED-PAYLOAD"]),
    Header("x-amz-meta-item", "Metadata of the object under a name of yours (S3)."),
    Header(
      "x-amz-storage-class", "How the object is kept (S3).",
      ["STANDARD", "STANDARD_IA", "INTELLIGENT_TIERING", "GLACIER"]),
  ]
}

/// Headers that only some services know: no code names a service, so they are read from the catalogue's texts.
extension HeaderReference {
  static let ofCatalogue: [Header] = {
    var found = Collection()
    for template in PipelineTemplate.catalogue {
      guard let text = try? template.text(), let root = YAMLDocument.parse(text).root
      else { continue }
      found.read(root, template.name)
    }
    return found.headers
  }()

  private struct Collection {
    private(set) var headers: [Header] = []

    /// Keys whose mappings are no parts of requests, though they may have headers.
    private static let others: Set<String> = ["example", "response", "outputs", "json", "with"]

    mutating func read(_ node: YAMLNode, _ template: String) {
      for element in node.sequence ?? [] { read(element, template) }
      for entry in node.mapping ?? [] {
        guard let name = entry.name, !Self.others.contains(name) else { continue }
        if name == "headers" || name == "trailers" {
          for part in entry.value.sequence ?? [entry.value] { add(part, template) }
        } else {
          read(entry.value, template)
        }
      }
    }

    private mutating func add(_ fields: YAMLNode, _ template: String) {
      for field in fields.mapping ?? [] {
        guard let name = field.name, name.contains("-") else { continue }
        let text = field.value.scalar?.text ?? ""
        let values = text.isEmpty || text.contains("${{") ? [] : [text]
        if let index = headers.firstIndex(where: { $0.name == name }) {
          headers[index].values += values.filter { !headers[index].values.contains($0) }
        } else {
          headers.append(Header(name, "As in `pipeline new \(template)`.", values))
        }
      }
    }
  }
}
