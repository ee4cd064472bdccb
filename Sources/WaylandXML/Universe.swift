/// The files that are read together, with what they say of each other resolved and checked.
package struct Universe: Sendable {
    package let files: [ProtocolFile]
    package let imports: [ImportedModule]
    /// True when what nothing here defines is taken to come from an imported module all the same.
    package let hasExterns: Bool
    private let places: [String: Place]

    package struct Place: Equatable, Sendable {
        package let file: Int
        package let index: Int
    }

    package init(_ files: [ProtocolFile], imports: [ImportedModule] = [], hasExterns: Bool = false) {
        self.files = files
        self.imports = imports
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

    /// The interface, of the files or of an imported module.
    package func interface(_ name: String) -> ProtocolInterface? {
        if let place = places[name] { return files[place.file].interfaces[place.index] }
        return imports.lazy.compactMap { $0.interface(name) }.first
    }

    /// What an argument of a message of `interface` means by its enum: the interface that has it, and its name there.
    package func enumeration(
        _ reference: ProtocolArgument.Reference, from interface: ProtocolInterface
    ) -> (interface: String, name: String) {
        let parts = reference.name.split(separator: ".").map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (interface.name, parts[0])
    }

    // MARK: Checks

    /// Something wrong in one of the files.
    private struct Problem {
        var file: Int
        var offset: Int
        var text: String
    }

    /// What is wrong between the files and between their interfaces; empty when all is well.
    package func check() -> [Diagnostic] {
        var problems = fileTwins() + interfaceTwins() + hiddenInterfaces()
        for (number, file) in files.enumerated() {
            for interface in file.interfaces {
                for argument in (interface.requests + interface.events).flatMap(\.arguments) {
                    guard let (offset, text) = unresolved(argument, of: interface) else { continue }
                    problems.append(Problem(file: number, offset: offset, text: text))
                }
            }
            if let circle = circle(from: number) { problems.append(circle) }
        }
        return problems.prefix(ProtocolParser.mostDiagnostics).map { problem in
            files[problem.file].source.error(problem.offset, problem.text)
        }
    }

    private func unresolved(
        _ argument: ProtocolArgument, of interface: ProtocolInterface
    ) -> (offset: Int, text: String)? {
        if let reference = argument.interface, self.interface(reference.name) == nil, !hasExterns {
            return (reference.offset, "no interface '\(reference.name)' in the files given")
        }
        guard let reference = argument.enumeration else { return nil }
        let (owner, name) = enumeration(reference, from: interface)
        guard let defined = self.interface(owner) else {
            return hasExterns ? nil : (reference.offset, "no interface '\(owner)' in the files given")
        }
        guard let found = defined.enumeration(name) else {
            return (reference.offset, "interface '\(owner)' has no enum '\(name)'")
        }
        if found.isBitfield, argument.kind != .uint {
            return (reference.offset, "'\(owner).\(name)' is a bitfield, which only a uint can carry")
        }
        return nil
    }

    // MARK: Names that would be one in Swift

    private func fileTwins() -> [Problem] {
        var outputs: [String: String] = [:]
        return files.enumerated().compactMap { number, file in
            let output = SwiftName.file(file.source.baseName)
            let other = outputs.updateValue(file.source.path, forKey: output)
            return other.map { other in
                Problem(
                    file: number, offset: 0, text: "this file and \(other) would both become \(output).swift")
            }
        }
    }

    private func interfaceTwins() -> [Problem] {
        var problems: [Problem] = []
        var types: [String: String] = [:]
        for (number, file) in files.enumerated() {
            for (index, interface) in file.interfaces.enumerated() {
                let type = SwiftName.type(interface.name)
                let place = places[interface.name]
                if let place, place.file != number {
                    let text = "interface '\(interface.name)' is in \(files[place.file].source.path) too"
                    problems.append(Problem(file: number, offset: interface.offset, text: text))
                } else if place?.index == index, let other = types[type] {
                    let text = "interfaces '\(other)' and '\(interface.name)' are both \(type) in Swift"
                    problems.append(Problem(file: number, offset: interface.offset, text: text))
                }
                types[type] = interface.name
            }
        }
        return problems
    }

    private func hiddenInterfaces() -> [Problem] {
        let types = Dictionary(places.keys.map { (SwiftName.type($0), $0) }) { min($0, $1) }
        return files.enumerated().flatMap { number, file in
            file.interfaces.flatMap { interface in
                interface.enums.compactMap { enumeration in
                    types[SwiftName.enumeration(enumeration.name)].map { other in
                        let text =
                            "enum '\(interface.name).\(enumeration.name)' would hide the interface '\(other)' in Swift"
                        return Problem(file: number, offset: enumeration.offset, text: text)
                    }
                }
            }
        }
    }

    // MARK: Circles

    /// Tables are made when first used, and those of another file before: files must not need each other in a circle.
    private func circle(from start: Int) -> Problem? {
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
        return Problem(file: start, offset: reference.offset, text: "files need each other in a circle: \(names)")
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
