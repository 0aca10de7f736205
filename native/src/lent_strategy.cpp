// Games come in chunks, each a call of its own. A strategy made anew for each would find out again what it knew of the
// states that games begin with, and grow its memory again.

#include "mineproof/lent_strategy.hpp"

#ifndef _WIN32
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
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
std::atomic<Idle*> all_idle{nullptr};

// A forked child has only one thread. The mutex may be held by a thread of the parent, so the child begins anew.
void renew_idle() { all_idle = new Idle; }

Idle& idle() {
    if (Idle* const found = all_idle.load()) return *found;
#ifndef _WIN32
    pthread_atfork(nullptr, nullptr, renew_idle);
#endif
    auto fresh = std::make_unique<Idle>();
    Idle* found = nullptr;  // set if another thread was first
    return all_idle.compare_exchange_strong(found, fresh.get()) ? *fresh.release() : *found;
}

// More than can be busy at a time are not kept, nor those of larger boards.
std::size_t most_idle() { return std::max(std::thread::hardware_concurrency(), 2U); }
constexpr Cell kMostCells = 10'000;

}  // namespace

LentStrategy::LentStrategy(const StrategyInfo& info, Cell cells)
    : info_(info), is_large_(cells > kMostCells), exceptions_(std::uncaught_exceptions()) {
    if (!is_large_) {
        Idle& now = idle();
        const std::scoped_lock lock(now.mutex);
        auto& given_back = now.strategies[&info];
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
    Idle& now = idle();  // of a child, if the process was forked meanwhile
    const std::scoped_lock lock(now.mutex);
    const auto found = now.strategies.find(&info_);
    if (found == now.strategies.end()) return;
    auto& given_back = found->second;
    if (given_back.size() < most_idle()) given_back.push_back(std::move(strategy_));
}

}  // namespace mineproof
