import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSimulator
import Testing

/// Pipelines, and servers that respond as tests specify.
struct Scene {
  static let photos = """
    pipeline: photos
    inputs:
      password: { type: secret }
      photos: { type: files }
    budgets: { disk: 1000 B }
    retry:
      standard: { attempts: 3, jitter: none, backoff: { initial: 1s, factor: 2, max: 10s } }
    steps:
      - id: sign_in
        request: { method: POST, url: "http://server/login", json: { password: "${{ inputs.password }}" } }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 2
        steps:
          - id: allocate
            request:
              method: POST
              url: "http://server/allocate/${{ photo.name }}"
              bearer: ${{ steps.sign_in.token }}
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              id: { value: "${{ response.json.id }}", expires: { in: 10m } }
          - id: body
            materialize: { file: "${{ photo }}", digests: [sha256] }
          - id: upload
            upload:
              url: "http://server/content/${{ steps.allocate.id }}"
              bearer: ${{ steps.sign_in.token }}
              file: ${{ steps.body.file }}
            on:
              - { if: "${{ response.status == 410 }}", expired: allocate }
          - id: finalize
            request: { method: POST, url: "http://server/finalize/${{ steps.allocate.id }}" }
            depends_on: [upload]
            effect: create
            probe:
              request: { url: "http://server/status/${{ steps.allocate.id }}" }
              took_effect: ${{ response.json.done }}
    """

  let pipeline: Pipeline
  var inputs: SimulatedRun.Inputs
  var disk = VirtualDisk()

  init(_ text: String = Scene.photos, files: [String: Int64] = [:]) throws {
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    let values = files.sorted { $0.key < $1.key }.map { name, size in
      FileValue(path: "/p/\(name)", name: name, size: size, modified: 0)
    }
    inputs = .init(
      secrets: ["password": .string("pa55")], files: ["photos": values])
    for file in values { disk.add(file) }
  }

  init(count: Int, size: Int64 = 10) throws {
    try self.init(
      files: Dictionary(
        uniqueKeysWithValues: (0..<count).map { ("\($0 + 100).jpg", size) }))
  }

  /// Answers that bring every item through, each after 100 ms.
  static func respond(to exchange: SimulatedRequest) -> SimulatedResponse {
    let parts = exchange.request.url.split(separator: "/")
    let latency = Duration.milliseconds(100)
    func json(_ text: String) -> SimulatedResponse {
      SimulatedResponse(body: Array(text.utf8), latency: latency)
    }
    return switch parts[2] {
    case "login": json(#"{"token": "t0ken"}"#)
    case "allocate": json(#"{"id": "id-\#(parts[3])-\#(exchange.id.generation ?? 0)"}"#)
    case "status": json(#"{"done": true}"#)
    default: json("{}")
    }
  }

  func run(
    settings: SimulatedRun.Settings = .init(), device: any DeviceModel = IdealDevice(),
    _ response: @escaping @Sendable (SimulatedRequest) -> SimulatedResponse = Scene.respond
  ) -> SimulatedRun {
    SimulatedRun(
      pipeline, inputs: inputs, server: FunctionServer { exchange, _ in response(exchange) },
      device: device, disk: disk, settings: settings)
  }

  static func lost(_ kind: TransportFailure.Kind = .connectionLost) -> SimulatedResponse {
    SimulatedResponse(failure: TransportFailure(kind, message: "lost", mayHaveBeenSent: true))
  }
}

extension SimulatedRun {
  /// `METHOD last-parts-of-the-URL` of the requests that were sent.
  var sent: [String] {
    trace.exchanges.map {
      "\($0.request.method) " + $0.request.url.replacing("http://server/", with: "")
    }
  }

  func count(_ status: Item.Status) -> Int { state?.loops[0].counts[status] ?? 0 }
}
