import CEL
import PipelineCore

/// A server that allocates under a key, and finalizes as often as it is requested:
/// a client must ask before it repeats that.
struct ShardServer {
  /// How often each file was finalized.
  private(set) var finalized: [String: Int] = [:]
  /// How often each file was allocated.
  private(set) var allocated: [String: Int] = [:]
  /// How often an album was created, and how often it was published.
  private(set) var albums = 0
  private(set) var published = 0
  /// Requests for files that do not name the album, or came when it was published already.
  private(set) var strays = 0
  private var keys: [String: String] = [:]
  /// When each file was finalized last, which questions see a while later.
  private var ends: [String: Instant] = [:]
  /// How long reads lag behind writes: less than the probe's `until`.
  private static let lag = Duration.seconds(4)
  /// How many requests came.
  private(set) var requests = 0

  /// The body and the status of the response to a request.
  mutating func respond(
    to request: RenderedRequest, at now: Instant
  ) -> (status: Int, body: String) {
    requests += 1
    let parts = request.url.split(separator: "/").map(String.init)
    guard let name = parts.last else { return (404, "{}") }
    if let key = request.key, let known = keys[key] { return (201, "{\"id\":\"\(known)\"}") }
    if request.method == "POST", parts.dropLast().last != "albums" {
      if published > 0 || !parts.contains("album-1") { strays += 1 }
    }
    switch (request.method, parts.dropLast().last) {
    case ("POST", "allocate"):
      allocated[name, default: 0] += 1
      let id = "\(name)-\(allocated[name] ?? 0)"
      if let key = request.key { keys[key] = id }
      return (201, "{\"id\":\"\(id)\"}")
    case ("POST", "finalize"):
      finalized[name, default: 0] += 1
      ends[name] = now
      return (200, "{}")
    case ("GET", "finalize"):
      return (200, "{\"done\":\(ends[name].map { now - $0 >= Self.lag } ?? false)}")
    case ("POST", "albums"):
      albums += 1
      let id = "album-\(albums)"
      if let key = request.key { keys[key] = id }
      return (201, "{\"id\":\"\(id)\"}")
    case ("POST", "publish"):
      published += 1
      if let key = request.key { keys[key] = name }
      return (200, "{}")
    default: return (404, "{}")
    }
  }

  static let pipeline = """
    pipeline: shards
    inputs:
      files: { type: files }
    budgets:
      requests_per_second: 2
    retry:
      standard: { attempts: 50, backoff: { initial: 200ms, max: 2s }, exhausted: pause }
    steps:
      - id: album
        request: { method: POST, url: "https://server.test/albums/all" }
        effect: create
        idempotency: { header: Idempotency-Key }
        outputs:
          album: { value: "${{ response.json.id }}" }
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 3
        steps:
          - id: allocate
            request: { method: POST, url: "https://server.test/${{ steps.album.album }}/allocate/${{ file.name }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              upload: { value: "${{ response.json.id }}" }
          - id: finalize
            request: { method: POST, url: "https://server.test/${{ steps.album.album }}/${{ steps.allocate.upload }}/finalize/${{ file.name }}" }
            effect: create
            probe:
              request: { url: "https://server.test/${{ steps.allocate.upload }}/finalize/${{ file.name }}" }
              took_effect: ${{ response.json.done }}
              until: 5s
              interval: 2s
      - id: publish
        request: { method: POST, url: "https://server.test/${{ steps.album.album }}/publish/all" }
        effect: create
        idempotency: { header: Idempotency-Key }
    """
}
