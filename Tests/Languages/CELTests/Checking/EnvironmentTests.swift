import CEL
import Testing

struct EnvironmentTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    let photo = ObjectType(name: "photo", fields: ["name": .string, "size": .int])
    environment.declare("steps.allocate.upload_id", as: .string)
    environment.declare("steps.allocate.url", as: .string)
    environment.declare("steps.sign_in", as: .map(.string, .string))
    environment.declare("inputs.server", as: .string)
    environment.declare("photo", as: .object(photo))
    environment.declare("limit", constant: 10)
    return environment
  }()

  @Test(arguments: [
    ("steps.allocate.uplod_id", "steps.allocate.uplod_id", "steps.allocate.upload_id"),
    ("steps.alocate.upload_id.size()", "steps.alocate.upload_id", "steps.allocate.upload_id"),
    ("stepz.allocate.upload_id + '/'", "stepz.allocate.upload_id", "steps.allocate.upload_id"),
    ("inputs.servr", "inputs.servr", "inputs.server"),
    ("phto.name", "phto", "photo"),
    ("photo.nmae", "nmae", "name"),
    ("photo['sise']", "'sise'", "size"),
    ("'a'.startWith('b')", "startWith", "startsWith"),
    ("maths.abs(1)", "maths.abs", "math.abs"),
    ("math.ab(1)", "math.ab", "math.abs"),
    ("[1].exist(x, x == 1)", "exist", "exists"),
    ("siez('a')", "siez", "size"),
  ])
  func `a misspelled name comes with the nearest one`(
    _ source: String, _ place: String, _ suggestion: String
  ) throws {
    let issue = try #require(Self.environment.compile(source).issues.first)
    #expect(text(source, issue.range) == place)
    #expect(issue.suggestion == suggestion)
  }

  @Test(arguments: ["completely_different", "steps.other.thing", "x"])
  func `a name like no other comes without one`(_ source: String) throws {
    let issue = try #require(Self.environment.compile(source).issues.first)
    #expect(issue.code == .undeclaredReference)
    #expect(issue.suggestion == nil)
  }

  @Test func `the longest declared name is the variable`() throws {
    let compiled = try #require(
      Self.environment.compile("steps.allocate.upload_id + steps.sign_in.token").expression)
    let value = try compiled.evaluate([
      "steps.allocate.upload_id": "a", "steps.sign_in": ["token": "b"],
    ])
    #expect(value == "ab")
  }

  @Test func `references contain each use of a variable and its path`() throws {
    let source = """
      steps.allocate.upload_id + photo.name == "" && [1].all(photo, photo == limit) \
      && has(photo.size) && steps.sign_in["token"] == photo.name.lowerAscii()
      """
    let compiled = try #require(Self.environment.compile(source).expression)
    #expect(
      compiled.references.map(\.path) == [
        "steps.allocate.upload_id", "photo.name", "photo.size", "steps.sign_in", "photo.name",
      ])
    #expect(
      compiled.references.map(\.variable) == [
        "steps.allocate.upload_id", "photo", "photo", "steps.sign_in", "photo",
      ])
    for reference in compiled.references {
      #expect(text(source, reference.range) == reference.path)
    }
  }

  @Test func `has asks whether a declared variable has a value`() throws {
    let compiled = try #require(
      Self.environment.compile("has(steps.allocate.url)").expression)
    #expect(try compiled.evaluate([:]) == false)
    #expect(try compiled.evaluate(["steps.allocate.url": "x"]) == true)
    #expect(compiled.references.map(\.path) == ["steps.allocate.url"])
  }

  @Test func `a local name hides a qualified variable, and a dot before it does not`() throws {
    var environment = Environment.standard
    environment.declare("y.z", as: .int)
    environment.declare("y", as: .int)
    let hidden = try #require(environment.compile("[{'z': 0}].exists(y, y.z == 0)").expression)
    #expect(try hidden.evaluate(["y.z": 42]) == true)
    let absolute = try #require(environment.compile("[1].exists(y, .y == 42)").expression)
    #expect(try absolute.evaluate(["y": 42]) == true)
  }

  @Test func `names are looked up in the container first`() throws {
    var environment = Environment(container: "a.b")
    environment.declare("a.b.x", as: .int)
    environment.declare("a.x", as: .int)
    environment.declare("x", as: .int)
    let values: [String: Value] = ["a.b.x": 3, "a.x": 2, "x": 1]
    let inner = try #require(environment.compile("x").expression)
    #expect(try inner.evaluate(values) == 3)
    let outer = try #require(environment.compile(".x").expression)
    #expect(try outer.evaluate(values) == 1)
  }

  @Test func `a library adds functions and constants`() throws {
    let library = Library(
      name: "test",
      functions: [
        .init(
          "twice",
          .method(.string, returns: .string) { (arguments, meter) throws(EvaluationError) in
            let text = arguments[0].stringValue ?? ""
            try meter.charge(octets: text.utf8.count)
            return .string(text + text)
          })
      ], constants: [("unit.kilo", 1000)])
    var environment = Environment.standard
    environment.add(library)
    let compiled = try #require(
      environment.compile("'ab'.twice() + string(unit.kilo)").expression)
    #expect(try compiled.evaluate() == "abab1000")
    #expect(environment.signatures(of: "twice") == ["string.() -> string"])
    #expect(environment.functionNames.contains("twice"))
  }

  @Test func `a macro is available only with its library`() {
    let bare = Environment(libraries: [.standard])
    #expect(bare.compile("cel.bind(x, 1, x)").expression == nil)
    #expect(bare.compile("[1].map(x, x)").expression != nil)
    #expect(bare.compile("math.greatest(1, 2)").expression == nil)
  }

  @Test func `expressions are equal by text and type`() throws {
    let first = try expression("a == 1", declaring: ["a": .int])
    let second = try expression("a == 1", declaring: ["a": .dyn])
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(try expression("a", declaring: ["a": .int]) != expression("a", declaring: ["a": .dyn]))
  }
}
