// Every file of the module sees these imports: the platform, and what most files use.
@_exported import Basics
@_exported import CEL
@_exported import HTTPTypes
@_exported import HummingbirdCore
@_exported import NIOCore
@_exported import Platform
@_exported import Synchronization
