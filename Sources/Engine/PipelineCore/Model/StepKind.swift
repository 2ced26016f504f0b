/// The kinds of steps; the raw value is the key that the author writes.
///
/// All questions about kinds are answered here, so that adding a kind needs only one place.
public enum StepKind: String, Hashable, Sendable, CaseIterable {
  /// A short exchange.
  case request
  /// Writes a file.
  case materialize
  /// A short exchange that is repeated until the server is ready.
  case poll
  /// Computes digests of a file.
  case digest
  /// A background transfer of a file to a server.
  case upload
  /// A background transfer of a file from a server.
  case download
  /// Steps that run in turns.
  case `repeat`
  /// Steps that run for each part of an item.
  case forEach = "for_each"

  private struct Traits { let hasResponse, isTransfer, makesFile: Bool }

  private var traits: Traits {
    switch self {
    case .request: Traits(hasResponse: true, isTransfer: false, makesFile: false)
    case .materialize: Traits(hasResponse: false, isTransfer: false, makesFile: true)
    case .poll: Traits(hasResponse: true, isTransfer: false, makesFile: false)
    case .digest: Traits(hasResponse: false, isTransfer: false, makesFile: false)
    case .upload: Traits(hasResponse: true, isTransfer: true, makesFile: false)
    case .download: Traits(hasResponse: true, isTransfer: true, makesFile: true)
    case .repeat: Traits(hasResponse: true, isTransfer: false, makesFile: false)
    case .forEach: Traits(hasResponse: false, isTransfer: false, makesFile: false)
    }
  }

  /// Whether a server responds: it needs a connection, and `on` and `outputs` read the response.
  public var hasResponse: Bool { traits.hasResponse }
  /// Whether the transfer service carries it, even without the process.
  public var isTransfer: Bool { traits.isTransfer }
  /// Whether it makes a file, which others read as `steps.ID.file` and which counts toward the disk budget.
  public var makesFile: Bool { traits.makesFile }
}

/// What a step does, with all that its kind needs.
public enum StepAction<S: Stage>: Sendable {
  /// A short exchange that runs inside the execution allowance.
  case request(S.Request)
  /// Makes a body, as a file within the disk budget where there must be one.
  case materialize(Materialize<S>)
  /// A short exchange that is repeated until the server is ready.
  case poll(Poll<S>)
  /// Computes digests of a file, without a copy.
  case digest(Digests<S>)
  /// Hands a file to the transfer service.
  case upload(Upload<S>)
  /// Downloads a file through the transfer service.
  case download(Download<S>)
  /// Lets the steps after it run in turns, until its condition holds.
  case `repeat`(Repeat<S>)
  /// Lets the steps after it run for each part of an item.
  case forEach(Parts<S>)
}

extension StepAction: Equatable, Hashable where S == Compiled {}

extension StepAction {
  public var kind: StepKind {
    switch self {
    case .request: .request
    case .materialize: .materialize
    case .poll: .poll
    case .digest: .digest
    case .upload: .upload
    case .download: .download
    case .repeat: .repeat
    case .forEach: .forEach
    }
  }

  /// The request that the action sends; `nil` if it does not send a request.
  public var request: S.Request? {
    switch self {
    case .request(let request): request
    case .poll(let poll): poll.request
    case .upload(let upload): upload.request
    case .download(let download): download.request
    case .repeat(let template): template.resync
    case .materialize, .digest, .forEach: nil
    }
  }

  /// How the transfer service treats the action; `nil` if it is not a transfer.
  public var transfer: TransferOptions<S>? {
    switch self {
    case .upload(let upload): upload.transfer
    case .download(let download): download.transfer
    case .request, .poll, .materialize, .digest, .repeat, .forEach: nil
    }
  }

  /// The digests of the action's file, including those that it is compared with.
  public var digests: [DigestAlgorithm] {
    switch self {
    case .materialize(let template): template.digests
    case .download(let template): template.allDigests
    case .request, .poll, .digest, .upload, .repeat, .forEach: []
    }
  }
}

extension StepAction<Compiled> {
  var expressions: [Expression] {
    let own: [Expression] =
      switch self {
      case .request: []
      case .poll(let poll): [poll.deadline]
      case .upload(let upload):
        [upload.file] + (upload.range.map { [$0.offset, $0.length] } ?? [])
          + upload.trailers.flatMap(\.value.expressions)
      case .repeat(let template): template.expressions
      case .forEach(let template): template.expressions
      case .materialize(let template): template.expressions
      case .digest(let template): template.expressions
      case .download(let template): template.expressions
      }
    return own + (request?.expressions ?? []) + [transfer?.earliest].compactMap { $0 }
  }

  /// The same action with another start time for its transfer; unchanged if it is not a transfer.
  public func with(resourceTimeout: Duration) -> Self {
    guard var policy = transfer else { return self }
    policy.resourceTimeout = resourceTimeout
    return switch self {
    case .upload(let upload):
      .upload(
        UploadTemplate(
          request: upload.request, file: upload.file, range: upload.range,
          trailers: upload.trailers, transfer: policy))
    case .download(let download):
      .download(
        DownloadTemplate(
          request: download.request, name: download.name, size: download.size,
          expected: download.expected, maximumSize: download.maximumSize, digests: download.digests,
          save: download.save, transfer: policy))
    case .request, .poll, .materialize, .digest, .repeat, .forEach: self
    }
  }
}

extension Step {
  public var kind: StepKind { action.kind }
  /// How the transfer service treats the step; `nil` if it is not a transfer.
  public var transfer: TransferPolicy? { action.transfer }
  /// Whether the step makes a file, which others read as `steps.ID.file`.
  public var makesFile: Bool { kind.makesFile }

  /// Whether its file stays in the user's folder: it does not count towards the disk budget,
  /// and runs never delete it.
  public var savesFile: Bool {
    if case .download(let template) = action { template.save != nil } else { false }
  }

  /// The maximum duration of one attempt; zero if the step contacts no server.
  public var attemptTimeout: Duration {
    transfer?.resourceTimeout ?? action.request?.timeout ?? .zero
  }
}
