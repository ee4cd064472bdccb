import Gestures
import Pixman
import Ripples
import Testing

@testable import Presentation

@Suite struct FrameComposerTests {
    /// The property: whatever happens, the screen shows what a full repaint would.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func anySequenceGivesThePixelsOfAFullRepaint(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let composer = FrameComposer<FakeStorage>(background: PremultipliedColor(random.color()))
        let screen = FakeScreen()
        var logical = (width: 30.0, height: 20.0)
        var shown: (shapes: [Shape], scale: Double, background: PremultipliedColor)?
        var waits = 0

        func resize() {
            let scale = [1, 1.25, 1.5, 2, 3].randomElement(using: &random)!
            composer.resize(
                to: PixelSize(
                    width: Int32((logical.width * scale).rounded()), height: Int32((logical.height * scale).rounded())),
                scale: scale)
        }
        resize()
        for _ in 0..<150 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5:
                composer.shapes.append(random.shape(width: logical.width, height: logical.height, radii: 0...25))
            case 5..<7 where !composer.shapes.isEmpty:
                composer.shapes.remove(at: Int.random(in: 0..<composer.shapes.count, using: &random))
            case 7..<12:
                for index in composer.shapes.indices { composer.shapes[index].grow(by: 0.7) }
            case 12: composer.shapes.shuffle(using: &random)
            case 13 where random.chance(0.3):
                logical = (
                    Double(Int.random(in: 1...40, using: &random)), Double(Int.random(in: 1...30, using: &random))
                )
                resize()
            case 14 where random.chance(0.3): resize()
            case 15 where random.chance(0.3): composer.background = PremultipliedColor(random.color())
            case 16: composer.shapes = []
            case 17, 18:
                composer.shapes.append(.label(random.label(width: logical.width, height: logical.height)))
            default: break
            }
            if composer.shapes.count > 6 { composer.shapes.removeFirst() }
            while !screen.held.isEmpty, random.chance(0.4) {
                screen.release(Int.random(in: 0..<screen.held.count, using: &random))
            }
            guard composer.isDirty else { continue }
            switch try composer.compose(make: { FakeStorage($0) }) {
            case .frame(let storage, let damage):
                #expect(!damage.isEmpty)
                screen.show(storage, damage: damage)
                shown = (composer.shapes, composer.scale, composer.background)
            case .unchanged:
                shown = (composer.shapes, composer.scale, composer.background)
            case .noBuffer:
                waits += 1
                #expect(composer.isDirty)
                continue
            }
            let now = try #require(shown)
            let expected = fullRepaint(
                now.shapes, size: composer.size, scale: now.scale, background: now.background)
            #expect(screen.pixels == expected)
            #expect(screen.buffer == expected)
            if screen.pixels != expected || screen.buffer != expected { return }
        }
        screen.checkHeldBuffers()
        #expect(screen.faults == [])
        #expect(waits > 0, "the buffers never ran out, so waiting was not tried")

        // Once all is released, what waited is drawn.
        while !screen.held.isEmpty { screen.release(0) }
        composer.shapes = [random.shape(width: logical.width, height: logical.height, radii: 20...30)]
        if case .frame(let storage, let damage) = try composer.compose(make: { FakeStorage($0) }) {
            screen.show(storage, damage: damage)
        }
        #expect(!composer.isDirty)
        #expect(
            screen.pixels
                == fullRepaint(
                    composer.shapes, size: composer.size, scale: composer.scale, background: composer.background))
    }

    private let size = PixelSize(width: 100, height: 100)
    private func disc(_ x: Double = 50, _ radius: Double = 10) -> Shape {
        .disc(Disc(center: Point(x: x, y: 50), radius: radius, fill: .white, outline: .black, outlineWidth: 1))
    }
    private var shape: Shape { disc() }

    private func composed(_ composer: FrameComposer<FakeStorage>) throws -> (storage: FakeStorage, damage: Region)? {
        guard case .frame(let storage, let damage) = try composer.compose(make: { FakeStorage($0) }) else { return nil }
        return (storage, damage)
    }

    @Test func nothingIsDirtyBeforeThereIsASizeAndAfterAFrame() throws {
        let composer = FrameComposer<FakeStorage>(background: .clear)
        composer.shapes = [shape]
        #expect(!composer.isDirty)
        composer.resize(to: size, scale: 1)
        #expect(composer.isDirty)
        _ = try composed(composer)
        #expect(!composer.isDirty)
    }

    @Test func aFrameAfterAnotherDamagesWhatChangedOnly() throws {
        let composer = FrameComposer<FakeStorage>(background: .clear)
        composer.resize(to: size, scale: 1)
        #expect(try composed(composer)?.damage == Region(size.rect))
        composer.shapes = [shape]
        #expect(try composed(composer)?.damage.rects == [PixelRect(x: 39, y: 39, width: 22, height: 22)])
        composer.shapes = []
        #expect(try composed(composer)?.damage.rects == [PixelRect(x: 39, y: 39, width: 22, height: 22)])
    }

    @Test func onlyDamageAndStalePixelsAreRepainted() throws {
        let composer = FrameComposer<FakeStorage>(background: PremultipliedColor(argb: 0xff00_0000))
        composer.resize(to: size, scale: 1)
        let first = try #require(try composed(composer)).storage
        first.release()
        // A mark that no repaint of the shape reaches.
        first.image.fill(
            Region(PixelRect(x: 0, y: 0, width: 5, height: 5)), with: PremultipliedColor(argb: 0xff12_3456))
        composer.shapes = [shape]
        #expect(try composed(composer)?.storage === first)
        #expect(first.image.pixel(x: 4, y: 4) == 0xff12_3456)
        #expect(first.image.pixel(x: 50, y: 50) == 0xffff_ffff)
    }

    @Test func shapesOutOfSightChangeNoPixel() throws {
        let composer = FrameComposer<FakeStorage>(background: .clear)
        composer.resize(to: size, scale: 1)
        _ = try composed(composer)
        composer.shapes = [disc(-50)]
        #expect(composer.isDirty)
        guard case .unchanged = try composer.compose(make: { FakeStorage($0) }) else {
            Issue.record("a frame without a visible change")
            return
        }
        #expect(!composer.isDirty)
    }

    @Test func whatWaitsForABufferAddsUp() throws {
        let composer = FrameComposer<FakeStorage>(background: .clear)
        composer.resize(to: size, scale: 1)
        var storages: [FakeStorage] = []
        for step in 0..<3 {
            composer.shapes = [disc(50, Double(step + 1))]
            storages.append(try #require(try composed(composer)).storage)
        }
        composer.shapes = []
        #expect(try composed(composer) == nil)
        composer.shapes = [disc(20)]
        #expect(try composed(composer) == nil)
        storages[0].release()
        let frame = try #require(try composed(composer))
        #expect(frame.damage.contains(x: 50, y: 50) && frame.damage.contains(x: 20, y: 50))
        #expect(
            frame.storage.image.pixels == fullRepaint(composer.shapes, size: size, scale: 1, background: .clear))
    }
}
