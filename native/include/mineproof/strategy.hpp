// How a game is played by what is seen: the interface of all strategies, and the table of those there are.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "mineproof/budget.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/random.hpp"
#include "mineproof/thinker.hpp"

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
    // What to open next. Once the budget has stopped, the choice means nothing, and the game is to be given up.
    //   require: a covered cell without a mine is left
    virtual Choice choose() = 0;
    // The time limit and cancellation of long choices, or nullptr for none. The budget must outlive its use here.
    virtual void heed(Budget* budget) { budget_ = budget; }
    // Mines that it has proved, and would flag.
    virtual std::uint32_t flags() const = 0;
    // Positions of this game that were too wide to count, where the choice was made without odds.
    virtual std::uint32_t fallbacks() const { return 0; }

  protected:
    Budget& budget() { return budget_ == nullptr ? endless_ : *budget_; }

  private:
    Budget* budget_ = nullptr;
    Budget endless_ = Budget::of_states(Budget::kNoLimit);
};

// Makes a strategy heed a budget as long as this lives.
class Heeding {
  public:
    Heeding(Strategy& strategy, Budget& budget) : strategy_(strategy) { strategy.heed(&budget); }
    ~Heeding() { strategy_.heed(nullptr); }
    Heeding(const Heeding&) = delete;
    Heeding& operator=(const Heeding&) = delete;

  private:
    Strategy& strategy_;
};

// What all strategies here share: what single numbers decide is opened first, by Knowledge.
class KnowingStrategy : public Strategy {
  public:
    void start(const Match& match, const Random& random) override;
    void see(Cell cell, std::int8_t number) override { knowledge_.show(cell, number); }
    Choice choose() final;
    std::uint32_t flags() const override { return knowledge_.mines(); }
    std::uint32_t fallbacks() const override { return fallbacks_; }

  protected:
    // Single numbers decide nothing more: proves cells beyond them; false if no cell is proved safe or a mine.
    virtual bool deduce() = 0;
    // Nothing was proved: an unknown cell to open.
    virtual Choice guess() = 0;

    const Match& match() const { return *match_; }
    const Geometry& geometry() const { return match_->geometry; }
    const Knowledge& knowledge() const { return knowledge_; }
    Random& random() { return random_; }
    void prove_safe(std::span<const Cell> cells);
    void prove_mines(std::span<const Cell> cells);
    // Counts a position that could not be worked out.
    void fall_back() { ++fallbacks_; }
    // One of all unknown cells, at random.
    Cell pick_any();

  private:
    const Match* match_ = nullptr;
    Random random_{0, 0};
    Knowledge knowledge_;
    std::uint32_t fallbacks_ = 0;
};

// A row of the table of strategies.
struct StrategyInfo {
    std::string_view name;
    bool decides;                    // it can be asked about a single position, not only for whole games
    bool weighs;                     // it knows the odds of its guesses
    bool looks_ahead;                // it weighs what each cell would tell
    std::uint32_t layouts;           // it plays optimally where no more of them fit
    const ThinkingOptions* options;  // of those that look ahead
    std::unique_ptr<Strategy> (*make)();
};

// All there are: ours, the quickest first, then those of the programs mineproof descends from.
std::span<const StrategyInfo> strategies();
// nullptr if there is none of this name.
const StrategyInfo* find_strategy(std::string_view name);
//   require: there is one of this name
std::unique_ptr<Strategy> make_strategy(std::string_view name);

}  // namespace mineproof
