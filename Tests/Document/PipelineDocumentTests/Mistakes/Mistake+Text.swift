import PipelineDocument

extension Mistake {
  /// Mistakes in the YAML and in the keys.
  static let ofText: [Mistake] = [
    .photos(
      "      timeout: 20s\n", "      timeout: 20s\n      timeout: 30s\n", .duplicateKey,
      at: "timeout: 30s", says: "duplicate key 'timeout'"),
    .photos(
      #"text: "${{ photo.name }}" }"#, "text: ${{ photo.name }} }", .unquotedExpression,
      at: "${{ photo.name }}", says: #"write "${{ photo.name }}""#),
    .photos(
      #"url: ${{ inputs.server + "/v1/login" }}"#, #"url: "${{ inputs.server + "/v1/login" }}""#,
      .yamlSyntax, at: #""/v1/login"#, says: #"write '${{ inputs.server + "/v1/login" }}'"#),
    .film(
      #"key: ${{ response.json.key }}"#, #"key: '${{ response.json['key'] }}'"#, .yamlSyntax,
      at: "'key'", says: #"write "${{ response.json['key'] }}""#),
    .film(
      #"json: { name: "${{ film.relative }}" }"#, #"json: { name: "${{ film["relative"] }}" }"#,
      .yamlSyntax, at: #""relative"]"#, says: #"write '${{ film["relative"] }}'"#),
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: {{ inputs.server }}/v1/notify",
      .unquotedExpression, at: "{{ inputs.server }}/v1",
      says: "write \"${{ inputs.server }}/v1/notify\""),
    .photos(
      "      timeout: 20s\n", "\ttimeout: 20s\n", .yamlSyntax, at: "\ttimeout", says: "tab"),
    .photos(
      "requests_per_second: 50 }", "requests_per_second: 50", .yamlSyntax, at: "",
      says: "expected ',' or '}'"),
    .photos(
      #"default: "Photos/**/*.jpg" }"#, #"default: "Photos/**/*.jpg }"#, .yamlSyntax,
      at: "\"Photos", says: "close the quote"),
    .photos(
      "    effect: repeatable\n", "   effect: repeatable\n", .yamlSyntax, at: "",
      says: "indentation"),
    .photos("retry: patient", "retry: *patient", .undefinedAnchor, at: "*patient", says: "anchor"),
    .photos(
      "    effect: repeatable\n", "    <<: { effect: repeatable }\n", .mergeKey, at: "<<",
      says: "merge"),
    .photos(
      "      text: done\n", "      text: done\n---\n", .multipleDocuments, at: "", says: "document"),
    .photos("      text: done\n", "      text: done: all\n", .yamlSyntax, at: "", says: "quote"),
    .photos(
      "url: ${{ inputs.server + \"/v1/login\" }}", "url: ${{ inputs.server + \"/v1: login\" }}",
      .unquotedExpression, at: "${{ inputs.server", says: "quote the expression"),
    .photos(
      "          - if: ${{ response.status == 409 }}\n            then: success\n",
      "            if: ${{ response.status == 409 }}\n            then: success\n", .yamlSyntax,
      at: "", says: "indentation"),
    .photos(
      "      - id: body\n        materialize:", "      - id: body\n        materialise:",
      .unknownKey,
      at: "materialise", says: "did you mean 'materialize'"),
    .photos(
      "    concurrency: 4\n", "    concurency: 4\n", .unknownKey, at: "concurency",
      says: "did you mean 'concurrency'"),
    .photos(
      "    effect: repeatable\n", "    effect: repeatable\n    bearer: abc\n", .unknownKey,
      at: "bearer: abc", says: "request"),
    .photos(
      "  - id: notify\n    request:", "  - request:", .missingKey, at: "request:", says: "id"),
    .photos(
      "      url: ${{ inputs.server + \"/v1/notify\" }}\n", "", .missingKey, at: "", says: "url"),
    .photos(
      "        effect: create\n        idempotency: { header: Idempotency-Key }\n        retry: patient\n",
      "        idempotency: { header: Idempotency-Key }\n        retry: patient\n", .missingEffect,
      at: "allocate", says: "effect: create"),
    .photos(
      "      text: done\n",
      "      text: done\n    download: { url: \"https://example.com/a\", max_size: 1 MiB }\n",
      .conflictingKeys, at: "", says: "request"),
    .photos("concurrency: 4", "concurrency: four", .wrongType, at: "four", says: "integer"),
    .photos(
      "        depends_on: [upload]\n", "        depends_on: upload\n", .wrongType, at: "upload",
      says: "list"),
    .photos(
      "  - id: notify\n", "  - id: notify\n    priority: high\n", .unsupportedKey, at: "priority",
      says: "not supported"),
    .film("          deadline: 10m\n", "", .missingKey, at: "", says: "deadline"),
    .photos(
      "pipeline: photos\n", "pipeline: photos\nversion: 9\n", .unknownVersion, at: "9", says: "1"),
    .photos(
      "steps:\n  - id: sign_in", "step:\n  - id: sign_in", .unknownKey, at: "step:",
      says: "did you mean 'steps'"),
    .photos("pipeline: photos\n", "name: photos\n", .missingKey, at: "", says: "pipeline: photos"),
    .film("every: 5s", "interval: 5s", .unknownKey, at: "interval", says: "every"),
    .photos(
      "  - for_each: photo\n    in: ${{ inputs.photos }}\n",
      "  - for_each: photo\n", .missingKey, at: "", says: "in"),
  ]
}
