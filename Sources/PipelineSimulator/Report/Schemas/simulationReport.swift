// Generated from Schemas/simulation-report.schema.json by ReportSchemaTests; do not edit.

extension ReportSchema {
  /// The schema of `simulation-report.schema.json`.
  public static let simulationReport = Self(
    text: #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://pipeline.invalid/schemas/simulation-report.schema.json",
        "title": "Simulation report",
        "description": "The output of `pipeline simulate --format json`: one seed, many seeds, or cases compared over the same seeds.",
        "oneOf": [
          { "$ref": "#/$defs/seed", "unevaluatedProperties": false },
          { "$ref": "#/$defs/seeds", "unevaluatedProperties": false },
          { "$ref": "#/$defs/comparison" }
        ],
        "$defs": {
          "seed": {
            "description": "One seed.",
            "$ref": "#/$defs/numbers",
            "required": ["seed", "outcome"],
            "properties": {
              "seed": { "$ref": "#/$defs/seedNumber" },
              "outcome": { "description": "How the simulation ended: `finished`, `finished, with N items failed`, `paused: …`, `cancelled`, or why it did not end.", "type": "string" }
            }
          },
          "seeds": {
            "description": "Many seeds: each number is the mean over the seeds; completion times cover all items of all seeds.",
            "$ref": "#/$defs/numbers",
            "required": ["seeds", "first_seed", "all_completed_at", "spread"],
            "properties": {
              "seeds": { "type": "integer", "minimum": 1 },
              "first_seed": { "$ref": "#/$defs/seedNumber" },
              "all_completed_at": { "description": "Seconds until the last item of a seed was complete.", "$ref": "#/$defs/spread" },
              "spread": {
                "description": "The distribution of numbers over the seeds.",
                "type": "object",
                "additionalProperties": { "$ref": "#/$defs/spread" }
              }
            }
          },
          "comparison": {
            "description": "Settings or files, compared over the same seeds.",
            "type": "object",
            "additionalProperties": false,
            "required": ["cases", "best", "ranking"],
            "properties": {
              "cases": {
                "type": "array",
                "minItems": 1,
                "items": {
                  "$ref": "#/$defs/seeds",
                  "unevaluatedProperties": false,
                  "required": ["settings"],
                  "properties": {
                    "settings": {
                      "description": "What distinguishes the case from the others, by key; 'file' if files are compared.",
                      "type": "object",
                      "additionalProperties": { "type": "string" }
                    }
                  }
                }
              },
              "best": {
                "type": "object",
                "additionalProperties": false,
                "required": ["case", "label", "reason"],
                "properties": {
                  "case": { "description": "Index in 'cases'.", "type": "integer", "minimum": 0 },
                  "label": { "type": "string" },
                  "reason": { "type": "string" }
                }
              },
              "counterexample": { "$ref": "#/$defs/counterexample" },
              "ranking": {
                "description": "Indices in 'cases', best first.",
                "type": "array",
                "items": { "type": "integer", "minimum": 0 }
              }
            }
          },
          "counterexample": {
            "description": "The shortest violation of a property that was found; present only if one is violated.",
            "type": "object",
            "additionalProperties": false,
            "required": ["property", "seed", "items", "events", "timeline", "scenario", "command"],
            "properties": {
              "property": { "description": "Its name.", "type": "string" },
              "seed": { "$ref": "#/$defs/seedNumber" },
              "items": { "$ref": "#/$defs/kept" },
              "events": { "$ref": "#/$defs/kept" },
              "timeline": { "description": "What happens, one line each.", "type": "array", "minItems": 1, "maxItems": 15, "items": { "type": "string" } },
              "scenario": { "description": "The reduced scenario, as a document for --scenario.", "type": "string" },
              "command": { "description": "The command that replays it.", "type": "string" }
            }
          },
          "advice": {
            "description": "A setting that was tried, and its effect.",
            "type": "object",
            "additionalProperties": false,
            "required": ["key", "value", "text", "seeds", "before", "after"],
            "properties": {
              "key": { "description": "The key, as --set expects it.", "type": "string" },
              "value": { "type": "string" },
              "text": { "description": "Its effect, in words.", "type": "string" },
              "seeds": { "description": "The seeds that it was tried with.", "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/seedNumber" } },
              "before": { "$ref": "#/$defs/figure" },
              "after": { "$ref": "#/$defs/figure" }
            }
          },
          "figure": {
            "description": "The results over all seeds.",
            "type": "object",
            "additionalProperties": false,
            "required": ["completed", "items", "p90", "bytes_sent", "bytes_wasted", "violations", "stopped"],
            "properties": {
              "completed": { "type": "integer", "minimum": 0 },
              "items": { "type": "integer", "minimum": 0 },
              "p90": { "description": "Seconds after which 90 % of the items were complete.", "$ref": "#/$defs/moment" },
              "bytes_sent": { "$ref": "#/$defs/amount" },
              "bytes_wasted": { "$ref": "#/$defs/amount" },
              "violations": { "description": "Properties that were violated.", "type": "integer", "minimum": 0 },
              "stopped": { "description": "Items that had failed or were waiting for a person.", "type": "integer", "minimum": 0 }
            }
          },
          "kept": {
            "description": "How many are kept, of how many.",
            "type": "object",
            "additionalProperties": false,
            "required": ["kept", "all"],
            "properties": {
              "kept": { "type": "integer", "minimum": 0 },
              "all": { "type": "integer", "minimum": 0 }
            }
          },
          "numbers": {
            "type": "object",
            "required": [
              "pipeline", "scenario", "device", "items", "completed", "failed", "paused", "unfinished",
              "device_seconds", "completed_at", "wakes", "added_wait_seconds", "bytes_sent", "bytes_wasted",
              "reissues", "stalls", "peak_disk_bytes", "properties"
            ],
            "properties": {
              "pipeline": { "type": "string" },
              "scenario": { "type": "string" },
              "device": { "description": "Name of the device's profile.", "type": "string" },
              "counterexample": { "$ref": "#/$defs/counterexample" },
              "advice": { "description": "Settings that did better when simulated, best first; empty if none was found. Comparisons have none.", "type": "array", "maxItems": 3, "items": { "$ref": "#/$defs/advice" } },
              "overrides": { "description": "What --set changed.", "type": "array", "items": { "type": "string" } },
              "items": { "$ref": "#/$defs/amount" },
              "completed": { "$ref": "#/$defs/amount" },
              "failed": { "$ref": "#/$defs/amount" },
              "paused": { "$ref": "#/$defs/amount" },
              "skipped": { "$ref": "#/$defs/amount" },
              "cancelled": { "$ref": "#/$defs/amount" },
              "unfinished": { "description": "Items that were not finished in time.", "$ref": "#/$defs/amount" },
              "device_seconds": { "description": "Virtual time.", "$ref": "#/$defs/amount" },
              "completed_at": {
                "description": "Seconds after which half, 90 % and 99 % of the items were complete; null if they never were.",
                "type": "object",
                "additionalProperties": false,
                "required": ["p50", "p90", "p99"],
                "properties": {
                  "p50": { "$ref": "#/$defs/moment" },
                  "p90": { "$ref": "#/$defs/moment" },
                  "p99": { "$ref": "#/$defs/moment" },
                  "never": { "$ref": "#/$defs/part" }
                }
              },
              "wakes": { "description": "Resumes and launches by the transfer service.", "$ref": "#/$defs/amount" },
              "added_wait_seconds": { "description": "Seconds during which the resume delay held up a transfer or a resume (RL4); overlaps count once.", "$ref": "#/$defs/amount" },
              "bytes_sent": { "$ref": "#/$defs/amount" },
              "bytes_wasted": { "description": "How many of those bytes had to be sent again, or were wasted otherwise.", "$ref": "#/$defs/amount" },
              "reissues": { "description": "How many times each step was reissued because its result, or what it was made from, had expired.", "$ref": "#/$defs/amounts" },
              "reissue_causes": { "description": "Number of reissues by cause.", "$ref": "#/$defs/amounts" },
              "stalls": { "description": "Seconds spent waiting, by cause (a rule of docs/simulation.md, or a word); overlaps count once.", "$ref": "#/$defs/amounts" },
              "peak_disk_bytes": { "$ref": "#/$defs/amount" },
              "properties": {
                "type": "array",
                "items": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["name", "holds", "seed"],
                  "properties": {
                    "name": { "type": "string" },
                    "holds": { "type": "boolean" },
                    "seed": {
                      "description": "The seed; for many seeds, the first that violates the property, or null if it holds.",
                      "anyOf": [{ "$ref": "#/$defs/seedNumber" }, { "type": "null" }]
                    },
                    "violated_at": { "description": "Seconds after the start.", "$ref": "#/$defs/moment" },
                    "violations": { "description": "Seeds that violate it.", "type": "integer", "minimum": 0 },
                    "explanation": { "type": ["string", "null"] }
                  }
                }
              }
            }
          },
          "spread": {
            "description": "The values that 50 %, 90 % and 99 % of all are at or below (null means never), and the part that never occurred.",
            "type": "object",
            "additionalProperties": false,
            "required": ["p50", "p90", "p99", "never"],
            "properties": {
              "p50": { "$ref": "#/$defs/moment" },
              "p90": { "$ref": "#/$defs/moment" },
              "p99": { "$ref": "#/$defs/moment" },
              "never": { "$ref": "#/$defs/part" }
            }
          },
          "amount": { "type": "number", "minimum": 0 },
          "amounts": { "type": "object", "additionalProperties": { "$ref": "#/$defs/amount" } },
          "moment": { "type": ["number", "null"], "minimum": 0 },
          "part": { "type": "number", "minimum": 0, "maximum": 1 },
          "seedNumber": { "type": "integer", "minimum": 0, "maximum": 18446744073709551615 }
        }
      }

      """#)
}
