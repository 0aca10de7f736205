// Sums over the neighbours of every cell of a board at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mineproof/geometry.hpp"

namespace mineproof {

// Adds up the values around each cell of a rectangle, as sums of shifted rows: three cells across, then three rows
// down, without the middle. At most 9 times the largest value must fit a sum. `across` is scratch memory.
//   require: geometry.columns > 1; a value and a sum for each cell
template <class Sum>
void sum_around(const Geometry& geometry, const std::uint8_t* values, Sum* sums, std::vector<Sum>& across) {
    const std::size_t cells = geometry.cells, width = geometry.columns;
    across.assign(cells + 2 * width, 0);  // an empty row above and below
    Sum* const into = across.data() + width;
    into[0] = static_cast<Sum>(values[0] + values[1]);
    for (std::size_t i = 1; i + 1 < cells; ++i) into[i] = static_cast<Sum>(values[i - 1] + values[i] + values[i + 1]);
    into[cells - 1] = static_cast<Sum>(values[cells - 2] + values[cells - 1]);
    for (std::size_t row = width; row < cells; row += width) {  // the end of a row is not next to the next one's start
        into[row - 1] = static_cast<Sum>(into[row - 1] - values[row]);
        into[row] = static_cast<Sum>(into[row] - values[row - 1]);
    }
    const Sum *const above = across.data(), *const below = into + width;
    for (std::size_t i = 0; i < cells; ++i) sums[i] = static_cast<Sum>(above[i] + into[i] + below[i] - values[i]);
}

}  // namespace mineproof
