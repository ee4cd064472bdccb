// All of this module is generated from bindings.list; the package manager wants one file to begin with.
