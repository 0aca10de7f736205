// What a player gains over the look ahead alone, in points of win rate, and what it costs: CPU for a game.
//
//     thought_gain LEVEL FIRST_GAME GAMES SEED safe|open JUDGES PLAYER
//
// LEVEL is beginner, intermediate or expert; the first click is that of win_rates.py.
// PLAYER is a strategy that looks ahead (strong, best, deep), or seven numbers: layouts up to which it plays optimally;
// layouts played on by `fast` and by `strong`; the least gain; 1 to play on in the opening too; log2 of the layouts up
// to which it plays on; the share of a score that rivals may lack (see ThinkingOptions and DeciderOptions). Eight more
// numbers are its Worths and shared_fate.
//
// The player plays survival-weighted games. At each of its guesses the look ahead (kStrong, which plays
// optimally from 2,000 layouts on) chooses too. Where it would open another cell, it plays on from both, on JUDGES
// layouts that the player has not seen. The sum over a game of these differences, each times the weight of the game so
// far, is on average just what the player wins more than the look ahead: its games lead to the states, and in each the
// other one says what the step from its own play is worth. Games end where both play optimally. CPU is that of the
// player's guesses up to there; what it knows of earlier games takes none.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

#include "expert_games.hpp"
#include "mineproof/exact_strategy.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/survival.hpp"
#include "mineproof/thinker.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kJudgesSeed = 0x6a7564676573;
constexpr std::size_t kPhases = 5;
constexpr const char* kPhaseNames[] = {"O", "A", "B", "C", "D"};
constexpr ThinkingOptions kLookAhead{kStrong};

double cpu_seconds() {
    std::timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

PlayoutOptions judging() {
    PlayoutOptions options = kStrongPlayout;
    options.few = static_cast<std::uint32_t>(kStrong.layouts);
    return options;
}

struct PhaseSums {
    double decisions = 0, changed = 0, gain = 0, squares = 0, cpu = 0;
};

class Judge {
  public:
    Judge(const ThinkingOptions& options, std::uint32_t judges) : player_(options), judges_(judges) {
        solver_.remember_in(&memory_);
        playout_.remember_in(&memory_);
    }

    void play(const Series& series, std::uint64_t number) {
        game_.begin(series, number, sparing_);
        for (Strategy* each : {static_cast<Strategy*>(&player_), static_cast<Strategy*>(&other_)})
            each->start(series.match, series.lots_of(number));
        double gain = 0;
        for (;;) {
            for (const Cell cell : game_.opened()) {
                player_.see(cell, game_.codes()[cell]);
                other_.see(cell, game_.codes()[cell]);
            }
            if (game_.is_over()) break;
            const double begin = cpu_seconds();
            const Choice choice = player_.choose();
            const double cpu = cpu_seconds() - begin;
            if (!choice.certain) {
                Budget budget = Budget::of_states(1 << 20);
                if (!position_.count({series.match.geometry, game_.codes(), series.match.mines}, solver_, budget))
                    std::exit(1);
                if (position_.log2_layouts() <= std::log2(kStrong.layouts)) break;
                gain += compare(choice.cell, number, cpu);
            }
            game_.open(choice, sparing_);
        }
        ++games_;
        sum_ += gain;
        squares_ += gain * gain;
    }

    void print() const {
        double cpu = 0;
        for (std::size_t phase = 0; phase < kPhases; ++phase) {
            const PhaseSums& sums = phases_[phase];
            if (sums.decisions == 0) continue;
            cpu += sums.cpu;
            std::printf(
                "%s: %.3f decisions a game by weight, %4.1f %% changed, gain %+.4f (%.4f) points a game, %.2f ms\n",
                kPhaseNames[phase], sums.decisions / games_, 100 * sums.changed / sums.decisions,
                100 * sums.gain / games_, 100 * std::sqrt(sums.squares) / games_, 1e3 * sums.cpu / games_);
        }
        const double mean = sum_ / games_;
        std::printf("%.0f games: %+.4f (%.4f) points a game, %.2f ms a game\n", games_, 100 * mean,
                    100 * std::sqrt((squares_ / games_ - mean * mean) / games_), 1e3 * cpu / games_);
    }

  private:
    // What the choice is worth more than the other's, times the weight of the game.
    double compare(Cell chosen, std::uint64_t number, double cpu) {
        const double bits = position_.log2_layouts(), weight = game_.weight();
        const auto codes = game_.codes();
        const auto open = std::count_if(codes.begin(), codes.end(), [](std::int8_t code) { return code >= 0; });
        const bool opening = 8 * open < static_cast<std::ptrdiff_t>(codes.size());
        PhaseSums& sums = phases_[opening ? 0 : bits > 200 ? 1 : bits > 60 ? 2 : bits > 15 ? 3 : 4];
        sums.decisions += weight;
        sums.cpu += weight * cpu;
        const Cell scored = other_.choose().cell;
        if (chosen == scored) return 0;
        playout_.begin(position_.question(), kJudgesSeed + number);
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        if (!playout_.draw(0, judges_, budget)) std::exit(1);
        const double free[] = {1 - position_.odds()[chosen], 1 - position_.odds()[scored]};
        double sum = 0;
        for (std::uint32_t layout = 0; layout < judges_; ++layout)
            sum += free[0] * playout_.play(layout, chosen, budget) - free[1] * playout_.play(layout, scored, budget);
        const double gain = weight * sum / judges_;
        sums.changed += weight;
        sums.gain += gain;
        sums.squares += gain * gain;
        return gain;
    }

    TapeMemory memory_;
    Lookahead player_, other_{kLookAhead};
    std::uint32_t judges_;
    Sparing sparing_;
    SurvivalGame game_;
    Solver solver_;
    CountedPosition position_;
    Playout playout_{judging()};
    std::array<PhaseSums, kPhases> phases_{};
    double games_ = 0, sum_ = 0, squares_ = 0;
};

// The options of a player; false if these arguments name none.
bool read_player(int count, char** arguments, ThinkingOptions& options) {
    if (count == 1) {
        const StrategyInfo* const info = find_strategy(arguments[0]);
        if (info == nullptr || info->options == nullptr) return false;
        options = *info->options;
        return true;
    }
    if (count != 7 && count != 15) return false;
    std::array<double, 15> numbers{};
    for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = std::strtod(arguments[i], nullptr);
    options = {kStrong, static_cast<std::uint32_t>(numbers[1]), static_cast<std::uint32_t>(numbers[2]), numbers[3]};
    options.ahead.layouts = numbers[0];
    options.ahead.rivals_in_opening = numbers[4] != 0;
    options.ahead.rival_bits = numbers[5];
    options.ahead.rival_share = numbers[6];
    if (count == 15) {
        options.ahead.worths = {numbers[7], numbers[8], numbers[9], numbers[10], numbers[11], numbers[12], numbers[13]};
        options.ahead.shared_fate = numbers[14];
    }
    return true;
}

struct Level {
    const char* name;
    Cell rows, columns, mines, open_start;
};
constexpr Level kLevels[] = {
    {"beginner", 9, 9, 10, 2 * 9 + 2}, {"intermediate", 16, 16, 40, 2 * 16 + 2}, {"expert", 16, 30, 99, 3 * 30 + 3}};

}  // namespace
}  // namespace mineproof

int main(int count, char** arguments) {
    using namespace mineproof;
    ThinkingOptions options{};
    const auto whole = [&](int place) { return std::strtoull(arguments[place], nullptr, 10); };
    const Level* level = std::ranges::find_if(
        kLevels, [&](const Level& each) { return count > 1 && std::strcmp(each.name, arguments[1]) == 0; });
    if (count < 8 || level == std::end(kLevels) || !read_player(count - 7, arguments + 7, options)) {
        std::fprintf(
            stderr,
            "usage: thought_gain LEVEL FIRST_GAME GAMES SEED safe|open JUDGES PLAYER\n"
            "LEVEL: beginner, intermediate, expert\n"
            "PLAYER: strong, best, deep, or LAYOUTS FAST STRONG LEAST_GAIN OPENING BITS RIVAL_SHARE [WORTHS FATE]\n");
        return 2;
    }
    const bool open = std::strcmp(arguments[5], "open") == 0;
    if ((!open && std::strcmp(arguments[5], "safe") != 0) || whole(3) == 0 || whole(6) == 0) {
        std::fprintf(stderr,
                     "thought_gain: found %s games, rule %s, %s judges; expected 1 or more, safe or open, 1 or more\n",
                     arguments[3], arguments[5], arguments[6]);
        return 2;
    }
    const Geometry geometry = rectangle(level->rows, level->columns);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    const Cell start = open ? level->open_start : 0;
    allowed[start] = 0;
    if (open)
        for (const Cell near : geometry.around(start)) allowed[near] = 0;
    const Match match{geometry, codes, level->mines};
    const Series series{match, allowed, start, whole(4)};
    Judge judge(options, static_cast<std::uint32_t>(whole(6)));
    const std::uint64_t first = whole(2), end = first + whole(3);
    for (std::uint64_t number = first; number < end; ++number) judge.play(series, number);
    judge.print();
}
