#include "strip.hpp"

namespace mineproof::testing {

Strip make_strip(Rng& rng, int columns, int sea_rows, double density, double shown, bool whole) {
    Strip strip{Board{make_geometry(Shape::grid, 3 + sea_rows, columns), {}, static_cast<Cell>(columns), "grid"},
                {},
                static_cast<std::uint64_t>(sea_rows * columns),
                0};
    std::vector<int> in_column = {0};  // from column -1 to column `columns`
    for (int column = 0; column < columns; ++column) {
        int mines = 0, around = 0;
        do {
            mines = chance(rng, density) + chance(rng, density);
            around = column < 2 ? 1 : in_column[in_column.size() - 2] + in_column.back() + mines;
        } while (whole && (around == 0 || around == 6));
        in_column.push_back(mines);
        strip.mines += mines;
    }
    in_column.push_back(0);
    for (std::uint64_t i = 0; i < strip.sea; ++i) strip.mines += chance(rng, density);
    strip.board.codes.assign(strip.board.geometry.cells, kCovered);
    for (std::size_t column = 0; column + 2 < in_column.size(); ++column) {
        const int around = in_column[column] + in_column[column + 1] + in_column[column + 2];
        // Two columns in a row without a number would cut the strip; a number at its end sees less and may be settled.
        const bool must = whole && column > 0 && strip.numbers.back() < 0;
        const bool must_not = whole && (column == 0 || column + 3 == in_column.size());
        strip.numbers.push_back(!must_not && (must || chance(rng, shown)) ? around : -1);
        strip.board.codes[static_cast<std::size_t>(columns) + column] =
            strip.numbers.back() < 0 ? kAbsent : static_cast<std::int8_t>(around);
    }
    return strip;
}

}  // namespace mineproof::testing
