// Every file of the module sees what is imported here: the platform, which only this file names, and what most files use.
@_exported import Basics
@_exported import HTTPTypes
@_exported import HummingbirdCore
@_exported import NIOCore

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
