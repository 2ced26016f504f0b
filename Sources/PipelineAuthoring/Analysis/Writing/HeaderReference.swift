enum HeaderReference {
  struct Header: Sendable {
    let name: String
    let summary: String
    var values: [String] = []
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
      name: "Content-Type", summary: "The media type of the body (RFC 9110 section 8.3).",
      values: [
        "application/json", "application/octet-stream", "application/x-www-form-urlencoded",
        "application/xml", "application/offset+octet-stream", "application/partial-upload",
        "image/jpeg", "image/png", "text/plain; charset=utf-8", "video/mp4",
      ]),
    Header(
      name: "Content-Disposition",
      summary: "A file name for the body (RFC 6266).", values: ["attachment", "inline"]),
    Header(
      name: "Content-Encoding", summary: "How the body is coded (RFC 9110 section 8.4).",
      values: ["gzip", "identity"]),
    Header(name: "Content-Language", summary: "The language of the body (RFC 9110 section 8.5)."),
    Header(
      name: "Content-Location", summary: "The URL of what the body is (RFC 9110 section 8.7)."),
    Header(
      name: "Content-MD5",
      summary: "The MD5 digest of the body in base64 (RFC 1864), which older services want."),
    Header(
      name: "Content-Range",
      summary: "Which bytes of the whole the body has (RFC 9110 section 14.4)."),
    Header(
      name: "Content-Digest", summary: "Digests of the body, as structured fields (RFC 9530)."),
    Header(name: "Digest", summary: "Digests of the body, as older services want them (RFC 3230)."),
    Header(name: "Repr-Digest", summary: "Digests of the whole representation (RFC 9530)."),
  ]

  private static let negotiation = [
    Header(
      name: "Accept", summary: "The media types that are wanted (RFC 9110 section 12.5.1).",
      values: ["application/json", "application/xml", "*/*"]),
    Header(
      name: "Accept-Encoding", summary: "The codings that are wanted (RFC 9110 section 12.5.3).",
      values: ["identity", "gzip"]),
    Header(
      name: "Accept-Language",
      summary: "The languages that are wanted (RFC 9110 section 12.5.4)."),
    Header(
      name: "Authorization",
      summary: "Credentials (RFC 9110 section 11.6.2); `bearer` and `basic` write it for you."),
    Header(
      name: "Cache-Control", summary: "Which stored responses are wanted (RFC 9111 section 5.2).",
      values: ["no-cache", "no-store"]),
    Header(
      name: "Expect", summary: "Asks the server before the body is sent (RFC 9110 section 10.1.1).",
      values: ["100-continue"]),
    Header(name: "From", summary: "A person's e-mail address (RFC 9110 section 10.1.2)."),
    Header(name: "Origin", summary: "The origin of the request (RFC 6454)."),
    Header(name: "Range", summary: "The wanted bytes (RFC 9110 section 14.2)."),
    Header(
      name: "Prefer", summary: "What the client would like (RFC 7240).",
      values: ["return=minimal", "return=representation", "respond-async"]),
    Header(name: "Referer", summary: "Where the URL was found (RFC 9110 section 10.1.3)."),
    Header(name: "User-Agent", summary: "The name of the client (RFC 9110 section 10.1.5)."),
    Header(name: "Cookie", summary: "Cookies of the server (RFC 6265)."),
  ]

  private static let conditions = [
    Header(
      name: "If-Match", summary: "Only if the entity tag is this (RFC 9110 section 13.1.1).",
      values: ["*"]),
    Header(
      name: "If-None-Match",
      summary:
        "Only if the entity tag is not this; `*`: only if there is nothing (section 13.1.2).",
      values: ["*"]),
    Header(
      name: "If-Modified-Since", summary: "Only if it has changed since (RFC 9110 section 13.1.3)."),
    Header(
      name: "If-Unmodified-Since",
      summary: "Only if it has not changed since (RFC 9110 section 13.1.4)."),
    Header(
      name: "If-Range", summary: "The range only if it has not changed (RFC 9110 section 13.1.5)."),
    Header(
      name: "Idempotency-Key",
      summary: "Lets a server recognise a repeat; `idempotency` writes it for you."),
    Header(
      name: "Overwrite", summary: "Whether COPY and MOVE replace (RFC 4918 section 10.6).",
      values: ["T", "F"]),
    Header(name: "Destination", summary: "The target of COPY and MOVE (RFC 4918 section 10.3)."),
    Header(
      name: "Depth", summary: "How deep a WebDAV request goes (RFC 4918 section 10.2).",
      values: ["0", "1", "infinity"]),
  ]

  private static let uploads = [
    Header(name: "Tus-Resumable", summary: "The version of tus.", values: ["1.0.0"]),
    Header(
      name: "Upload-Length", summary: "The size of the whole file (tus, and the IETF's uploads)."),
    Header(name: "Upload-Offset", summary: "Where the body begins in the file."),
    Header(name: "Upload-Metadata", summary: "Names and base64 values about the file (tus)."),
    Header(name: "Upload-Concat", summary: "Joins uploads into one (tus)."),
    Header(name: "Upload-Checksum", summary: "The digest of the body (tus)."),
    Header(name: "Upload-Defer-Length", summary: "The size is not known yet (tus).", values: ["1"]),
    Header(
      name: "Upload-Complete", summary: "Whether the file ends with the body (the IETF's uploads).",
      values: ["?1", "?0"]),
    Header(name: "Upload-Draft-Interop-Version", summary: "The version of the IETF's uploads."),
  ]

  /// Headers of the interface of S3, which many servers have.
  private static let objects = [
    Header(name: "x-amz-acl", summary: "Who may read the object (S3).", values: ["private"]),
    Header(name: "x-amz-checksum-crc32c", summary: "The CRC-32C of the body in base64 (S3)."),
    Header(name: "x-amz-checksum-sha256", summary: "The SHA-256 of the body in base64 (S3)."),
    Header(
      name: "x-amz-content-sha256", summary: "The SHA-256 of the body in hexadecimal (S3).",
      values: ["UNSIGNED-PAYLOAD"]),
    Header(name: "x-amz-meta-item", summary: "Metadata of the object under a name of yours (S3)."),
    Header(
      name: "x-amz-storage-class", summary: "How the object is kept (S3).",
      values: ["STANDARD", "STANDARD_IA", "INTELLIGENT_TIERING", "GLACIER"]),
  ]
}
