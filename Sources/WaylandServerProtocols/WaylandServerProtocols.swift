// The server's classes, one generated file for each XML in protocols/: `WlSurfaceResource` for `wl_surface` and so on.
// Their enums and interface tables are the client's, in WaylandProtocols. Only this file is written by hand, and only
// because the package manager wants one in every target.
