// WaylandXML
