// Small boards to play whole games on, and what is won of them.
#pragma once

#include <cstdint>
#include <vector>

#include "boards.hpp"
#include "mineproof/game_player.hpp"

namespace mineproof::testing {

struct Setting {
    Geometry geometry;
    std::vector<std::int8_t> codes;
    std::vector<std::uint8_t> allowed;
    std::uint32_t mines;

    Series series(Cell first, std::uint64_t seed) const { return {{geometry, codes, mines}, allowed, first, seed}; }
};

// Any shape, some cells missing, the first cell on the board and free.
Setting small_setting(Rng& rng, int most_side);

// Of all layouts that may be dealt, the share that a strategy without randomness wins.
//   require: fewer than 32 cells
double exact_rate(const Series& series, Strategy& strategy);

struct Mean {
    double value, error;
};

Mean mean_of(const std::vector<double>& values);

}  // namespace mineproof::testing
