import Foundation

@testable import Recording

/// What the programs themselves made of ``text``.
enum PackedFixture {
    static let text: String = {
        let header = """
            # EVEMU 1.3
            N: Panel
            I: 0018 1234 5678 0100
            P: 02 00 00 00 00 00 00 00
            A: 2f 0 3 0 0 0
            A: 35 0 999 0 0 10
            A: 36 0 499 0 0 10

            """
        let taps = (0..<10).map { tap in
            """
            E: \(tap).000001 0003 0039 000\(tap)
            E: \(tap).000001 0003 0035 0\(100 + 37 * tap)
            E: \(tap).000001 0003 0036 0250
            E: \(tap).000001 0000 0000 0000
            E: \(tap).080001 0003 0039 -001
            E: \(tap).080001 0000 0000 0000

            """
        }
        return header + taps.joined()
    }()

    static func packed(by compression: Compression) -> [UInt8] {
        switch compression {
        case .gzip: gzip
        case .xz: xz
        case .zstd: zstd
        }
    }

    /// `gzip -9n`.
    static let gzip = bytes(
        """
        H4sIAAAAAAACA3XOu07EMBCF4T5PYYmalWfG13QUKShA20BPARXi/UvGLNJI2XNyk+1fdr6HdLwfL29JLra97un68fP5vT3vKWcZ
        SdRKqq2PlCXn7erL6uX+2Z72pF8pJ/PX7zW36qM559+K3JaaD0ssHX7gJa9L/JDsm7PNNcKp3hgo+cFa71KOz38ap389+vScTrsE
        CgWmJbQOUwiFC4ULhQsVChWmJewFphAqFyoXKhcaFBpMLlQRmEJoXGhcaFxYoLDAtIRlwBTCwoWFCwsXViisMC3hwCmElQsrF1Yu
        bFDYYHKhqcIUwsaFjQsbF3Yo7DAtYZ0whbBzYefCzoUDCgdMSzgbTCEcXDi4cHDhhMIJkwuLGUwhnFw4uXAS4S+vyxFa0QYAAA==
        """)

    /// `xz -6`.
    static let xz = bytes(
        """
        /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AbQAPVdABGIBSc45CMp7UMhZmCJVKCcZimr4i9ua1UV3ytIf7BGiLIvbpWZqQOovDsC
        lOSx4IHotL1RDgjggSnnE2qMwbK0+YPOwSc2BQguCWIB3pxFAsTVe6VVhHATcP5HdBY7G/u5C0curhpswpeoxspn2kNlkc/3C/Ec
        z3zMQM+1aAOs6+21cwscQ8+FWU2X5Mrr/zubEkUETflAnQXAzwdXTTDtGTFMKnSZfBz85MM2MaoDhPNuLGCwPgQ3FKTY+BQE208o
        q0lnZ2u7JNt2OY2+hUSDY3pmoeiBEr1z+wZpNkhFf+Z/SXlEOyFyW2T0PSAmKrthNWBIAAAAAO1aOMDzIzRsAAGRAtENAAD0D5/5
        scRn+wIAAAAABFla
        """)

    /// `zstd -19`.
    static let zstd = bytes(
        """
        KLUv/QRoBQcAoosdFnBL8v5LgAG8ZCyB5QopQhK5X6g//0y7W2W7qoqrmpl7mYhIVIh3Z70zMzWzqpqhKiKyJJqZrJn5A/qjG+e+
        //fW7/rv+f8jd0kMx7vr+8r3Xb4X5CI4ftNdDMc/tyaerWis87sMDoaikTC4FI5CxgdCgkgMCFaoAcW2qdTamANAU5IOIQiCIISg
        4DABIUIwkOgDrHaHbgOafUVcgpBpAPZIYedRYGiAdpmIzZAyGsQeKew8CgwN0M6j8BlCRoPYY9RSgjyz4S95Bb55kjy+nvEJsAVR
        X6kh1k/Stgpxeqmi
        """)

    /// ``gzip``, packed by `xz`.
    static let gzipWithinXz = bytes(
        """
        /Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQEpH4sIAAAAAAACA3XOu07EMBCF4T5PYYmalWfG13QUKShA20BPARXi/UvGLNJI2XNy
        k+1fdr6HdLwfL29JLra97un68fP5vT3vKWcZSdRKqq2PlCXn7erL6uX+2Z72pF8pJ/PX7zW36qM559+K3JaaD0ssHX7gJa9L/JDs
        m7PNNcKp3hgo+cFa71KOz38ap389+vScTrsECgWmJbQOUwiFC4ULhQsVChWmJewFphAqFyoXKhcaFBpMLlQRmEJoXGhcaFxYoLDA
        tIRlwBTCwoWFCwsXViisMC3hwCmElQsrF1YubFDYYHKhqcIUwsaFjQsbF3Yo7DAtYZ0whbBzYefCzoUDCgdMSzgbTCEcXDi4cHDh
        hMIJkwuLGUwhnFw4uXAS4S+vyxFa0QYAAAAAAI36DF0wvEKgAAHCAqoCAAANFefEscRn+wIAAAAABFla
        """)

    /// A file in an archive of `tar`, packed by `zstd`.
    static let tarWithinZstd = bytes(
        """
        KLUv/QRoRQQA4gcYF3BvDhAN48vqOsqIvIPZ7u4tNyBAjwXL+uJaSukbOt+38+00T4L9bvdM2L/3IETo59p62N/TYE8DMYknwlyw
        Vo5iKQwoFUWS2hJDTZXqrXDb7vUKhf31vXidKKixmuAKECBQa6EDfwVc4CNgZtoinr4qydsn0B0Hy/7PmWQrERg0wHCCcg5+iIw=
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters)!)
    }
}
