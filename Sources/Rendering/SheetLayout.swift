package import Pixman

/// Tiles in rows, for a sheet of pictures of one size.
package struct SheetLayout: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    package let tile: PixelSize
    /// Pixels between tiles and around them.
    package let gap: Int32

    package init(columns: Int, rows: Int, tile: PixelSize, gap: Int32) {
        self.columns = columns
        self.rows = rows
        self.tile = tile
        self.gap = gap
    }

    package var size: PixelSize {
        PixelSize(
            width: Int32(columns) * (tile.width + gap) + gap, height: Int32(rows) * (tile.height + gap) + gap)
    }

    /// Row by row.
    package func place(_ index: Int) -> PixelRect {
        PixelRect(
            x: Int32(index % columns) * (tile.width + gap) + gap, y: Int32(index / columns) * (tile.height + gap) + gap,
            width: tile.width, height: tile.height)
    }
}
