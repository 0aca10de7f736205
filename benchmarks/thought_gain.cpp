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
// The look ahead is kStrong, which plays optimally from 2,000 layouts on. It judges the player's games as told in
// judged_games.hpp, on JUDGES layouts a guess. CPU is that of the player's guesses up to where both play optimally;
// what it knows of earlier games takes none.
//
// The last line is the tournament: what the player's games won more than the look ahead's own, game by game on the same
// layouts. It says the same with more noise, and knows nothing of judges.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <span>
#include <vector>

#include "expert_games.hpp"
#include "judged_games.hpp"

namespace mineproof {
namespace {

constexpr const char* kPhaseNames[kPhases] = {"O", "A", "B", "C", "D"};

// What games said, one after the other.
struct GameSums {
    double games = 0, sum = 0, squares = 0;

    void add(double gain) {
        ++games;
        sum += gain;
        squares += gain * gain;
    }
    double mean() const { return 100 * sum / games; }
    double error() const { return std::sqrt((1e4 * squares / games - mean() * mean()) / games); }
};

void print(std::span<const PhaseSums, kPhases> phases, const GameSums& all, const GameSums& tournament) {
    double cpu = 0;
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
        const PhaseSums& sums = phases[phase];
        if (sums.decisions == 0) continue;
        cpu += sums.cpu;
        std::printf("%s: %.3f decisions a game by weight, %4.1f %% changed, gain %+.4f (%.4f) points a game, %.2f ms\n",
                    kPhaseNames[phase], sums.decisions / all.games, 100 * sums.changed / sums.decisions,
                    100 * sums.gain / all.games, 100 * std::sqrt(sums.squares) / all.games, 1e3 * sums.cpu / all.games);
    }
    std::printf("%.0f games: %+.4f (%.4f) points a game, %.2f ms a game\n", all.games, all.mean(), all.error(),
                1e3 * cpu / all.games);
    std::printf("tournament: %+.4f (%.4f) points a game\n", tournament.mean(), tournament.error());
}

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
    Judge judge(options, kStrong, static_cast<std::uint32_t>(whole(6)));
    const std::uint64_t first = whole(2), end = first + whole(3);
    Lookahead look_ahead({kStrong});
    SurvivalPlayer survivor;
    GameSums all, tournament;
    for (std::uint64_t number = first; number < end; ++number) {
        all.add(judge.play(series, number));
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        SurvivalTally tally;
        survivor.play_games(series, number, 1, look_ahead, budget, tally);
        tournament.add(judge.won() - tally.weights[0]);
    }
    print(judge.phases(), all, tournament);
}
