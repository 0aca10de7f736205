// Optimal play from a position with few layouts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mineproof/endgame.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// Owns its scratch memory; use one per thread.
class Ending {
  public:
    // Solves a position that `solver` has just counted and in which nothing is safe; `every` for the worth of every
    // first move. False with more than `most` layouts, or over budget.
    //   require: proved mines are flagged in the question
    bool solve(const Question& question, Solver& solver, std::size_t most, bool every, Budget& budget);

    const Endgame& endgame() const { return endgame_; }
    std::span<const Cell> cells() const { return listing_.cells; }  // the endgame's, by their places there
    double layouts() const { return static_cast<double>(views_.layouts()); }

  private:
    Listing listing_;
    std::vector<Cell> mines_;
    Views views_;
    Endgame endgame_;
};

}  // namespace mineproof
