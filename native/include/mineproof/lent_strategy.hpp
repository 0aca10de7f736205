// Strategies that are used again, with what they remember of positions.
#pragma once

#include <memory>

#include "mineproof/strategy.hpp"

namespace mineproof {

// A strategy of this kind that nobody else uses: one that was given back, or a new one. Given back at the end. What it
// remembers changes no choice. May be made and ended in any thread.
class LentStrategy {
  public:
    explicit LentStrategy(const StrategyInfo& info);
    ~LentStrategy();
    LentStrategy(const LentStrategy&) = delete;
    LentStrategy& operator=(const LentStrategy&) = delete;

    Strategy& operator*() const { return *strategy_; }

  private:
    const StrategyInfo& info_;
    std::unique_ptr<Strategy> strategy_;
};

}  // namespace mineproof
