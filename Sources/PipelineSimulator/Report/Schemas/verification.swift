// Generated from Schemas/verification.schema.json by ReportSchemaTests; do not edit.

extension ReportSchema {
  /// The schema of `verification.schema.json`.
  public static let verification = Self(
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
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
            "description": "`certified`; `word`: certified as far as what the author says of the server is true; `incomplete`: something was not tried, such as pairs that `--pairs` left out, or never reached; `unsafe`: there is a counter-example.",
            "enum": ["certified", "word", "incomplete", "unsafe"]
          },
          "pipeline": {
            "type": "object",
            "properties": {
              "pipeline": { "description": "Name of the pipeline.", "type": "string" },
              "file": { "description": "The file, as it was named.", "type": "string" },
              "certified": { "description": "Whether there is no counter-example, every step was reached, every disturbance was tried, as many pairs as usual too, and nothing rests on the author's word.", "type": "boolean" },
              "verdict": { "$ref": "#/$defs/verdict" },
              "effort": {
                "description": "How much was tried.",
                "type": "object",
                "properties": {
                  "runs": { "description": "Simulated runs.", "type": "integer", "minimum": 0 },
                  "crash_points": { "description": "Points of a run of one item at which the process was ended.", "type": "integer", "minimum": 0 },
                  "requests": { "description": "Requests of that run whose outcome was left unknown.", "type": "integer", "minimum": 0 },
                  "pairs": { "description": "Pairs of disturbances that were tried.", "type": "integer", "minimum": 0 },
                  "all_pairs": { "description": "Pairs that there are.", "type": "integer", "minimum": 0 },
                "usual_pairs": { "description": "Pairs of those that are tried where nobody asks for fewer: where `pairs` is less, nothing is certified.", "type": "integer", "minimum": 0 },
                  "untried": { "description": "Disturbances that were not tried, because the others took too long.", "type": "integer", "minimum": 0 }
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
              "id": { "description": "The step; of a request of `on_abandon` the loop's variable, `on_abandon` and its place there from 1, as in `photo.on_abandon.1`.", "type": "string" },
              "safe": { "description": "Whether carrying the step out again is safe, as far as it was tried and the author's word goes: `false` wherever a counter-example is about the step.", "type": "boolean" },
              "by": {
                "description": "What makes a repeat safe.",
                "enum": ["local", "key", "probe", "idempotent-method", "author", "nothing"]
              },
              "grade": {
                "description": "What is known of a repeat: shown by the trials, on the author's word, not safe, or never reached.",
                "enum": ["shown", "word", "unsafe", "unreached"]
              },
              "header": { "description": "The header of the idempotency key.", "type": "string" },
              "attempts": { "description": "Most attempts of one generation in any run.", "type": "integer", "minimum": 0 },
              "effects": { "description": "Most times that one generation took effect in any run.", "type": "integer", "minimum": 0 },
              "words": { "description": "What the author says of the server, and no trial can show.", "type": "array", "items": { "type": "string" } },
              "leaks": { "description": "What may stay behind.", "type": "array", "items": { "type": "string" } },
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
              "disturbances": { "description": "What was done to the run.", "type": "array", "items": { "type": "string" } },
              "timeline": { "description": "How it came about.", "type": "array", "items": { "type": "string" }, "maxItems": 15 }
            },
            "required": ["kind", "message", "disturbances", "timeline"],
            "additionalProperties": false
          }
        }
      }

      """#)
}
