import Basics
import PipelineCore

/// A pipeline that sends each file in several parts at once, in several forms: with a body file or a range, with a URL
/// for each part or one for all, with results that expire while parts are in flight.
///
/// In pipelines made up of everything, parts would be in flight too rarely for all that can happen to them.
struct PartsPipeline {
  let text: String

  init(_ random: inout SplitMix64) {
    let hasToken = random.flip(0.4)
    let bearer = hasToken ? ", bearer: \"${{ steps.sign_in.token }}\"" : ""
    var text = Self.head(&random)
    if hasToken { text += Self.signIn(&random) }
    text += """
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: \(random.pick([1, 2, 4]))
          steps:
      \(Self.open(bearer, hasToken, &random))
            - id: parts
              for_each: part
              in: '${{ parts(file.size, {"max_count": \(random.pick([2, 3, 5])), "size": \(random.pick([500, 900])), "last": "\(random.pick(["short", "merge"]))"}) }}'
              concurrency: \(random.pick([1, 2, 4]))
              steps:
      \(Self.part(bearer, hasToken, &random))
              collect: { tags: '${{ {"number": part.number, "tag": steps.put.tag} }}' }
      \(Self.finish(bearer, hasToken, &random))
      """
    if random.flip(0.7) {
      text += """

            on_abandon:
              - request: { method: DELETE, url: "https://server.test/uploads/${{ steps.open.id }}"\(bearer) }

        """
    }
    self.text = text
  }

  private static func head(_ random: inout SplitMix64) -> String {
    let budgets = random.pick([
      "", "", "budgets: { transfers: 3 }\n", "budgets: { disk: 8000 B }\n",
      "budgets: { disk: 9000 B, transfers: 2 }\n",
    ])
    return """
      pipeline: swarm
      inputs:
        password: { type: secret }
        files: { type: files }
      \(budgets)retry:
        standard:
          attempts: \(random.pick([3, 6, 12]))
          backoff: { initial: 1s, factor: 2, max: \(random.pick(["10s", "2m"])) }
          jitter: \(random.pick(["full", "none"]))
          exhausted: \(random.pick(["pause", "pause", "fail"]))
      steps:

      """
  }

  private static func signIn(_ random: inout SplitMix64) -> String {
    """
      - id: sign_in
        request: { method: POST, url: "https://server.test/login", json: { password: "${{ inputs.password }}" } }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: \(random.flip(0.6))\(random.pick(["", ", expires: { in: 10m }"])) }

    """
  }

  private static func matchers(
    _ hasToken: Bool, _ others: [(status: Int, step: String)], _ indent: Int
  ) -> String {
    let all = (hasToken ? [(401, "sign_in")] : []) + others.map { ($0.status, $0.step) }
    guard !all.isEmpty else { return "" }
    let space = String(repeating: " ", count: indent)
    return "\n\(space)on:"
      + all.map { "\n\(space)  - { if: \"${{ response.status == \($0.0) }}\", expired: \($0.1) }" }
      .joined()
  }

  private static func open(_ bearer: String, _ hasToken: Bool, _ random: inout SplitMix64) -> String
  {
    let life = random.pick(["", ", expires: { in: 5m }", ", expires: { in: 1h }"])
    return """
            - id: open
              request: { method: POST, url: "https://server.test/uploads"\(bearer) }
              effect: create
              idempotency: { header: Idempotency-Key }\(matchers(hasToken, [], 8))
              outputs: { id: { value: "${{ response.json.id }}"\(life) } }
      """
  }

  /// The steps of a part.
  private static func part(_ bearer: String, _ hasToken: Bool, _ random: inout SplitMix64) -> String
  {
    let asks = random.flip(0.5)
    let writes = random.flip(0.4)
    let creates = random.flip(0.3)
    var text = ""
    if asks {
      let life = random.pick(["", ", expires: { in: 2m }", ", expires: { in: 20m }"])
      text += """
                  - id: ask
                    request: { method: POST, url: "https://server.test/uploads/${{ steps.open.id }}/urls/${{ part.number }}"\(bearer) }\(matchers(hasToken, [(404, "open")], 12))
                    effect: repeatable
                    outputs: { url: { value: "${{ response.json.url }}"\(life) } }

        """
    }
    let range = "range: { offset: \"${{ part.offset }}\", length: \"${{ part.length }}\" }"
    if writes {
      text += """
                  - id: body
                    materialize: { file: "${{ file }}", \(range) }

        """
    }
    let place =
      asks
      ? "\"${{ steps.ask.url }}\""
      : "\"https://server.test/uploads/${{ steps.open.id }}/${{ part.number }}\""
    let file = writes ? "file: \"${{ steps.body.file }}\"" : "file: \"${{ file }}\", \(range)"
    let safety =
      creates
      ? "\n            effect: create\n            idempotency: { header: Idempotency-Key }" : ""
    text += """
                - id: put
                  upload: { url: \(place), \(file), resource_timeout: 2d\(asks ? "" : bearer) }\(safety)\(matchers(hasToken && !asks, [(404, "open")] + (asks ? [(403, "ask")] : []), 12))
                  outputs: { tag: "${{ response.headers['etag'] }}" }
      """
    return text
  }

  private static func finish(_ bearer: String, _ hasToken: Bool, _ random: inout SplitMix64)
    -> String
  {
    let safety =
      random.flip(0.5)
      ? "        idempotency: { header: Idempotency-Key }"
      : """
              probe:
                request: { url: "https://server.test/uploads/${{ steps.open.id }}"\(bearer) }
                took_effect: ${{ response.json.state == "complete" }}
      """
    return """
            - id: finish
              request: { method: POST, url: "https://server.test/uploads/${{ steps.open.id }}", json: { parts: "${{ steps.parts.tags }}" }\(bearer) }
              effect: create
      \(safety)\(matchers(hasToken, [(404, "open")], 8))
      """
  }
}
