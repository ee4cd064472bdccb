#if FCFT
    import Gestures
    import Pixman
    import Ripples
    import Testing

    @testable import Presentation

    /// Fonts differ from machine to machine: what is looked at is that there is ink, how much, and where.
    @Suite struct TextTests {
        private let ground = PremultipliedColor(argb: 0xff20_2830)

        private func rows(_ shapes: [Shape], scale: Double, width: Int32 = 300, height: Int32 = 100) -> Pixels {
            fullRepaint(
                shapes, size: PixelSize(width: Int32(Double(width) * scale), height: Int32(Double(height) * scale)),
                scale: scale, background: ground)
        }

        /// The smallest rectangle around all pixels that satisfy `test`.
        private func bounds(_ pixels: Pixels, where test: (UInt32) -> Bool) -> PixelRect {
            var bounds = PixelRect.empty
            for y in 0..<pixels.size.height {
                for x in 0..<pixels.size.width where test(pixels[x, y]) {
                    bounds = bounds.union(PixelRect(x: x, y: y, width: 1, height: 1))
                }
            }
            return bounds
        }

        private func green(_ pixel: UInt32) -> UInt32 { pixel >> 8 & 0xff }

        @Test(arguments: [1, 1.25, 1.5, 2, 3])
        func textIsLegibleAtEveryScale(scale: Double) {
            let label = Label(lines: ["Hxg 0123"], placement: .heading, size: 13)
            let pixels = rows([.label(label)], scale: scale)
            // White on a dark plate: strokes reach nearly full contrast, and the text is as high as it should be.
            let ink = bounds(pixels) { green($0) > 180 }
            #expect(!ink.isEmpty, "no stroke is bright")
            #expect((0.6 * 13 * scale...1.3 * 13 * scale).contains(Double(ink.height)), "\(ink)")
            #expect(Double(ink.width) > 8 * 0.45 * 13 * scale, "\(ink)")
            let plate = bounds(pixels) { $0 != ground.argb }
            #expect(plate.x == 0 && plate.y == 0 && plate.right < pixels.size.width)
            #expect(ink.intersection(plate) == ink && ink.x > 0 && ink.right < plate.right && ink.bottom < plate.bottom)
        }

        @Test func nothingIsDrawnOutsideThePlate() {
            // Characters that reach beyond their line, and a line that is cut by the surface.
            let label = Label(
                lines: ["Ǻ̂gj∫|█", String(repeating: "W", count: 200)], anchor: Point(x: 150, y: 50), gap: 10)
            let text = TextRenderer()
            var labels = PlacedLabels()
            let size = PixelSize(width: 300, height: 100)
            labels.place([.label(label)], on: size, scale: 1, text)
            let plate = labels.all[0].plate
            let pixels = rows([.label(label)], scale: 1)
            #expect(bounds(pixels) { $0 != ground.argb }.intersection(plate) == bounds(pixels) { $0 != ground.argb })
        }

        @Test func charactersNoFontHasDoNotTrap() {
            let label = Label(lines: ["\u{0}\u{7}\t\u{10FFFD}\u{E000}\u{FFFE} 😀 é"], placement: .heading)
            #expect(!bounds(rows([.label(label)], scale: 1)) { $0 != ground.argb }.isEmpty)
        }

        @Test func noFontIsLoadedBeforeTheFirstLabelAndEachSizeOnce() {
            var sizes: [Int32] = []
            let text = TextRenderer { size in
                sizes.append(size)
                return Font(pixelSize: size)
            }
            var labels = PlacedLabels()
            let size = PixelSize(width: 300, height: 100)
            let disc = Shape.disc(Disc(center: .zero, radius: 10, fill: .white))
            labels.place([disc], on: size, scale: 1, text)
            text.draw(labels.all, on: Image(size: size), region: Region(size.rect), scale: 1)
            #expect(sizes.isEmpty)
            let label = Label(lines: ["a"], size: 13)
            for _ in 0..<2 {
                labels.place([.label(label), .label(label)], on: size, scale: 1, text)
                text.draw(labels.all, on: Image(size: size), region: Region(size.rect), scale: 1)
                labels.place([], on: size, scale: 1, text)
            }
            #expect(sizes == [13])
            labels.place([.label(label)], on: size, scale: 1.5, text)
            #expect(sizes == [13, 20])
        }

        @Test func withoutAnyFontNothingIsDrawnAndTheReasonIsKnown() {
            var asked = 0
            let text = TextRenderer { _ in
                asked += 1
                return nil
            }
            var labels = PlacedLabels()
            #expect(text.failure == nil)
            for step in 0..<3 {
                let label = Label(lines: ["\(step)"])
                labels.place([.label(label)], on: PixelSize(width: 300, height: 100), scale: 1, text)
                #expect(labels.all.isEmpty)
            }
            #expect(text.failure != nil && asked == 1)
        }

        // MARK: Damage

        private func compose(_ composer: FrameComposer<FakeStorage>) throws -> Region? {
            guard case .frame(let storage, let damage) = try composer.compose(make: { FakeStorage($0) }) else {
                return nil
            }
            storage.release()
            return damage
        }

        private func composer(scale: Double = 1) -> FrameComposer<FakeStorage> {
            let composer = FrameComposer<FakeStorage>(background: ground)
            composer.resize(to: PixelSize(width: 400, height: 300), scale: scale)
            return composer
        }

        private func heading(_ texts: String...) -> [Shape] {
            texts.map { .label(Label(lines: [$0], placement: .heading)) }
        }

        @Test func onlyTheFigureThatChangedIsRedrawn() throws {
            let composer = composer()
            composer.shapes = heading("contacts  1", "events/s  118", "last tap")
            _ = try compose(composer)
            composer.shapes = heading("contacts  1", "events/s  119", "last tap")
            let damage = try #require(try compose(composer))
            #expect(damage.rectCount == 1 && damage.bounds.x > 50 && damage.bounds.height < 30, "\(damage.rects)")
            #expect(damage.bounds.right < 220, "\(damage.rects)")
        }

        @Test func labelsThatStayCostNothing() throws {
            let composer = composer()
            composer.shapes = heading("a", "b")
            _ = try compose(composer)
            #expect(!composer.isDirty)
            composer.shapes.append(.disc(Disc(center: Point(x: 300, y: 250), radius: 5, fill: .white)))
            #expect(try compose(composer)?.bounds == PixelRect(x: 295, y: 245, width: 10, height: 10))
        }

        @Test func aLabelThatAnotherMovesIsDamagedInBothPlaces() throws {
            let composer = composer()
            let label = Shape.label(Label(lines: ["here"], anchor: Point(x: 200, y: 150), gap: 20))
            composer.shapes = [label]
            _ = try compose(composer)
            // It comes before, and takes the place to the right.
            let other = Shape.label(Label(lines: ["there"], anchor: Point(x: 200, y: 150), gap: 20))
            composer.shapes = [other, label]
            let damage = try #require(try compose(composer))
            #expect(damage.contains(x: 222, y: 150) && damage.contains(x: 178, y: 150), "\(damage.rects)")
        }
    }
#endif
