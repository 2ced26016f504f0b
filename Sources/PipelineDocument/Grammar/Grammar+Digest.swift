import CEL
import PipelineCore

extension Grammar {
  static let digestNames = DigestAlgorithm.allCases.map(\.rawValue)

  package static let digest = Construct(
    name: .digest, phrase: "'digest'",
    summary: """
      Reads a file once, writes nothing, and takes all its digests in the same pass. Later steps read them as \
      `steps.ID.sha256.hex` and `steps.ID.sha256.base64`. They are stored with the run, so that a run that goes on \
      does not read the file again.
      """,
    keys: [
      Key(
        "file", .expression,
        "The file: an item of a `files` input, a `file` input, or the `file` of another step.",
        isRequired: true, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), "The bytes of the file to read. By default all.",
        examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "take", .filledList(.choice(digestNames)),
        """
        The digests. `crc64nvme` is the check of 64 bits that object stores use. `sha256_blocks_4mib` is the SHA-256 of \
        the SHA-256 digests of all blocks of 4 MiB.
        """, isRequired: true, examples: [["sha256", "crc64nvme"]]),
    ],
    reserved: ["files", "as", "encoding"])
}
