// What the look ahead says of a single position, for people who ask: the same counting, the same Decider as in games.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/strategy.hpp"
#include "mineproof/thinker.hpp"

namespace mineproof {

// A candidate with its own copy of what it may show.
struct WeighedCandidate : Candidate {
    std::vector<Outlook> outlooks;
};

// The guess that a strategy would make. No cell and no candidates if a cell is safe, nothing is undecided, or the
// odds are unknown.
struct Decision {
    Answer answer;
    std::optional<Cell> best;
    Reason reason = Reason::only;
    std::vector<WeighedCandidate> candidates;  // best first
    bool is_complete = true;                   // false if the budget ran out after the position was counted
};

// Counts a position and decides. Every candidate is looked at to the end. When the budget runs out after the position
// was counted, the best so far is the answer; candidates that were not looked at have no outlooks.
//   require: a total
Decision decide(const Question& question, const ThinkingOptions& options, Budget& budget);

// A decision that was thought over.
struct Thought : Decision {
    std::vector<Estimate> estimates;  // see Thinker::estimates
};

// Counts a position and decides, on so many threads. When the time is up, or the caller cancels, the best so far is the
// answer. `report` is called after each round of games, by the calling thread, with what is known by then.
//   require: a total; threads > 0
Thought think(const Question& question, const ThinkingOptions& options, std::size_t threads, Budget& budget,
              const std::function<void(std::span<const Estimate>)>& report = {});

// What a strategy opens in a game that has come to this position: exactly what it opens in games of GamePlayer, which
// show it the same numbers. `random` is its stream.
//   require: a total, no flags, a covered cell without a mine
Choice choose_in_game(const Question& position, Strategy& strategy, const Random& random, Budget& budget);

// What some cells would tell.
struct LookAhead {
    Answer answer;
    std::optional<Cell> refused;               // the first of the cells that is not undecided: then nothing was done
    std::vector<WeighedCandidate> candidates;  // in the order of the cells; none unless answered
    bool is_complete = true;                   // false if the budget ran out before the last of them
};

// Counts a position and weighs these cells as `decide` would, each to the end; the first of them over budget.
//   require: a total
LookAhead look_ahead(const Question& question, std::span<const Cell> cells, Budget& budget);

}  // namespace mineproof
