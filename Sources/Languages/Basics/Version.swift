/// The version of the program and of the libraries.
public enum Version {
  /// What `pipeline --version` prints and what stores record.
  public static let current = "0.1.0"
}
