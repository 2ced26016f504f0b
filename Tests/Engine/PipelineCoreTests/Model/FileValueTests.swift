import CEL
import PipelineCore
import Testing

struct FileValueTests {
  @Test func `the place and its folder are fields, and are kept with the file`() throws {
    let file = FileValue(
      path: "/p/x/a.jpg", name: "a.jpg", relative: "x/a.jpg", size: 1, modified: 0,
      contentType: "image/jpeg")
    #expect(file.value.mapValue?["relative"] == .string("x/a.jpg"))
    #expect(file.value.mapValue?["folder"] == .string("x"))
    #expect(FileValue(file.value) == file)
    let only = FileValue(path: "/p/x/a.jpg", name: "a.jpg", size: 1, modified: 0)
    #expect(only.relative == "a.jpg")
    #expect(only.value.mapValue?["folder"] == .string(""))
    #expect(only != file)
  }
}
