import Basics
import PipelineCore

/// A pipeline of little else than a batch, whose response is lost so often that the user has to decide about its members.
///
/// In pipelines of many steps hardly two items come to their batch at one time while everything goes wrong.
struct BatchPipeline {
  let text: String

  init(_ random: inout SplitMix64) {
    let isAllocated = random.flip(0.4)
    let life = random.pick([
      "", ", expires: { in: 2m }",
      ", expires: { in: \"${{ duration(string(30 + file.size % 200) + 's') }}\" }",
    ])
    let exhausted = random.pick(["pause", "pause", "fail"])
    var text = """
      pipeline: swarm
      inputs: { files: { type: files } }
      retry:
        standard:
          attempts: \(random.pick([1, 2, 3]))
          backoff: { initial: 1s, max: 20s }
          jitter: none
          exhausted: \(exhausted)
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          concurrency: 8
          steps:

      """
    if isAllocated { text += Self.allocate(life) }
    let items = random.pick([2, 3, 5])
    // Separate from the others, so that a seed has the other choices that it had
    // before there were groups.
    var aside = SplitMix64(seed: random.state ^ 0x4752_4F55_5053)
    let further =
      (aside.flip(0.4) ? ", by: \"${{ file.size % 2 }}\"" : "")
      + (aside.flip(0.4) ? ", serial: true" : "")
      + (aside.flip(0.4) ? ", bytes: \(aside.pick([1000, 3000, 5000])) B" : "")
    text += Self.send(isAllocated, items: items, further)
    self.text = text
  }

  private static func allocate(_ life: String) -> String {
    """
          - id: allocate
            request: { method: POST, url: "https://server.test/uploads" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: { value: "${{ response.json.id }}"\(life) } }

    """
  }

  private static func send(_ isAllocated: Bool, items: Int, _ further: String) -> String {
    let entry = isAllocated ? "steps.allocate.id" : "file.name"
    return """
            - id: send
              batch: { items: \(items), within: 5s, entry: "${{ \(entry) }}"\(further) }
              request:
                method: POST
                url: "https://server.test/send"
                json: { files: "${{ batch.entries }}" }
                example:
                  json: { results: "${{ batch.entries.map(one, {'id': one, 'status': 200}) }}" }
              effect: create
              idempotency: { header: Idempotency-Key }
              results:
                each: ${{ response.json.results.filter(one, one.id == batch.entry)[0] }}
                on:
                  - { if: "${{ batch.result.status == 200 }}", then: success }
                  - { then: pause }

      """
  }
}
