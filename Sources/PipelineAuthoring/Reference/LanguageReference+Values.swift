import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

extension LanguageReference {
  static let introduction = """
    # The language

    A pipeline is one YAML file (YAML 1.2, core schema: `no` is text, `0777` is 777). This page says which keys there are and what
    they take. It is generated from the tables that the reader itself goes by, as is the [JSON Schema](../Schemas/pipeline.schema.json)
    that editors load; begin a file with

    ```
    # yaml-language-server: $schema=https://example.com/pipeline.schema.json
    ```

    where the URL or path is where you keep what `pipeline schema` prints. [Writing pipelines](writing-pipelines.md) is the tutorial,
    [checks.md](checks.md) explains what the checker says.

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
              url: ${{ inputs.server + "/" + urlEscape(photo.name) }}
              file: ${{ photo }}
    ```

    `definitions`, `test` and `scenario` are documents of their own: what several pipelines share, tests (`*.test.yaml`) for
    `pipeline test`, and scenarios for `pipeline simulate`.
    The column without a heading says whether a key is required, and what is taken where it is left out.
    """

  static let values = """
    ## Values

    **Durations** are numbers with a unit, one after the other: `500ms`, `30s`, `1h30m`, `7d`. At most 100 years.

    \(table(
      ["unit", "is"],
      DurationLiteral.units.map { ["`\($0.name)`", "\(whole($0.milliseconds)) milliseconds"] }))

    **Sizes** are a number of bytes, or a number with a unit: `4096`, `512 MiB`, `1.5 GB`. At most 8 PiB.

    \(table(
      ["unit", "is"], SizeLiteral.units.map { ["`\($0.name)`", "\(whole($0.bytes)) bytes"] }))

    **Rates** are sizes per second: `5 MB/s`. Only scenarios have them.

    **Types of inputs**, how a value is written, and what expressions see:

    \(table(
      ["type", "value", "type in expressions"],
      InputDeclaration.Kind.allCases.map {
        ["`\($0.rawValue)`", text(of: $0), "`\(Variables.type(of: $0))`"]
      }))

    An input that is left out (`required: false`) is an empty text, or an empty list of files.
    """

  private static func whole(_ number: Double) -> String { String(Int64(number)) }

  private static func text(of kind: InputDeclaration.Kind) -> String {
    switch kind {
    case .string: "any text"
    case .int: "a whole number within 64 bits"
    case .bool: "`true` or `false`"
    case .url: "an absolute `http` or `https` URL"
    case .duration: "a duration; an expression sees it as CEL's type"
    case .size: "a size; an expression sees the number of bytes"
    case .file:
      "a path, relative to the pipeline's file; from the command line to the working folder"
    case .files: "a glob of paths (`*`, `**`, `?`, `{a,b}`, `[a-z]`), relative as a path is"
    case .secret: "any text; from the environment, from a file (`--input name=@FILE`) or a prompt"
    }
  }

  static let expressions = """
    ## Expressions

    Text between `${{` and `}}` is an expression in the Common Expression Language; [expressions.md](expressions.md) has the functions.
    A *template* is text in which expressions may stand: one that is a single expression keeps that expression's type, any other is
    text, and expressions in it have to be texts, numbers or truth values. `$${{` is a plain `${{`. Inside `{ }` and `[ ]` of YAML a
    template has to stand in quotes.

    \(table(
      ["name", "type", "is"],
      (Variables.always + Variables.item + Variables.response).map {
        ["`\($0.name)`", "`\($0.type)`", text(ofVariable: $0.name)]
      } + [
        ["`batch.entries`", "list", "what each item of a batch puts in, in the order of the items"],
        ["`batch.index`", "`int`", "place in `batch.entries` of the item that a result is about, from 0"],
        ["`batch.entry`", "that of `entry`", "what that item put in"],
        ["`batch.result`", "that of `results.each`", "what the answer tells of that item"],
        ["`inputs.NAME`", "see above", "the value of an input"],
        ["`steps.ID.NAME`", "that of its `value`", "an output of a step"],
        ["`steps.ID.file`", "`File`", "the file of a materialize step"],
        ["the name behind `for_each`", "that of the list's elements", "the element"],
      ]))

    Which of them an expression sees:

    \(table(
      ["where", "inputs, run, now", "steps before", "item, element", "response, history"],
      [
        ["`in` of a loop", "yes", "of run scope", "–", "–"],
        ["`if`, `request`, `upload`, `materialize`", "yes", "yes", "in a loop", "–"],
        ["`on`, `outputs` of a request or upload", "yes", "yes", "in a loop", "yes"],
        ["`outputs` of a materialize step", "yes", "yes", "in a loop", "–"],
        ["`request` of a probe", "yes", "yes", "in a loop", "–"],
        ["`done` of a probe", "yes", "yes", "in a loop", "of the probe"],
        ["`on_abandon`", "yes", "yes, also of the loop", "yes", "–"],
      ]))

    In a step with `batch` its `request`, `probe` and `on` are about all items at once: they see `batch.entries`, and of the item,
    the element and the steps of the loop nothing. `results` and `outputs` see both, and the three other names of `batch`
    (`batch.result` from `results.on` on).

    A step sees the steps before it, of run scope and of its own loop; never those of another loop, and never itself.

    A `File` has these fields; a digest only where a materialize step takes it:

    \(table(
      ["field", "type"],
      Variables.file.fields.map { ["`\($0.name)`", "`\($0.type)`"] }))
    """

  private static func text(ofVariable name: String) -> String {
    switch name {
    case "run.id": "the run's name; unique in a state folder, and no key for a server"
    case "now": "when the step was begun"
    case "item.index": "the element's place in the list, from 0"
    case "item.key":
      "a text that no other element has in this run or any other, the same after a restart; it holds 100 random bits of the run, and is no secret"
    case "response.status": "the status; 0 where there was no answer"
    case "response.headers": "headers by name in lower case"
    case "response.json": "the body as JSON; the type follows from `response.schema`"
    case "response.text": "the body as text"
    case "response.url": "the URL that answered, after redirects"
    case "response.error":
      "why there was no answer, or empty: "
        + TransportFailure.Kind.shown.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    case "history.statuses": "statuses of earlier answers to this step, oldest first"
    default: ""
    }
  }
}
