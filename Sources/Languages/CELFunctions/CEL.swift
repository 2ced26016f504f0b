// Every file of the module sees what is imported here.
@_exported import Basics
@_exported import CEL
