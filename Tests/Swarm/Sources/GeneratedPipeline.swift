import Basics
import PipelineCore

/// A pipeline that a seed makes up: sign in, allocate, make a body, upload, finalize, each in several forms.
struct GeneratedPipeline {
  let text: String

  init(_ random: inout SplitMix64) {
    // Separate from the others, so that a seed has the other choices that it had
    // before there were renewals.
    var aside = SplitMix64(seed: random.state ^ 0x5245_4E45_5741_4C53)
    let further = PipelineVariations(&aside)
    var newer = SplitMix64(seed: random.state ^ 0x5041_4345)
    let hasToken = random.flip(0.6)
    let hasUpload = random.flip(0.8)
    let hasBody = random.flip(0.7)
    let hasDigest = random.flip(0.4)
    let bearer = hasToken ? ", bearer: \"${{ steps.sign_in.token }}\"" : ""
    var text = further.narrowed(Self.head(&random), copies: hasDigest ? 1 : 0)
    if hasToken { text += Self.signIn(&random) }
    text += """
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: \(random.pick([1, 2, 4, 8]))\(further.loopKeys)
          steps:

      """
    if hasUpload { text += further.patient(Self.allocate(bearer, &random)) }
    if hasDigest {
      text += "      - { id: digest, materialize: { file: \"${{ file }}\", digests: [sha256] } }\n"
    }
    let sums = newer.flip(0.3)
    if sums { text += further.sum() }
    if hasBody { text += Self.body(hasDigest) }
    let place = hasUpload ? "${{ steps.allocate.id }}" : "${{ file.name }}"
    let expired = Self.matchers(hasToken, hasUpload)
    text += """
            - id: upload
              upload:
                url: "https://server.test/content/\(place)"
                file: ${{ \(hasBody ? "steps.body.file" : "file") }}\(sums ? further.sumHeader : "")
                resource_timeout: 2d\(hasToken ? Self.credential(&aside) : "")
      \(expired)
      """
    var needsPoll = false
    if random.flip(0.7) {
      let finalize = Self.finalize(place, bearer, expired, &random)
      text += hasUpload && further.isBatched ? further.batch(bearer) : further.patient(finalize)
      needsPoll = further.isPolled
    }
    if random.flip(0.3) { text += Self.receipt(place, bearer, expired, staying: aside.flip(0.5)) }
    // Last, as it may wait for longer than an upload lives.
    if needsPoll { text += further.poll(&newer) }
    if hasUpload, random.flip(0.7) {
      text += """
            on_abandon:
              - request: { method: DELETE, url: "https://server.test/uploads/${{ steps.allocate.id }}"\(bearer) }

        """
    }
    if further.isConcluded { text += further.conclusion(bearer, hasToken) }
    self.text = PipelinePace(&newer).paced(text)
  }

  private static func receipt(
    _ place: String, _ bearer: String, _ expired: String, staying: Bool
  ) -> String {
    let save =
      staying
      ? ", save: { folder: \"${{ inputs.target }}\", name: \"receipts/${{ file.name }}\" }" : ""
    return """
            - id: receipt
              download: { url: "https://server.test/receipts/\(place)", max_size: 500 B\(bearer)\(save) }
              depends_on: [upload]
      \(expired)
      """
  }

  /// What stands before the steps.
  private static func head(_ random: inout SplitMix64) -> String {
    var text = """
      pipeline: swarm
      inputs:
        password: { type: secret }
        files: { type: files }
        target: { type: folder, default: target }

      """
    if random.flip(0.6) {
      text += "budgets: { disk: \(random.pick([8000, 9000, 20000])) B"
      text += random.flip(0.5) ? ", transfers: \(random.pick([1, 2, 4])) }\n" : " }\n"
    }
    return text + """
      retry:
        standard:
          attempts: \(random.pick([3, 6, 12]))
          backoff: { initial: 1s, factor: 2, max: \(random.pick(["10s", "2m"])) }
          jitter: \(random.pick(["full", "none"]))
          exhausted: \(random.pick(["pause", "pause", "fail"]))
      steps:

      """
  }

  private static func signIn(_ random: inout SplitMix64) -> String {
    let life = random.pick(["", ", expires: { in: 10m }", ", expires: { in: 2h, skew: 1m }"])
    let life2 =
      random.flip(0.3)
      ? ", expires: { in: \"${{ duration(string(response.json.expires_in) + 's') }}\" }" : life
    return """
        - id: sign_in
          request: { method: POST, url: "https://server.test/login", json: { password: "${{ inputs.password }}" } }
          effect: repeatable
          outputs:
            token: { value: "${{ response.json.token }}", secret: \(random.flip(0.6))\(life2) }

      """
  }

  /// The upload's token, and in some seeds when another one is asked for.
  private static func credential(_ random: inout SplitMix64) -> String {
    let keys: [String] = random.pick([
      [], [], [], ["renew: [challenge]"], ["renew: [challenge]"],
      ["renew: [begin]", "earliest: 10s"], ["renew: [challenge, begin]", "earliest: 10s"],
    ])
    return (["bearer: ${{ steps.sign_in.token }}"] + keys).map { "\n          " + $0 }.joined()
  }

  private static func allocate(_ bearer: String, _ random: inout SplitMix64) -> String {
    let expired =
      bearer.isEmpty
      ? ""
      : """
              on:
                - { if: "${{ response.status == 401 }}", expired: sign_in }

      """
    let safety =
      random.flip(0.6)
      ? "        idempotency: { header: Idempotency-Key }\n"
      : """
              probe:
                request: { url: "https://server.test/uploads?name=${{ file.name }}"\(bearer) }
                took_effect: ${{ response.json.found }}

      """
    let life = random.pick([
      "", ", expires: { in: 5m }", ", expires: { in: 1h }",
      ", expires: { at: \"${{ timestamp(response.json.expires_at) }}\" }",
    ])
    return """
            - id: allocate
              request: { method: POST, url: "https://server.test/uploads"\(bearer) }
              effect: create
      \(safety)\(expired)        outputs:
                id: { value: "${{ response.json.id }}"\(life) }

      """
  }

  private static func body(_ hasDigest: Bool) -> String {
    let digest =
      hasDigest ? "\n            - { name: sha256, text: \"${{ steps.digest.file.sha256 }}\" }" : ""
    return """
            - id: body
              materialize:
                multipart:
                  - { name: name, text: "${{ file.name }}" }\(digest)
                  - { name: file, file: "${{ file }}" }

      """
  }

  private static func matchers(_ hasToken: Bool, _ hasUpload: Bool) -> String {
    guard hasToken || hasUpload else { return "" }
    var text = "        on:\n"
    if hasToken {
      text += "          - { if: \"${{ response.status == 401 }}\", expired: sign_in }\n"
    }
    if hasUpload {
      text += "          - { if: \"${{ response.status in [404, 410] }}\", expired: allocate }\n"
    }
    return text
  }

  private static func finalize(
    _ place: String, _ bearer: String, _ expired: String, _ random: inout SplitMix64
  ) -> String {
    let safety =
      random.flip(0.4)
      ? "        idempotency: { header: Idempotency-Key }\n"
      : """
              probe:
                request: { url: "https://server.test/uploads/\(place)"\(bearer) }
                took_effect: ${{ response.json.state == "complete" }}

      """
    return """
            - id: finalize
              request: { method: POST, url: "https://server.test/uploads/\(place)/finalize"\(bearer) }
              depends_on: [upload]
              effect: create
      \(safety)\(expired)
      """
  }
}
