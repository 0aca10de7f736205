#include "mineproof/exact_strategy.hpp"

#include <algorithm>
#include <limits>

namespace mineproof {
namespace {

// For one position of a game. Wider ones do not come up in ordinary games; where they do, the guess is made blindly.
constexpr std::uint64_t kStates = 1 << 20;
// Odds this close are the same: far more than the error of a double, far less than odds that differ.
constexpr double kClose = 1e-9;

Budget unlimited() { return Budget::of_states(std::numeric_limits<std::uint64_t>::max()); }

}  // namespace

bool ExactStrategy::deduce() {
    Budget budget = Budget::of_states(kStates);
    const Question question{geometry(), knowledge().codes(), match().mines};
    const Counted counted = solver_.find_certain(question, budget, certain_);
    is_too_wide_ = counted.status == Status::over_budget;
    if (is_too_wide_) return false;
    prove_mines(certain_.mines);
    prove_safe(certain_.safe);
    if (!certain_.safe.empty()) return true;
    position_.take_stuck(question, counted);
    return false;
}

Choice ExactStrategy::guess() {
    if (is_too_wide_) {
        fall_back();
        return {pick_any(), false};
    }
    const Cell cell = choose_guess();
    return {cell, false, position_.odds()[cell]};
}

Cell Fast::choose_guess() {
    Budget budget = unlimited();
    if (decider_.decide_optimally(position(), budget, false)) return decider_.candidates()[0].cell;
    return knowledge().safest(position().odds());
}

Cell Lookahead::choose_guess() {
    Budget budget = unlimited();
    return thinker_.decide(position(), budget, false);
}

Cell Minesolver::choose_guess() {
    const auto odds = position().odds();
    double least = 2;
    for (const Cell cell : position().undecided()) least = std::min(least, odds[cell]);
    ties_.clear();
    for (const Cell cell : position().undecided())
        if (odds[cell] <= least * (1 + kClose)) ties_.push_back(cell);
    return ties_[random().below(ties_.size())];
}

}  // namespace mineproof
