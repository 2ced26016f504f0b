import CEL
import PipelineCore

extension Grammar {
  static let transferKeys = [
    Key(
      "request_timeout", .duration,
      """
      Time without progress after which the transfer is stopped and retried: no byte was sent or received, and no \
      response arrived.
      """, default: "60s"),
    Key(
      "resource_timeout", .duration,
      """
      Maximum time for the transfer from the time it is queued, including waiting for a network, for its turn and for the \
      device to be idle.
      """, default: "7d"),
    Key(
      "priority", .fraction,
      "Priority among transfers that wait for a slot: higher goes first, then first come, first served.",
      default: 0.5, examples: [0.9]),
    Key(
      "discretionary", .flag,
      """
      Lets the system wait for good conditions, such as a charger and Wi-Fi, on devices that support it. Elsewhere the \
      transfer starts at once.
      """, default: false),
    Key(
      "earliest", .durationOrExpression,
      """
      Earliest start of the transfer: a timestamp, or a duration from the time when all results that the step reads are ready.
      """, examples: ["2h", "${{ timestamp(inputs.night) }}"]),
    Key(
      "renew", .list(.choice(Renewal.allCases.map(\.rawValue))),
      """
      When a queued transfer asks for a new request before it continues, without a new transfer. \
      `challenge`: on a 401 with `WWW-Authenticate`, for a new `Authorization`. `begin`: when it is about to start after \
      `earliest`, for a new URL and headers; it then waits in the service and counts towards `budgets.transfers`. \
      An expired run-level result is reissued first; if no new request can be made, the transfer continues unchanged.
      """, examples: [["challenge"], ["challenge", "begin"]]),
    Key(
      "network", .construct(.network),
      "Networks that may carry the transfer, on devices that distinguish them.",
      examples: [["cellular": false]]),
  ]

  static let transferRenamed = [
    "timeout": Construct.Renamed(
      key: "resource_timeout",
      reason: """
        'request_timeout' limits the time without progress, 'resource_timeout' the whole transfer
        """)
  ]

  package static let download = Construct(
    name: .download, phrase: "a download",
    summary: """
      A background transfer into a file that appears complete or not at all. Later steps read it as `steps.ID.file`. It is also \
      the way to receive a response of any size, whatever the method and the body of the request. The request is repeated \
      after an interruption, so it must only read.
      """,
    keys: [
      Key("method", .pattern(methodPattern), "Method, in capital letters.", default: "GET"),
      url, query, headers, bearer, basicKey, credentialsKey, rateKey,
      jsonBody, formBody, textBody, xml,
      Key(
        "to", .template,
        "Name of the file in expressions. By default the last component of the URL's path.",
        examples: ["film.mov"]),
      Key(
        "size", .either([.size, .expression]), "Required size of the file.",
        examples: ["${{ steps.look.size }}"]),
      Key(
        "max_size", .size,
        "Maximum size of the file. A disk budget needs this or `size`.", examples: ["64 MiB"]),
      Key(
        "sha256", .template,
        "Required SHA-256 of the file, in hexadecimal or base64: short for `digest: { sha256: … }`.",
        examples: ["${{ steps.look.sha256 }}"]),
      Key(
        "digest", .construct(.requiredDigest),
        """
        Required digests of the file, by algorithm. They are taken while the file is received and compared before it appears; \
        a file with another one is deleted, and counts as a failed attempt.
        """, examples: [["md5": #"${{ steps.look.headers["content-md5"] }}"#]]),
      Key(
        "digests", .list(.choice(DigestAlgorithm.allCases.map(\.rawValue))),
        "Digests to compute while the file is received; read as `steps.ID.file.sha256` and so on.",
        examples: [["sha256"]]),
      Key(
        "save", .construct(.save),
        """
        Puts the file into a folder of the user, where it stays. By default it is the run's, and is deleted with its item. A \
        file that stays takes nothing of `budgets.disk`. What was received of it outlives the process, and is continued where \
        the server gives a strong validator and takes ranges.
        """,
        examples: [["folder": "${{ inputs.target }}", "name": "${{ entry.path }}"]]),
    ] + transferKeys + [exampleKey],
    alternatives: [
      .atMostOne("json", "form", "text", "xml"), .atMostOne("bearer", "basic", "credentials"),
      .atMostOne("sha256", "digest"),
    ],
    reserved: actionReserved.subtracting(["digest"]).union([
      "range", "multipart", "file", "response",
    ]),
    renamed: transferRenamed)

  package static let requiredDigest = Construct(
    name: .requiredDigest, phrase: "'digest'",
    summary: """
      Digests that a file must have, in hexadecimal or base64. One that is `null`, or an optional without a value, is not \
      required.
      """,
    keys: DigestAlgorithm.allCases.map { algorithm in
      Key(
        algorithm.rawValue, .optionalTemplate, "A digest of \(algorithm.byteCount) bytes.",
        examples: [.string("${{ entry.\(algorithm.rawValue) }}")])
    })

  package static let save = Construct(
    name: .save, phrase: "'save'", summary: "Where a downloaded file stays.",
    keys: [
      Key(
        "folder", .expression,
        "The folder: an input of the type `folder`, so that a person decides where files go. It is made if it is missing.",
        isRequired: true, examples: ["${{ inputs.target }}"]),
      Key(
        "name", .template,
        """
        Path of the file below the folder, whose folders are made. It may come from a server: an absolute path, an empty \
        component, `.`, `..` and a link on the way are refused, and so is a path that two items have.
        """, isRequired: true, examples: ["${{ entry.path }}", "${{ photo.name }}.xmp"]),
      Key(
        "existing", .choice(ExistingFile.allCases.map(\.rawValue)),
        """
        What happens to a file that is there: `refuse` fails the step, `replace` replaces it, and `update` keeps it, without a \
        request, if it has the required size and digests, and replaces it if not.
        """, default: "refuse"),
    ])

  package static let network = Construct(
    name: .network, phrase: "'network'",
    summary: "Networks that may carry a transfer, on devices that distinguish them.",
    keys: [
      Key("cellular", .flag, "Allow mobile networks.", default: true),
      Key(
        "expensive", .flag,
        "Allow networks that the system marks as expensive, such as a personal hotspot.",
        default: true),
      Key("constrained", .flag, "Allow networks in low-data mode.", default: true),
    ],
    reserved: ["wifi", "roaming", "metered"])
}
