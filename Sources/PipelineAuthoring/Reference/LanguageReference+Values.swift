import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

/// What the tables of the readers add to `language.md`, by the word between the braces.
extension LanguageReference {
  static let insertions: KeyValuePairs = [
    "durations": rows(
      DurationLiteral.units.map { ["`\($0.name)`", "\(Int64($0.milliseconds)) milliseconds"] }),
    "sizes": rows(SizeLiteral.units.map { ["`\($0.name)`", "\(Int64($0.bytes)) bytes"] }),
    "inputs": rows(
      InputDeclaration.Kind.allCases.map {
        ["`\($0.rawValue)`", text(of: $0), "`\(Variables.type(of: $0))`"]
      }),
    "variables": rows(
      (Variables.always + Variables.item + Variables.response).map {
        ["`\($0.name)`", "`\($0.type)`", text(ofVariable: $0.name)]
      }),
    "file": rows(Variables.file.fields.map { ["`\($0.name)`", "`\($0.type)`"] }),
    "outcomes": rows(MatcherWord.allCases.map { ["`then: \($0.rawValue)`", text(of: $0)] }),
    "identifier": cell(Grammar.identifierPattern), "name": cell(Grammar.namePattern),
    "method": cell(Grammar.methodPattern), "header": cell(Grammar.headerPattern),
    "reserved": list(DocumentReader.wordsOfCEL), "roots": list(DocumentReader.rootNames),
  ]

  private static func rows(_ rows: [[String]]) -> String {
    rows.map { "| \($0.map(cell).joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private static func list(_ words: Set<String>) -> String {
    words.sorted().map { "`\($0)`" }.joined(separator: ", ")
  }

  private static func text(of kind: InputDeclaration.Kind) -> String {
    switch kind {
    case .string: "any text"
    case .int: "a 64-bit integer"
    case .bool: "`true` or `false`"
    case .url: "an absolute `http` or `https` URL"
    case .duration: "a duration"
    case .size: "a size; expressions see the number of bytes"
    case .file:
      "a path, relative to the pipeline's file; on the command line, relative to the working folder"
    case .files:
      "a glob of paths (`*`, `**`, `?`, `{a,b}`, `[a-z]`), relative to the same folder as a path"
    case .folder:
      "a path of a folder, relative to the same folder as a path; it is made when a download needs it"
    case .secret: "any text, from the environment, a file (`--input name=@FILE`) or a prompt"
    }
  }

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

  private static func text(ofVariable name: String) -> String {
    switch name {
    case "run.id": "the run's ID; unique in a state folder, not suitable as an idempotency key"
    case "now": "when the step began"
    case "item.index": "the element's index in the list, from 0"
    case "item.key":
      "a text that is unique across elements and runs, and stays the same after a restart; it contains 100 random bits of the run and is not secret"
    case "response.status": "the status; 0 if there was no response"
    case "response.headers": "headers by name in lower case"
    case "response.json": "the body as JSON; `response.schema` gives its type"
    case "response.xml":
      "the body as XML: a map of its elements by name, see [expressions.md](expressions.md#xml)"
    case "response.text": "the body as text"
    case "response.url": "the URL that responded, after redirects"
    case "response.error":
      "why there was no response, or empty: "
        + TransportFailure.Kind.shown.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    case "history.statuses": "statuses of earlier responses to this step, oldest first"
    default: ""
    }
  }
}
