// Strategies that are used again, with what they remember of positions.
#pragma once

#include <memory>

#include "mineproof/strategy.hpp"

namespace mineproof {

// A strategy that has no other user: one that was returned to the pool, or a new one. Its memory changes no choice.
// The destructor returns it to the pool, unless an exception is being thrown or its scratch memory is large. Any thread
// may create and destroy it.
class LentStrategy {
  public:
    //   cells: of the largest board that it will play on
    LentStrategy(const StrategyInfo& info, Cell cells);
    ~LentStrategy();
    LentStrategy(const LentStrategy&) = delete;
    LentStrategy& operator=(const LentStrategy&) = delete;

    Strategy& operator*() const { return *strategy_; }

  private:
    const StrategyInfo& info_;
    bool is_large_;
    int exceptions_;  // under way when it was lent
    std::unique_ptr<Strategy> strategy_;
};

}  // namespace mineproof
