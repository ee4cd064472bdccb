/// A module that generated files import besides the runtime's.
package struct ImportedModule: Sendable {
    package let name: String
    /// What it was generated from, as far as that is known: its names need no guessing then.
    package var known: [Known] = []

    package struct Known: Sendable {
        package let side: Bindgen.Side
        package let file: ProtocolFile
    }

    package init(_ name: String) { self.name = name }

    package func interface(_ name: String) -> ProtocolInterface? {
        known.lazy.compactMap { $0.file.interfaces.first { $0.name == name } }.first
    }

    /// Whether it is known to have an interface's class of that side.
    func has(_ interface: String, _ side: Bindgen.Side) -> Bool {
        known.contains { $0.side == side && $0.file.interfaces.contains { $0.name == interface } }
    }
}
