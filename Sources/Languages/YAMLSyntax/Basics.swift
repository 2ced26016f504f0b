// Every file of the module sees these imports.
@_exported import Basics
