import CLibc
import Pixman
import Testing
import TouchStage

@testable import Presentation

@Suite struct SharedMemoryTests {
    @Test func anImpossibleSizeSaysWhichCallFailedAndWhy() {
        do {
            _ = try SharedMemory(byteCount: 0)
            Issue.record("no memory at all was mapped")
        } catch {
            guard case .sharedMemory(.mmap, 0, let number) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(number == 22)
            #expect(error.description.contains("mmap: Invalid argument"))
        }
    }

    @Test func theFileIsClosedOnceItIsHandedOver() throws {
        let memory = try SharedMemory(byteCount: 4096)
        var copy: Int32 = -1
        memory.handOver { copy = dup($0) }
        defer { close(copy) }
        #expect(OpenDescriptors.count(sameFileAs: copy) == 1)
    }

    @Test func theMemoryIsClearAndOutlivesItsLastOwnerButThePicture() throws {
        let size = PixelSize(width: 30, height: 20)
        let image = try SharedMemory(byteCount: 30 * 20 * 4).image(size)
        #expect(image.pixels.words.allSatisfy { $0 == 0 })
        image.fill(Region(size.rect), with: PremultipliedColor(argb: 0xff01_0203))
        #expect(image.pixels.words.allSatisfy { $0 == 0xff01_0203 })
    }
}
