/// Values that options set. The command line, configuration files and `ctl` all set them here and nowhere else.
///
/// A group of its own for each concern, so that every command that draws takes the same look, and every command that
/// recognises the same gestures; a command's settings are a group made of those.
package protocol OptionGroup: Equatable, Sendable {
    /// The defaults.
    init()

    /// In the order of the help.
    static var specs: [OptionSpec] { get }

    /// Takes the option on if it is one of this group's, else returns false. Throws a usage failure that names the
    /// option and what it takes; then nothing has changed.
    mutating func set(_ option: ParsedOption) throws(Failure) -> Bool

    /// The value that the option of this name has now, as ``set(_:)`` reads it; nil when it is not this group's.
    func text(of name: String) -> String?
}

/// One option of a group: what it is called, how it is read and how it is written.
package struct OptionEntry<Group>: Sendable {
    package let spec: OptionSpec
    /// The value's text.
    let text: @Sendable (Group) -> String
    let set: @Sendable (inout Group, ParsedOption) throws(Failure) -> Void

    /// - Parameter help: without the default, which is told behind it.
    package init<Value>(
        _ name: String, short: Character? = nil, _ kind: OptionKind<Value>, _ help: String,
        get: @escaping @Sendable (Group) -> Value, put: @escaping @Sendable (inout Group, Value) -> Void
    ) {
        spec = OptionSpec(name, short: short, kind.syntax, help)
        text = { kind.write(get($0)) }
        set = { (group, option) throws(Failure) in put(&group, try kind.read(option)) }
    }
}

/// A group whose options stand in one table.
package protocol OptionTable: OptionGroup {
    static var entries: [OptionEntry<Self>] { get }
}

extension OptionTable {
    package static var specs: [OptionSpec] { entries.map { $0.spec } }

    package mutating func set(_ option: ParsedOption) throws(Failure) -> Bool {
        guard let entry = Self.entries.first(where: { $0.spec.name == option.name }) else { return false }
        try entry.set(&self, option)
        return true
    }

    package func text(of name: String) -> String? {
        Self.entries.first { $0.spec.name == name }?.text(self)
    }
}

extension OptionGroup {
    /// The defaults, changed by `options` in their order. Options of other groups are passed over.
    package init(_ options: [ParsedOption]) throws(Failure) {
        self.init()
        for option in options { _ = try set(option) }
    }
}
