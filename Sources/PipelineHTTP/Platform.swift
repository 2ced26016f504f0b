// Every file of the module sees what is imported here, so that only this file names a platform.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif
