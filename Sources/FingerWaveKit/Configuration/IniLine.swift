#if INIH
    internal import CInih

    /// One line of an ini file, as libinih reads it.
    ///
    /// libinih is given each line by itself: it says of a whole file only where its first error is, and its handler is not
    /// told the line.
    enum IniLine: Equatable {
        /// Blank, or a comment.
        case nothing
        case section(String)
        case entry(key: String, value: String)
        /// A section without its `]`, or a key without a value or a value without a key.
        case broken
        /// Longer than libinih's buffer; it would read the beginning alone.
        case tooLong(limit: Int)

        private struct Feed {
            /// Each with its end of line and the terminating 0.
            var lines: [[CChar]]
            var isTooLong = false
            var limit = 0
            var found: (section: String, name: String, value: String)?

            /// fgets's contract.
            mutating func next(into buffer: UnsafeMutablePointer<CChar>, size: Int) -> Bool {
                guard !lines.isEmpty, size > 0 else { return false }
                let line = lines.removeFirst()
                limit = size - 3
                if line.count > size {
                    isTooLong = true
                    return false
                }
                // SAFETY: libinih's buffer holds `size` bytes, and the line is no longer.
                unsafe line.withUnsafeBufferPointer { unsafe buffer.update(from: $0.baseAddress!, count: $0.count) }
                return true
            }
        }

        /// - Parameter bytes: without the end of line, without a 0.
        init(_ bytes: ArraySlice<UInt8>) {
            // Without its indentation: libinih takes an indented line for more of the value before it.
            let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
            // A comment may be as long as it likes.
            if text.first == UInt8(ascii: ";") || text.first == UInt8(ascii: "#") {
                self = .nothing
                return
            }
            let isSection = text.first == UInt8(ascii: "[")
            var feed = Feed(lines: [text.map { CChar(bitPattern: $0) } + [0x0A, 0]])
            // libinih tells of a section with the first key in it.
            if isSection { feed.lines.append("key = value\n".utf8.map { CChar(bitPattern: $0) } + [0]) }
            let status = IniLine.parse(&feed)
            if feed.isTooLong {
                self = .tooLong(limit: feed.limit)
            } else if status != 0 {
                self = .broken
            } else if isSection {
                self = feed.found.map { .section($0.section) } ?? .broken
            } else {
                self = feed.found.map { $0.name.isEmpty ? .broken : .entry(key: $0.name, value: $0.value) } ?? .nothing
            }
        }

        private static func parse(_ feed: inout Feed) -> Int32 {
            // SAFETY: both callbacks get the pointer to `feed`, which lives for the length of the call and which nobody
            // else touches meanwhile; the handler's texts end with a 0 and are copied at once.
            unsafe withUnsafeMutablePointer(to: &feed) { feed in
                unsafe ini_parse_stream(
                    { buffer, size, feed in
                        guard let buffer = unsafe buffer, let feed = unsafe feed else { return nil }
                        let isThere = unsafe feed.assumingMemoryBound(to: Feed.self).pointee
                            .next(into: buffer, size: Int(size))
                        return unsafe isThere ? buffer : nil
                    }, feed,
                    { feed, section, name, value in
                        guard let feed = unsafe feed, let section = unsafe section, let name = unsafe name,
                            let value = unsafe value
                        else { return 0 }
                        unsafe feed.assumingMemoryBound(to: Feed.self).pointee.found = unsafe (
                            String(cString: section), String(cString: name), String(cString: value)
                        )
                        return 1
                    }, feed)
            }
        }
    }
#endif
