import Foundation
import TestSupport
import Testing

struct InputTests {
  private func scene() throws -> Scene {
    var scene = try Scene()
    scene.pipeline.environment = ["PIPELINE_INPUT_KEY": "hush-hush"]
    try scene.directory.write(Definitions.inputs, to: "inputs.yaml")
    return scene
  }

  @Test
  func `the command line wins over the file, the file over the environment, all over the default`()
    async throws
  {
    var scene = try scene()
    try scene.directory.write("word: from-file\n", to: "values.yaml")
    let file = ["--inputs", "values.yaml"]
    let line = ["--input", "word=from-line"]
    func word(_ arguments: [String]) async throws -> String {
      let plan = try await scene.pipeline.run(["run", "inputs.yaml", "--dry-run"] + arguments)
      #expect(plan.status == 0, "\(plan)")
      return String(plan.output.firstMatch(of: /v1\/(\S+)/)?.output.1 ?? "")
    }
    #expect(try await word([]) == "from-default")
    scene.pipeline.environment["PIPELINE_INPUT_WORD"] = "from-environment"
    #expect(try await word([]) == "from-environment")
    #expect(try await word(file) == "from-file")
    #expect(try await word(file + line) == "from-line")
    #expect(try await word(line) == "from-line")
  }

  @Test func `values of all types reach the request`() async throws {
    let scene = try scene()
    let plan = try await scene.pipeline.run(
      "run", "inputs.yaml", "--dry-run", "--input", "count=42", "--input", "flag=true", "--input",
      "room=2 MiB", "--input", "span=90s")
    #expect(plan.status == 0, "\(plan)")
    #expect(
      plan.output.contains(#"{"count":42,"flag":true,"room":2097152,"span":"90s"}"#), "\(plan)")
  }

  @Test(arguments: [
    ("server=ftp://example.com", "the scheme 'ftp' is not supported"),
    ("server=localhost:80", "expected an absolute URL"),
    ("server=http://bücher.test", "'bücher.test' is an international host name; write it in its"),
    ("server=http://a.test:99999", "has an invalid port, expected 1 to 65535"),
    ("count=many", "expected a 64-bit integer"),
    ("count=9223372036854775808", "expected a 64-bit integer"),
    ("flag=yes", "expected 'true' or 'false', found 'yes'"), ("span=soon", "soon"),
    ("room=12 XB", "unknown unit 'XB'"),
  ])
  func `a value of the wrong type is refused by name`(value: String, message: String) async throws {
    let outcome = try await scene().pipeline.run("run", "inputs.yaml", "--input", value)
    #expect(outcome.status == 2)
    let name = value.prefix { $0 != "=" }
    #expect(outcome.error.contains("error: input '\(name)' from --input: "), "\(outcome)")
    #expect(outcome.error.contains(message), "\(outcome)")
  }

  @Test func `an undeclared input is refused with the declared ones`() async throws {
    let outcome = try await scene().pipeline.run("run", "inputs.yaml", "--input", "wrod=x")
    #expect(outcome.status == 2)
    #expect(
      outcome.error.contains("has no input 'wrod'; did you mean 'word'?"), "\(outcome)")
  }

  @Test func `an input without a value is named, with the ways to set it`() async throws {
    let scene = try Scene()
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let outcome = try await scene.pipeline.run("run", "put.yaml")
    #expect(outcome.status == 2)
    #expect(
      outcome.error.contains(
        "input 'server' has no value; pass --input server=VALUE or set "
          + "PIPELINE_INPUT_SERVER in the environment"), "\(outcome)")
  }

  @Test func `a secret without a value is named, with the ways to set it`() async throws {
    var scene = try scene()
    scene.pipeline.environment = [:]
    let outcome = try await scene.pipeline.run("run", "inputs.yaml")
    #expect(outcome.status == 2)
    #expect(
      outcome.error.contains("secret 'key' has no value; set PIPELINE_INPUT_KEY"), "\(outcome)")
    #expect(outcome.error.contains("--input key=@FILE"), "\(outcome)")
  }

  @Test func `a secret on the command line is refused with advice, and not repeated`() async throws
  {
    let outcome = try await scene().pipeline.run("run", "inputs.yaml", "--input", "key=plainly")
    #expect(outcome.status == 64)
    #expect(outcome.error.contains("PIPELINE_INPUT_KEY"), "\(outcome)")
    #expect(outcome.error.contains("--input key=@FILE"))
    #expect(!outcome.error.contains("plainly"))
  }

  @Test func `a secret in a file of inputs is refused with its place, and not repeated`()
    async throws
  {
    let scene = try scene()
    try scene.directory.write("word: x\nkey: plainly\n", to: "values.yaml")
    let outcome = try await scene.pipeline.run(
      "run", "inputs.yaml", "--dry-run", "--inputs", "values.yaml")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("values.yaml:2:1: secret 'key' must not be"), "\(outcome)")
    #expect(!outcome.error.contains("plainly"))
  }

  @Test func `a value that names a file is its text, for any type`() async throws {
    let scene = try scene()
    try scene.directory.write("from a file\n", to: "word.txt")
    for (value, shown) in [("@word.txt", "from a file"), ("@@home", "@home")] {
      let outcome = try await scene.pipeline.run(
        "run", "inputs.yaml", "--dry-run", "--input", "word=\(value)", "--input", "key=@word.txt")
      #expect(outcome.output.contains("input word = \(shown)"), "\(outcome)")
    }
    let missing = try await scene.pipeline.run(
      "run", "inputs.yaml", "--dry-run", "--input", "word=@nowhere.txt")
    #expect(missing.status == 2)
    #expect(missing.error.contains("of input 'word': no such file"), "\(missing)")
    #expect(missing.error.contains("write '@@'"), "\(missing)")
  }

  @Test func `a secret from a file reaches the server, without its line break`() async throws {
    var scene = try Scene()
    scene.pipeline.environment = [:]
    try scene.directory.write("s p;é\n", to: "secret.txt")
    let server = try await scene.server("--password", "s p;é")
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("photos.yaml"), "--input", "server=\(server.url)", "--input",
      "password=@secret.txt")
    #expect(outcome.status == 0, "\(outcome)")
    let missing = try await scene.pipeline.run(
      "run", Scene.shipped("photos.yaml"), "--input", "password=@nowhere.txt")
    #expect(missing.status == 2)
    #expect(
      missing.error.contains(
        "cannot read the file 'nowhere.txt' of secret 'password': no such file or folder"),
      "\(missing)")
  }

  @Test func `a file of inputs that cannot be used is refused`() async throws {
    let scene = try scene()
    try scene.directory.write("- a\n", to: "list.yaml")
    try scene.directory.write("word: {a: 1}\n", to: "nested.yaml")
    try scene.directory.write("word: [\n", to: "broken.yaml")
    for (file, message) in [
      ("nowhere.yaml", "cannot read the inputs file 'nowhere.yaml': no such file or folder"),
      ("list.yaml", "list.yaml: expected a mapping of input names to values"),
      ("nested.yaml", "nested.yaml:1:1: expected 'name: value'"), ("broken.yaml", "broken.yaml:"),
    ] {
      let outcome = try await scene.pipeline.run("run", "inputs.yaml", "--inputs", file)
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.error.contains(message), "\(outcome)")
    }
  }

  @Test func `a wrong password fails the run itself, with the pipeline's message`() async throws {
    let scene = try Scene()
    let server = try await scene.server("--password", "other")
    let outcome = try await scene.pipeline.run(
      "run", Scene.shipped("photos.yaml"), "--input", "server=\(server.url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("the server refuses the user or the password"), "\(outcome)")
  }
}
