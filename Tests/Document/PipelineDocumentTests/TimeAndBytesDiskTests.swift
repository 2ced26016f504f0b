import Basics
import PipelineDocument
import Testing

struct TimeAndBytesDiskTests {
  private static let film = """
    pipeline: example
    inputs:
      film: { type: file }
      chunk: { type: size, default: 100 MiB }
    budgets: { disk: 512 MiB }
    steps:
      - id: index
        materialize:
          file: ${{ inputs.film }}
          range: { offset: "${{ 0 }}", length: "${{ 12 * 1024 * 1024 }}" }
      - for_each: part
        in: ${{ [0, 1, 2] }}
        concurrency: 2
        steps:
          - id: slice
            materialize:
              file: ${{ inputs.film }}
              range: { offset: "${{ part * inputs.chunk }}", length: "${{ inputs.chunk }}" }
          - id: body
            materialize:
              multipart:
                - { name: file, file: "${{ steps.slice.file }}" }
          - id: spare
            if: ${{ part == 1 }}
            materialize: { file: "${{ steps.slice.file }}" }
          - id: send
            upload: { url: "https://example.com/${{ part }}", file: "${{ steps.body.file }}" }
            depends_on: [spare]
          - id: end
            request: { url: "https://example.com/${{ steps.index.file.size }}" }
    """

  private static let fits = "with the default of the input 'chunk' > 512 MiB"

  @Test(arguments: [
    Change("", ""),
    Change(
      "concurrency: 2", "concurrency: 3",
      """
      concurrency-beyond-disk: not all items fit the disk budget at once: 3 × 200 MiB = 600 MiB \
      plus 12 MiB of the run \(fits)
      """),
    // Where nothing is written, nothing is asked for.
    Change("    concurrency: 2\n", ""),
    Change(
      "default: 100 MiB", "default: 513 MiB",
      """
      disk-budget-exceeded: the file of 'slice' never fits the disk budget: 513 MiB \(fits)
      """,
      """
      disk-budget-exceeded: the file of 'body' never fits the disk budget: 513 MiB \(fits)
      """,
      """
      disk-budget-exceeded: the file of 'spare' never fits the disk budget: 513 MiB \(fits)
      """),
    Change(
      "default: 100 MiB", "default: 251 MiB",
      """
      disk-budget-exceeded: the file of 'body' never fits together with the others held until \
      the item is done: 12 MiB + 251 MiB + 251 MiB = 514 MiB \(fits)
      """),
    Change("default: 100 MiB", "default: 125 MiB"),
    Change("default: 100 MiB", "required: true"),
    Change("disk: 512 MiB", "transfers: 5"),
  ])
  func `files that do not fit the disk budget are reported with the sum`(
    _ change: Change
  ) throws {
    try change.check(in: Self.film)
  }

  @Test func `a size that no run can change is an error`() throws {
    let text = Self.film.replacing(
      "length: \"${{ inputs.chunk }}\"", with: "length: \"${{ 600000000 }}\"")
    let found = try Change("", "").findings(in: text)
    #expect(found.map(\.code) == [.diskBudgetExceeded, .diskBudgetExceeded, .diskBudgetExceeded])
    // The last is only made where its condition holds.
    #expect(found.map(\.severity) == [.error, .error, .warning])
    #expect(found.first?.notes.map(\.range.start) == [SourcePosition(line: 5, column: 18)])
  }

  private static let unused = "unused-file: the file of '"

  @Test(arguments: [
    Change(
      "        depends_on: [spare]\n", "",
      unused + "spare' is never used, but holds disk space until the item is done"),
    Change(
      "steps.index.file.size", "1",
      unused + "index' is never used, but holds disk space until the run ends"),
  ])
  func `a file that nothing reads is reported`(_ change: Change) throws {
    try change.check(in: Self.film)
  }

  @Test func `a run-level file that only run-level steps read reduces the space for items`()
    throws
  {
    let early = """
      - id: first
          upload: { url: "https://example.com/", file: "${{ steps.index.file }}" }
        - for_each: part
      """
    let change = Change(
      "- for_each: part", early,
      """
      file-held-for-run: the file of 'index' holds disk space until the run ends, but no step \
      after 'first' reads it
      """)
    try change.check(in: Self.film.replacing("steps.index.file.size", with: "part"))
    try Change("- for_each: part", early).check(in: Self.film)
  }
}
