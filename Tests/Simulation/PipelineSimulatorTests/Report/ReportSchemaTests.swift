import PipelineSimulator
import Testing

struct ReportSchemaTests {
  @Test(arguments: [
    ("simulation-report", ReportSchema.simulationReport), ("verification", .verification),
  ])
  func `the program carries the schemas of its reports, as the files have them`(
    name: String, schema: ReportSchema
  ) throws {
    #expect(schema.text == (try TestFiles.text("Schemas/\(name).schema.json")))
  }
}
