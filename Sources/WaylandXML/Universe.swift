/// The files that are read together, with what they say of each other resolved and checked.
package struct Universe: Sendable {
    package let files: [ProtocolFile]
    /// True when what no file defines is taken to come from an imported module.
    package let hasExterns: Bool
    private let places: [String: Place]

    package struct Place: Equatable, Sendable {
        package let file: Int
        package let index: Int
    }

    package init(_ files: [ProtocolFile], hasExterns: Bool) {
        self.files = files
        self.hasExterns = hasExterns
        var places: [String: Place] = [:]
        for (number, file) in files.enumerated() {
            for (index, interface) in file.interfaces.enumerated() where places[interface.name] == nil {
                places[interface.name] = Place(file: number, index: index)
            }
        }
        self.places = places
    }

    package func place(of interface: String) -> Place? { places[interface] }

    package func interface(_ name: String) -> ProtocolInterface? {
        places[name].map { files[$0.file].interfaces[$0.index] }
    }

    /// What an argument of a message of `interface` means by its enum: the interface that has it, and its name there.
    package func enumeration(
        _ reference: ProtocolArgument.Reference, from interface: ProtocolInterface
    ) -> (interface: String, name: String) {
        let parts = reference.name.split(separator: ".").map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (interface.name, parts[0])
    }

    // MARK: Checks

    /// What is wrong between the files and between their interfaces; empty when all is well.
    package func check() -> [Diagnostic] {
        var diagnostics = twins()
        for (number, file) in files.enumerated() {
            for interface in file.interfaces {
                for message in interface.requests + interface.events {
                    for argument in message.arguments {
                        if let problem = unresolved(argument, of: interface) {
                            diagnostics.append(file.source.error(problem.offset, problem.text))
                        }
                    }
                }
            }
            if let circle = circle(from: number) { diagnostics.append(circle) }
        }
        return diagnostics
    }

    private func unresolved(
        _ argument: ProtocolArgument, of interface: ProtocolInterface
    ) -> (offset: Int, text: String)? {
        if let reference = argument.interface, places[reference.name] == nil, !hasExterns {
            return (reference.offset, "no interface '\(reference.name)' in the files given")
        }
        guard let reference = argument.enumeration else { return nil }
        let (owner, name) = enumeration(reference, from: interface)
        guard let defined = self.interface(owner) else {
            return hasExterns ? nil : (reference.offset, "no interface '\(owner)' in the files given")
        }
        guard let found = defined.enums.first(where: { $0.name == name }) else {
            return (reference.offset, "interface '\(owner)' has no enum '\(name)'")
        }
        if found.isBitfield, argument.kind != .uint {
            return (reference.offset, "'\(owner).\(name)' is a bitfield, which only a uint can carry")
        }
        return nil
    }

    /// Names that two files or two interfaces would share in Swift.
    private func twins() -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var outputs: [String: String] = [:]
        var types: [String: String] = [:]
        for (number, file) in files.enumerated() {
            let output = SwiftName.file(file.source.baseName)
            if let other = outputs[output] {
                diagnostics.append(file.source.error(0, "this file and \(other) would both become \(output).swift"))
            }
            outputs[output] = file.source.path
            for (index, interface) in file.interfaces.enumerated() {
                let type = SwiftName.type(interface.name)
                if places[interface.name] != Place(file: number, index: index) {
                    // Within one file the parser has said so already.
                    if let first = places[interface.name], first.file != number {
                        let path = files[first.file].source.path
                        diagnostics.append(
                            file.source.error(interface.offset, "interface '\(interface.name)' is in \(path) too"))
                    }
                } else if let other = types[type] {
                    diagnostics.append(
                        file.source.error(
                            interface.offset, "interfaces '\(other)' and '\(interface.name)' are both \(type) in Swift")
                    )
                }
                types[type] = interface.name
            }
        }
        for file in files {
            for interface in file.interfaces {
                for enumeration in interface.enums {
                    let type = SwiftName.enumeration(enumeration.name)
                    guard let other = types[type] else { continue }
                    diagnostics.append(
                        file.source.error(
                            enumeration.offset,
                            "enum '\(interface.name).\(enumeration.name)' would hide the interface '\(other)' in Swift")
                    )
                }
            }
        }
        return diagnostics
    }

    /// Tables are made when first used, and those of another file before: files must not need each other in a circle.
    private func circle(from start: Int) -> Diagnostic? {
        // Reported once, at the file of the circle that comes first.
        var path: [Int] = []
        var dead: Set<Int> = []
        func search(_ number: Int) -> ProtocolArgument.Reference? {
            path.append(number)
            for (other, reference) in references(of: number) where other >= start {
                if other == start { return reference }
                if !path.contains(other), !dead.contains(other), let found = search(other) {
                    return number == start ? reference : found
                }
            }
            path.removeLast()
            dead.insert(number)
            return nil
        }
        guard let reference = search(start) else { return nil }
        let names = (path + [start]).map { files[$0].source.path }.joined(separator: " -> ")
        return files[start].source.error(reference.offset, "files need each other in a circle: \(names)")
    }

    /// The other files that a file's tables point into, each with the first place that does.
    private func references(of number: Int) -> [(file: Int, reference: ProtocolArgument.Reference)] {
        var found: [(file: Int, reference: ProtocolArgument.Reference)] = []
        for interface in files[number].interfaces {
            for message in interface.requests + interface.events {
                for argument in message.arguments {
                    guard let reference = argument.interface, let place = places[reference.name], place.file != number,
                        !found.contains(where: { $0.file == place.file })
                    else { continue }
                    found.append((place.file, reference))
                }
            }
        }
        return found
    }
}
