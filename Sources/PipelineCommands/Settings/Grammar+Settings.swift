import CEL
package import PipelineDocument

extension Construct.Name {
  package static let settings: Self = .init("settings") { Grammar.settings }
  static let profile: Self = .init("profile") { Grammar.profile }
  static let onFinish: Self = .init("on_finish") { Grammar.onFinish }
  static let webhook: Self = .init("webhook") { Grammar.webhook }
}

/// The keys of `config.yaml`.
extension Grammar {
  package static let settings = Construct(
    name: .settings, phrase: "the settings",
    summary: "What a person always wants, unless the command line says otherwise.",
    keys: profileKeys + [
      Key("profile", .pattern(namePattern), "The profile that holds unless `--profile` names one."),
      Key(
        "profiles", .map(.construct(.profile), names: namePattern),
        "Settings by name; what a profile sets replaces what is set above.",
        examples: [["office": ["proxy": "http://proxy.example.com:3128"]]]),
    ])

  static let profile = Construct(
    name: .profile, phrase: "a profile", summary: "Settings that hold together.", keys: profileKeys)

  private static let profileKeys: [Key] = [
    Key(
      "state", .text, "The folder that contains the runs, from the folder of this file (`--state`)."
    ),
    Key(
      "inputs", .map(.either([.scalar, .list(.scalar)]), names: identifierPattern),
      """
      Values of inputs, by name, for pipelines that have such an input; a secret as `@FILE`. `--input`, `--inputs` and the \
      environment come first.
      """, examples: [["server": "https://photos.example.com"]]),
    Key("concurrency", .integer(minimum: 1), "Maximum number of items at once (`--concurrency`)."),
    Key(
      "bandwidth", .rate, "Maximum number of bytes in a second (`--bandwidth`).",
      examples: ["5 MB/s"]),
    Key(
      "requests_per_second", .number(minimum: 0),
      "Maximum number of requests in a second (`--requests-per-second`).", examples: [2.5]),
    Key(
      "max_transfer", .size, "Pause the run after so many bytes (`--max-transfer`).",
      examples: ["20 GB"]),
    Key(
      "max_duration", .duration, "Pause the run after this time (`--max-duration`).",
      examples: ["6h"]),
    Key("ca_file", .text, "Certificates to trust, from the folder of this file (`--ca-file`)."),
    Key(
      "client_certificate", .text,
      "The certificate that is shown to servers that ask for one (`--client-certificate`)."),
    Key("client_key", .text, "Its private key (`--client-key`)."),
    Key(
      "proxy", .text, "The proxy for all requests (`--proxy`).",
      examples: ["http://proxy.example.com:3128"]),
    Key(
      "no_proxy", .list(.text), "Hosts that are reached without the proxy.",
      examples: [["intranet.example.com"]]),
    Key(
      "keep_runs", .text, "Which finished runs stay, as in `PIPELINE_KEEP_RUNS`.",
      examples: ["30d,20"]),
    Key(
      "color", .choice(Settings.Color.allCases.map(\.rawValue)), "When to use colours.",
      default: "auto"),
    Key(
      "progress", .choice(Settings.Progress.allCases.map(\.rawValue)),
      "How progress is shown (`--progress`).", default: "auto"),
    Key(
      "on_finish", .construct(.onFinish), "What happens when a run has come to rest.",
      examples: [["command": "notify-send \"$PIPELINE_RUN\""]]),
  ]

  static let onFinish = Construct(
    name: .onFinish, phrase: "'on_finish'",
    summary: "What is told of a run that has come to rest; it gets the report as JSON.",
    keys: [
      Key(
        "command", .text, "A command for `/bin/sh`, with the report on its standard input.",
        examples: ["jq -r .status >> runs.log"]),
      Key(
        "request", .construct(.webhook), "A request whose body is the report.",
        examples: [["url": "https://hooks.example.com/uploads"]]),
      Key("timeout", .duration, "How long it may take.", default: "1m"),
      Key("required", .flag, "Whether its failure makes the command end with 1.", default: false),
    ],
    alternatives: [.exactlyOne("command", "request")])

  static let webhook = Construct(
    name: .webhook, phrase: "'request'", summary: "Where the report is sent.",
    keys: [
      Key(
        "url", .text, "The URL. If a header is from a file, it is https, or goes to this machine.",
        isRequired: true),
      Key(
        "method", .choice(Settings.Finish.Method.allCases.map(\.rawValue)), "The method.",
        default: "POST"),
      Key(
        "headers", .map(.text, names: headerPattern),
        "Headers; a value `@FILE` is the content of a file, so that a token is not written here.",
        examples: [["Authorization": "@~/.config/pipeline/hook-token"]]),
    ])
}
