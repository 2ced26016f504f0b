import CEL
import Foundation
import PipelineDocument
import PipelineSimulator
import Testing
import PipelineScenarios

struct PageTests {
  private func pages() throws -> [String] {
    let scene = try ReportScene(ReportScene.shortLived, items: 6)
    return [
      try scene.report().html(), SeedReport(scene.heading, try scene.statistics()).html(),
      SimulationComparison([
        try scene.entry(.init("a", "1")), try scene.entry(.init("a", "2")),
      ]).html(),
    ]
  }

  @Test func `a page needs nothing but itself`() throws {
    for page in try pages() {
      for outside in ["<link", "src=", "url(", "@import", "fetch(", "XMLHttp", "https://"] {
        #expect(!page.contains(outside), "\(outside)")
      }
      // The one address is the name of SVG's vocabulary.
      #expect(
        page.pieces(by: "http://").count
          == page.pieces(by: "http://www.w3.org/2000/svg").count)
    }
  }

  @Test func `a page is a whole document, and its lanes have names for screen readers`() throws {
    for page in try pages() {
      #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
      #expect(page.hasSuffix("</script>\n</body>\n</html>\n"))
      #expect(page.pieces(by: "<svg").count == page.pieces(by: "</svg>").count)
      #expect(
        page.pieces(by: "<svg").count - 1
          == page.pieces(by: "role=\"img\"").count - 1)
      #expect(page.pieces(by: "<section").count == page.pieces(by: "</section>").count)
    }
  }

  @Test func `text of the author never ends an element`() throws {
    var scene = try ReportScene(oneByOne: 2)
    scene.scenario.name = "</script><script>alert(1)</script>"
    let page = try scene.report().html()
    #expect(!page.contains("alert(1)</script>"))
    #expect(page.contains("&lt;/script&gt;"))
  }

  @Test func `the data of the timeline is JSON with every lane`() throws {
    let page = try ReportScene(ReportScene.shortLived, items: 6).report().html()
    let start = try #require(page.range(of: "id=\"data\">"))
    let rest = page[start.upperBound...]
    let end = try #require(rest.range(of: "</script>"))
    let data = try Value(json: String(rest[..<end.lowerBound]))
    for key in [
      "life", "allowances", "conditions", "queue", "moving", "held", "done", "disk", "ids",
      "wakes", "reissues", "lanes", "kinds", "colors", "meanings",
    ] {
      #expect(data.mapValue?[key] != nil, "\(key)")
    }
  }

  @Test func `the page of many items stays small`() throws {
    var scene = try ReportScene(oneByOne: 1500, concurrency: 50)
    scene.scenario = .ideal
    scene.scenario.items.count = 1500
    let page = try scene.report().html()
    #expect(page.contains("240 of 1,500 items, evenly spaced"))
    #expect(page.utf8.count < 700_000, "\(page.utf8.count)")
  }
}
