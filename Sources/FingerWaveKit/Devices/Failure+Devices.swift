internal import TouchDevices

extension Failure {
    init(_ problem: DeviceProblem) {
        let code: ExitCode = if case .noSeat = problem { .usage } else { .noDevice }
        self.init(problem.what, why: problem.why, remedy: problem.remedy, code: code)
    }
}
