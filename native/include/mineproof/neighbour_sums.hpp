// Sums over the neighbours of every cell of a board at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mineproof/geometry.hpp"

namespace mineproof {

// Adds up the values around each cell of a rectangle, as sums of shifted rows: three cells across, then three rows
// down, without the middle. At most 9 times the largest value must fit a byte. `across` is scratch memory.
//   require: geometry.columns > 1; a value and a sum for each cell
inline void sum_around(const Geometry& geometry, const std::uint8_t* values, std::uint8_t* sums,
                       std::vector<std::uint8_t>& across) {
    const std::size_t cells = geometry.cells, width = geometry.columns;
    across.assign(cells + 2 * width, 0);  // an empty row above and below
    std::uint8_t* const into = across.data() + width;
    into[0] = static_cast<std::uint8_t>(values[0] + values[1]);
    for (std::size_t i = 1; i + 1 < cells; ++i)
        into[i] = static_cast<std::uint8_t>(values[i - 1] + values[i] + values[i + 1]);
    into[cells - 1] = static_cast<std::uint8_t>(values[cells - 2] + values[cells - 1]);
    for (std::size_t row = width; row < cells; row += width) {  // the end of a row is not next to the next one's start
        into[row - 1] = static_cast<std::uint8_t>(into[row - 1] - values[row]);
        into[row] = static_cast<std::uint8_t>(into[row] - values[row - 1]);
    }
    const std::uint8_t *const above = across.data(), *const below = into + width;
    for (std::size_t i = 0; i < cells; ++i)
        sums[i] = static_cast<std::uint8_t>(above[i] + into[i] + below[i] - values[i]);
}

}  // namespace mineproof
