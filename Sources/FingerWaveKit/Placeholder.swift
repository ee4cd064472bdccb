// FingerWaveKit
