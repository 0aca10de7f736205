#include "oracle.hpp"

#include "check.hpp"

namespace mineproof::testing {

Layouts all_layouts(const Board& board) {
    Layouts layouts;
    const Cell cells = board.geometry.cells;
    for (Cell cell = 0; cell < cells; ++cell) {
        if (board.codes[cell] == kCovered) layouts.covered.push_back(cell);
        layouts.flags += board.codes[cell] == kFlagged;
    }
    REQUIRE(layouts.covered.size() < 24);
    struct Number {
        std::uint32_t around = 0;
        int need = 0;
    };
    std::vector<Number> numbers;
    for (Cell cell = 0; cell < cells; ++cell) {
        if (!is_number(board.codes[cell])) continue;
        Number number{0, board.codes[cell]};
        for (const Cell other : board.geometry.around(cell)) {
            if (other >= cells) continue;
            number.need -= board.codes[other] == kFlagged;
            for (std::size_t i = 0; i < layouts.covered.size(); ++i)
                if (layouts.covered[i] == other) number.around |= 1U << i;
        }
        numbers.push_back(number);
    }
    for (std::uint32_t layout = 0; layout < 1U << layouts.covered.size(); ++layout)
        if (std::all_of(numbers.begin(), numbers.end(),
                        [&](const Number& each) { return std::popcount(layout & each.around) == each.need; }))
            layouts.all.push_back(layout);
    return layouts;
}

Census take_census(const Layouts& layouts, std::optional<std::int64_t> total, double odds) {
    Census census;
    census.mined.assign(layouts.covered.size(), 0);
    census.mined_weight.assign(layouts.covered.size(), 0);
    std::vector<long double> powers(layouts.covered.size() + 1, 1);
    for (std::size_t k = 1; !total && k < powers.size(); ++k) powers[k] = powers[k - 1] * odds;
    for (const std::uint32_t layout : layouts.all) {
        if (total && layouts.mines(layout) != *total) continue;
        const long double weight = powers[static_cast<std::size_t>(std::popcount(layout))];
        ++census.layouts;
        census.weight += weight;
        for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
            if ((layout >> i & 1) == 0) continue;
            ++census.mined[i];
            census.mined_weight[i] += weight;
        }
    }
    return census;
}

Board without_sea(const Board& board) {
    Board result = board;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        if (board.codes[cell] != kCovered) continue;
        bool touches = false;
        for (const Cell other : board.geometry.around(cell))
            touches |= other < board.geometry.cells && is_number(board.codes[other]);
        if (!touches) result.codes[cell] = kAbsent;
    }
    return result;
}

}  // namespace mineproof::testing
