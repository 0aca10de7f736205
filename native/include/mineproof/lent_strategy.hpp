// Strategies that are used again, with what they remember of positions.
#pragma once

#include <memory>

#include "mineproof/strategy.hpp"

namespace mineproof {

// A strategy of this kind that nobody else uses: one that was given back, or a new one. What it remembers changes no
// choice. It is given back at the end, unless that comes by an exception, or its scratch memory is large because the
// board was. May be made and ended in any thread.
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
