// What playing on gains over the look ahead alone, and what it costs: points of win rate and CPU for a game.
//
//     thought_gain FIRST_GAME GAMES SEED safe|open JUDGES [FAST STRONG LEAST_GAIN OPENING RIVAL_SHARE]...
//
// Expert games are played by `strong`. At every guess that is left to the look ahead each setting (five numbers as in
// ThinkingOptions; without any, those of `best` and `deep`) chooses. Where its choice is not that of the look ahead,
// `strong` plays on from both, on JUDGES layouts that no setting has seen. The sum of the differences over a game is,
// to first order, what the setting gains a game. Guesses of optimal play are not counted, neither gain nor cost.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <vector>

#include "expert_games.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/thinker.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kJudgesSeed = 0x6a7564676573;
constexpr std::size_t kPhases = 4;
constexpr const char* kPhaseNames[] = {"O", "A", "B", "C"};

double cpu_seconds() {
    std::timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct PhaseSums {
    double decisions = 0, changed = 0, gain = 0, squares = 0, cpu = 0, layouts = 0;
};

struct Setting {
    ThinkingOptions options;
    std::unique_ptr<Thinker> thinker;
    std::array<PhaseSums, kPhases> sums{};
    double game = 0, squares = 0;  // gain of the game at hand; of its squares over games
};

class Judge {
  public:
    Judge(std::vector<ThinkingOptions> options, std::uint32_t judges, TapeMemory& memory) : judges_(judges) {
        for (ThinkingOptions& each : options) {
            each.ahead.layouts = kStrong.layouts;
            settings_.push_back({each, std::make_unique<Thinker>(each)});
            settings_.back().thinker->remember_in(&memory);
        }
        playout_.remember_in(&memory);
    }

    void visit(const CountedPosition& position, const Decider& decider) {
        const double bits = position.log2_layouts();
        const std::size_t phase = decider.is_opening() ? 0 : bits > 200 ? 1 : bits > 60 ? 2 : 3;
        const Cell scored = decider.candidates()[0].cell;
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        values_.clear();
        for (Setting& setting : settings_) {
            const double begin = cpu_seconds();
            const Cell cell = setting.thinker->decide(position, budget, false);
            PhaseSums& sums = setting.sums[phase];
            sums.cpu += cpu_seconds() - begin;
            for (const Estimate& estimate : setting.thinker->estimates()) sums.layouts += estimate.layouts;
            ++sums.decisions;
            if (cell == scored) continue;
            const double gain = value(position, cell) - value(position, scored);
            ++sums.changed;
            sums.gain += gain;
            sums.squares += gain * gain;
            setting.game += gain;
        }
    }

    void end_game() {
        ++games_;
        for (Setting& setting : settings_) {
            setting.squares += setting.game * setting.game;
            setting.game = 0;
        }
    }

    void print() const {
        for (const Setting& setting : settings_) {
            const ThinkingOptions& options = setting.options;
            std::printf("fast %u, strong %u, least gain %g, opening %d, rivals %g\n", options.fast, options.strong,
                        options.least_gain, options.opening, options.ahead.rival_share);
            double gain = 0, cpu = 0;
            for (std::size_t phase = 0; phase < kPhases; ++phase) {
                const PhaseSums& sums = setting.sums[phase];
                gain += sums.gain / games_;
                cpu += sums.cpu / games_;
                std::printf(
                    "  %s: %.2f decisions a game, %4.1f %% changed, gain %+.3f (%.3f) points each, %6.2f ms each, "
                    "%5.0f games played on\n",
                    kPhaseNames[phase], sums.decisions / games_, 100 * sums.changed / sums.decisions,
                    100 * sums.gain / sums.decisions, 100 * std::sqrt(sums.squares) / sums.decisions,
                    1e3 * sums.cpu / sums.decisions, sums.layouts / sums.decisions);
            }
            std::printf("  %+.3f (%.3f) points a game, %.2f ms a game\n", 100 * gain,
                        100 * std::sqrt(setting.squares) / games_, 1e3 * cpu);
        }
    }

  private:
    // The chance to win by a cell, as `strong` plays on; the layouts are the same for all cells, and others in each
    // game: games begin with the same few positions, whose errors would add up.
    double value(const CountedPosition& position, Cell cell) {
        if (const auto known = values_.find(cell); known != values_.end()) return known->second;
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        playout_.begin(position.question(), kJudgesSeed + static_cast<std::uint64_t>(games_));
        if (!playout_.draw(0, judges_, budget)) std::exit(1);
        double sum = 0;
        for (std::uint32_t number = 0; number < judges_; ++number) sum += playout_.play(number, cell, budget);
        return values_[cell] = (1 - position.odds()[cell]) * sum / judges_;
    }

    std::uint32_t judges_;
    std::vector<Setting> settings_;
    Playout playout_{kStrongPlayout};
    std::map<Cell, double> values_;
    double games_ = 0;
};

}  // namespace
}  // namespace mineproof

int main(int count, char** arguments) {
    if (count < 6 || (count - 6) % 5 != 0) {
        std::fprintf(stderr,
                     "usage: thought_gain FIRST_GAME GAMES SEED safe|open JUDGES "
                     "[FAST STRONG LEAST_GAIN OPENING RIVAL_SHARE]...\n");
        return 2;
    }
    const auto whole = [&](int place) { return std::strtoull(arguments[place], nullptr, 10); };
    std::vector<mineproof::ThinkingOptions> options;
    for (int place = 6; place < count; place += 5) {
        options.push_back({mineproof::kFarAhead, static_cast<std::uint32_t>(whole(place)),
                           static_cast<std::uint32_t>(whole(place + 1)), whole(place + 3) != 0,
                           std::strtod(arguments[place + 2], nullptr)});
        options.back().ahead.rival_share = std::strtod(arguments[place + 4], nullptr);
    }
    if (options.empty()) options = {mineproof::kBestThought, mineproof::kDeepThought};
    mineproof::ExpertGames games;
    mineproof::Judge judge(options, static_cast<std::uint32_t>(whole(5)), games.memory());
    const std::uint64_t first = whole(1), end = first + whole(2);
    for (std::uint64_t number = first; number < end; ++number) {
        games.play(whole(3), number, std::strcmp(arguments[4], "open") == 0,
                   [&](const auto& position, const auto& decider) { judge.visit(position, decider); });
        judge.end_game();
    }
    judge.print();
}
