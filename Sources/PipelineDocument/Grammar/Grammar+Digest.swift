import CEL
import PipelineCore

extension Grammar {
  /// The words for digests.
  static let digestNames = DigestAlgorithm.allCases.map(\.rawValue)

  package static let digest = Construct(
    name: .digest, phrase: "'digest'",
    keys: [
      Key("file", .expression, isRequired: true, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "take", .filledList(.choice(digestNames)), isRequired: true,
        examples: [["sha256", "crc64nvme"]]),
    ],
    reserved: ["files", "as", "encoding"])
}
