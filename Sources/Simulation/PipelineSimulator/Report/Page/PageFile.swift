/// The style sheets and scripts of pages, which contain them, so that they need no other file.
enum PageFile {
  /// The style of every report of a simulation: light and dark, for screen and print.
  static var style: String { text(PackageResources.page_css) }
  /// The button that switches between light and dark.
  static var script: String { text(PackageResources.page_js) }
  /// The interactive timeline.
  static var timeline: String { text(PackageResources.timeline_js) }
  /// The chart of the timeline, with the names of its parts between braces.
  static var chart: String { text(PackageResources.timeline_html) }
  /// The style of a certificate of crash safety.
  static var certificate: String { text(PackageResources.certificate_css) }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
