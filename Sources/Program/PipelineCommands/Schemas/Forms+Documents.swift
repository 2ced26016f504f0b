import PipelineAuthoring

package struct FindingForm: Form {
  @Member("The rule's code; `pipeline rule CODE` explains it.") package var code = ""
  @Member("The severity.", as: .words(Diagnostic.Severity.self)) package var severity = ""
  @Member("The message.") package var message = ""
  @Member("Where.") package var range = RangeForm()
  @Member("Other places that explain it.") package var notes: [NoteForm] = []
  @Member("How to fix it.") package var help: String?
  @Member("Replacements that fix it; if there are several, choose one.")
  package var fixes: [FixForm]?
  @Member("Details, such as the keyword of a schema.") package var properties: [String: String]?
  package init() {}

  package init(_ diagnostic: Diagnostic) {
    code = diagnostic.code.rawValue
    severity = diagnostic.severity.rawValue
    message = diagnostic.message
    range = RangeForm(diagnostic.range)
    notes = diagnostic.notes.map { note in
      NoteForm {
        $0.message = note.message
        $0.range = RangeForm(note.range)
      }
    }
    help = diagnostic.help
    let known = diagnostic.fixes.map { fix in
      FixForm {
        $0.range = RangeForm(fix.range)
        $0.replacement = fix.replacement
        $0.safe = fix.isSafe
      }
    }
    fixes = known.isEmpty ? nil : known
    let details = Dictionary(
      diagnostic.properties.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    properties = details.isEmpty ? nil : details
  }
}

package struct NoteForm: Form {
  @Member("The message.") package var message = ""
  @Member("Where.") package var range = RangeForm()
  package init() {}
}

package struct FixForm: Form {
  @Member("The range to replace.") package var range = RangeForm()
  @Member("The replacement text.") package var replacement = ""
  @Member("Whether `--fix` applies it.") package var safe = false
  package init() {}
}

package struct RangeForm: Form {
  @Member("The file, as on the command line; `-` is standard input.") package var file = ""
  @Member("The first character.") package var start = PositionForm()
  @Member("The position after the last character.") package var end = PositionForm()
  package init() {}

  init(_ range: TextRange) {
    file = range.file
    start = PositionForm(range.start)
    end = PositionForm(range.end)
  }
}

package struct PositionForm: Form {
  @Member("The line, from 1.") package var line = 0
  @Member("The column, from 1, in Unicode scalars.") package var column = 0
  package init() {}

  init(_ position: SourcePosition) {
    line = position.line
    column = position.column
  }
}

package struct RuleForm: Form {
  @Member("The rule's code.") package var code = ""
  @Member("The severity.", as: .words(Diagnostic.Severity.self)) package var severity = ""
  @Member("The subject of the rule.", as: .words(Check.Family.self)) package var family = ""
  @Member("The rule in a sentence.") package var summary = ""
  @Member("Why, in Markdown.") package var explanation = ""
  @Member("A pipeline that breaks it.") package var wrong: String?
  @Member("The same pipeline without the mistake.") package var right: String?
  package init() {}

  init(_ check: Check) {
    code = check.code.rawValue
    severity = check.severity.rawValue
    family = check.family.rawValue
    (summary, explanation) = (check.summary, check.explanation)
    (wrong, right) = (check.wrong, check.right)
  }
}

package struct TestReportForm: Form {
  @Member("Number of cases.") package var cases = 0
  @Member("Number of cases that failed.") package var failed = 0
  @Member("The test files.") package var files: [TestFileForm] = []
  package init() {}

  init(_ files: [TestReport.File]) {
    let results = files.flatMap(\.results)
    cases = results.count
    failed = results.count { !$0.isPassed }
    self.files = files.map { file in
      TestFileForm {
        $0.file = file.name
        $0.results = file.results.map(TestResultForm.init)
      }
    }
  }
}

package struct TestFileForm: Form {
  @Member("The test file, as on the command line.") package var file = ""
  @Member("Its cases.") package var results: [TestResultForm] = []
  package init() {}
}

package struct TestResultForm: Form {
  @Member("The test's name.") package var test = ""
  @Member("The case's name.") package var name = ""
  @Member("The line of the case, from 1.") package var line = 0
  @Member("Whether everything was as expected.") package var passed = false
  @Member("Number of requests.") package var requests = 0
  @Member("Seconds of virtual time.") package var virtual_seconds = 0.0
  @Member("The expectations that were not met.") package var failures: [TestFailureForm] = []
  @Member("The events, one per line; empty if the case passed.")
  package var timeline = ""
  package init() {}

  init(_ result: TestResult) {
    (test, name, line) = (result.test, result.name, result.range.start.line)
    (passed, requests) = (result.isPassed, result.requests)
    virtual_seconds = Double(result.elapsed.milliseconds) / 1000
    failures = result.failures.map { failure in
      TestFailureForm {
        ($0.file, $0.line) = (failure.range.file, failure.range.start.line)
        ($0.column, $0.what) = (failure.range.start.column, failure.what)
        ($0.expected, $0.found) = (failure.expected, failure.found)
      }
    }
    timeline = result.isPassed ? "" : result.timeline
  }
}

package struct TestFailureForm: Form {
  @Member("The file with the expectation.") package var file = ""
  @Member("Its line, from 1.") package var line = 0
  @Member("Its column, from 1.") package var column = 0
  @Member("The value that was compared.") package var what = ""
  @Member("The expected value.") package var expected = ""
  @Member("The actual value.") package var found = ""
  package init() {}
}
