/// The version of the program and of the libraries.
public enum Version {
  /// The version that `pipeline --version` prints and that stores record.
  public static let current = "0.1.0"
}
