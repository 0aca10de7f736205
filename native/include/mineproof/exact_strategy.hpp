// Strategies that count: what is certain is opened, all of it, and a guess knows its odds.
#pragma once

#include <vector>

#include "mineproof/counted_position.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/strategy.hpp"
#include "mineproof/thinker.hpp"
#include "mineproof/turn_memory.hpp"

namespace mineproof {

// Opens what is certain by exact counting; only the guess is left to choose. What was done in states at the beginning
// of games is remembered, because many games begin alike; unless the guess is drawn by lot.
class ExactStrategy : public KnowingStrategy {
  public:
    explicit ExactStrategy(bool draws_lots = false);
    ExactStrategy(const ExactStrategy&) = delete;
    ExactStrategy& operator=(const ExactStrategy&) = delete;

  protected:
    bool deduce() final;
    Choice guess() final;
    // Nothing is certain: the cell to open, one of `position().undecided()`. Asks `budget()` where it takes long.
    virtual Cell choose_guess() = 0;

    const CountedPosition& position() const { return position_; }
    TapeMemory& memory() { return memory_; }

  private:
    bool is_early() const;
    bool count();

    bool draws_lots_;
    TapeMemory memory_;
    Solver solver_;
    Certain certain_;
    CountedPosition position_;
    TurnMemory turns_;
    const Turn* known_ = nullptr;  // what to guess in the position at hand, if that is remembered
    bool is_too_wide_ = false;     // it could not be counted
};

// The safest cell, ties as CountedPosition::safest has it. With few layouts left, optimal play.
class Fast : public ExactStrategy {
  protected:
    Cell choose_guess() override;

  private:
    Decider decider_{kFast};
};

// Optimal play if few layouts are left, and a look ahead before that. Optionally, games played on from rivals.
class Lookahead : public ExactStrategy {
  public:
    explicit Lookahead(const ThinkingOptions& options) : thinker_(options) { thinker_.remember_in(&memory()); }

  protected:
    Cell choose_guess() override;

  private:
    Thinker thinker_;
};

// minesolver: the cell with the lowest mine probability, ties at random.
class Minesolver : public ExactStrategy {
  public:
    Minesolver() : ExactStrategy(true) {}

  protected:
    Cell choose_guess() override;

  private:
    std::vector<Cell> ties_;
};

}  // namespace mineproof
