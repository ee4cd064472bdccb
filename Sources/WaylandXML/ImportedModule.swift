/// A module that generated files import besides the runtime's.
package struct ImportedModule: Sendable {
    package let name: String
    /// Of what it was generated from, as far as that is known: its names need no guessing then.
    private var interfaces: [String: ProtocolInterface] = [:]
    private var classes: [Bindgen.Side: Set<String>] = [:]

    package init(_ name: String) { self.name = name }

    /// False when nothing is known of it but its name.
    package var isKnown: Bool { !interfaces.isEmpty }

    /// Says that it was generated from `file` for `side`.
    package mutating func add(_ file: ProtocolFile, _ side: Bindgen.Side) {
        for interface in file.interfaces {
            interfaces[interface.name] = interface
            classes[side, default: []].insert(interface.name)
        }
    }

    package func interface(_ name: String) -> ProtocolInterface? { interfaces[name] }

    /// Whether it is known to have an interface's class of that side.
    func has(_ interface: String, _ side: Bindgen.Side) -> Bool { classes[side]?.contains(interface) ?? false }
}
