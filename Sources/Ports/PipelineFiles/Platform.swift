// Every file of the module sees what is imported here: the platform, which only this file names, and the engine whose ports it implements.
@_exported import PipelineCore
@_exported import PipelineEngine

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
