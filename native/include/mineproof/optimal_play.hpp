// Optimal play from a position with few layouts: lists them, and searches what can be won of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/endgame.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// Owns its scratch memory; use one per thread.
class OptimalPlay {
  public:
    // Solves a counted position; with `every`, the worth of every first cell too. False with more than `most` layouts,
    // or over budget.
    //   require: certain mines are flagged in the question; `safe` are its certainly safe cells; some cell is covered
    //            and not a certain mine
    bool solve(const Question& question, const Counted& counted, std::span<const Cell> safe, std::size_t most,
               bool every, Budget& budget);

    // Cells that may be opened: the undecided ones, then the safe ones.
    std::span<const Cell> cells() const { return listing_.cells; }
    std::size_t layouts() const { return views_.layouts(); }
    // Layouts won by the best play, and by each of `cells` as the first one opened (only with `every`).
    std::uint64_t won() const { return endgame_.won(); }
    std::span<const std::uint64_t> values() const { return endgame_.values(); }
    // A cell to open first, by its place among `cells`: see Endgame::best.
    std::size_t best() const { return endgame_.best(); }
    std::uint64_t nodes() const { return endgame_.nodes(); }

  private:
    void add_safe(std::span<const Cell> safe);

    Listing listing_;
    std::vector<std::uint8_t> rows_;
    std::vector<Cell> mines_;
    Views views_;
    Endgame endgame_;
};

// What optimal play wins of a position.
struct Optimum {
    Answer answer;  // when it is not `answered`, the rest is void
    std::uint64_t won = 0, layouts = 0, nodes = 0;
    std::optional<Cell> best;           // a cell to open first; none if nothing is left to open
    std::vector<Cell> cells;            // those that are not certainly mines
    std::vector<std::uint64_t> values;  // layouts won if it is opened first, if every cell was requested
};

// Counts a position and solves it. More than `most` layouts are over budget.
//   require: a total
Optimum find_optimum(const Question& question, bool every, std::size_t most, Budget& budget);

}  // namespace mineproof
