// Every file of the module sees these imports: the platform, and the engine whose ports it implements.
@_exported import Basics
@_exported import PipelineCore
@_exported import PipelineEngine
@_exported import Platform
