#include "mineproof/advice.hpp"

#include <algorithm>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

template <class Decides>
std::vector<WeighedCandidate> copy_candidates(const Decides& decider) {
    std::vector<WeighedCandidate> copies;
    for (const Candidate& candidate : decider.candidates()) {
        const auto outlooks = decider.outlooks(candidate);
        copies.push_back({candidate, {outlooks.begin(), outlooks.end()}});
    }
    return copies;
}

}  // namespace

Decision decide(const Question& question, const ThinkingOptions& options, Budget& budget) {
    return think(question, options, 1, budget);
}

Thought think(const Question& question, const ThinkingOptions& options, std::size_t threads, Budget& budget,
              const std::function<void(std::span<const Estimate>)>& report) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    Thought thought;
    Solver solver;
    CountedPosition position;
    const bool counted = position.count(question, solver, budget);
    thought.answer = position.counted();
    if (!counted || !position.is_stuck()) return thought;
    Thinker thinker(options, threads);
    if (report) thinker.report_to([&](const Thinker& self) { report(self.estimates()); });
    thought.best = thinker.decide(position, budget, true);
    thought.is_complete = !budget.stopped();
    thought.reason = thinker.reason();
    thought.candidates = copy_candidates(thinker);
    thought.estimates.assign(thinker.estimates().begin(), thinker.estimates().end());
    return thought;
}

Choice choose_in_game(const Question& position, Strategy& strategy, const Random& random, Budget& budget) {
    MINEPROOF_REQUIRE(position.total != Question::kUnknown && std::ranges::count(position.codes, kFlagged) == 0);
    std::vector<std::int8_t> covered(position.codes.begin(), position.codes.end());
    for (std::int8_t& code : covered)
        if (code >= 0) code = kCovered;
    const Match match{position.geometry, covered, static_cast<std::uint32_t>(position.total)};
    const Heeding heeding(strategy, budget);
    strategy.start(match, random);
    for (Cell cell = 0; cell < position.geometry.cells; ++cell)
        if (position.codes[cell] >= 0) strategy.see(cell, position.codes[cell]);
    return strategy.choose();
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
    Decider decider(kStrong);  // the others weigh alike: they only solve and play on more
    found.is_complete = decider.look_ahead(position, cells, budget);
    found.candidates = copy_candidates(decider);
    return found;
}

}  // namespace mineproof
