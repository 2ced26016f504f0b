import CEL
import PipelineCore

extension Grammar {
  package static let url = Key(
    "url", .template, "Absolute URL.", isRequired: true,
    examples: [#"${{ inputs.server + "/v1/uploads" }}"#])
  package static let query = Key(
    "query", .map(.template, names: nil),
    "Query items by name. They are percent-encoded and appended to the URL.",
    examples: [["name": "${{ photo.name }}"]])
  package static let headers = Key(
    "headers",
    .either([
      .map(.optionalTemplate, names: headerPattern), .expression,
      .list(.either([.map(.optionalTemplate, names: headerPattern), .expression])),
    ]),
    """
    Headers by name; one whose value is `null` or an optional without a value is left out. In a list of such mappings and of expressions that give one, such as \
    the headers that a response asks for, the later value of a name is sent. A response can set neither `Host` nor headers that \
    frame the message or belong to the connection.
    """,
    examples: [
      ["Accept": "application/json"],
      ["${{ steps.ask.headers }}", ["Content-Type": "image/jpeg"]],
    ])
  package static let bearer = Key(
    "bearer", .template,
    "Token for an `Authorization: Bearer` header (RFC 6750). If it is empty, the header is not sent.",
    examples: ["${{ steps.sign_in.token }}"])
  static let basicKey = Key(
    "basic", .construct(.basic),
    "User and password for an `Authorization: Basic` header (RFC 7617).",
    examples: [["user": "${{ inputs.user }}", "password": "${{ inputs.password }}"]])

  static let credentialsKey = Key(
    "credentials", .pattern(namePattern), "Name of credentials that the pipeline defines.",
    examples: ["api"])

  static let rateKey = Key(
    "rate", .pattern(namePattern),
    """
    Name of a rate from `budgets` that the request counts towards each time it is sent: it waits until the rate allows it. A \
    redirect is part of its request.
    """, examples: ["init"])

  static let redirectsKey = Key(
    "redirects", .either([.choice(RedirectWord.allCases.map(\.rawValue)), .construct(.redirects)]),
    """
    Which redirects are followed, at most five times. `follow` follows those that keep method and body: 307 and 308, and for \
    GET and HEAD also 301 and 302. Only a host under `to` may receive a body from another origin; credentials never leave \
    theirs. Any other redirect is the response: `on` can match its status and `location`, and without a matching entry the \
    step fails.
    """, default: "follow", examples: ["forbid", ["to": ["*.example.com"]]])

  package static let redirects = Construct(
    name: .redirects, phrase: "'redirects'", summary: "The hosts that redirects may lead to.",
    keys: [
      Key(
        "to", .filledList(.text),
        """
        Hosts to which redirects are followed, in addition to the request's own: `host` or `*.domain`, each with or without \
        `:port`. They receive the body and its idempotency key.
        """, isRequired: true, examples: [["*.example.com", "files.example.org:8443"]])
    ])

  static let responseKey = Key(
    "response", .construct(.response),
    "What responses contain. Only the checker uses it: a run accepts any response.",
    examples: [["schema": ["properties": ["id": ["type": "string"]]]]])

  package static let response = Construct(
    name: .response, phrase: "'response'", summary: "What the checker may assume about responses.",
    keys: [
      Key(
        "schema", .json,
        """
        JSON Schema (2020-12) of the body of a successful response, which gives `response.json` its types. The checker reads \
        `type`, `properties`, `items`, `enum` and `additionalProperties`, and ignores other keywords. In \
        `outputs` and `done`, an undeclared field is an error, unless `additionalProperties` allows it.
        """, isRequired: true,
        examples: [["type": "object", "properties": ["id": ["type": "string"]]]])
    ])

  package static let request = Construct(
    name: .request, phrase: "a request", summary: "A short HTTP exchange.",
    keys: [
      Key("method", .pattern(methodPattern), "Method, in capital letters.", default: "GET"),
      url, query, headers, bearer, basicKey, credentialsKey, rateKey, redirectsKey,
      jsonBody, formBody, textBody, xml,
      Key("timeout", .duration, "Maximum time for the whole exchange.", default: "30s"),
      Key(
        "max_response", .size,
        """
        Largest body of a response, which is kept in memory; a larger one fails the request. For larger ones, use a `download` \
        step, which writes the response to a file, whatever the method.
        """, default: "1 MiB", examples: ["16 MiB"]),
      responseKey, exampleKey,
    ],
    alternatives: [
      .atMostOne("json", "form", "text", "xml"), .atMostOne("bearer", "basic", "credentials"),
    ],
    reserved: actionReserved.union([
      "multipart", "body", "file", "network", "priority", "discretionary", "earliest", "renew",
    ]))

  static let jsonBody = Key(
    "json", .json,
    """
    Body of type `application/json`. Strings may contain expressions; a string that is one expression becomes that \
    expression's value, of any type.
    """, examples: [["name": "${{ photo.name }}", "size": "${{ photo.size }}"]])

  static let formBody = Key(
    "form", .map(.template, names: nil),
    "Body of type `application/x-www-form-urlencoded`: fields by name.",
    examples: [["grant_type": "client_credentials"]])

  static let textBody = Key(
    "text", .template, "Plain-text body, UTF-8.", examples: ["${{ photo.name }} is complete"])

  static let xml = Key(
    "xml", .template,
    """
    XML text. A value is escaped; a map becomes an element for each of its entries, or one for each member of a list, so that \
    `${{ {"Part": steps.parts.map(p, {"ETag": p.etag})} }}` writes the list of parts. `@name` is an attribute and `#text` the \
    text of an element that has attributes, as in `response.xml`.
    """,
    examples: [#"<Tag>${{ photo.name }}</Tag>"#])

  static let actionReserved: Set<String> = ["sign", "auth", "oauth2", "digest"]

  static let basic = Construct(
    name: .basic, phrase: "'basic'", summary: "User and password.",
    keys: [
      Key("user", .template, "The user.", isRequired: true, examples: ["${{ inputs.user }}"]),
      Key(
        "password", .template, "The password.", isRequired: true,
        examples: ["${{ inputs.password }}"]),
    ])

  package static let upload = Construct(
    name: .upload, phrase: "an upload", summary: "A background transfer whose body is a file.",
    keys: [
      Key("method", .pattern(methodPattern), "Method, in capital letters.", default: "PUT"),
      url, query, headers, bearer, basicKey, credentialsKey, rateKey, redirectsKey,
      Key(
        "file", .expression,
        "The file: an item of a `files` input, a `file` input, or the `file` of a materialize step.",
        isRequired: true, examples: ["${{ steps.body.file }}", "${{ photo }}"]),
      Key(
        "range", .construct(.range),
        "The bytes of the file to send, without a copy of them. By default all.",
        examples: [["offset": "${{ steps.sent.offset }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "trailers", .map(.template, names: headerPattern),
        """
        Fields that follow the body, which is then sent in chunks and without a length (RFC 9112 §7.1). They can contain the \
        body's digests, taken while it is sent: `body.ALGORITHM.hex` and `body.ALGORITHM.base64`. For servers that read them.
        """, examples: [["x-amz-checksum-crc32c": "${{ body.crc32c.base64 }}"]]),
    ] + transferKeys + [responseKey, exampleKey],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: actionReserved.union(["json", "form", "text", "multipart"]),
    renamed: transferRenamed)

  package static let materialize = Construct(
    name: .materialize, phrase: "'materialize'",
    summary: """
      Makes a body, which later steps read as `steps.ID.file`. A desktop sends it from where its pieces are, and writes no \
      file; a phone's transfer service takes only files, which are deleted when the item is finished, or a run-level one when \
      the run is over and cannot be continued.
      """,
    keys: [
      Key("file", .expression, "Copies a file, or a range of it.", examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), "The bytes of `file` to copy.",
        examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "multipart", .filledList(.construct(.part)),
        "Writes a `multipart/form-data` body (RFC 7578).",
        examples: [[["name": "file", "file": "${{ photo }}"]]]),
      Key("json", .json, "Writes JSON.", examples: [["name": "${{ photo.name }}"]]),
      Key("text", .template, "Writes text, UTF-8.", examples: ["${{ photo.name }}"]),
      xml,
      Key(
        "concat", .filledList(.construct(.piece)), "Writes texts and files, one after the other.",
        examples: [[["text": "${{ photo.name }}"], ["file": "${{ photo }}"]]]),
      Key(
        "digests", .list(.choice(DigestAlgorithm.allCases.map(\.rawValue))),
        "Digests to compute while the file is written; read as `steps.ID.file.sha256` and so on.",
        examples: [["sha256"]]),
    ],
    alternatives: [.exactlyOne("file", "multipart", "json", "text", "xml", "concat")],
    reserved: ["encrypt", "compress", "name", "content_type"])

  package static let piece = Construct(
    name: .piece, phrase: "a piece", summary: "A piece of a file that is put together.",
    keys: [
      Key("file", .expression, "Copies a file, or a range of it.", examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), "The bytes of `file` to copy.",
        examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key("text", .template, "Writes text, UTF-8.", examples: ["${{ photo.name }}"]),
    ],
    alternatives: [.exactlyOne("file", "text")])

  package static let range = Construct(
    name: .range, phrase: "'range'", summary: "A range of bytes.",
    keys: [
      Key(
        "offset", .expression, "First byte, from 0, an int.", isRequired: true,
        examples: ["${{ 0 }}"]),
      Key(
        "length", .expression, "Number of bytes, an int.", isRequired: true,
        examples: ["${{ 8 * 1024 * 1024 }}"]),
    ])

  package static let part = Construct(
    name: .part, phrase: "a part", summary: "A part of a `multipart/form-data` body.",
    keys: [
      Key("name", .text, "The field's name.", isRequired: true, examples: ["file"]),
      Key("text", .template, "The field's text.", examples: ["${{ photo.name }}"]),
      Key("file", .expression, "The file that the part contains.", examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), "The bytes of `file` that the part contains. By default all.",
        examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "filename", .template, "File name sent to the server. By default the file's own name.",
        examples: ["${{ photo.name }}"]),
      Key("content_type", .text, "The part's media type.", examples: ["image/jpeg"]),
      Key(
        "headers", .map(.optionalTemplate, names: headerPattern),
        "Other headers of the part, by name; one whose value is `null` is left out.",
        examples: [["Content-ID": "<photo>"]]),
    ],
    alternatives: [.exactlyOne("text", "file")],
    reserved: ["json"])

  static let digestNames = DigestAlgorithm.allCases.map(\.rawValue)

  package static let digest = Construct(
    name: .digest, phrase: "'digest'",
    summary: """
      Reads a file once, writes nothing, and takes all its digests in the same pass. Later steps read them as \
      `steps.ID.sha256.hex` and `steps.ID.sha256.base64`. They are stored with the run, so that a run that goes on \
      does not read the file again.
      """,
    keys: [
      Key(
        "file", .expression,
        "The file: an item of a `files` input, a `file` input, or the `file` of another step.",
        isRequired: true, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), "The bytes of the file to read. By default all.",
        examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "take", .filledList(.choice(digestNames)),
        """
        The digests. `crc64nvme` is the check of 64 bits that object stores use. `sha256_blocks_4mib` is the SHA-256 of \
        the SHA-256 digests of all blocks of 4 MiB.
        """, isRequired: true, examples: [["sha256", "crc64nvme"]]),
    ],
    reserved: ["files", "as", "encoding"])

  package static let poll = Construct(
    name: .poll, phrase: "'poll'",
    summary: """
      Asks a server until it is ready. Each question is a short request, and nothing is in flight between two of them. The \
      entries of `on` decide first, then `fail_when`, then `until`; any other 2xx response means that the server is not \
      ready. Failures are retried as for a `request`, and a response ends a row of failures.
      """,
    keys: request.keys + [
      Key(
        "until", .expression, "True for the response that ends the poll; `outputs` read that one.",
        isRequired: true, examples: [#"${{ response.json.state == "done" }}"#]),
      Key(
        "fail_when", .expression, "True for a response that can never become a success.",
        examples: [#"${{ response.json.state == "error" }}"#]),
      Key(
        "every", .durationOrExpression,
        """
        Time from a response to the next question, at least 1 s; it may come from the response. A longer `Retry-After` of \
        the server goes first.
        """, default: "10s",
        examples: ["30s", "${{ duration(string(response.json.check_after_secs) + \"s\") }}"]),
      Key(
        "deadline", .durationOrExpression,
        """
        The longest time from the first question to the last, which is asked at the deadline. It is kept when the process ends. \
        Then the item pauses, or does what `exhausted` of its retry policy says.
        """, isRequired: true, examples: ["10m", "${{ inputs.patience }}"]),
      Key(
        "message", .template,
        """
        What the server says while it is not ready, and why it never will be, for the user. By default the values that `until` \
        reads.
        """,
        examples: ["${{ response.json.progress }} %"]),
    ],
    alternatives: request.alternatives,
    reserved: request.reserved.union(["wake", "while", "attempts"]),
    renamed: [
      "interval": Construct.Renamed(key: "every", reason: "it is the time between two questions")
    ])

  static let defaultsKey = Key(
    "defaults", .construct(.defaults),
    "What requests have in common. It applies to every request whose URL begins with `/`, and to no other.",
    examples: [["url": "${{ inputs.server }}", "headers": ["Accept": "application/json"]]])

  package static let defaults = Construct(
    name: .defaults, phrase: "'defaults'",
    summary: """
      What requests have in common. It applies to requests whose URL begins with `/`, and to no other: credentials for one \
      server never reach another one, such as the host of a presigned URL. What a request itself says takes precedence, and so \
      do the defaults of a loop over those of the pipeline.
      """,
    keys: [
      Key(
        "url", .template, "What comes before each such URL: scheme, host and perhaps a path.",
        examples: ["${{ inputs.server }}", "https://example.com/v1"]),
      headers, bearer, basicKey, credentialsKey, rateKey,
    ],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: ["query", "timeout", "retry", "redirects"])
}
