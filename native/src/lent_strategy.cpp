// Games come in chunks, each a call of its own. A strategy made anew for each would find out again what it knew of the
// states that games begin with, and grow its memory again.

#include "mineproof/lent_strategy.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mineproof {
namespace {

struct Idle {
    std::mutex mutex;
    std::unordered_map<const StrategyInfo*, std::vector<std::unique_ptr<Strategy>>> strategies;
};

Idle& idle() {
    static Idle all;
    return all;
}

// More than can be busy at a time are not kept.
std::size_t most_idle() { return std::max(std::thread::hardware_concurrency(), 1U); }

}  // namespace

LentStrategy::LentStrategy(const StrategyInfo& info) : info_(info) {
    {
        const std::scoped_lock lock(idle().mutex);
        auto& given_back = idle().strategies[&info];
        if (!given_back.empty()) {
            strategy_ = std::move(given_back.back());
            given_back.pop_back();
        }
    }
    if (!strategy_) strategy_ = info.make();
}

LentStrategy::~LentStrategy() {
    const std::scoped_lock lock(idle().mutex);
    auto& given_back = idle().strategies[&info_];
    if (given_back.size() < most_idle()) given_back.push_back(std::move(strategy_));
}

}  // namespace mineproof
