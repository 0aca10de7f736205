#include "mineproof/optimal_play.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/counted_position.hpp"
#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// What a search holds for each layout: a byte for each cell in so many tables (listed, with safe cells, as views, and
// padded twice), and what it remembers of sets.
constexpr double kTables = 5, kBytesALayout = 256, kMostBytes = 1e18;

}  // namespace

bool OptimalPlay::solve(const Question& question, const Counted& counted, std::span<const Cell> safe, std::size_t most,
                        bool every, Budget& budget) {
    const double layouts = std::min(std::exp2(counted.log2_layouts), static_cast<double>(most));
    const auto cells = static_cast<double>(std::ranges::count(question.codes, kCovered));
    const double bytes = std::min(layouts * (kTables * cells + kBytesALayout), kMostBytes);
    if (!budget.fits(static_cast<std::uint64_t>(bytes))) return false;
    if (!counted.list(most, listing_, &budget)) return false;
    if (!safe.empty()) add_safe(safe);
    MINEPROOF_REQUIRE(!listing_.cells.empty());
    mines_.clear();
    for (Cell cell = 0; cell < question.geometry.cells; ++cell)
        if (question.codes[cell] == kFlagged) mines_.push_back(cell);
    if (!view_layouts(question.geometry, listing_.cells, mines_, listing_.mines, views_, &budget)) return false;
    return every ? endgame_.solve_every_cell(views_, budget) : endgame_.solve(views_, budget);
}

// Safe cells are free in every layout, but what they show may tell layouts apart.
void OptimalPlay::add_safe(std::span<const Cell> safe) {
    const std::size_t undecided = listing_.cells.size(), layouts = std::max<std::size_t>(listing_.layouts(), 1);
    rows_.clear();
    for (std::size_t layout = 0; layout < layouts; ++layout) {
        const auto row = std::span(listing_.mines).subspan(layout * undecided, undecided);
        rows_.insert(rows_.end(), row.begin(), row.end());
        rows_.insert(rows_.end(), safe.size(), 0);
    }
    listing_.mines.swap(rows_);
    listing_.cells.insert(listing_.cells.end(), safe.begin(), safe.end());
}

Optimum find_optimum(const Question& question, bool every, std::size_t most, Budget& budget) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    Optimum found;
    Solver solver;
    CountedPosition position;
    const bool counted = position.count(question, solver, budget);
    found.answer = position.counted();
    if (!counted) return found;
    if (position.undecided().empty() && position.safe().empty()) {  // nothing is left to open
        found.won = found.layouts = 1;
        return found;
    }
    OptimalPlay play;
    const bool few = position.log2_layouts() <= std::log2(static_cast<double>(most)) + 1e-6;
    if (!few || !play.solve(position.question(), position.counted(), position.safe(), most, every, budget)) {
        if (budget.limit() == Limit::none) budget.give_up(Limit::states);
        found.answer.status = Status::over_budget;
        return found;
    }
    found.won = play.won();
    found.layouts = play.layouts();
    found.nodes = play.nodes();
    found.cells.assign(play.cells().begin(), play.cells().end());
    if (play.best() != Endgame::kNoCell) found.best = found.cells[play.best()];
    found.values.assign(play.values().begin(), play.values().end());
    return found;
}

}  // namespace mineproof
