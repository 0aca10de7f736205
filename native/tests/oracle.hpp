// What the kernel's answers are compared with: all layouts of a small board, one by one. Shares no code with it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "boards.hpp"

namespace mineproof::testing {

// The layouts that fit a board. Bit i of a layout: a mine in covered[i].
struct Layouts {
    std::vector<Cell> covered;
    std::int64_t flags = 0;
    std::vector<std::uint32_t> all;

    std::int64_t mines(std::uint32_t layout) const { return flags + std::popcount(layout); }
    bool mined(std::uint32_t layout, Cell cell) const {
        const auto place = std::lower_bound(covered.begin(), covered.end(), cell);
        return (layout >> (place - covered.begin()) & 1) != 0;
    }
};

// Tries every subset of the covered cells.
Layouts all_layouts(const Board& board);

// The layouts with a total, or all of them, summed up by cell.
struct Census {
    std::uint64_t layouts = 0;
    std::vector<std::uint64_t> mined;  // by covered cell, as in Layouts
    // The same when a layout with k mines counts for odds^k.
    long double weight = 0;
    std::vector<long double> mined_weight;
};

Census take_census(const Layouts& layouts, std::optional<std::int64_t> total, double odds = 1);

// The board with the covered cells gone that touch no number.
Board without_sea(const Board& board);

inline std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % modulus);
}
inline std::uint64_t power_mod(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
    std::uint64_t result = 1 % modulus;
    for (base %= modulus; exponent != 0; exponent >>= 1, base = multiply_mod(base, base, modulus))
        if (exponent & 1) result = multiply_mod(result, base, modulus);
    return result;
}

}  // namespace mineproof::testing
