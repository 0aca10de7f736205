// Games come in chunks, each a call of its own. A strategy made anew for each would find out again what it knew of the
// states that games begin with, and grow its memory again.

#include "mineproof/lent_strategy.hpp"

#include <algorithm>
#include <exception>
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

// Never destroyed: threads may still play when the process ends.
Idle& idle() {
    static Idle& all = *new Idle;
    return all;
}

// More than can be busy at a time are not kept, nor those of larger boards.
std::size_t most_idle() { return std::max(std::thread::hardware_concurrency(), 2U); }
constexpr Cell kMostCells = 10'000;

}  // namespace

LentStrategy::LentStrategy(const StrategyInfo& info, Cell cells)
    : info_(info), is_large_(cells > kMostCells), exceptions_(std::uncaught_exceptions()) {
    if (!is_large_) {
        const std::scoped_lock lock(idle().mutex);
        auto& given_back = idle().strategies[&info];
        given_back.reserve(most_idle());  // giving back must not fail
        if (!given_back.empty()) {
            strategy_ = std::move(given_back.back());
            given_back.pop_back();
        }
    }
    if (!strategy_) strategy_ = info.make();
}

LentStrategy::~LentStrategy() {
    if (is_large_ || std::uncaught_exceptions() > exceptions_) return;
    const std::scoped_lock lock(idle().mutex);
    auto& given_back = idle().strategies.find(&info_)->second;
    if (given_back.size() < most_idle()) given_back.push_back(std::move(strategy_));
}

}  // namespace mineproof
