// How a game is played by what is seen: the interface of all strategies, and the part that ours share.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/decision.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// What a player knows of a game before the first click.
struct Match {
    const Geometry& geometry;
    std::span<const std::int8_t> codes;  // kCovered, or another negative code for cells that are not part of the board
    std::uint32_t mines;
};

struct Choice {
    Cell cell;
    bool certain;
    // Of a guess, where the strategy has worked it out exactly; NaN otherwise.
    double mine_probability = std::numeric_limits<double>::quiet_NaN();
};

// Opens cells one by one. Nothing it is handed knows the mines; use one per thread, for one game after the other.
class Strategy {
  public:
    virtual ~Strategy() = default;

    // A game begins. `random` is the strategy's own stream; the match outlives the game.
    virtual void start(const Match& match, const Random& random) = 0;
    // A cell was opened, by the strategy's choice, as the first click or by a zero beside it.
    virtual void see(Cell cell, std::int8_t number) = 0;
    // What to open next.
    //   require: a covered cell without a mine is left
    virtual Choice choose() = 0;
    // Mines that it has proved, and would flag.
    virtual std::uint32_t flags() const = 0;
    // Positions of this game that were too wide to count, where the choice was made without odds.
    virtual std::uint32_t fallbacks() const { return 0; }
};

enum class StrategyName : std::uint8_t { fast, strong, best, minesolver, minedetector, fair, go };

inline constexpr int kStrategies = 7;

std::unique_ptr<Strategy> make_strategy(StrategyName name);

// Opens what is certain, all of it, by exact counting; only a guess is left to choose.
class Careful : public Strategy {
  public:
    Careful() { solver_.remember_in(&memory_); }
    Careful(const Careful&) = delete;
    Careful& operator=(const Careful&) = delete;

    void start(const Match& match, const Random& random) override;
    void see(Cell cell, std::int8_t number) override { knowledge_.show(cell, number); }
    Choice choose() override;
    std::uint32_t flags() const override { return knowledge_.mines(); }
    std::uint32_t fallbacks() const override { return fallbacks_; }

  protected:
    // Nothing is certain: chooses one of the unknown cells, whose odds are in `odds()`.
    virtual Choice guess() = 0;

    const Geometry& geometry() const { return match_->geometry; }
    const Match& match() const { return *match_; }
    const Knowledge& knowledge() const { return knowledge_; }
    std::span<const double> odds() const { return odds_; }
    Question question() const { return {match_->geometry, knowledge_.codes(), match_->mines}; }
    Solver& solver() { return solver_; }
    TapeMemory& memory() { return memory_; }
    double log2_layouts() const { return log2_layouts_; }
    Random& random() { return random_; }

  private:
    Choice guess_blindly();

    const Match* match_ = nullptr;
    Random random_{0, 0};
    Knowledge knowledge_;
    TapeMemory memory_;
    Solver solver_;
    Certain certain_;
    std::vector<Verdict> verdicts_;
    std::vector<double> odds_;
    double log2_layouts_ = 0;
    std::uint32_t fallbacks_ = 0;
};

// The safest cell, ties as Knowledge has it. With few layouts left, optimal play.
class Fast : public Careful {
  protected:
    Choice guess() override;

  private:
    Decider decider_{kFast};
};

// Optimal play where few layouts are left, and a look ahead before that.
class Thoughtful : public Careful {
  public:
    explicit Thoughtful(const Thinking& thinking) : decider_(thinking) { decider_.remember_in(&memory()); }

  protected:
    Choice guess() override;

  private:
    Decider decider_;
    std::vector<Cell> unknown_;
};

// minesolver: the cell with the lowest mine probability, ties at random.
class Safest : public Careful {
  protected:
    Choice guess() override;

  private:
    std::vector<Cell> ties_;
};

}  // namespace mineproof
