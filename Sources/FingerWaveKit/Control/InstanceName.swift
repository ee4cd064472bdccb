/// What tells running instances apart, and where each of them is found.
enum InstanceName {
    /// Letters, digits, `-`, `_` and `.`, not first; short enough for a socket's path.
    static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...40).contains(bytes.count), bytes[0] != UInt8(ascii: "."), bytes[0] != UInt8(ascii: "-") else {
            return false
        }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    private static let prefix = "fingerwave-"
    private static let suffix = ".socket"

    static func socketPath(_ name: String, in folder: String) -> String { "\(folder)/\(prefix)\(name)\(suffix)" }

    static func lockPath(_ name: String, in folder: String) -> String { "\(folder)/\(prefix)\(name).lock" }

    /// The name in a socket's file name; nil when it is none of ours.
    static func name(ofFile file: String) -> String? {
        guard file.utf8.starts(with: prefix.utf8), file.utf8.count > prefix.utf8.count + suffix.utf8.count else {
            return nil
        }
        let rest = file.utf8.dropFirst(prefix.utf8.count)
        guard rest.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
        let name = String(Substring(rest.dropLast(suffix.utf8.count)))
        return isValid(name) ? name : nil
    }
}

extension OptionKind<String> {
    /// An instance's name.
    static var instanceName: OptionKind {
        OptionKind(
            .required("NAME"),
            read: { (option) throws(Failure) -> String in
                guard InstanceName.isValid(option.value) else {
                    throw .badValue(option, "up to 40 letters, digits, - _ and ., the first a letter, digit or _")
                }
                return option.value
            },
            write: { $0 })
    }
}
