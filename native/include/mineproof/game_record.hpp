// The records of single games, stored on request.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mineproof {

// One game. Of a game that was lost, too: its moves, and the guesses that it survived. Python reads these bytes, see
// src/mineproof/engine/records.py.
struct GameRecord {
    double log_survived;     // log of the odds of the guesses that were survived, as far as the strategy stated any
    double lost_odds;        // stated mine probability of the cell that lost the game; NaN if won, or if none was
    std::int32_t lost_cell;  // the mine that was opened; -1 if won
    std::int32_t moves;      // openings and flags
    std::int32_t guesses;    // openings that were not certain, the first click included
    std::int32_t fallbacks;  // positions that were too wide to count
    std::int32_t bbbv;       // 3BV of the layout
    std::int32_t won;        // 1 or 0
};
static_assert(sizeof(GameRecord) == 40);

// Guesses by the mine probability that was stated for them, in a hundred bins of the same width. Whole numbers only, so
// that the tables of parts add up to the same table in any order.
struct Calibration {
    static constexpr std::size_t kBins = 100;

    struct Bin {
        std::uint64_t guesses, mines;  // how many, and how many of them were mines
        std::uint64_t stated;          // the sum of what was stated, in units of 2^-32
    };
    std::array<Bin, kBins> table{};

    //   require: 0 <= stated <= 1
    void count(double stated, bool mined) {
        const auto units = static_cast<std::uint64_t>(stated * 4294967296.0 + 0.5);
        // One fifth is no whole number of units, and a double is not quite one fifth: what is this close below a bound
        // is on it. A unit and a quarter, that is.
        const std::uint64_t bin = (units * kBins + 128) >> 32;
        Bin& found = table[std::min<std::uint64_t>(bin, kBins - 1)];
        ++found.guesses;
        found.mines += mined;
        found.stated += units;
    }
};

// Of many games, in order.
struct GameRecords {
    std::vector<GameRecord> games;
    Calibration calibration;  // of all guesses but first clicks
};

}  // namespace mineproof
