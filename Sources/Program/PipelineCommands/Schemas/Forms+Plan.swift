package struct PlanForm: Form {
  @Member("The pipeline's name.") package var pipeline = ""
  @Member("Maximum bytes of the files of steps; absent without a limit.")
  package var disk_budget: Int64?
  @Member("Maximum number of concurrent transfers; absent without a limit.")
  package var transfers_budget: Int?
  @Member("Maximum bytes per second; absent without a limit.") package var bytes_per_second: Int64?
  @Member("Limits of requests by name, in words.") package var rates: [String: String] = [:]
  @Member("Values of the inputs; those of secrets are `***`.")
  package var inputs: [String: String] = [:]
  @Member("The shard of `--shard`, such as `3/16`.") package var shard: String?
  @Member("Numbers of files of the inputs that are of that shard.")
  package var shard_files: [String: Int]?
  @Member("Files of each input of the type `files`.") package var files: [String: PlanFilesForm] =
    [:]
  @Member("The loops, in words.") package var loops: [String] = []
  @Member("The first item; absent if it is not known yet.") package var first_item: String?
  @Member("The files that would be items, in their order.") package var items: [PlanItemForm] = []
  @Member("The steps, with the requests for the first item.") package var steps: [PlanStepForm] = []
  @Member("The hosts, files and secrets of the pipeline.") package var audit = AuditForm()
  package init() {}
}

package struct PlanFilesForm: Form {
  @Member("Number of files.") package var files = 0
  @Member("Their bytes.") package var bytes: Int64 = 0
  @Member("Files that are not sent, cannot be read, or are outside the folder.")
  package var remarks: [RemarkForm] = []
  package init() {}
}

package struct PlanItemForm: Form {
  @Member("The file's path, below its folder if a folder or pattern names it.")
  package var path = ""
  @Member("Its bytes.") package var bytes: Int64 = 0
  package init() {}
}

package struct RemarkForm: Form {
  @Member("Why.", as: .words(GlobReport.Cause.self)) package var cause = ""
  @Member("How many.") package var count = 0
  @Member("The names of the first 20.") package var names: [String] = []
  package init() {}
}

package struct PlanStepForm: Form {
  @Member("The step's ID.") package var id = ""
  @Member("`once per run`, or the loop in words.") package var scope = ""
  @Member("The kind of step: its action's key.", as: .words(StepKind.self)) package var kind = ""
  @Member("The steps before it.") package var depends_on: [String] = []
  @Member("Method and URL.") package var request: String?
  @Member("Header fields as `Name: value`, and how the request is signed.")
  package var headers: [String]?
  @Member("The body, or where it comes from, in words.") package var body: String?
  @Member("The values that are not known yet, in words.") package var note: String?
  package init() {}
}

struct AuditedFileForm: Form {
  @Member("The file, as on the command line.") var file = ""
  @Member("The pipeline's name.") var pipeline = ""
  @Member("The hosts, files and secrets that it uses.") var audit = AuditForm()
}

package struct AuditForm: Form {
  package struct Host: Form {
    @Member("The host; absent if it is known only when the pipeline runs.") var host: String?
    @Member("The inputs that it comes from.") var inputs: [String] = []
    @Member("The steps whose responses it comes from.") var answers: [String] = []
    @Member("The expression that computes it, if nothing else is known.") var expression: String?
    @Member("The steps that contact it.") var steps: [String] = []
    @Member("The secrets that are sent to it.") var secrets: [String] = []
    package init() {}
  }

  package struct File: Form {
    @Member("The input that names the files.") var input: String?
    @Member("The path, if the pipeline contains it.") var path: String?
    package init() {}
  }

  package struct Folder: Form {
    @Member("The input that names the folder.") var input = ""
    @Member("The steps that write into it.") var steps: [String] = []
    @Member("Whether files that exist may be replaced.") var replaces = false
    package init() {}
  }

  package struct Secret: Form {
    @Member("The secret.") var name = ""
    @Member("The hosts that it is sent to.") var hosts: [String] = []
    package init() {}
  }

  @Member("Hosts, in the order of the steps.") var hosts: [Host] = []
  @Member("Files that are read.") var files: [File] = []
  @Member("Folders that files are put into.") var folders: [Folder] = []
  @Member("Secrets, by name.") var secrets: [Secret] = []
  package init() {}

  package init(_ audit: PipelineAudit) {
    hosts = audit.destinations.map { destination in
      Host {
        let host = destination.host
        ($0.host, $0.inputs, $0.answers) = (host.name, host.inputs, host.answers)
        $0.expression = host.expression
        ($0.steps, $0.secrets) = (destination.steps, destination.secrets)
      }
    }
    files = audit.reads.map { reading in
      File { ($0.input, $0.path) = (reading.input, reading.path) }
    }
    folders = audit.writes.map { writing in
      Folder {
        ($0.input, $0.steps, $0.replaces) = (writing.input, writing.steps, writing.replaces)
      }
    }
    secrets = audit.secrets.map { secret in
      Secret {
        $0.name = secret
        $0.hosts = audit.destinations.filter { $0.secrets.contains(secret) }.map(\.host.description)
      }
    }
  }
}
