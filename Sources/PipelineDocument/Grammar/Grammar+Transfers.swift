import CEL
import PipelineCore

/// What background transfers have in common.
extension Grammar {
  static let transferKeys = [
    Key(
      "request_timeout", .duration,
      """
      Time without progress after which the transfer is ended and tried again: no byte has been sent or received, and no \
      answer has come.
      """, default: "60s"),
    Key(
      "resource_timeout", .duration,
      """
      Time that the transfer may take from its hand-over on, with all the waiting for a network, for its turn and for the \
      device to be idle.
      """, default: "7d"),
    Key(
      "priority", .fraction,
      "Place among transfers that wait for a slot: the greater goes first, and of equal ones who came first.",
      default: 0.5, examples: [0.9]),
    Key(
      "discretionary", .flag,
      """
      Lets the system wait for a good moment, such as a charger and Wi-Fi. For devices that know of it; elsewhere the \
      transfer begins at once.
      """, default: false),
    Key(
      "earliest", .durationOrExpression,
      """
      The transfer is not begun before: a timestamp, or a duration from the moment when all that the step reads is there.
      """, examples: ["2h", "${{ timestamp(inputs.night) }}"]),
    Key(
      "renew", .list(.choice(Renewal.allCases.map(\.rawValue))),
      """
      When a transfer that is with the service asks for its request anew before it goes on, without a new transfer. \
      `challenge`: at a 401 with `WWW-Authenticate`, for another `Authorization`. `begin`: when it is about to begin after \
      `earliest`, for another URL and other headers; it then waits with the service, and takes a slot of `budgets.transfers`. \
      A result of run scope that has died is made anew for that; where there is no better answer, it goes on as it was.
      """, examples: [["challenge"], ["challenge", "begin"]]),
    Key(
      "network", .construct(.network),
      "Networks that may carry the transfer, for devices that tell them apart.",
      examples: [["cellular": false]]),
  ]

  static let transferRenamed = [
    "timeout": Construct.Renamed(
      key: "resource_timeout",
      reason: """
        'request_timeout' is the time without progress, and 'resource_timeout' that of the whole transfer
        """)
  ]

  package static let download = Construct(
    name: .download, phrase: "a download",
    summary: """
      A background transfer into a file, which appears whole or not at all; later steps read it as `steps.ID.file`.
      """,
    keys: [
      Key("method", .pattern(methodPattern), "Method, in capitals.", default: "GET"),
      url, query, headers, bearer, basicKey, credentialsKey,
      Key(
        "to", .template,
        "Name that the file has for expressions; left out, it is the last component of the URL's path.",
        examples: ["film.mov"]),
      Key(
        "size", .either([.size, .expression]), "Bytes that the file must have.",
        examples: ["${{ steps.look.size }}"]),
      Key(
        "max_size", .size,
        "Bytes that are taken at most. A disk budget needs this or `size`.", examples: ["64 MiB"]),
      Key(
        "sha256", .template, "SHA-256 that the file must have, in hexadecimal.",
        examples: ["${{ steps.look.sha256 }}"]),
      Key(
        "digests", .list(.choice(DigestAlgorithm.allCases.map(\.rawValue))),
        "Digests taken while the file comes in; read as `steps.ID.file.sha256` and so on.",
        examples: [["sha256"]]),
    ] + transferKeys + [exampleKey],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: actionReserved.union([
      "range", "json", "form", "text", "multipart", "file", "response",
    ]),
    renamed: transferRenamed)

  package static let network = Construct(
    name: .network, phrase: "'network'",
    summary: "Networks that may carry a transfer, for devices that tell them apart.",
    keys: [
      Key("cellular", .flag, "Whether mobile networks may.", default: true),
      Key(
        "expensive", .flag,
        "Whether networks may that the system calls expensive, such as a personal hotspot.",
        default: true),
      Key(
        "constrained", .flag,
        "Whether networks may on which the person has asked for little data.", default: true),
    ],
    reserved: ["wifi", "roaming", "metered"])
}
