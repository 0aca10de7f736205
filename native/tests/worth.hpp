// What optimal play wins of a small board, from its layouts one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "boards.hpp"
#include "oracle.hpp"

namespace mineproof::testing {

// The layouts of a board with this many mines.
Layouts layouts_with(const Board& board, std::int64_t mines);

int number_at(const Board& board, const Layouts& layouts, std::uint32_t layout, Cell cell);

// What can be won of these layouts, at best and by each covered cell as the first.
struct Worth {
    std::uint64_t won = 0;
    std::vector<std::uint64_t> by_cell;  // as in Layouts::covered
};

Worth worth_of(const Board& board, const Layouts& layouts);

}  // namespace mineproof::testing
