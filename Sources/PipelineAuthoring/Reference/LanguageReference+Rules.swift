import PipelineDocument
import CEL
import PipelineCore

extension LanguageReference {
  static let outcomes = """
    ## Outcomes

    The outcomes that an entry of `on` can give to a response. Entries are tried in order, and the first whose `if` is true decides. For a
    response outside 2xx, an `if` that cannot be evaluated is false: a gateway's error page is not the JSON that you expected.

    \(table(
      ["outcome", "then"],
      [["`expired: ID`", "the step `ID` is reissued, then all steps that read its results; limited by `max_reissues`"]]
        + MatcherWord.allCases.map { ["`then: \($0.rawValue)`", text(of: $0)] }))

    If no entry applies:

    \(table(
      ["response", "outcome"],
      [
        ["2xx", "success"],
        ["401, if the step sends a token that a step obtained", "that token has expired"],
        ["408, 423, 425, 429", "retry, not before `Retry-After`"],
        ["501, 505", "fail"],
        ["other 5xx", "retry; if only a probe makes a repeat safe (and the status is not 503), after a probe"],
        ["none, and the request may have arrived", "outcome unknown: send the probe, or repeat with the same key"],
        ["none, and nothing was sent", "retry"],
        ["untrusted certificate", "pause"],
        ["anything else", "fail"],
      ]))

    An interruption (the process is killed, the device suspends it) does not count as a failed attempt.
    """

  private static func text(of word: MatcherWord) -> String {
    switch word {
    case .success: "the step has succeeded, and its outputs are taken from this response"
    case .retry: "a failed attempt: try again after the back-off, or after `after` if that is later"
    case .finishItem: "the item is complete; its remaining steps do not run"
    case .skipItem: "the item is left out; its remaining steps do not run"
    case .fail: "the item has failed, and `on_abandon` is sent; `pipeline retry` starts it again"
    case .pause: "the item keeps its results and waits for `pipeline retry`"
    case .resync: "the server is asked how far the turns of `repeat` came"
    case .poll: "ask again after `after`; no attempt is counted"
    }
  }

  static let names = """
    ## Names

    \(table(
      ["name", "pattern"],
      [
        ["identifiers: step IDs, names of inputs and outputs, loop variables", "`\(Grammar.identifierPattern)`"],
        ["names of pipelines and retry policies", "`\(Grammar.namePattern)`"],
        ["methods (RFC 9110 §9.1)", "`\(Grammar.methodPattern)`"],
        ["header names (RFC 9110 §5.6.2)", "`\(Grammar.headerPattern)`"],
      ]))

    CEL reserves these words, so they cannot be names of inputs, steps, outputs or loop variables:
    \(list(DocumentReader.wordsOfCEL)). A loop variable cannot have a name with another meaning in expressions: \(list(DocumentReader.rootNames)).
    An output cannot be called `file`.
    """

  private static func list(_ words: Set<String>) -> String {
    words.sorted().map { "`\($0)`" }.joined(separator: ", ")
  }

  static let comments = """
    ## Comments

    To ignore a check on one line, write a comment at the end of that line, or on its own line above, with a reason:

    ```
    # pipeline: ignore[insecure-url] the server is in the same rack
    ```

    Separate several codes with commas. A comment without effect is reported. Anchors (`&name`) and aliases (`*name`) are allowed;
    the key `<<` is not.
    """
}
