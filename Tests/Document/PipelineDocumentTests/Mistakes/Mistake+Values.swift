import PipelineDocument

extension Mistake {
  /// Mistakes in single values.
  static let ofValues: [Mistake] = [
    .photos("timeout: 20s", "timeout: 20", .invalidDuration, at: "20", says: "20s"),
    .photos("timeout: 20s", "timeout: 20 sec", .invalidDuration, at: "20 sec", says: "20 s"),
    .photos("disk: 256 MiB", "disk: 256 mb", .invalidSize, at: "256 mb", says: "256 MB"),
    .photos("disk: 256 MiB", "disk: 0 B", .outOfRange, at: "0 B", says: "512 MiB"),
    .photos("transfers: 20", "transfers: 0", .outOfRange, at: "0", says: "at least 1"),
    .photos("concurrency: 4", "concurrency: 0", .outOfRange, at: "0", says: "at least 1"),
    .photos(
      "requests_per_second: 50", "requests_per_second: 0", .outOfRange, at: "0",
      says: "at least 1"),
    .photos(
      "      method: POST\n      url: ${{ inputs.server + \"/v1/login\" }}",
      "      method: post\n      url: ${{ inputs.server + \"/v1/login\" }}", .invalidMethod,
      at: "post", says: "POST"),
    .photos(
      "      method: POST\n      url: ${{ inputs.server + \"/v1/login\" }}",
      "      method: GET\n      url: ${{ inputs.server + \"/v1/login\" }}", .bodyNotAllowed,
      at: "json", says: "GET"),
    .photos(
      "headers: { Accept: application/json }", "headers: { \"Accept Type\": application/json }",
      .invalidHeader, at: "\"Accept Type", says: "header"),
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: example.com/v1/notify", .invalidURL,
      at: "example.com", says: "https://"),
    .photos(
      "url: ${{ inputs.server + \"/v1/notify\" }}", "url: /v1/notify", .invalidURL,
      at: "/v1/notify", says: "defaults"),
    .photos("Photos/**/*.jpg", "Photos/**.jpg", .invalidGlob, at: "\"Photos", says: "**"),
    .photos("Photos/**/*.jpg", "Photos/*.{jpg,png", .invalidGlob, at: "\"Photos", says: "}"),
    .photos("Photos/**/*.jpg", "~/Photos/*.jpg", .unlikelyGlob, at: "\"~", says: "--input"),
    .photos(
      "\"Photos/**/*.jpg\"", "“Photos/*.jpg”", .unlikelyGlob, at: "“", says: "\"Photos/*.jpg\""),
    .photos("Photos/**/*.jpg", "$HOME/Photos/*.jpg", .unlikelyGlob, at: "\"$", says: "--input"),
    .photos(
      "\"Photos/**/*.jpg\"", "Photos\\2026\\*.jpg", .unlikelyGlob, at: "Photos",
      says: "Photos/2026/*.jpg"),
    .photos(
      "password: { type: secret }", "password: { type: password }", .invalidChoice, at: "password",
      says: "secret"),
    .photos(
      "photos: { type: files", "photos: { type: glob", .invalidChoice, at: "glob", says: "files"),
    .photos(
      "        effect: create\n        idempotency: { header: Idempotency-Key }\n        retry",
      "        effect: creates\n        idempotency: { header: Idempotency-Key }\n        retry",
      .invalidChoice, at: "creates", says: "did you mean 'create'"),
    .photos(
      "password: { type: secret }", "password: { type: secret }\n  my-album: { type: string }",
      .invalidName, at: "my-album", says: "my_album"),
    .photos("in: 1h, skew: 60s", "in: 1h, skew: 2h", .lifetimeWithinSkew, at: "", says: "skew"),
    .photos("user: demo", "user: no", .ambiguousScalar, at: "no", says: "\"no\""),
    .photos("text: done", "json: done", .scalarBody, at: "json: done", says: "members"),
    .photos(
      "password: { type: secret }",
      "password: { type: secret }\n  age: { type: duration, default: week }",
      .invalidDuration, at: "week", says: "30s"),
    .photos(
      "      bearer: ${{ steps.sign_in.token }}\n      text: done",
      "      bearer: Bearer ${{ steps.sign_in.token }}\n      text: done", .invalidHeader,
      at: "Bearer",
      says: "write only the token"),
    .photos(
      "text: done", "json: '{\"by\": \"${{ run.id }}\"}'", .scalarBody, at: "'{",
      says: "leave out the quotes"),
    .photos("default: \"Photos/**/*.jpg\"", "default: *.jpg", .yamlSyntax, at: "", says: "quote"),
    .photos(
      "default: \"Photos/**/*.jpg\"", "default: \"C:\\Users\\me\\*.jpg\"", .yamlSyntax, at: "",
      says: "single quotes"),
    .photos(
      "${{ inputs.server }}/v1/uploads/${{", "${{ inputs.server }}v1/uploads/${{", .missingSlash,
      at: "${{ inputs.server }}v1", says: "/v1/uploads/"),
    .photos(
      "inputs.server + \"/v1/login\"", "inputs.server + \"v1/login\"", .missingSlash, at: "${{",
      says: "/v1/login"),
    .film(
      "/uploads/${{ steps.begin.key }}/${{ part.index }}",
      "/uploads/${{ film.relative }}/${{ part.index }}", .unescapedName, at: "film.relative",
      says: "urlEscapePath(film.relative)"),
    .film(
      "url: /uploads, json", "url: \"/uploads?name=${{ film.name }}\", json", .unescapedName,
      at: "film.name", says: "urlEscape(film.name)"),
    .film("/${{ part.index }}\n", "\n", .sharedTarget, at: "/uploads", says: "part"),
    .film(
      "type: url }\n", "type: url, default: \"http://example.com\" }\n", .insecureURL,
      at: "\"http:", says: "https:"),
    .film(
      "concurrency: 3", "concurrency: 3 # pipeline: ignore[shared-taget] all parts are one",
      .invalidIgnore, at: "shared-taget", says: "shared-target"),
    .film(
      "concurrency: 3", "concurrency: 3 # pipeline: ignore[shared-target] all parts are one",
      .unusedIgnore, at: "", says: "shared-target"),
  ]
}
