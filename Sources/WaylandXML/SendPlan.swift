/// The parameters of a method that sends, and how they become the wire's arguments.
struct SendPlan {
    private(set) var parameters: [String] = []
    /// One for each letter of the signature.
    private(set) var values: [String] = []
    /// Calls that hold a string or an array in place while the message is sent, outermost first.
    private var wrappers: [String] = []
    private let side: Bindgen.Side

    /// Names that a method's body uses: a parameter of the same name gets another one inside.
    private static let used: Set<String> = [
        "create", "createDestroying", "created", "destroy", "isSent", "newObject", "self", "send", "sendDestructor",
        "type", "version", "withServerArray", "withServerString", "withWireArray", "withWireString",
    ]

    init(_ message: ProtocolMessage, of interface: ProtocolInterface, _ emitter: Emitter) {
        side = emitter.options.side
        for argument in message.arguments {
            let label = SwiftName.escaped(argument.name)
            let member = SwiftName.member(argument.name)
            let isTaken = SendPlan.used.contains(member) || member.hasPrefix("wire")
            let local = isTaken ? member + "_" : label
            let enumeration = emitter.enumType(argument, of: interface)
            let type: String
            switch argument.kind {
            case .int:
                type = enumeration ?? "Int32"
                values.append(enumeration == nil ? ".int(\(local))" : ".int(Int32(bitPattern: \(local).rawValue))")
            case .uint:
                type = enumeration ?? "UInt32"
                values.append(enumeration == nil ? ".uint(\(local))" : ".uint(\(local).rawValue)")
            case .fixed:
                type = "Double"
                values.append(".fixed(\(local))")
            case .string:
                type = argument.mayBeNull ? "String?" : "String"
                hold("String", local)
            case .array:
                type = "[UInt8]"
                hold("Array", local)
            case .fd:
                type = "Int32"
                values.append(".fd(\(local))")
            case .object:
                type = emitter.objectType(argument.interface) + (argument.mayBeNull ? "?" : "")
                values.append(argument.mayBeNull ? ".optionalObject(\(local))" : ".object(\(local))")
            case .newID:
                if argument.interface == nil {
                    parameters += ["_ type: T.Type", "version: UInt32"]
                    hold("String", "T.interface.name")
                    values.append(".uint(version)")
                }
                values.append(side == .client ? ".newID" : ".newID(created)")
                continue
            }
            parameters.append(isTaken ? "\(label) \(local): \(type)" : "\(label): \(type)")
        }
    }

    private mutating func hold(_ what: String, _ value: String) {
        let name = "wire\(wrappers.count)"
        wrappers.append("with\(side == .client ? "Wire" : "Server")\(what)(\(value)) { \(name) in")
        values.append(name)
    }

    /// `function(first, [values])` within the calls that hold what it needs, as lines. `prefix` goes before all.
    func write(_ function: String, _ first: String, prefix: String = "", to writer: SourceWriter) {
        let head = "\(function)(\(first)" + (values.isEmpty ? "" : ", [")
        let tail = values.isEmpty ? ")" : "])"
        guard let outermost = wrappers.first else { return writer.list(prefix + head, values, tail) }
        writer.line(prefix + outermost)
        for (depth, wrapper) in wrappers.enumerated().dropFirst() {
            writer.indented(by: depth) { writer.line(wrapper) }
        }
        writer.indented(by: wrappers.count) { writer.list(head, values, tail) }
        for depth in wrappers.indices.reversed() { writer.indented(by: depth) { writer.line("}") } }
    }
}
