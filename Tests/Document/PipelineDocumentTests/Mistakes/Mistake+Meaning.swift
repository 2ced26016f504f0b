import PipelineDocument

extension Mistake {
  /// Mistakes in expressions and names.
  static let ofExpressions: [Mistake] = [
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: ${ inputs.server }/v1/notify",
      .unmarkedExpression, at: "${ inputs", says: "${{ inputs.server }}"),
    .photos(
      "text: \"${{ photo.name }}\"", "text: \"{{ photo.name }}\"", .unmarkedExpression,
      at: "\"{{ photo", says: "${{ photo.name }}"),
    .photos(
      "password: \"${{ inputs.password }}\"", "password: inputs.password", .unmarkedExpression,
      at: "inputs.password", says: "${{ inputs.password }}"),
    .photos(
      "size: \"${{ photo.size }}\"", "size: \"${{ photo.size }\"", .unclosedExpression, at: "${{",
      says: "}}"),
    .photos(
      "response.status == 409", "response.status =", .expressionSyntax, at: "", says: "=="),
    .photos(
      "response.status == 409", "response.status = 409", .expressionSyntax, at: "", says: "=="),
    .photos(
      "response.status == 409", "response.status == 409 and true", .expressionSyntax, at: "",
      says: "&&"),
    .photos(
      "response.status == 409", "not (response.status == 409)", .undeclaredReference, at: "",
      says: "!"),
    .photos(
      "inputs.server + \"/v1/login\"", "inputs.server + 5", .expressionType, at: "",
      says: "string("),
    .photos(
      "response.status == 409", "response.status == \"409\"", .expressionType, at: "",
      says: "compare it with a number"),
    .photos(
      "response.status == 409", "response.status in 409", .expressionType, at: "", says: "in"),
    .photos("${{ photo.size }}", "${{ photo.sise }}", .unknownField, at: "sise", says: "size"),
    .photos("${{ photo.size }}", "${{ photo.length }}", .unknownField, at: "length", says: "size"),
    .film(
      "response.headers.etag", "response.headers.ETag", .headerCase, at: "", says: "etag"),
    .photos(
      "timestamp(response.json.expires_at)", "timestmp(response.json.expires_at)",
      .undeclaredReference, at: "timestmp", says: "timestamp"),
    .photos(
      "retry: patient", "retry: ${{ inputs.server }}", .expressionNotAllowed, at: "${{",
      says: "expression"),
    .photos(
      "if: ${{ response.status == 409 }}", "if: response.status == 409", .expressionExpected,
      at: "response.status", says: "${{ response.status == 409 }}"),
    .photos(
      "response.status == 409", "response.text.matches(\"(\")", .invalidConstant, at: "\"(\"",
      says: "("),
    .photos(
      "      bearer: ${{ steps.sign_in.token }}\n      text: done",
      "      bearer: ${{ steps.signin.token }}\n      text: done", .unknownStep, at: "signin",
      says: "sign_in"),
    .photos(
      "      bearer: ${{ steps.sign_in.token }}\n      text: done",
      "      bearer: ${{ steps.sign_in.tokn }}\n      text: done", .unknownOutput, at: "tokn",
      says: "token"),
    .photos(
      "${{ inputs.password }}", "${{ inputs.pasword }}", .unknownInput, at: "pasword",
      says: "password"),
    .photos(
      "retry: patient", "retry: pateint", .unknownRetryPolicy, at: "pateint", says: "patient"),
    .photos("expired: allocate", "expired: alocate", .unknownStep, at: "alocate", says: "allocate"),
    .photos(
      "      - id: body\n", "      - id: upload\n", .duplicateID, at: "upload", says: "upload"),
    .photos(
      "password: { type: secret }", "password: { type: secret }\n  album: { type: string }",
      .unusedInput, at: "album", says: "album"),
    .photos(
      "user: demo", "user: \"${{ steps.allocate.upload_id }}\"", .outOfScope, at: "",
      says: "allocate"),
    .photos(
      "text: done", "text: ${{ photo.name }}", .undeclaredReference, at: "photo", says: "photo"),
    .photos("        retry: patient\n", "", .unusedPolicy, at: "patient:", says: "patient"),
    .film(
      "        outputs:\n          key:",
      "        outputs:\n          other: ${{ response.json.other }}\n          key:",
      .unusedOutput, at: "other", says: "other"),
  ]

  /// Mistakes in what happens.
  static let ofMeaning: [Mistake] = [
    .film(
      "              range: { offset: \"${{ part.offset }}\", length: \"${{ part.length }}\" }\n",
      "",
      .sameForEach, at: "${{ film }}", says: "range: { offset: \"${{ part.offset }}\""),
    .film(
      "        collect: { etags: \"${{ steps.send.etag }}\" }",
      """
                - id: conclude
                  request: { method: POST, url: "/uploads/${{ steps.begin.key }}/conclude" }
              collect: { etags: "${{ steps.send.etag }}" }
      """, .sameForEach, at: "", says: "after the inner loop"),
    .photos(
      "        idempotency: { header: Idempotency-Key }\n        retry: patient\n",
      "        retry: patient\n",
      .unsafeCreate, at: "", says: "idempotency"),
    .photos(
      "inputs.server + \"/v1/notify\"",
      "inputs.server + \"/v1/notify?token=\" + steps.sign_in.token",
      .secretInURL, at: "", says: "header"),
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: \"http://example.com/notify\"",
      .unencryptedSecret, at: "\"http:", says: "https:"),
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: \"https://hooks.example.org/notify\"",
      .foreignCredential, at: "${{ steps.sign_in.token", says: "hooks.example.org"),
    .photos(
      "url: ${{ inputs.server + \"/v1/uploads/\" + steps.allocate.upload_id + \"/content\" }}",
      "url: ${{ steps.allocate.upload_id }}", .foreignCredential, at: "${{ steps.sign_in.token",
      says: "omit the credential"),
    .photos(
      "      bearer: ${{ steps.sign_in.token }}\n      text: done",
      "      bearer: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJlLTEyMzQ1\n      text: done",
      .hardcodedSecret, at: "eyJ", says: "secret"),
    .photos(
      ", secret: true, expires", ", expires", .unprotectedSecret, at: "", says: "secret: true"),
    .photos(
      "        depends_on: [upload]\n        effect: create\n        idempotency: { header: Idempotency-Key }\n",
      "        depends_on: [upload]\n        effect: create\n        idempotency: { header: Idempotency-Key, key: \"${{ string(now) }}\" }\n",
      .changingKey, at: "", says: "now"),
    .photos(
      "  - id: notify\n", "  - id: notify\n    if: ${{ true }}\n", .constantCondition, at: "",
      says: "true"),
    .photos(
      "          - if: ${{ response.status == 404 }}\n            expired: allocate\n",
      "          - then: retry\n          - if: ${{ response.status == 404 }}\n            expired: allocate\n",
      .unreachableMatcher, at: "", says: "never"),
    .photos(
      "resource_timeout: 50m", "resource_timeout: 1s", .uploadTimeoutTooShort, at: "",
      says: "allow at least 5 min"),
    .photos("timeout: 20s", "timeout: 10m", .timeoutBeyondAllowance, at: "", says: "30 s"),
    .photos(
      "          file: ${{ steps.body.file }}\n", "          file: ${{ photo }}\n", .unusedFile,
      at: "body", says: "remove the step"),
    .photos(
      "          - if: ${{ response.status == 404 }}\n            expired: allocate\n",
      "          - if: ${{ response.status >= 500 && response.status < 400 }}\n            then: retry\n",
      .constantCondition, at: "", says: "always false"),
  ]
}
