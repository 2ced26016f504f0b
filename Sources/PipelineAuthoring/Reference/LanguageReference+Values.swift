import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

extension LanguageReference {
  static let introduction = """
    # The language

    A pipeline is one YAML file (YAML 1.2, core schema: `no` is text, `0777` is 777). This page lists all keys and their values. It
    is generated from the reader's own tables, as is the [JSON Schema](../Schemas/pipeline.schema.json) for editors. To use the
    schema, begin a file with

    ```
    # yaml-language-server: $schema=https://example.com/pipeline.schema.json
    ```

    with the URL or path of a file that contains the output of `pipeline schema`. [Writing pipelines](writing-pipelines.md) is the
    tutorial, and `pipeline rule CODE` explains the checker's messages.

    ```yaml
    pipeline: photos
    inputs:
      server: { type: url }
      photos: { type: files, default: "Pictures/**/*.jpg" }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: put
            upload:
              url: ${{ inputs.server + "/" + urlEscapePath(photo.relative) }}
              file: ${{ photo }}
    ```

    `definitions`, `test` and `scenario` are separate documents: definitions that several pipelines share, tests (`*.test.yaml`) for
    `pipeline test`, and scenarios for `pipeline simulate`.
    """

  static let values = """
    ## Values

    **Durations** are one or more numbers with units: `500ms`, `30s`, `1h30m`, `7d`. At most 100 years.

    \(table(
      ["unit", "value"],
      DurationLiteral.units.map { ["`\($0.name)`", "\(whole($0.milliseconds)) milliseconds"] }))

    **Sizes** are a number of bytes, or a number with a unit: `4096`, `512 MiB`, `1.5 GB`. At most 8 PiB.

    \(table(
      ["unit", "value"], SizeLiteral.units.map { ["`\($0.name)`", "\(whole($0.bytes)) bytes"] }))

    **Request rates** are a number of requests and a duration: `6/1m`, `300/15m`. At most 1,000,000 requests, and 31 days.

    **Rates** are sizes per second: `5 MB/s`. Only scenarios use them.

    **Input types**, how their values are written, and their types in expressions:

    \(table(
      ["type", "value", "type in expressions"],
      InputDeclaration.Kind.allCases.map {
        ["`\($0.rawValue)`", text(of: $0), "`\(Variables.type(of: $0))`"]
      }))

    An optional input (`required: false`) without a value is an empty string, or an empty list of files.
    """

  private static func whole(_ number: Double) -> String { String(Int64(number)) }

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

  static let expressions = """
    ## Expressions

    Text between `${{` and `}}` is an expression in the Common Expression Language; [expressions.md](expressions.md) lists the functions.
    A *template* is text that may contain expressions. A template that is a single expression keeps that expression's type. Any other
    is text, and its expressions must be strings, numbers or Booleans. `$${{` is a literal `${{`. Quote a template inside YAML's `{ }`
    and `[ ]`.

    \(table(
      ["name", "type", "value"],
      (Variables.always + Variables.item + Variables.response).map {
        ["`\($0.name)`", "`\($0.type)`", text(ofVariable: $0.name)]
      } + [
        ["`batch.entries`", "list", "the entries of all items of a batch, in the order of the items"],
        ["`batch.index`", "`int`", "the item's index in `batch.entries`, from 0"],
        ["`batch.entry`", "that of `entry`", "the item's entry"],
        ["`batch.result`", "that of `results.each`", "the item's result in the response"],
        ["`inputs.NAME`", "see above", "an input value"],
        ["`steps.ID.NAME`", "that of its `value`", "an output of a step"],
        ["`steps.ID.file`", "`File`", "the file of a materialize step"],
        ["the loop variable", "that of the list's elements", "the element"],
        ["a name under `let`", "that of its value", "a value of the step"],
        [
          "`idempotency.key`", "`string`",
          "the key by which the server recognizes a repeat of the step, in a step with `idempotency`",
        ],
      ]))

    The names that an expression sees depend on where it is:

    \(table(
      ["where", "inputs, run, now", "earlier steps", "item, loop variable", "response, history"],
      [
        ["`in` of a loop", "yes", "run-level only", "–", "–"],
        ["`if`, `request`, `upload`, `materialize`", "yes", "yes", "in a loop", "–"],
        ["`on`, `outputs` of a request or upload", "yes", "yes", "in a loop", "yes"],
        ["`outputs` of a materialize step", "yes", "yes", "in a loop", "–"],
        ["`request` of a probe", "yes", "yes", "in a loop", "–"],
        ["`done` of a probe", "yes", "yes", "in a loop", "of the probe"],
        ["`on_abandon`", "yes", "yes, also the loop's", "yes", "–"],
      ]))

    In a step with `batch`, the `request`, `probe` and `on` apply to all items at once: they see `batch.entries`, but neither the item,
    the loop variable nor the steps of the loop. `results` and `outputs` see both, and the other three names of `batch`
    (`batch.result` only in `results.on` and `outputs`).

    A step sees the earlier run-level steps and those of its own loop, but never those of another loop, and never itself.

    A `File` has these fields. A digest only exists if a materialize step or a download computes it:

    \(table(
      ["field", "type"],
      Variables.file.fields.map { ["`\($0.name)`", "`\($0.type)`"] }))
    """

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
