import Foundation

/// A source file as the compiler's index describes it.
struct IndexedFile {
  /// Path from the package's root.
  let path: String
  /// The symbols that it declares, by the names that the compiler makes for them.
  var declared: Set<String> = []
  /// The symbols that it uses.
  var used: [(symbol: String, name: String, line: Int)] = []
}

/// Reads the index that the compiler writes with each debug build.
///
/// The toolchain's `libIndexStore` has C functions, which are called as its header `indexstore.h` declares them.
struct CompilerIndex {
  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
      description = "\(problem): run `swift build --build-tests`, and then the tests again"
    }
  }

  /// Texts of the library have the layout of `iovec`: an address, and a number of bytes.
  private typealias GetText = @convention(c) (OpaquePointer) -> iovec
  private typealias Open =
    @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> OpaquePointer?
  private typealias Visit = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Bool

  private static let build = PackageFolder.root.appending(path: ".build/debug")
    .resolvingSymlinksInPath()
  private static let folder = build.appending(path: "index/store")
  private static let units = folder.appending(path: "v5/units")
  private let library: UnsafeMutableRawPointer
  private let store: OpaquePointer

  init() throws {
    // In the toolchain whose standard library this process uses, `lib/swift/linux/libswiftCore.so`.
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
    let core = String(decoding: maps ?? Data(), as: UTF8.self).split { $0 == "\n" || $0 == " " }
      .first { $0.hasSuffix("/libswiftCore.so") }
    let path = URL(filePath: String(core ?? "")).appending(path: "../../../libIndexStore.so")
      .standardized.path
    guard let library = dlopen(path, RTLD_NOW) else { throw Problem("cannot load '\(path)'") }
    typealias Create =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> OpaquePointer?
    let create = unsafeBitCast(dlsym(library, "indexstore_store_create"), to: Create.self)
    guard let store = create(Self.folder.path, nil)
    else { throw Problem("there is no index in '\(Self.folder.path)'") }
    (self.library, self.store) = (library, store)
  }

  /// The file at a path from the package's root, which belongs to a target.
  func file(_ path: String, of target: String) throws -> IndexedFile {
    let source = PackageFolder.root.appending(path: path)
    let unit = unit(ofOutput: "\(target).build/\(source.lastPathComponent).o")
    let dates = try? (source: Self.date(source), unit: Self.date(Self.units.appending(path: unit)))
    guard let dates, dates.source <= dates.unit,
      let reader = function("unit_reader_create", as: Open.self)(store, unit, nil),
      text("unit_reader_get_main_file", of: reader) == source.path
    else { throw Problem("the index of '\(path)' is missing, or older than the file") }
    var records: [String] = []
    each("unit_reader_dependencies_apply_f", of: reader) { dependency in
      typealias Kind = @convention(c) (OpaquePointer) -> CInt
      let isRecord = function("unit_dependency_get_kind", as: Kind.self)(dependency) == 2
      if isRecord { records.append(text("unit_dependency_get_name", of: dependency)) }
    }
    var file = IndexedFile(path: path)
    for name in records {
      guard let record = function("record_reader_create", as: Open.self)(store, name, nil)
      else { throw Problem("the index of '\(path)' is incomplete") }
      each("record_reader_occurrences_apply_f", of: record) { add($0, to: &file) }
    }
    return file
  }

  private func add(_ occurrence: OpaquePointer, to file: inout IndexedFile) {
    typealias GetSymbol = @convention(c) (OpaquePointer) -> OpaquePointer
    typealias GetRoles = @convention(c) (OpaquePointer) -> UInt64
    typealias Number = UnsafeMutablePointer<CUnsignedInt>
    typealias GetPlace = @convention(c) (OpaquePointer, Number, Number) -> Void
    let symbol = function("occurrence_get_symbol", as: GetSymbol.self)(occurrence)
    let name = text("symbol_get_usr", of: symbol)
    let roles = function("occurrence_get_roles", as: GetRoles.self)(occurrence)
    if roles & (Self.declaration | Self.definition) != 0 { file.declared.insert(name) }
    guard roles & (Self.reference | Self.implicit) == Self.reference else { return }
    var (line, column): (CUnsignedInt, CUnsignedInt) = (0, 0)
    function("occurrence_get_line_col", as: GetPlace.self)(occurrence, &line, &column)
    file.used.append((name, text("symbol_get_name", of: symbol), Int(line)))
  }

  private static let declaration: UInt64 = 1 << 0
  private static let definition: UInt64 = 1 << 1
  private static let reference: UInt64 = 1 << 2
  /// For example the getter of a property, in addition to the property.
  private static let implicit: UInt64 = 1 << 8

  /// The name of the unit, which is what the index has of one compilation of a file.
  private func unit(ofOutput output: String) -> String {
    typealias GetName =
      @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
    let get = function("store_get_unit_name_from_output_path", as: GetName.self)
    var name = [CChar](repeating: 0, count: 1024)
    _ = get(store, Self.build.appending(path: output).path, &name, name.count)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  private func function<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafeBitCast(dlsym(library, "indexstore_" + name), to: type)
  }

  private func text(_ name: String, of object: OpaquePointer) -> String {
    let text = function(name, as: GetText.self)(object)
    let bytes = UnsafeRawBufferPointer(start: text.iov_base, count: text.iov_len)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls `visit` with each part of an object.
  private func each(_ name: String, of object: OpaquePointer, _ visit: (OpaquePointer) -> Void) {
    typealias Apply = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, Visit) -> Bool
    withoutActuallyEscaping(visit) { visit in
      withUnsafePointer(to: visit) { pointer in
        _ = function(name, as: Apply.self)(object, UnsafeMutableRawPointer(mutating: pointer)) {
          let visit = $0?.assumingMemoryBound(to: ((OpaquePointer) -> Void).self).pointee
          if let part = $1 { visit?(part) }
          return true
        }
      }
    }
  }

  private static func date(_ file: URL) throws -> Date {
    try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
      ?? .distantPast
  }
}
