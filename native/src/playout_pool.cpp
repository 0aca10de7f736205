// PlayoutPool: threads take layouts from a common counter, a few at a time. Each game depends on its layout and its
// first cell alone, and its result has a place of its own.

#include "mineproof/playout_pool.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "mineproof/require.hpp"
#include "mineproof/together.hpp"

namespace mineproof {
namespace {

// Layouts taken at a time: drawing some together saves counting the position for each.
constexpr std::uint32_t kTaken = 8;
// Work after which a budget looks at its clock.
constexpr std::uint64_t kLook = 1 << 14;

bool is_set(void* flag) { return static_cast<std::atomic<bool>*>(flag)->load(std::memory_order_relaxed); }

}  // namespace

PlayoutPool::PlayoutPool(const PlayoutOptions& options, std::size_t threads) {
    MINEPROOF_REQUIRE(threads > 0);
    for (std::size_t i = 0; i < threads; ++i) players_.push_back(std::make_unique<Player>(options));
}

void PlayoutPool::begin(const Question& question, std::uint64_t seed) {
    for (const auto& player : players_) player->playout.begin(question, seed);
}

bool PlayoutPool::play(std::uint32_t first, std::uint32_t count, std::span<const Cell> cells, Budget& budget,
                       std::vector<double>& worths) {
    worths.assign(std::size_t{count} * cells.size(), 0);
    std::atomic<std::uint32_t> next{0};
    std::atomic<bool> stopped{false};
    const auto play_some = [&](Playout& playout, Budget& limit) {
        while (!is_set(&stopped)) {
            const std::uint32_t begin = next.fetch_add(kTaken, std::memory_order_relaxed);
            if (begin >= count) return true;
            const std::uint32_t end = std::min(count, begin + kTaken);
            if (!playout.draw(first + begin, end - begin, limit)) return false;
            for (std::uint32_t i = begin; i < end; ++i)
                for (std::size_t j = 0; j < cells.size(); ++j) {
                    worths[i * cells.size() + j] = playout.play(first + i, cells[j], limit);
                    if (limit.stopped()) return false;
                }
        }
        return false;
    };
    const std::size_t shares = (count + kTaken - 1) / kTaken;
    work_together(
        std::min(players_.size(), std::max<std::size_t>(shares, 1)),
        [&](std::size_t number) {
            Budget other(std::numeric_limits<double>::infinity(), Budget::kNoLimit, &is_set, &stopped);
            if (!play_some(players_[number]->playout, number == 0 ? budget : other)) stopped = true;
        },
        [&] { stopped = true; },
        [&] {
            if (!budget.work(kLook)) stopped = true;
        });
    return !stopped;
}

}  // namespace mineproof
