import Foundation
import TestSupport
import Testing

/// One shard of a run, in a process of its own.
struct ShardTests {
  private func scene(files: Int = 30) throws -> Scene {
    let scene = try Scene()
    try scene.files(files)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    return scene
  }

  @Test func `shards send each file once, wherever a machine has mounted the folder`() async throws
  {
    let scene = try scene()
    let server = try await scene.server()
    try FileManager.default.copyItem(
      atPath: scene.directory.path("files"), toPath: scene.directory.path("mounted elsewhere"))
    var counts = 0
    for (number, folder) in zip(1..., ["files", "mounted elsewhere", "files"]) {
      let run = try await scene.pipeline.run(
        "run", "put.yaml", "--input", "server=\(server.url)", "--input", "files=\(folder)/*.bin",
        "--shard", "\(number)/3", "--format", "json")
      #expect(run.status == 0, "\(run)")
      let report = try JSON.object(run.output)
      #expect(report["shard"] as? String == "\(number)/3")
      counts += try #require((report["items"] as? [String: Int])?["done"])
    }
    #expect(counts == 30)
    let sent = server.journal.filter { $0.method == "PUT" }.map(\.path)
    #expect(sent.count == 30 && Set(sent).count == 30)
  }

  @Test(arguments: [
    "17/16", "0/16", "3", "3/0", "a/b", " 3/16", "3/16/2", "auto/0", "auto/x", "Auto",
  ])
  func `malformed shards are refused with the expected form`(text: String) async throws {
    let scene = try scene(files: 1)
    let run = try await scene.pipeline.run("run", "put.yaml", "--shard", text)
    #expect(run.status == 64, "\(run)")
    #expect(
      run.error.contains("--shard '\(text)': expected one of N shards, such as 3/16"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: scene.pipeline.stateFolder + "/runs"))
  }

  @Test(arguments: [
    (["JOB_COMPLETION_INDEX": "0"], "auto/16", "1/16"),
    (["JOB_COMPLETION_INDEX": "15"], "auto/16", "16/16"),
    (["NOMAD_ALLOC_INDEX": "2"], "auto/3", "3/3"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], "auto", "5/10"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], "auto/10", "5/10"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "30", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "40",
        "SLURM_ARRAY_TASK_STEP": "10", "SLURM_ARRAY_TASK_COUNT": "4",
      ], "auto", "3/4"
    ),
    (
      ["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "8"],
      "auto", "1/8"
    ),
    // AWS Batch on Kubernetes sets both.
    (
      [
        "JOB_COMPLETION_INDEX": "1", "AWS_BATCH_JOB_ARRAY_INDEX": "1",
        "AWS_BATCH_JOB_ARRAY_SIZE": "2",
      ], "auto", "2/2"
    ),
  ])
  func `a task of a job array finds its shard`(
    environment: [String: String], asked: String, shard: String
  ) async throws {
    var scene = try scene(files: 4)
    scene.pipeline.environment.merge(environment) { $1 }
    let plan = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=http://localhost:1", "--shard", asked, "--dry-run",
      "--format", "json")
    #expect(plan.status == 0, "\(plan)")
    #expect(try JSON.object(plan.output)["shard"] as? String == shard)
  }

  @Test(arguments: [
    ([:], "auto", "this process is not a task of a job array"),
    (
      ["JOB_COMPLETION_INDEX": "0"], "auto",
      "not the number of tasks: expected --shard auto/COUNT"
    ),
    (["JOB_COMPLETION_INDEX": "16"], "auto/16", "means task 17, and there are 16"),
    (["NOMAD_ALLOC_INDEX": "x"], "auto/16", "NOMAD_ALLOC_INDEX is 'x', expected a number"),
    (
      ["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "2"], "auto/3",
      "the array has 2 tasks, and not 3"
    ),
    (
      ["JOB_COMPLETION_INDEX": "0", "NOMAD_ALLOC_INDEX": "1"], "auto/4",
      "JOB_COMPLETION_INDEX means task 1, and NOMAD_ALLOC_INDEX task 2"
    ),
    // --array=1,5,7
    (
      ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"],
      "auto",
      "means task 5, and there are 3: expected an array of 3 tasks whose indices follow each other"
    ),
    (
      ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "3"],
      "auto", "SLURM_ARRAY_TASK_ID is 5, which is not one of 0, 2, …"
    ),
  ])
  func `a process outside an array, or in an odd one, is informed of the expected form`(
    environment: [String: String], asked: String, message: String
  ) async throws {
    var scene = try scene(files: 1)
    scene.pipeline.environment.merge(environment) { $1 }
    let run = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=http://localhost:1", "--shard", asked)
    #expect(run.status == 2, "\(run)")
    #expect(run.error.contains("--shard \(asked): ") && run.error.contains(message), "\(run)")
  }

  @Test func `run-level steps are refused, with the place of each`() async throws {
    let scene = try scene(files: 1)
    try scene.directory.write(
      """
      pipeline: once
      inputs:
        server: { type: url }
        files: { type: files, default: "files/*.bin" }
      steps:
        - id: album
          request: { method: POST, url: "${{ inputs.server + '/albums' }}" }
          effect: create
          idempotency: { header: Idempotency-Key }
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: put
              upload: { url: "${{ inputs.server + '/' + file.name }}", file: "${{ file }}" }
        - id: publish
          request: { method: POST, url: "${{ inputs.server + '/publish' }}" }
          effect: repeatable
      """, to: "once.yaml")
    let run = try await scene.pipeline.run(
      "run", "once.yaml", "--input", "server=http://localhost:1", "--shard", "1/2")
    #expect(run.status == 2, "\(run)")
    #expect(
      run.error.contains("once.yaml:6:9: step 'album' creates something once per run"), "\(run)")
    #expect(run.error.contains("once.yaml:15:9: step 'publish' comes after the loop"), "\(run)")
    try scene.directory.write(
      """
      pipeline: single
      inputs: { server: { type: url } }
      steps:
        - id: ping
          request: { url: "${{ inputs.server }}" }
      """, to: "single.yaml")
    let single = try await scene.pipeline.run(
      "run", "single.yaml", "--input", "server=http://localhost:1", "--shard", "1/2")
    #expect(
      single.status == 2 && single.error.contains("has no loop, so --shard has nothing to divide"),
      "\(single)")
  }

  @Test func `a group stays whole, and a list is divided like files`() async throws {
    let scene = try Scene()
    for folder in ["Alps", "Rome", "sea", "town"] {
      for number in 0..<3 { try scene.directory.write("x", to: "files/\(folder)/\(number).jpg") }
    }
    try scene.directory.write(
      """
      pipeline: albums
      inputs:
        server: { type: url }
        photos: { type: files, default: "files/**/*.jpg" }
      steps:
        - for_each: album
          in: ${{ groups(inputs.photos.map(photo, photo.folder), inputs.photos) }}
          steps:
            - id: photos
              for_each: photo
              in: ${{ album.items }}
              steps:
                - id: put
                  upload:
                    url: ${{ inputs.server + "/v1/files/" + urlEscape(album.key + "-" + photo.name) }}
                    file: ${{ photo }}
      """, to: "albums.yaml")
    let server = try await scene.server()
    var albums: [[String]] = []
    for number in 1...2 {
      let run = try await scene.pipeline.run(
        "run", "albums.yaml", "--input", "server=\(server.url)", "--shard", "\(number)/2")
      #expect(run.status == 0, "\(run)")
      let before = Set(albums.joined())
      let sent = server.journal.filter { $0.method == "PUT" }.map(\.path)
        .filter { !before.contains($0) }
      albums.append(sent)
    }
    #expect(albums.joined().count == 12)
    let folders = albums.map { paths in
      Set(paths.compactMap { $0.split(separator: "/").last?.split(separator: "-").first })
    }
    #expect(folders[0].isDisjoint(with: folders[1]) && folders[0].union(folders[1]).count == 4)
  }

  @Test func `a shard without a file ends well, and a pattern without one does not`() async throws {
    let scene = try scene(files: 1)
    let server = try await scene.server()
    var done: [Int] = []
    for number in 1...2 {
      let run = try await scene.pipeline.run(
        "run", "put.yaml", "--input", "server=\(server.url)", "--shard", "\(number)/2", "--format",
        "json")
      #expect(run.status == 0, "\(run)")
      done.append(try #require((try JSON.object(run.output)["items"] as? [String: Int])?["done"]))
    }
    #expect(done.sorted() == [0, 1])
    let none = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(server.url)", "--input", "files=*.nothing", "--shard",
      "1/2")
    #expect(none.status == 2 && none.error.contains("no file matches"), "\(none)")
  }

  // MARK: Continuing

  @Test func `a task that is started again continues its shard`() async throws {
    var scene = try scene()
    scene.pipeline.isUrgent = true
    let server = try await scene.server("--suspend-at", "3")
    let command = [
      "run", "put.yaml", "--input", "server=\(server.url)", "--shard", "1/2", "--name", "nightly",
      "--continue",
    ]
    let killed = try scene.pipeline.start(command)
    try await server.waitUntilSuspended()
    try await killed.killed()
    server.goOn()
    let again = try await scene.pipeline.run(command + ["--format", "json"])
    #expect(again.status == 0, "\(again)")
    let done = try #require((try JSON.object(again.output)["items"] as? [String: Int])?["done"])
    #expect(done > 0)
    let runs = try JSON.array(try await scene.pipeline.run("runs", "--format", "json").output)
    #expect(runs.count == 1 && runs.first?["shard"] as? String == "1/2")
    let finished = try await scene.pipeline.run(command)
    #expect(
      finished.status == 0 && finished.output.contains("'nightly', shard 1/2: finished"),
      "\(finished)")
    let sent = Set(server.journal.filter { $0.method == "PUT" }.map(\.path))
    #expect(sent.count == done)
  }

  @Test func `continue means the run of that name and that shard`() async throws {
    let scene = try scene(files: 4)
    let server = try await scene.server()
    let command = ["run", "put.yaml", "--input", "server=\(server.url)", "--continue"]
    let nameless = try await scene.pipeline.run(command)
    #expect(
      nameless.status == 64 && nameless.error.contains("--continue needs --name"), "\(nameless)")
    for shard in ["1/2", "2/2"] {
      let run = try await scene.pipeline.run(command + ["--name", "nightly", "--shard", shard])
      #expect(run.status == 0, "\(run)")
    }
    for odd in [["--shard", "1/3"], []] {
      let run = try await scene.pipeline.run(command + ["--name", "nightly"] + odd)
      #expect(run.status == 2 && run.error.contains("is shard 1/2, but --shard is"), "\(run)")
    }
    try scene.directory.write(
      Definitions.put.replacing("pipeline: put", with: "pipeline: other"), to: "other.yaml")
    let other = try await scene.pipeline.run(
      "run", "other.yaml", "--input", "server=\(server.url)", "--name", "nightly", "--shard", "1/2",
      "--continue")
    #expect(
      other.status == 2 && other.error.contains("is of the pipeline 'put', and not of 'other'"),
      "\(other)")
    let report = try await scene.pipeline.run(
      command + ["--name", "nightly", "--shard", "1/2", "--report", "items.csv"])
    #expect(report.status == 0, "\(report)")
    #expect(scene.directory.text(of: "items.csv").hasPrefix("item,name,"))
    let twice = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(server.url)", "--name", "nightly", "--shard", "1/2")
    #expect(
      twice.status == 2 && twice.error.contains("another run is called 'nightly'"), "\(twice)")
    let watch = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(server.url)", "--watch", "--shard", "1/2")
    #expect(watch.status == 64, "\(watch)")
    #expect(watch.error.contains("--shard cannot be combined with it"), "\(watch)")
  }
}
