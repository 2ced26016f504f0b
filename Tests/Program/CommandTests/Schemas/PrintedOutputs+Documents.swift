import Foundation
import TestSupport
import Testing

extension PrintedOutputs {
  /// Findings, audits, rules, tests and values.
  mutating func addDocuments() async throws {
    let scene = try Scene()
    let json = ["--format", "json"]
    let good = Scene.shipped("photos.yaml")
    try await add("findings", scene, ["validate", good] + json)
    try scene.directory.write(
      """
      pipeline: bad
      inputs: { server: { type: url }, server: { type: ulr } }
      steps:
        - id: a
          request: { method: POST, url: "${{ inputs.sever }}" }
          depends_on: [b]
        - id: b
          request: { url: "${{ inputs.server }}" }
          depends_on: [a]
      """, to: "bad.yaml")
    try await add("findings", scene, ["validate", "bad.yaml"] + json)
    for file in ["broken.yaml", "typo.yaml"] {
      try scene.directory.write(
        file == "broken.yaml" ? "pipeline: [" : "pipeline: a\nstesp: []\nsteps: []\n", to: file)
      try await add("findings", scene, ["validate", file] + json)
    }
    try scene.directory.write(#"{ "properties": { "a": { "type": "string" } } }"#, to: "s.json")
    try scene.directory.write(#"{ "a": 1 }"#, to: "d.json")
    try await add("findings", scene, ["validate", "--schema", "s.json", "d.json"] + json)
    for name in ["photos.yaml", "catalogue/mirror.yaml", "documents.yaml"] {
      try await add("audit", scene, ["validate", "--audit", Scene.shipped(name)] + json)
    }
    try await add("rules", scene, ["rule", "--all"] + json)
    try await add("rules", scene, ["rule", "unsafe-create"] + json)
    try await add("test-report", scene, ["test", Scene.shipped("photos.test.yaml")] + json)
    try scene.directory.write(
      """
      pipeline: one
      inputs: { server: { type: url } }
      steps:
        - id: ask
          request: { url: "${{ inputs.server }}/ask" }
      """, to: "one.yaml")
    try scene.directory.write(
      """
      test: one
      pipeline: one.yaml
      inputs: { server: "http://api.test" }
      cases:
        - name: it asks twice
          expect: { attempts: { ask: 2 } }

      """, to: "one.test.yaml")
    try await add("test-report", scene, ["test", "one.test.yaml"] + json, status: 1...1)
    for expression in [
      "1", "1.5", "'a'", "true", "null", "[1, 'a']", "{'a': [1]}", "duration('1h')", "b'a'",
      "timestamp('2026-03-14T10:15:00Z')",
    ] {
      try await add("value", scene, ["eval", expression] + json)
    }
  }

  /// Simulations, their traces, and certificates.
  mutating func addSimulations() async throws {
    let scene = try Scene()
    let (json, photos) = (["--format", "json"], Scene.shipped("photos.yaml"))
    let one = Scene.shipped("one-by-one.yaml")
    for scenario in ["hotel-wifi", "commuter"] {
      try await add(
        "simulation-report", scene,
        ["simulate", photos, "--scenario", scenario, "--trace", "t.ndjson"] + json)
      add("trace", scene.directory.text(of: "t.ndjson"), isLines: true)
    }
    try await add(
      "simulation-report", scene, ["simulate", one, "--seeds", "2"] + json)
    try await add(
      "simulation-report", scene,
      ["simulate", one, "--seeds", "2", "--vary", "retry.standard.attempts=2,3"] + json)
    try await add("verification", scene, ["verify", one, "--pairs", "0"] + json)
    try scene.directory.write(
      """
      pipeline: unsafe
      inputs: { photos: { type: files, default: "*.jpg" } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: finalize
              request: { method: POST, url: "https://a.test/finalize/${{ urlEscape(photo.name) }}" }
              effect: create  # pipeline: ignore[unsafe-create] shown to be one

      """, to: "unsafe.yaml")
    try await add("verification", scene, ["verify", "unsafe.yaml", "--pairs", "0"] + json)
    try await add("audit", scene, ["validate", "--audit", "unsafe.yaml"] + json)
  }
}
