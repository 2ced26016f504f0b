// Generated from Schemas/verification.schema.json by ReportSchemaTests; do not edit.

extension ReportSchema {
  /// The schema of `verification.schema.json`.
  public static let verification = Self(
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://pipeline.invalid/schemas/verification.schema.json",
        "title": "Crash safety",
        "description": "The report of `pipeline verify --format json`.",
        "type": "object",
        "properties": {
          "certified": {
            "description": "Whether every pipeline is certified.",
            "type": "boolean"
          },
          "verdict": { "description": "The worst verdict on any pipeline.", "$ref": "#/$defs/verdict" },
          "pipelines": { "type": "array", "items": { "$ref": "#/$defs/pipeline" } }
        },
        "required": ["certified", "verdict", "pipelines"],
        "additionalProperties": false,
        "$defs": {
          "verdict": {
            "description": "`certified`; `word`: certified if the author's statements about the server are true; `incomplete`: something was not tried, such as pairs that `--pairs` left out, or never reached; `unsafe`: there is a counterexample.",
            "enum": ["certified", "word", "incomplete", "unsafe"]
          },
          "pipeline": {
            "type": "object",
            "properties": {
              "pipeline": { "description": "Name of the pipeline.", "type": "string" },
              "file": { "description": "The file, as given on the command line.", "type": "string" },
              "certified": { "description": "Whether there is no counterexample, every step was reached, every fault and at least the default number of pairs were tried, and nothing relies on the author's word.", "type": "boolean" },
              "verdict": { "$ref": "#/$defs/verdict" },
              "effort": {
                "description": "How much was tried.",
                "type": "object",
                "properties": {
                  "runs": { "description": "Simulated runs.", "type": "integer", "minimum": 0 },
                  "crash_points": { "description": "Points of a run of one item at which the process was crashed.", "type": "integer", "minimum": 0 },
                  "requests": { "description": "Requests of that run whose outcome was left unknown.", "type": "integer", "minimum": 0 },
                  "pairs": { "description": "Pairs of faults that were tried.", "type": "integer", "minimum": 0 },
                  "all_pairs": { "description": "All pairs that exist.", "type": "integer", "minimum": 0 },
                "usual_pairs": { "description": "How many of those are tried by default; if `pairs` is less, nothing is certified.", "type": "integer", "minimum": 0 },
                  "untried": { "description": "Faults that were not tried, because the others took too long.", "type": "integer", "minimum": 0 }
                },
                "required": ["runs", "crash_points", "requests", "pairs", "all_pairs", "usual_pairs", "untried"],
                "additionalProperties": false
              },
              "steps": { "type": "array", "items": { "$ref": "#/$defs/step" } },
              "counterexamples": { "type": "array", "items": { "$ref": "#/$defs/counterexample" } }
            },
            "required": ["pipeline", "file", "certified", "verdict", "effort", "steps", "counterexamples"],
            "additionalProperties": false
          },
          "step": {
            "type": "object",
            "properties": {
              "id": { "description": "The step; for a request of `on_abandon`, the loop's variable, `on_abandon` and its position from 1, as in `photo.on_abandon.1`.", "type": "string" },
              "safe": { "description": "Whether repeating the step is safe, according to the trials and the author's word: `false` if a counterexample is about the step.", "type": "boolean" },
              "by": {
                "description": "What makes a repeat safe.",
                "enum": ["local", "key", "probe", "idempotent-method", "author", "nothing"]
              },
              "grade": {
                "description": "What is known about a repeat: shown to be safe by the trials, safe on the author's word, not safe, or never reached.",
                "enum": ["shown", "word", "unsafe", "unreached"]
              },
              "header": { "description": "The header of the idempotency key.", "type": "string" },
              "attempts": { "description": "Maximum number of attempts of one generation in any run.", "type": "integer", "minimum": 0 },
              "effects": { "description": "Maximum number of times that one generation took effect in any run.", "type": "integer", "minimum": 0 },
              "words": { "description": "What the author states about the server and no trial can show.", "type": "array", "items": { "type": "string" } },
              "leaks": { "description": "What may remain at the server or on the disk.", "type": "array", "items": { "type": "string" } },
              "may_pause": { "description": "Whether an item can end up waiting for a person here.", "type": "boolean" },
              "file": { "type": "string" },
              "line": { "type": "integer", "minimum": 1 },
              "column": { "type": "integer", "minimum": 1 }
            },
            "required": ["id", "safe", "by", "grade", "words", "attempts", "effects", "leaks", "may_pause", "file", "line", "column"],
            "additionalProperties": false
          },
          "counterexample": {
            "type": "object",
            "properties": {
              "kind": {
                "description": "What must not happen.",
                "enum": ["double-effect", "lost-item", "stuck", "invariant"]
              },
              "step": { "description": "The step to blame.", "type": "string" },
              "file": { "type": "string" },
              "line": { "type": "integer", "minimum": 1 },
              "column": { "type": "integer", "minimum": 1 },
              "message": { "type": "string" },
              "disturbances": { "description": "The faults of the run.", "type": "array", "items": { "type": "string" } },
              "timeline": { "description": "How it happened.", "type": "array", "items": { "type": "string" }, "maxItems": 15 }
            },
            "required": ["kind", "message", "disturbances", "timeline"],
            "additionalProperties": false
          }
        }
      }

      """#)
}
