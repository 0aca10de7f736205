// Plays whole games, many in one call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/game_record.hpp"
#include "mineproof/measures.hpp"
#include "mineproof/opened_field.hpp"
#include "mineproof/strategy.hpp"

namespace mineproof {

// What the games of a series have in common.
struct Series {
    Match match;
    std::span<const std::uint8_t> allowed;  // 1 where a mine may be, by the rule on the first click
    Cell start;                             // the first click; kAnywhere is another cell in each game, at random
    std::uint64_t seed;

    static constexpr Cell kAnywhere = ~Cell{0};

    // The first click of game `number`.
    Cell start_of(std::uint64_t number) const;
    // The strategy's own randomness in game `number`.
    Random lots_of(std::uint64_t number) const;
    // Cells of the board without a mine.
    std::uint32_t safe_cells() const;
};

// What became of the games. Averages of moves and guesses are over games won, as the Go simulator has them: a move
// opens a cell (with all that a zero opens) or flags one; a guess is an opening that was not certain, the first click
// included.
struct Tally {
    std::uint64_t games = 0, wins = 0;
    std::uint64_t moves = 0, guesses = 0;  // in games won
    std::uint64_t all_guesses = 0;         // in all games
    double log_survived = 0;               // log of the odds survived in games won, summed up
    std::uint64_t fallbacks = 0;
    std::uint64_t mistakes = 0;  // mines that a strategy called certainly safe: more than 0 is a defect
};

// Knows the mines of the game being played. Owns its scratch memory; use one per thread.
class GamePlayer {
  public:
    // Plays games `first` to `first + count - 1` of a series and adds what became of them to `tally`, and a 1 or 0 for
    // each game to `won`; more of each game to `records`, if there is one. False if the budget ended it before the
    // last; the game under way is given up then, and counts nowhere.
    bool play_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy, Budget& budget,
                    Tally& tally, std::vector<std::uint8_t>& won, GameRecords* records = nullptr);

    // Plays game `number` of a series; layout and the strategy's randomness depend on (seed, number) only.
    //   require: the mines fit into the allowed cells; the start is a cell of the board, or anywhere
    bool play(const Series& series, std::uint64_t number, Strategy& strategy, Tally& tally);

    // Plays on from a position, once for each of `count` layouts that fit (drawn from the seed, uniformly) and each
    // cell of `starts` opened first; counts the wins by cell. Returns how many layouts were played, from all cells: the
    // first of them, fewer than `count` over budget.
    //   require: numbers and covered cells in `position`, no flags, and a total; covered cells in `starts`; one entry
    //            of `wins` for each of them
    std::uint64_t play_on(const Question& position, std::span<const Cell> starts, Strategy& strategy, Solver& solver,
                          std::uint64_t seed, std::uint64_t count, Budget& budget, std::span<std::uint64_t> wins);

  private:
    struct Course {
        std::uint64_t moves = 0, guesses = 0, mistakes = 0;
        double log_survived = 0;
        Choice last{};              // what opened a mine, if anything did
        bool keeps_stated = false;  // odds of guesses, in `stated_`
    };
    // A guess with the odds that the strategy stated.
    struct Stated {
        double mine_probability;
        bool mined;
    };
    enum class Ending : std::uint8_t { lost, won, given_up };

    Ending play(const Series& series, std::uint64_t number, Strategy& strategy, Budget& budget, Tally& tally,
                Course& course);
    // Opens `choice` and what the strategy chooses after it, until the game or the budget is over.
    Ending play_to_end(Choice choice, std::uint32_t safe, Strategy& strategy, Budget& budget, Course& course);
    // What is kept of the game that was just played.
    GameRecord record_of(const Match& match, bool won, const Strategy& strategy, const Course& course,
                         Measurer& measurer);

    OpenedField field_;
    std::vector<std::int8_t> covered_;  // a position before its first click
    std::vector<Truth> truths_;         // the layout at hand, for the measurer
    Samples samples_;
    std::vector<Stated> stated_;        // guesses of the game at hand
    std::vector<std::uint8_t> is_won_;  // by start, of the layout at hand
};

}  // namespace mineproof
