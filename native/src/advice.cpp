#include "mineproof/advice.hpp"

#include <algorithm>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

std::vector<WeighedCandidate> copy_candidates(const Decider& decider) {
    std::vector<WeighedCandidate> copies;
    for (const Candidate& candidate : decider.candidates()) {
        const auto outlooks = decider.outlooks(candidate);
        copies.push_back({candidate, {outlooks.begin(), outlooks.end()}});
    }
    return copies;
}

}  // namespace

Decision decide(const Question& question, const DeciderOptions& options, Budget& budget) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    Decision decision;
    Solver solver;
    CountedPosition position;
    const bool counted = position.count(question, solver, budget);
    decision.answer = position.counted();
    if (!counted || !position.is_stuck()) return decision;
    Decider decider(options);
    decision.best = decider.decide(position, budget, true);
    decision.reason = decider.reason();
    decision.candidates = copy_candidates(decider);
    if (budget.limit() != Limit::none) decision.answer.status = Status::over_budget;
    return decision;
}

LookAhead look_ahead(const Question& question, std::span<const Cell> cells, Budget& budget) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    LookAhead found;
    Solver solver;
    CountedPosition position;
    const bool counted = position.count(question, solver, budget);
    found.answer = position.counted();
    if (!counted) return found;
    const auto refused = std::ranges::find_if(cells, [&](Cell cell) { return !position.is_undecided(cell); });
    if (refused != cells.end()) {
        found.refused = *refused;
        return found;
    }
    Decider decider(kStrong);  // kBest weighs alike: it only solves and plays on more
    if (decider.look_ahead(position, cells, budget))
        found.candidates = copy_candidates(decider);
    else
        found.answer.status = Status::over_budget;
    return found;
}

}  // namespace mineproof
