#if YAML
    internal import CYaml

    /// One line of a YAML file, as libyaml reads it by itself.
    ///
    /// A recording is read line by line: libyaml ends at its first error, and a recording that is cut or has one bad
    /// byte must not; nor does it take a file in pieces without waiting for the next one.
    struct YAMLLine {
        enum Value: Equatable {
            /// Nothing, or what the lines below it have.
            case none
            case scalar(String)
            /// The scalars of a list in one line, however deep they stand in it.
            case list([String])
        }

        /// Of a line; the kernel's most keys make up 767.
        private static let mostScalars = 4096
        private static let deepest = 8

        /// Columns before its first character that is no dash.
        private(set) var indent = 0
        /// It begins an entry of a list.
        private(set) var isEntry = false
        private(set) var key: String?
        private(set) var value = Value.none

        /// Nil for a line that is no YAML by itself.
        init?(_ line: LineCursor) {
            var line = line
            let start = line.position
            line.skipBlanks()
            indent = line.position - start
            let isRead = unsafe line.withRest { bytes -> Bool in
                var parser = unsafe yaml_parser_t()
                guard unsafe yaml_parser_initialize(&parser) == 1 else { return false }
                defer { unsafe yaml_parser_delete(&parser) }
                // SAFETY: the line's bytes outlive the parser, which is deleted before this returns.
                unsafe yaml_parser_set_input_string(
                    &parser, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                return unsafe self.read(&parser)
            }
            guard isRead else { return nil }
        }

        private mutating func read(_ parser: inout yaml_parser_t) -> Bool {
            var depth = 0
            var isKey = false
            var scalars: [String] = []
            var listDepth: Int?
            while true {
                var event = unsafe yaml_event_t()
                guard unsafe yaml_parser_parse(&parser, &event) == 1 else { return false }
                defer { unsafe yaml_event_delete(&event) }
                switch unsafe event.type {
                case YAML_STREAM_END_EVENT:
                    // A key alone has an empty scalar.
                    if listDepth == nil, let scalar = scalars.first, !scalar.isEmpty { value = .scalar(scalar) }
                    return true
                case YAML_SEQUENCE_START_EVENT:
                    depth += 1
                    guard depth <= YAMLLine.deepest else { return false }
                    if unsafe event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE {
                        listDepth = min(listDepth ?? depth, depth)
                    } else {
                        isEntry = true
                    }
                case YAML_MAPPING_START_EVENT:
                    depth += 1
                    guard depth <= YAMLLine.deepest else { return false }
                    // Of a mapping in braces, as libinput's own events are, nothing is wanted.
                    if listDepth == nil, unsafe event.data.mapping_start.style != YAML_FLOW_MAPPING_STYLE {
                        isKey = true
                    }
                case YAML_SEQUENCE_END_EVENT:
                    if listDepth == depth { value = .list(scalars) }
                    depth -= 1
                case YAML_MAPPING_END_EVENT: depth -= 1
                case YAML_SCALAR_EVENT:
                    let text = unsafe YAMLLine.text(event)
                    if isKey {
                        key = text
                        isKey = false
                    } else {
                        guard scalars.count < YAMLLine.mostScalars else { return false }
                        scalars.append(text)
                    }
                default: break
                }
            }
        }

        private static func text(_ event: yaml_event_t) -> String {
            // SAFETY: the event owns `length` bytes until it is deleted.
            unsafe String(
                decoding: UnsafeBufferPointer(start: event.data.scalar.value, count: Int(event.data.scalar.length)),
                as: UTF8.self)
        }
    }
#endif
