/// Transfers in flight that need a new request, or none.
struct Renewals: Hashable, Sendable {
  /// A transfer that asked.
  struct Pending: Hashable, Sendable {
    /// The transfer's step, by its index in ``Pipeline/steps``.
    let step: Int
    let renewal: Renewal
  }

  /// Transfers that asked for a new request and have no reply, by frame.
  var pending: [ItemKey?: Pending] = [:]
  /// Transfers that are being stopped although the server has received nothing of them.
  var withdrawn: Set<EffectID> = []
}
