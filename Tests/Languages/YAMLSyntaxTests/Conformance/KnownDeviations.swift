/// Where libyaml 0.2.5 does not follow YAML 1.2, by the suite's case id, each with the reason.
///
/// The layers above cannot mend these: libyaml implements YAML 1.1.
enum KnownDeviations {
  private static let tabs = "refuses a tab as separation where YAML 1.2 allows it"
  private static let emptyKey = "does not know an empty key without '?'"
  private static let indicator = "ends a plain scalar in a flow collection at ':' or '?'"
  private static let directive = "refuses a directive that YAML 1.2 says to ignore with a warning"
  private static let anchor = "allows only ASCII letters, digits, '-' and '_' in an anchor's name"
  private static let bare = "wants '---' before a document that follows another"
  private static let adjacent = "wants ':' on the line of its key, or next to it, in a flow mapping"
  private static let footer = "wants no '...' where no document is open"
  private static let comment = "does not ask for a space before '#'"

  /// Valid texts that it refuses.
  static let rejected: [String: String] = [
    "2JQS": emptyKey, "CFD4": emptyKey, "FRK4": emptyKey, "NHX8": emptyKey, "NKF9": emptyKey,
    "S3PD": emptyKey, "SM9W-01": emptyKey, "UKK6-00": emptyKey,
    "2LFX": directive, "MUS6-05": directive, "MUS6-06": directive, "ZYU8-00": directive,
    "ZYU8-01": directive, "ZYU8-02": directive, "ZYU8-03": directive,
    "W4TN": "reads '%' at the beginning of a block text's line as a directive",
    "2SXE": anchor, "8XYN": anchor, "W5VH": anchor,
    "4MUZ-00": adjacent, "4MUZ-01": adjacent, "9SA2": adjacent, "K3WX": adjacent,
    "6BCT": tabs, "6CA3": tabs, "96NN-00": tabs, "96NN-01": tabs, "A2M4": tabs, "DK95-00": tabs,
    "DK95-03": tabs, "DK95-04": tabs, "Q5MG": tabs, "R4YG": tabs, "Y79Y-01": tabs,
    "Y79Y-10": tabs,
    "7Z25": bare, "M7A3": bare,
    "FP8R": "ends a block text at the document's own level when it is not indented",
    "DBG4": indicator, "HM87-00": indicator,
    "HWV9": footer, "QT73": footer,
  ]

  /// Valid texts that it reads otherwise.
  static let misread: [String: String] = [
    "HM87-01": "takes '?' in a flow sequence for a key indicator without a space after it",
    "JEF9-02": "drops a last line of spaces without a line break from a kept block text",
    "L24T-01": "gives no line break to a last line of spaces in a block text",
    "Y2GN": anchor,
  ]

  /// Texts that are not YAML and that it accepts.
  static let accepted: [String: String] = [
    "9HCY": "takes a directive after a document without '...'",
    "RHX7": "takes a directive after a document without '...'",
    "9JBA": comment, "CVW2": comment, "SU5Z": comment, "MUS6-00": comment,
    "QB6E": "does not ask for the indentation of the lines of a quoted scalar",
    "YJV2": "takes '-' in a flow sequence for a plain scalar",
  ]
}
