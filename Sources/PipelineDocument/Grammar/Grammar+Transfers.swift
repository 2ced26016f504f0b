import CEL

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
      "network", .construct(.network),
      "Networks that may carry the transfer, for devices that tell them apart."),
  ]

  static let transferRenamed = [
    "timeout": Construct.Renamed(
      key: "resource_timeout",
      reason: """
        'request_timeout' is the time without progress, and 'resource_timeout' that of the whole transfer
        """)
  ]

  static let network = Construct(
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
