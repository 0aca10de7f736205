#include "mineproof/geometry.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "mineproof/require.hpp"

namespace mineproof {

Geometry::Geometry(Cell cell_count, std::vector<Cell> neighbour_table)
    : cells(cell_count), table(std::move(neighbour_table)), columns(0) {
    MINEPROOF_REQUIRE(table.size() == std::size_t{cells} * kReach);
    MINEPROOF_REQUIRE(std::ranges::all_of(table, [&](Cell cell) { return cell <= cells; }));
    columns = find_columns();
    degrees.resize(cells);
    for (Cell cell = 0; cell < cells; ++cell)
        degrees[cell] = static_cast<std::uint8_t>(kReach - std::ranges::count(around(cell), cells));
    key = key.with(cells).with(columns);
    if (columns == 0) key = key.with(std::as_bytes(std::span(table)));
}

// The first cell of a rectangle touches cells 1, C and C + 1. Whether the rest agrees is checked, not assumed.
Cell Geometry::find_columns() const {
    if (kIsWide || cells < 4) return 0;
    const Cell width = table[1];
    if (width < 2 || width >= cells || cells % width != 0) return 0;
    for (Cell cell = 0; cell < cells; ++cell) {
        const Cell row = cell / width, column = cell % width;
        std::array<Cell, kReach> expected;
        expected.fill(cells);
        std::size_t count = 0;
        for (Cell r = row == 0 ? 0 : row - 1; r <= row + 1 && r < cells / width; ++r)
            for (Cell c = column == 0 ? 0 : column - 1; c <= column + 1 && c < width; ++c)
                if (r != row || c != column) expected[count++] = r * width + c;
        if (!std::ranges::equal(around(cell), expected)) return 0;
    }
    return width;
}

}  // namespace mineproof
