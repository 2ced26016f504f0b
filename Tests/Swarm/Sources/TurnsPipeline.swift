import Basics

/// A pipeline that sends each file in turns, which continue where the server reports, and steps that only wait for a step of a
/// turn, even where no turn ran: for a file that a condition leaves out, or one that is complete from the start.
struct TurnsPipeline {
  let text: String

  init(_ random: inout SplitMix64) {
    let asks = random.flip(0.7)
    text =
      Self.head(&random) + Self.turns(asks, &random) + Self.step(asks, &random)
      + Self.finish(&random)
  }

  private static func head(_ random: inout SplitMix64) -> String {
    """
    pipeline: swarm
    inputs:
      password: { type: secret }
      files: { type: files }
    \(random.pick(["", "", "budgets: { transfers: 3 }\n"]))retry:
      standard:
        attempts: \(random.pick([6, 12]))
        backoff: { initial: 1s, factor: 2, max: \(random.pick(["10s", "2m"])) }
        jitter: \(random.pick(["full", "none"]))
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: \(random.pick([1, 2, 4]))
        steps:
          - id: open
            request: { method: POST, url: "https://server.test/uploads" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: { value: "${{ response.json.id }}"\(random.pick(["", ", expires: { in: 5m }", ", expires: { in: 1h }"])) } }

    """
  }

  private static func turns(_ asks: Bool, _ random: inout SplitMix64) -> String {
    let condition = random.pick([
      "", "", "        if: ${{ file.size % 2 == 0 }}\n", "        if: ${{ file.size > 1500 }}\n",
    ])
    return """
            - id: sent
      \(condition)        repeat:
                from: { at: "${{ \(random.pick(["0", "0", "file.size % 3 == 0 ? file.size : 0"])) }}" }
                next: { at: "${{ steps.put.at }}" }
                until: ${{ steps.sent.at >= file.size }}
      \(asks ? """
                resync:
                  request: { url: "https://server.test/uploads/${{ steps.open.id }}" }
                  next: { at: "${{ response.json.at }}" }

      """ : "")
      """
  }

  private static func step(_ asks: Bool, _ random: inout SplitMix64) -> String {
    """
              steps:
                - id: put
                  upload:
                    url: "https://server.test/uploads/${{ steps.open.id }}"
                    headers: { At: "${{ string(steps.sent.at) }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.at }}", length: "${{ math.least(file.size - steps.sent.at, \(random.pick([500, 900]))) }}" }
                    resource_timeout: 2d
                  on:
                    - { if: "${{ response.status == 404 }}", expired: open }
    \(asks ? "                - { if: \"${{ response.status == 409 }}\", then: resync }\n" : "")\
                  outputs: { at: "${{ response.json.at }}" }
    \(asks ? "        on: [{ if: \"${{ response.status == 404 }}\", expired: open }]\n" : "")
    """
  }

  private static func finish(_ random: inout SplitMix64) -> String {
    """
          - id: finish
            request: { method: POST, url: "https://server.test/uploads/${{ steps.open.id }}/finish" }
            depends_on: \(random.pick(["[put]", "[put]", "[sent]", "[put, sent]"]))
            on: [{ if: "${{ response.status == 404 }}", expired: open }]
            effect: create
            idempotency: { header: Idempotency-Key }

    """
  }
}
