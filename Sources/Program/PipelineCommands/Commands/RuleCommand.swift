struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "rule", "Explain a rule of `validate`, or list all rules.",
    status: ExitStatus.help([
      (.done, "the page or the list was printed"), (.invalid, "no rule has that code"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @Argument(
    help: "The code in brackets after `error` or `warning`.",
    completion: .list(DiagnosticCode.allCases.map(\.rawValue))) var code: String?

  @Flag(help: "List every rule with its severity and a one-line summary.") var all = false
  @OptionGroup var form: FormatOptions

  func validate() throws {
    guard (code == nil) == all else { throw ValidationError("Expected a code or --all.") }
  }

  func run() throws {
    guard let code else {
      return Terminal.write(
        form.format == .json ? EncodedJSON.lines(Check.all.map(RuleForm.init)) : Self.list, to: 1)
    }
    guard let known = DiagnosticCode(rawValue: code), let check = Check.page(for: known),
      let page = CheckPage.markdown(known)
    else {
      let nearest = DiagnosticCode.nearest(to: code).map { "; did you mean '\($0.rawValue)'?" }
      throw CommandFailure.invalid(
        "no rule has the code '\(code)'\(nearest ?? ""); `pipeline rule --all` lists them")
    }
    Terminal.write(form.format == .json ? EncodedJSON.lines([RuleForm(check)]) : page, to: 1)
  }

  private static var list: String {
    let width = Check.all.map(\.code.rawValue.count).max() ?? 0
    return Check.all.map { check in
      let code = check.code.rawValue
      let gap = String(repeating: " ", count: width - code.count + 2)
      let severity = check.severity == .error ? "error    " : "warning  "
      return "\(code)\(gap)\(severity)\(check.summary)\n"
    }.joined()
  }
}
