#include "mineproof/exact_strategy.hpp"

#include <algorithm>

namespace mineproof {
namespace {

// For one position of a game. Wider ones do not come up in ordinary games; where they do, the guess is made blindly.
constexpr std::uint64_t kStates = 1 << 20;
// Odds this close are the same: far more than the error of a double, far less than odds that differ.
constexpr double kClose = 1e-9;

// A state is early while less than one in kEarly cells is known of; so many are remembered, at most: some 2 MB.
constexpr Cell kEarly = 8;
constexpr std::size_t kMostTurns = 1 << 14;

}  // namespace

ExactStrategy::ExactStrategy(bool draws_lots) : draws_lots_(draws_lots), turns_(kMostTurns) {
    solver_.remember_in(&memory_);
}

// Is the state one that other games may come to?
bool ExactStrategy::is_early() const {
    return !draws_lots_ && kEarly * (geometry().cells - knowledge().unknown()) < geometry().cells;
}

bool ExactStrategy::deduce() {
    known_ = nullptr;
    if (!is_early()) return count();
    const StateKey state = geometry().key.with(match().mines).with(knowledge().codes());
    known_ = turns_.find(state);
    if (known_ != nullptr) {
        prove_mines(turns_.mines(*known_));
        prove_safe(turns_.safe(*known_));
    } else {
        Turn turn{.kind = Turn::Kind::certain};
        if (!count()) {
            if (is_too_wide_) return false;
            const Cell cell = choose_guess();
            if (budget().stopped()) return false;  // not worth remembering
            turn = {Turn::Kind::guess, cell, position_.odds_of(cell)};
        }
        known_ = &turns_.put(state, turn, certain_.mines, certain_.safe);
    }
    return known_->kind == Turn::Kind::certain;
}

// Counts the position at hand and proves what is certain; false if no cell is safe.
bool ExactStrategy::count() {
    Budget step = budget().part(kStates);
    const Question question{geometry(), knowledge().codes(), match().mines};
    const Counted counted = solver_.find_certain(question, knowledge().around(), step, certain_);
    is_too_wide_ = counted.status == Status::over_budget;
    if (is_too_wide_) return false;
    prove_mines(certain_.mines);
    prove_safe(certain_.safe);
    if (!certain_.safe.empty()) return true;
    position_.take_stuck(question, counted);
    return false;
}

Choice ExactStrategy::guess() {
    if (known_ != nullptr) return {known_->guess, false, known_->mine_probability};
    if (is_too_wide_ || budget().stopped()) {
        fall_back();
        return {pick_any(), false};
    }
    const Cell cell = choose_guess();
    return {cell, false, position_.odds_of(cell)};
}

Cell Fast::choose_guess() {
    if (decider_.decide_optimally(position(), budget(), false)) return decider_.candidates()[0].cell;
    return position().safest(knowledge());
}

Cell Lookahead::choose_guess() { return thinker_.decide(position(), budget(), false); }

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
