import Basics
import Testing

struct NamedTextsTests {
  @Test func `a text contains the earlier ones that it names, and no comments`() {
    let file = """
      -- A comment of the file.

      --- columns
      a,
      b

      --- rows
      -- Why.
      SELECT {{columns}} FROM t WHERE {{condition}}
      """
    let texts = NamedTexts(Array(file.utf8))
    #expect(texts["columns"] == "a,\nb")
    #expect(texts["rows"] == "SELECT a,\nb FROM t WHERE {{condition}}")
  }
}
