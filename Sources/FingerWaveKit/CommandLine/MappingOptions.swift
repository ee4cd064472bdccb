/// Where touchscreens lie, as somebody says it.
package struct MappingOptions: OptionTable {
    package var map: [OutputMapping.Rule] = []

    package init() {}

    package static let topic: HelpTopic? = .overlay

    package static let entries: [OptionEntry<MappingOptions>] = [
        OptionEntry(
            "map", .map, "the output of a device, such as event3=DSI-1",
            get: { $0.map }, put: { $0.map = $1 })
    ]
}

extension OptionKind<[OutputMapping.Rule]> {
    static var map: OptionKind {
        OptionKind(
            .list("DEVICE=OUTPUT"),
            read: { (option) throws(Failure) -> [OutputMapping.Rule] in
                var rules: [OutputMapping.Rule] = []
                for item in option.value.utf8.split(separator: UInt8(ascii: ",")) {
                    // A device's name may have the sign in it, an output's has none.
                    let bytes = Array(item)
                    guard let sign = bytes.lastIndex(of: UInt8(ascii: "=")), sign > 0, sign + 1 < bytes.count else {
                        throw .badValue(option, "DEVICE=OUTPUT, such as event3=DSI-1")
                    }
                    let rule = OutputMapping.Rule(
                        device: String(decoding: bytes[..<sign], as: UTF8.self),
                        output: String(decoding: bytes[(sign + 1)...], as: UTF8.self))
                    if let other = rules.first(where: { $0.device == rule.device && $0.output != rule.output }) {
                        throw .usage(
                            "\(option.spelling) cannot be \"\(option.value)\"",
                            why: "\(rule.device) would lie on \(other.output) and on \(rule.output)",
                            remedy: "name it once")
                    }
                    rules.append(rule)
                }
                return rules
            },
            write: { $0.map { "\($0.device)=\($0.output)" }.joined(separator: ",") })
    }
}
