import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// Wrong scenarios, and the findings about them.
struct ScenarioDocumentTests {
  static func load(_ text: String) -> (document: ScenarioDocument?, diagnostics: [Diagnostic]) {
    let result = ScenarioDocument.load(bytes: text.utf8, file: "a.yaml")
    return (result.document, result.diagnostics)
  }

  private static func said(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic.range.start) \(diagnostic.code.rawValue): \(diagnostic.message)"
      + (diagnostic.help.map { " (\($0))" } ?? "")
  }

  struct Wrong: Sendable {
    let line: String
    let said: String
  }

  static let wrong: [Wrong] = [
    Wrong(
      line: "device: ios71",
      said: """
        2:9 invalid-choice: invalid profile 'ios71', expected 'classic', 'ios7', 'ios8', 'ios13', 'ios17', 'ios26' or 'worst' \
        (did you mean 'ios7'?)
        """),
    Wrong(
      line: "device: { profile: ios17, allowance: { after_foregound: 30s } }",
      said:
        "2:40 unknown-key: unknown key 'after_foregound' in 'allowance' (did you mean 'after_foreground'?)"
    ),
    Wrong(
      line: "device: { profile: ios17, allowance: { refusals: 1.5 } }",
      said: "2:50 out-of-range: 'refusals' is 1.5, expected at most 1"),
    Wrong(
      line: "items: { count: 0 }", said: "2:17 out-of-range: 'count' is 0, expected at least 1"),
    Wrong(
      line: "conditions: { bandwidth: -1 MB/s }",
      said:
        "2:26 invalid-size: invalid rate '-1 MB/s', expected bytes per second such as '5 MB/s'"),
    Wrong(
      line: "conditions: { bandwidth: 5 Mbit/s }",
      said: """
        2:26 invalid-size: invalid rate '5 Mbit/s', expected bytes per second such as '5 MB/s' (a byte has 8 bits)
        """),
    Wrong(
      line: "conditions: { loss: -0.1 }",
      said: "2:21 out-of-range: 'loss' is -0.1, expected at least 0"),
    Wrong(
      line: "conditions: { network: wlan }",
      said: "2:24 invalid-choice: invalid network 'wlan', expected 'none', 'wifi' or 'cellular'"),
    Wrong(
      line: "items: { size: { from: 5 MB, to: 1 MB } }",
      said: "2:34 out-of-range: 'to' is less than 'from'"),
    Wrong(
      line: "items: { size: { from: 5 MB } }",
      said:
        "2:18 missing-key: sizes with a distribution need 'from' and 'to', or 'median' and 'p90'"),
    Wrong(
      line: "timeline: [{ at: \"25:00\", open: 1m }]",
      said: "2:18 invalid-constant: invalid time of day '25:00', expected one such as '08:10'"),
    Wrong(
      line: "timeline: [{ day: 30, at: \"08:00\", open: 1m }]",
      said: "2:19 out-of-range: day 30 is beyond the 14 days of the scenario"),
    Wrong(
      line: "timeline: [{ after: 15d, open: 1m }]",
      said: "2:21 out-of-range: 'after' is beyond the 14 days of the scenario"),
    Wrong(
      line: "timeline: [{ at: \"08:00\", open: 0s }]",
      said:
        "2:33 out-of-range: 'open' must be longer than zero"),
    Wrong(
      line: "timeline: [{ at: \"08:00\", clock_back: 0s }]",
      said: "2:39 out-of-range: a clock change must be longer than zero"),
    Wrong(
      line: "timeline: [{ at: \"08:00\", do: forcequit }]",
      said: """
        2:31 invalid-choice: invalid event 'forcequit', expected 'force_quit', 'system_kill', 'reboot', \
        'unlock', 'service_crash', 'update_app', 'lose_task', 'purge_files' or 'second_session' (did you mean 'force_quit'?)
        """),
    Wrong(
      line: "timeline: [{ at: \"08:00\" }]",
      said: """
        2:14 missing-key: an entry of the timeline does nothing, expected 'open', 'do', 'clock_forward', 'clock_back' or conditions such as 'network'
        """),
    Wrong(
      line: "timeline: [{ at: \"08:00\", open: 1m, do: reboot }]",
      said: """
        2:37 conflicting-keys: an entry of the timeline has 'open' and 'do', expected one of these (write one entry for each)
        """),
    Wrong(
      line: "timeline: [{ at: \"08:00\", network: none }]",
      said:
        "2:14 missing-key: conditions need 'for', their duration (for example: for: 30m)"
    ),
    Wrong(
      line: "timeline: [{ from: \"08:00\", to: \"08:00\", network: none }]",
      said: "2:33 out-of-range: 'to' must differ from 'from'"),
    Wrong(
      line: "timeline: [{ at: \"08:00\", open: 1m, days: [mon, tus] }]",
      said: """
        2:49 invalid-choice: invalid day of the week 'tus', expected 'mon', 'tue', 'wed', 'thu', 'fri', 'sat' or 'sun' \
        (did you mean 'tue'?)
        """),
    Wrong(
      line: """
        timeline:
          - { from: "22:00", to: "07:00", network: wifi }
          - { at: "06:00", for: 2h, network: none }
        """,
      said: """
        4:29 conflicting-keys: 'network' is 'none' here, but 'wifi' at the same time in another \
        entry (an entry with 'day' overrides one with 'days', and that overrides one for every day)
        """),
    Wrong(
      line: "random: [{ do: reboot, every: 5ms }]",
      said: "2:31 out-of-range: 'every' is less than a second"),
    Wrong(
      line: "server: { faults: { lost_reply: 2 } }",
      said: "2:33 out-of-range: 'lost_reply' is 2, expected at most 1"),
    Wrong(
      line: "properties: [{ name: a, never: \"${{ items.faild > 0 }}\" }]",
      said:
        "2:37 undeclared-reference: undeclared reference 'items.faild' (did you mean 'items.failed'?)"
    ),
    Wrong(
      line: "properties: [{ name: a, always: \"${{ disk.used }}\" }]",
      said: "2:34 expression-type: expected a bool, found int"),
    Wrong(
      line: "properties: [{ name: a, always: \"${{ disk.used < '5' }}\" }]",
      said: "2:38 expression-type: operator '<' does not accept (int, string)"),
    Wrong(
      line: "properties: [{ name: a, at_most_once: \"${{ items.failed > 0 }}\" }]",
      said: "2:44 undeclared-reference: undeclared reference 'items'"),
    Wrong(
      line: "properties: [{ name: a, never: \"${{ true }}\", within: 1d }]",
      said: "2:47 useless-key: 'within' requires 'eventually'"),
    Wrong(
      line: "properties: [{ name: a, eventually: \"${{ true }}\", within: 20d }]",
      said: "2:60 out-of-range: 'within' is longer than the 14 days of the scenario"),
    Wrong(
      line: "properties: [{ name: a }]",
      said: """
        2:16 missing-key: a property needs exactly one of 'always', 'never', 'eventually' and 'at_most_once'
        """),
    Wrong(
      line: """
        properties:
          - { name: a, never: "${{ time < time }}" }
          - { name: a, never: "${{ time < time }}" }
        """, said: "4:13 duplicate-id: the property name 'a' is already used"),
    Wrong(
      line: "start: tomorrow",
      said: """
        2:8 invalid-constant: invalid time 'tomorrow', expected RFC 3339 such as '2026-01-05T08:00:00Z'
        """),
    Wrong(line: "pipeline: photos", said: "2:1 unsupported-key:"),
  ]

  @Test(arguments: wrong)
  func `each mistake is reported at its place`(wrong: Wrong) {
    let (document, diagnostics) = Self.load("scenario: s\n" + wrong.line + "\n")
    #expect(document == nil)
    #expect(diagnostics.count == 1)
    let said = diagnostics.first.map(Self.said) ?? ""
    #expect(said.hasPrefix(wrong.said), "\(said)")
  }

  @Test func `entries of different weight do not contradict each other`() {
    let (document, diagnostics) = Self.load(
      """
      scenario: s
      timeline:
        - { from: "22:00", to: "07:00", network: wifi }
        - { from: "06:00", to: "08:00", days: [mon], network: none }
        - { day: 1, at: "06:00", for: 1h, network: cellular }
        - { from: "07:00", to: "22:00", network: cellular }
      """)
    #expect(diagnostics == [])
    #expect(document?.timeline.count == 4)
  }

  @Test func `the last night of a week meets its first morning`() {
    let (_, diagnostics) = Self.load(
      """
      scenario: s
      timeline:
        - { from: "22:00", to: "07:00", days: [sun], network: wifi }
        - { from: "06:00", to: "08:00", days: [mon], network: none }
      """)
    #expect(diagnostics.map(\.code) == [.conflictingKeys])
  }

  @Test func `a document is read as it is written`() throws {
    let (document, diagnostics) = Self.load(
      """
      scenario: s
      device:
        profile: ios8
        allowance: { after_foreground: 20s, refusals: 0.5 }
        resume_delay: { delays: resumes, first: 5s }
        budget: { bytes: 1 GB }
      days: 2
      opening: always
      items: { count: 3, size: { from: 1 MB, to: 2 MB } }
      disk: { free: 1 GiB, write: 10 MB/s }
      timeline:
        - { at: "8:05", open: 90s, jitter: 5m, chance: 0.5, days: [sat] }
      server: { lifetimes: { allocate: 1h }, faults: { lost_reply: 0.25, stale_reads: 5s } }
      """)
    #expect(diagnostics == [])
    let scenario = Scenario(try #require(document))
    #expect(scenario.profile.allowance.afterForeground == .seconds(20))
    #expect(scenario.profile.allowance.perResume == .seconds(30))
    #expect(scenario.profile.allowance.refusals == 0.5)
    #expect(scenario.profile.limiter.generation == .resumes)
    #expect(scenario.profile.limiter.first == .seconds(5))
    #expect(scenario.profile.budget.bytes == 1_000_000_000)
    #expect(scenario.opening == nil)
    #expect(scenario.length == .seconds(2 * 86400))
    #expect(scenario.conditions.free == 1 << 30)
    #expect(scenario.writeSpeed == 10_000_000)
    #expect(scenario.server.lifetimes == [StepID("allocate"): .seconds(3600)])
    #expect(scenario.server.faults.lostReply == 0.25)
    #expect(scenario.server.faults.staleReads == .seconds(5))
    #expect(
      scenario.timeline == [
        TimelineEntry(
          .daily(.seconds(29100), [.sat]), .open(.seconds(90)), jitter: .seconds(300),
          chance: 0.5)
      ])
  }

  @Test func `the names of profiles are those that the simulator has`() {
    #expect(ScenarioDevice.profiles == DeviceProfile.all.map(\.name))
  }

  @Test(arguments: [
    ("a.scenario.yaml", "x: 1", true), ("a.yaml", "# c\nscenario: a\n", true),
    ("a.yaml", "days: 3\nscenario: a\n", true), ("a.yaml", "pipeline: a\n", false),
    ("a.yaml", "scenario: a\npipeline: b\n", false), ("a.yaml", "  scenario: a\n", false),
    ("a.yaml", "", false),
  ])
  func `a scenario is known by its key`(file: String, text: String, isScenario: Bool) {
    #expect(ScenarioDocument.isScenario(file: file, bytes: Array(text.utf8)) == isScenario)
  }

  @Test(arguments: ShippedScenariosTests.names)
  func `a damaged scenario never traps`(name: String) throws {
    let text = Array(try TestFiles.text("Pipelines/scenarios/\(name).yaml").utf8)
    for place in stride(from: 0, to: text.count, by: 37) {
      _ = ScenarioDocument.load(bytes: text[..<place], file: "a.yaml")
      var damaged = text
      damaged[place] = UInt8(ascii: "{")
      _ = ScenarioDocument.load(bytes: damaged, file: "a.yaml")
    }
  }
}
