/// The keys of `config.yaml`; `docs/settings.md` describes them.
extension Construct {
  package static let settings: Construct = .init(
    name: "settings", phrase: "the settings",
    keys: profileKeys + [
      Key("profile", .pattern(namePattern)),
      Key("profiles", .map(.construct(.profile), names: namePattern)),
    ])

  static let profile: Construct = .init(name: "profile", phrase: "a profile", keys: profileKeys)

  private static let profileKeys: [Key] = [
    Key("state", .text),
    Key("inputs", .map(.either([.scalar, .list(.scalar)]), names: identifierPattern)),
    Key("concurrency", .integer(minimum: 1)), Key("bandwidth", .rate),
    Key("requests_per_second", .number(minimum: 0)), Key("max_transfer", .size),
    Key("max_duration", .duration), Key("ca_file", .text), Key("client_certificate", .text),
    Key("client_key", .text), Key("proxy", .text), Key("no_proxy", .list(.text)),
    Key("keep_runs", .text), Key("color", .words(Settings.Color.self), default: "auto"),
    Key("progress", .words(ProgressMode.self), default: "auto"),
    Key("on_finish", .construct(.onFinish)),
  ]

  static let onFinish = Construct(
    "on_finish", Key("command", .text), Key("request", .construct(.webhook)),
    Key("timeout", .duration, default: "1m"), Key("required", .flag, default: false),
    alternatives: [.exactlyOne("command", "request")])

  static let webhook = Construct(
    "webhook", phrase: "'request'", Key("url", .text, isRequired: true),
    Key("method", .words(Settings.Finish.Method.self), default: "POST"),
    Key("headers", .map(.text, names: headerPattern)))
}
