// How much CPU a difference of two moves costs that is to be known with a given error, by playouts: the variance of the
// difference on one layout times the CPU that a layout takes, with and without what playouts save by.
//
//     playout_cost PAIRS SEED [fast|strong]
//
// Expert games are played by `strong`, with a safe and an open start by turns. At guesses that are left to the look
// ahead the two best candidates are played on from, until there are PAIRS of them in each phase: O less than an eighth
// of the board is open; A more than 2^200 layouts, B more than 2^60, C more than 2^15. For each saving, added to those
// before it, the variance, the CPU and their product are printed relative to playouts without any, summed over the
// pairs.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "expert_games.hpp"
#include "mineproof/playout.hpp"

namespace mineproof {
namespace {

constexpr std::size_t kPhases = 4, kSettings = 5;
constexpr const char* kPhaseNames[] = {"O", "A", "B", "C"};
constexpr const char* kSettingNames[] = {"none", "+ remember decisions", "+ coupled redraw", "+ merged states",
                                         "+ repaired layouts"};
constexpr std::uint32_t kBatch = 16;

double cpu_seconds() {
    std::timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Sums {
    double variance = 0, cpu = 0, product = 0;
};

class Costs {
  public:
    Costs(bool strong, std::size_t pairs) : strong_(strong), pairs_(pairs), layouts_(strong ? 64 : 256) {}

    bool is_done() const {
        for (const std::size_t count : counts_)
            if (count < pairs_) return false;
        return true;
    }

    void measure(const CountedPosition& position, const Decider& decider) {
        const auto candidates = decider.candidates();
        const double bits = position.log2_layouts();
        const std::size_t phase = decider.is_opening() ? 0 : bits > 200 ? 1 : bits > 60 ? 2 : 3;
        if (bits < 15 || candidates.size() < 2 || counts_[phase] == pairs_) return;
        std::size_t other = 1;  // not one with the same score: these are mostly mirror images
        while (other < candidates.size() && candidates[other].score > candidates[0].score * (1 - 1e-9)) ++other;
        if (other == candidates.size() || candidates[other].score < 0.94 * candidates[0].score) return;
        ++counts_[phase];
        for (std::size_t setting = 0; setting < kSettings; ++setting)
            play(position, candidates[0], candidates[other], setting, sums_[phase][setting]);
    }

    void print() const {
        std::printf("%s playouts, %zu pairs a phase, %u layouts each; variance, CPU and product relative to none\n",
                    strong_ ? "strong" : "fast", pairs_, layouts_);
        for (std::size_t phase = 0; phase < kPhases; ++phase)
            for (std::size_t setting = 0; setting < kSettings; ++setting) {
                const Sums &sums = sums_[phase][setting], &first = sums_[phase][0];
                std::printf("%s %-22s %5.2f %5.2f %5.2f   %6.1f us a layout\n", kPhaseNames[phase],
                            kSettingNames[setting], sums.variance / first.variance, sums.cpu / first.cpu,
                            sums.product / first.product, 1e6 * sums.cpu / static_cast<double>(pairs_));
            }
    }

  private:
    void play(const CountedPosition& position, const Candidate& one, const Candidate& other, std::size_t setting,
              Sums& sums) {
        PlayoutOptions options = strong_ ? kStrongPlayout : kFastPlayout;
        options.remembers = setting >= 1;
        options.couples = setting >= 2;
        options.merges = setting >= 3;
        options.repairs = setting >= 4;
        TapeMemory memory;
        Playout playout(options);
        playout.remember_in(&memory);
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        std::array<std::vector<double>, 2> worths;
        const double begin = cpu_seconds();
        playout.begin(position.question(), 1);
        for (std::uint32_t number = 0; number < layouts_; ++number) {
            if (number % kBatch == 0 && !playout.draw(number, kBatch, budget)) std::exit(1);
            for (const bool second : {false, true}) {
                const Cell cell = second ? other.cell : one.cell;
                const bool plays = options.repairs || playout.is_free(number, cell);
                worths[second].push_back(plays ? playout.play(number, cell, budget) : -1);
            }
        }
        const double cpu = (cpu_seconds() - begin) / layouts_;
        const double variance = variance_of(one, other, worths, options.repairs);
        sums.variance += variance;
        sums.cpu += cpu;
        sums.product += variance * cpu;
    }

    // Of the difference, on one layout, relative to the mean worth. A layout in which a move's own cell is a mine tells
    // nothing of it, unless layouts are repaired: the move's mean is taken over the others.
    double variance_of(const Candidate& one, const Candidate& other, const std::array<std::vector<double>, 2>& worths,
                       bool repairs) const {
        const double free[] = {1 - one.mine_probability, 1 - other.mine_probability};
        double means[2];
        for (const int i : {0, 1}) {
            double sum = 0, games = 0;
            for (const double worth : worths[static_cast<std::size_t>(i)])
                if (worth >= 0) sum += worth, ++games;
            means[i] = sum / games;
        }
        double squares = 0;
        for (std::uint32_t number = 0; number < layouts_; ++number) {
            double apart[2] = {0, 0};
            for (const int i : {0, 1})
                if (const double worth = worths[static_cast<std::size_t>(i)][number]; worth >= 0)
                    apart[i] = (repairs ? free[i] : 1) * (worth - means[i]);
            squares += (apart[0] - apart[1]) * (apart[0] - apart[1]);
        }
        const double mean = (free[0] * means[0] + free[1] * means[1]) / 2;
        return squares / (layouts_ - 1) / (mean * mean);
    }

    bool strong_;
    std::size_t pairs_;
    std::uint32_t layouts_;
    std::array<std::size_t, kPhases> counts_{};
    std::array<std::array<Sums, kSettings>, kPhases> sums_{};
};

}  // namespace
}  // namespace mineproof

int main(int count, char** arguments) {
    if (count < 3 || count > 4) {
        std::fprintf(stderr, "usage: playout_cost PAIRS SEED [fast|strong]\n");
        return 2;
    }
    const std::size_t pairs = std::strtoull(arguments[1], nullptr, 10);
    const std::uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
    for (const bool strong : {false, true}) {
        if (count == 4 && (std::strcmp(arguments[3], "strong") == 0) != strong) continue;
        mineproof::ExpertGames games;
        mineproof::Costs costs(strong, pairs);
        for (std::uint64_t number = 0; !costs.is_done(); ++number)
            games.play(seed, number, number % 2 == 1,
                       [&](const auto& position, const auto& decider) { costs.measure(position, decider); });
        costs.print();
    }
}
