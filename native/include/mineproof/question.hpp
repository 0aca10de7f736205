// A position as the kernel receives it, and the possible verdicts on a cell.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "mineproof/geometry.hpp"

namespace mineproof {

// Cell codes, as in src/mineproof/board/cells.py. Codes from 0 to 8 are open numbers.
inline constexpr std::int8_t kCovered = -1;
inline constexpr std::int8_t kFlagged = -2;
inline constexpr std::int8_t kAbsent = -9;  // counts for nothing: no cell at all, or a free one that shows no number

struct Question {
    const Geometry& geometry;
    std::span<const std::int8_t> codes;  // one for each cell; flags are taken for mines
    std::int64_t total = kUnknown;       // mines on the whole board, flags included
    double odds = 0;                     // without a total: p/(1-p) of a mine per cell; 0 when that is unknown too

    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
};

// What a player has counted already. By cell, and one more for "no neighbour": covered cells around it in the low byte,
// and of numbers how many of these are mines in the high one. On the whole board: covered cells, flags. No number
// decides all covered cells around it.
struct Around {
    std::span<const std::uint16_t> counts;
    std::uint32_t all_covered, all_flags;
};
inline std::uint8_t unknown_of(std::uint16_t count) { return static_cast<std::uint8_t>(count); }
inline std::uint8_t need_of(std::uint16_t count) { return static_cast<std::uint8_t>(count >> 8); }

// What an unknown cell is supposed to be: a number, kFlagged (a mine) or kAbsent (free, without a number).
struct Supposed {
    Cell cell;
    std::int8_t code;
};

// What is certain of a cell. `none`: it is not covered, or (in a Reduction) not decided by the reduction.
enum class Verdict : std::uint8_t { none = 0, undecided = 1, safe = 2, mine = 3 };

}  // namespace mineproof
