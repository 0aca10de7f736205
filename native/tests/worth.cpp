#include "worth.hpp"

#include "check.hpp"
#include "mineproof/endgame.hpp"

namespace mineproof::testing {

Layouts layouts_with(const Board& board, std::int64_t mines) {
    Layouts layouts = all_layouts(board);
    std::erase_if(layouts.all, [&](std::uint32_t layout) { return layouts.mines(layout) != mines; });
    return layouts;
}

int number_at(const Board& board, const Layouts& layouts, std::uint32_t layout, Cell cell) {
    int number = 0;
    for (const Cell other : board.geometry.around(cell)) {
        if (other >= board.geometry.cells) continue;
        number += board.codes[other] == kFlagged || (board.codes[other] == kCovered && layouts.mined(layout, other));
    }
    return number;
}

Worth worth_of(const Board& board, const Layouts& layouts) {
    Views views{layouts.covered.size(), {}};
    for (const std::uint32_t layout : layouts.all)
        for (const Cell cell : layouts.covered)
            views.rows.push_back(layouts.mined(layout, cell)
                                     ? Views::kMine
                                     : static_cast<std::uint8_t>(number_at(board, layouts, layout, cell)));
    Endgame endgame;
    Budget budget = endless();
    REQUIRE(endgame.solve_every_cell(views, budget));
    return {endgame.won(), {endgame.values().begin(), endgame.values().end()}};
}

}  // namespace mineproof::testing
