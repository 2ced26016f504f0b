import Basics
import JSONSchema
import Testing

/// The example of the documentation's first page, word for word.
struct ExampleTests {
  @Test func `the example of the documentation works`() throws {
    let schema = try Schema.compile(
      JSONReader().read(
        """
        {
          "properties": { "method": { "enum": ["GET", "POST"] } },
          "required": ["url"],
          "additionalProperties": false
        }
        """
      ).root)

    let instance = try JSONReader().read(
      """
      {
        "method": "PSOT",
        "ulr": "https://example.org/"
      }
      """
    ).root

    let result = schema.validate(instance)
    let lines = result.findings.map(\.description)

    #expect(!result.isValid)
    #expect(
      lines == [
        "1:1: the property \"url\" is missing",
        "2:13: must be one of \"GET\", \"POST\"; did you mean \"POST\"?",
        "3:3: unknown property \"ulr\"",
      ])
  }
}
