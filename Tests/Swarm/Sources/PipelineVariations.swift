import Basics
import PipelineCore

/// Further features of a generated pipeline: little disk, slow probes, long polls, batches,
/// and a step after the loop.
struct PipelineVariations {
  let isBatched: Bool
  let isPolled: Bool
  let isConcluded: Bool
  private let disk: Int?
  private let until: Int?
  private let isSecret: Bool
  private let pause: String
  private let members: Int
  /// Whether the identifiers of a batch's members live for different times.
  private let isUneven: Bool
  /// Further keys of the loop.
  let loopKeys: String

  init(_ random: inout SplitMix64) {
    isBatched = random.flip(0.25)
    isPolled = random.flip(0.3)
    isConcluded = random.flip(0.3)
    disk = random.flip(0.35) ? random.pick([4800, 5400, 6400]) : nil
    until = random.flip(0.5) ? random.pick([20, 120, 900]) : nil
    isSecret = random.flip(0.2)
    pause = random.pick(["5s", "10m", "3h"])
    members = random.pick([2, 3, 5])
    loopKeys = random.pick(["", "", "\n    failures: allow"])
    isUneven = isBatched && random.flip(0.5)
  }

  private static let unevenLife = "${{ duration(string(60 + file.size % 200) + 's') }}"

  /// The head with a budget in which hardly two items have room; each by itself has.
  func narrowed(_ head: String, copies: Int) -> String {
    guard var disk else { return head }
    disk += 3000 * copies
    var lines = head.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.removeAll { $0.hasPrefix("budgets:") }
    let place = lines.firstIndex(of: "retry:") ?? lines.endIndex
    lines.insert("budgets: { disk: \(disk) B, transfers: 2 }", at: place)
    return lines.joined(separator: "\n")
  }

  /// The step with a probe whose "not done" is not trusted at once, and an output that is secret.
  func patient(_ step: String) -> String {
    var text = step
    if let until {
      text = text.replacing(
        "        probe:\n",
        with: "        probe:\n          until: \(until)s\n          interval: 7s\n")
    }
    if isUneven {
      text = text.replacing(
        /id: \{ value: "\$\{\{ response.json.id \}\}".*/,
        with: "id: { value: \"${{ response.json.id }}\", expires: { in: \"\(Self.unevenLife)\" } }")
    }
    return isSecret
      ? text.replacing("${{ response.json.id }}\"", with: "${{ response.json.id }}\", secret: true")
      : text
  }

  /// Polls until the server has processed the request,
  /// under a name and without a credential that could expire in the meantime.
  func poll(_ random: inout SplitMix64) -> String {
    if random.flip(0.6) { return pollStep(random.flip(0.5)) }
    return """
            - id: processed
              request:
                url: "https://server.test/files/${{ file.name }}/state"
                example: { json: { state: "${{ request.number < 3 ? 'processing' : 'ready' }}" } }
              depends_on: [finalize]
              on: [{ if: "${{ response.json.state == 'processing' }}", then: poll, after: \(pause) }]

      """
  }

  /// The same as a step of its own, of which the server may name the time between two questions.
  private func pollStep(_ isTold: Bool) -> String {
    """
          - id: processed
            poll:
              url: "https://server.test/files/${{ file.name }}/state"
              until: ${{ response.json.state == "ready" }}
              every: \(isTold ? "\"${{ duration(string(response.json.after) + 's') }}\"" : pause)
              deadline: 20d
              example: { json: { state: "${{ request.number < 3 ? 'processing' : 'ready' }}", after: 90 } }
            depends_on: [finalize]

    """
  }

  /// Digests of the file, of which the upload carries one.
  func sum() -> String {
    "      - { id: sum, digest: { file: \"${{ file }}\", take: [sha256, crc32c] } }\n"
  }

  /// The header with a digest.
  var sumHeader: String {
    "\n          headers: { X-Sum: \"${{ steps.sum.sha256.hex }}\" }"
  }

  /// Finalizes some items with one request.
  func batch(_ bearer: String) -> String {
    """
          - id: finalize
            depends_on: [upload]
            batch: { items: \(members), within: 20s, entry: "${{ steps.allocate.id }}" }
            request:
              method: POST
              url: "https://server.test/finalize"\(bearer.replacing(", bearer", with: "\n          bearer"))
              json: { uploads: "${{ batch.entries }}" }
              example:
                json: { results: "${{ batch.entries.map(upload, {'id': upload, 'status': 200}) }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
    \(isUneven ? "        retry: { attempts: 6, backoff: { initial: 40s, max: 2m } }\n" : "")\
    \(bearer.isEmpty ? "" : "        on: [{ if: \"${{ response.status == 401 }}\", expired: sign_in }]\n")\
            results:
              each: ${{ response.json.results.filter(one, one.id == batch.entry)[0] }}
              on:
                - { if: "${{ batch.result.status == 200 }}", then: success }
                - { then: pause }

    """
  }

  /// A step that needs all items.
  func conclusion(_ bearer: String, _ hasToken: Bool) -> String {
    """
      - id: complete
        request: { method: POST, url: "https://server.test/complete"\(bearer) }
        effect: create
        idempotency: { header: Idempotency-Key }
    \(hasToken ? "    on: [{ if: \"${{ response.status == 401 }}\", expired: sign_in }]\n" : "")
    """
  }
}
