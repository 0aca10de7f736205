// The part that exact strategies share, and the simplest of them.

#include "mineproof/strategy.hpp"

#include <algorithm>

#include "mineproof/originals.hpp"
#include "mineproof/reduce.hpp"

namespace mineproof {
namespace {

// One position of a game. Wider ones do not come up in ordinary games; where they do, the game goes on by guessing.
constexpr std::uint64_t kStates = 1 << 20;
// Odds this close are the same: far more than the error of a double, far less than odds that differ.
constexpr double kClose = 1e-9;

}  // namespace

void Careful::start(const Match& match, const Random& random) {
    match_ = &match;
    random_ = random;
    knowledge_.start(match.geometry, match.codes);
    verdicts_.resize(match.geometry.cells);
    odds_.resize(match.geometry.cells);
    fallbacks_ = 0;
}

Choice Careful::choose() {
    for (;;) {
        if (Cell cell; knowledge_.take_safe(cell)) return {cell, true, 0};
        Budget budget = Budget::of_states(kStates);
        const Answer answer = solver_.find_certain(question(), budget, certain_);
        if (answer.status == Status::over_budget) return guess_blindly();
        for (const Cell cell : certain_.mines) knowledge_.prove_mine(cell);
        for (const Cell cell : certain_.safe) knowledge_.prove_safe(cell);
        if (!certain_.safe.empty()) continue;
        solver_.write(question(), verdicts_, odds_);
        log2_layouts_ = answer.log2_layouts;
        return guess();
    }
}

Choice Careful::guess_blindly() {
    ++fallbacks_;
    std::uint32_t skip = static_cast<std::uint32_t>(random_.below(knowledge_.unknown()));
    Cell cell = 0;
    while (!knowledge_.is_unknown(cell) || skip-- > 0) ++cell;
    return {cell, false};
}

Choice Fast::guess() {
    Budget budget = Budget::of_states(std::numeric_limits<std::uint64_t>::max());
    if (decider_.decide_optimally(question(), solver(), log2_layouts(), odds(), budget, false)) {
        const Cell cell = decider_.candidates()[0].cell;
        return {cell, false, odds()[cell]};
    }
    const Cell best = knowledge().safest(odds());
    return {best, false, odds()[best]};
}

Choice Thoughtful::guess() {
    unknown_.clear();
    for (Cell cell = 0; cell < geometry().cells; ++cell)
        if (knowledge().is_unknown(cell)) unknown_.push_back(cell);
    Budget budget = Budget::of_states(std::numeric_limits<std::uint64_t>::max());
    const Cell cell = decider_.decide(question(), solver(), log2_layouts(), unknown_, odds(), budget, false);
    return {cell, false, odds()[cell]};
}

Choice Safest::guess() {
    double least = 2;
    for (Cell cell = 0; cell < geometry().cells; ++cell)
        if (knowledge().is_unknown(cell)) least = std::min(least, odds()[cell]);
    ties_.clear();
    for (Cell cell = 0; cell < geometry().cells; ++cell)
        if (knowledge().is_unknown(cell) && odds()[cell] <= least * (1 + kClose)) ties_.push_back(cell);
    const Cell cell = ties_[random().below(ties_.size())];
    return {cell, false, odds()[cell]};
}

std::unique_ptr<Strategy> make_strategy(StrategyName name) {
    switch (name) {
        case StrategyName::fast:
            return std::make_unique<Fast>();
        case StrategyName::strong:
            return std::make_unique<Thoughtful>(kStrong);
        case StrategyName::best:
            return std::make_unique<Thoughtful>(kBest);
        case StrategyName::minesolver:
            return std::make_unique<Safest>();
        case StrategyName::minedetector:
            return std::make_unique<Minedetector>();
        case StrategyName::fair:
            return std::make_unique<Fair>();
        case StrategyName::go:
            return std::make_unique<GoSimulator>();
    }
    return nullptr;
}

}  // namespace mineproof
