/// A response after reading, with its expressions not yet compiled.
struct DraftResponseTemplate {
  enum Body {
    case json(DraftJSON?)
    case text(DraftTemplate?)
  }

  let status: Int
  let headers: [DraftField]
  let body: Body?
  let delay: Duration
}
