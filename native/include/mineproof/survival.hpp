// Games in which every guess is survived, and counts by its odds: what a strategy wins, with less noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/coupled_draw.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/opened_field.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/strategy.hpp"

namespace mineproof {

// Works out the odds of guesses, and moves mines out of their way. Owns its scratch memory; use one per thread.
class Sparing {
  public:
    Sparing() {
        solver_.remember_in(&memory_);
        draw_.remember_in(&memory_);
    }
    Sparing(const Sparing&) = delete;
    Sparing& operator=(const Sparing&) = delete;

    // The chance that a covered cell is free; NaN where the position is too wide to count, or the budget is over.
    double chance(const Question& position, Cell cell, Budget& budget);
    // Moves the mine that is there; see CoupledDraw. What is drawn depends on (seed, cell), the position and the field.
    // False if there is a mine in every layout, or the budget is over.
    bool spare(const Question& position, Cell cell, std::uint64_t seed, Budget& budget, Field& field);

  private:
    TapeMemory memory_;
    Solver solver_;
    CoupledDraw draw_;
    std::vector<Verdict> verdicts_;
    std::vector<double> odds_;
};

// A game of a series, which its caller opens cell by cell.
class SurvivalGame {
  public:
    // Deals game `number` and makes the first click.
    //   require: as GamePlayer::play; what `series` points to outlives the game
    void begin(const Series& series, std::uint64_t number, Sparing& sparing, Budget& budget);

    // Opens a cell. A guess is survived, unless it is a mine in every layout; the weight is multiplied by its odds:
    // those that the choice states, or they are counted. Where the position is too wide to count, the layout decides.
    // Once the budget has stopped, the game means nothing.
    //   require: !is_over(); a covered cell
    void open(const Choice& choice, Sparing& sparing, Budget& budget);

    // Cells opened last, in order.
    std::span<const Cell> opened() const { return opened_; }
    std::span<const std::int8_t> codes() const { return field_.codes(); }
    bool is_over() const { return weight_ == 0 || field_.open_count() == safe_; }
    // The chance of surviving all guesses so far: once the game is over, its part in the win rate.
    double weight() const { return weight_; }
    // Guesses in positions too wide to count.
    std::uint64_t blind() const { return blind_; }
    // A cell that was called certainly safe, or that has a chance to be free, is a mine in every layout: a defect.
    bool is_mistaken() const { return is_mistaken_; }

  private:
    Question position() const { return {*geometry_, field_.codes(), mines_}; }
    void survive(const Choice& choice, Sparing& sparing, Budget& budget);

    const Geometry* geometry_ = nullptr;
    std::uint32_t mines_ = 0, safe_ = 0;
    std::uint64_t redraws_ = 0;  // seed
    OpenedField field_;
    std::span<const Cell> opened_;
    double weight_ = 1;
    std::uint64_t blind_ = 0;
    bool is_mistaken_ = false;
};

// What became of such games.
struct SurvivalTally {
    std::vector<double> weights;
    std::uint64_t blind = 0;
    std::uint64_t mistakes = 0;  // games that are mistaken: more than 0 is a defect
};

// Knows the mines of the game being played. Use one per thread.
class SurvivalPlayer {
  public:
    // Plays games `first` to `first + count - 1` of a series and adds what became of them to `tally`. The mean of the
    // weights is, on average over seeds, the chance that the strategy wins. False if the budget ended it before the
    // last; the game under way is given up then, and counts nowhere.
    bool play_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy, Budget& budget,
                    SurvivalTally& tally);

  private:
    // False over budget.
    bool play(const Series& series, std::uint64_t number, Strategy& strategy, Budget& budget);
    void show(Strategy& strategy) const;

    Sparing sparing_;
    SurvivalGame game_;
};

}  // namespace mineproof
