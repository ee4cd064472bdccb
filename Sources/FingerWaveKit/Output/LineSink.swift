package import Recording

/// Who takes the lines of a log.
package protocol LineSink: AnyObject {
    /// A line with its end.
    func write(_ line: String)
    /// A touch. Who has to know what is down need not read its own lines for it.
    func write(_ line: TouchLine)
    /// What is to be written where lines are missing, with its end. Who writes lines of its own there need not listen.
    func tellGaps(by line: @escaping (_ lines: Int, _ why: String) -> String)
}

extension LineSink {
    package func write(_ line: TouchLine) { write(line.json) }
    package func tellGaps(by line: @escaping (_ lines: Int, _ why: String) -> String) {}
}
