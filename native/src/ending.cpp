#include "mineproof/ending.hpp"

#include "mineproof/reduce.hpp"

namespace mineproof {

bool Ending::solve(const Question& question, Solver& solver, std::size_t most, bool every, Budget& budget) {
    if (!solver.list(question, most, listing_)) return false;
    mines_.clear();
    for (Cell cell = 0; cell < question.geometry.cells; ++cell)
        if (question.codes[cell] == kFlagged) mines_.push_back(cell);
    view_layouts(question.geometry, listing_.cells, mines_, listing_.mines, views_);
    return every ? endgame_.solve_every_cell(views_, budget) : endgame_.solve(views_, budget);
}

}  // namespace mineproof
