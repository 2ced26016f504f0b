// Every file of the module sees these imports.
@_exported import Basics
@_exported import CEL
@_exported import PipelineCore
@_exported import PipelineEngine

#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
