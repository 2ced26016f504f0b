/// A response after reading, with its expressions not yet compiled.
package struct DraftResponseTemplate {
  package enum Body {
    case json(DraftJSON?)
    case text(DraftTemplate?)
  }

  package let status: Int
  package let headers: [DraftField]
  package let body: Body?
  package let delay: Duration
}
