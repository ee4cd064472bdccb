// WaylandServer
