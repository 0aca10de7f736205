// A counted position, prepared for choosing a cell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/knowledge.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// Owns the codes and the odds; the solver that counted the position must not be asked again while it is in use.
class CountedPosition {
  public:
    // Counts a position from scratch and flags in a copy of its codes what are certainly mines. True if that was
    // answered; otherwise `counted()` has the reason, and nothing else holds.
    bool count(const Question& question, Solver& solver, Budget& budget);

    // Takes over a position that was counted already and in which nothing is safe.
    //   require: counted.is_counted(); `codes` of the question outlive this, and what are certainly mines is flagged
    void take_stuck(const Question& question, const Counted& counted);

    // What are certainly mines is flagged in its codes.
    const Question& question() const { return *question_; }
    const Counted& counted() const { return counted_; }
    double log2_layouts() const { return counted_.log2_layouts; }
    // Ascending. Collected on first use: not every strategy needs it.
    std::span<const Cell> undecided() const {
        if (!has_undecided_) collect_undecided();
        return undecided_;
    }
    std::span<const Cell> safe() const { return safe_; }
    // The mine probability by cell. Computed on first use.
    std::span<const double> odds() const {
        if (!has_odds_) write_odds();
        return odds_;
    }
    // Of one undecided cell.
    double odds_of(Cell cell) const { return has_odds_ ? odds_[cell] : counted_.probability(cell); }
    // The undecided cell with the lowest odds; among equals the one with the fewest unknown cells around it, then with
    // the fewest neighbours at all (corners first), then the first.
    //   require: is_stuck(); `knowledge` of this position
    Cell safest(const Knowledge& knowledge) const;

    // Is a guess due?
    bool is_stuck() const { return safe_.empty() && !undecided().empty(); }
    bool is_undecided(Cell cell) const;

  private:
    void collect_undecided() const;
    void write_odds() const;

    std::optional<Question> question_;
    Counted counted_;
    std::vector<std::int8_t> codes_;
    mutable std::vector<Verdict> verdicts_;
    mutable std::vector<double> odds_;
    std::vector<Cell> safe_;
    mutable std::vector<Cell> undecided_;
    mutable bool has_undecided_ = true, has_odds_ = true;
};

}  // namespace mineproof
