import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

extension LanguageReference {
  static let outcomes = """
    ## Outcomes

    What an entry of `on` can make of an answer. Entries are tried in order, and the first whose `if` is true decides. On an answer that
    is no success (no 2xx), an `if` that cannot be evaluated is false: a gateway's error page is not the JSON that you expected.

    \(table(
      ["outcome", "then"],
      [["`expired: ID`", "the step `ID` is done anew, then all that read its results; bounded by `max_reissues`"]]
        + MatcherWord.allCases.map { ["`then: \($0.rawValue)`", text(of: $0)] }))

    Where no entry decides:

    \(table(
      ["answer", "outcome"],
      [
        ["2xx", "success"],
        ["401, and the step sends a token that a step made", "that token is expired"],
        ["408, 423, 425, 429", "retry, not before `Retry-After`"],
        ["501, 505", "fail"],
        ["other 5xx", "retry; where only a probe makes a repeat safe (and the status is not 503), the probe is asked first"],
        ["no answer, and the request may have arrived", "the outcome is unknown: the probe is asked, or the key sent again"],
        ["no answer, and nothing was sent", "retry"],
        ["certificates that are not trusted", "pause"],
        ["anything else", "fail"],
      ]))

    An interruption (the process is killed, the device suspends it) is no failed attempt: it counts for nothing.
    """

  private static func text(of word: MatcherWord) -> String {
    switch word {
    case .success: "the step has succeeded, and its outputs are taken from this answer"
    case .retry: "a failed attempt: again after the back-off, or after `after` where that is later"
    case .done: "the item is complete; its other steps are not done"
    case .skip: "the item is left out; its other steps are not done"
    case .fail: "the item has failed, and `on_abandon` is sent; `pipeline retry` begins it again"
    case .pause: "the item waits, with all it has, for `pipeline retry`"
    case .poll: "asked again after `after`; no attempt is counted"
    }
  }

  static let names = """
    ## Names

    \(table(
      ["what", "pattern"],
      [
        ["identifiers: ids of steps, names of inputs and outputs, the name behind `for_each`", "`\(Grammar.identifierPattern)`"],
        ["names of pipelines and retry policies", "`\(Grammar.namePattern)`"],
        ["methods (RFC 9110 §9.1)", "`\(Grammar.methodPattern)`"],
        ["names of headers (RFC 9110 §5.6.2)", "`\(Grammar.headerPattern)`"],
      ]))

    CEL keeps these words for itself, so that no input or element can have them as a name:
    \(list(DocumentReader.wordsOfCEL)). An element cannot be called what expressions have already: \(list(DocumentReader.rootNames)).
    No output can be called `file`.
    """

  private static func list(_ words: Set<String>) -> String {
    words.sorted().map { "`\($0)`" }.joined(separator: ", ")
  }

  static let comments = """
    ## Comments

    A check is silenced for one line by a comment on that line, or on a line of its own above it, with a reason:

    ```
    # pipeline: ignore[insecure-url] the server stands in the same rack
    ```

    Several codes are parted by commas. A comment that silences nothing is reported. Anchors (`&name`) and aliases (`*name`) may be used;
    the key `<<` may not.
    """
}
