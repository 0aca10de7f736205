// Judged games (benchmarks/judged_games.hpp): on average they say what the player wins more than the baseline, on
// boards so small that every layout can be played.

#include <cmath>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "judged_games.hpp"
#include "settings.hpp"

namespace mineproof::testing {
namespace {

constexpr std::uint64_t kSeed = 5;

// The first cell is free.
Setting corner_setting(int rows, int columns, std::uint32_t mines) {
    Setting setting{make_geometry(Shape::grid, rows, columns), {}, {}, mines};
    setting.codes.assign(setting.geometry.cells, kCovered);
    setting.allowed.assign(setting.geometry.cells, 1);
    setting.allowed[0] = 0;
    return setting;
}

// Looks ahead as `strong` does, and plays optimally with at most so many layouts.
constexpr DeciderOptions able(double layouts) {
    DeciderOptions options = kStrong;
    options.layouts = layouts;
    return options;
}

// Looks ahead for cells after which few are safe, at any risk.
constexpr DeciderOptions clumsy(double layouts) {
    DeciderOptions options = able(layouts);
    options.shared_fate = options.frontier_share = options.sea_share = 0;
    options.worths = {-0.99, 0, 0, 0, 1, 0, 0};
    return options;
}

// Plays on from cells that look about as good, and never plays optimally.
constexpr ThinkingOptions thoughtful() {
    ThinkingOptions options{able(0), 16, 0, 0.001};
    options.ahead.rival_share = 0.1;
    options.ahead.rivals_in_opening = true;
    return options;
}

std::vector<double> gains_of(Judge& judge, const Series& series, std::uint64_t games) {
    std::vector<double> gains;
    for (std::uint64_t number = 0; number < games; ++number) gains.push_back(judge.play(series, number));
    return gains;
}

// What the games say, against plain games on every layout. An error of a fifth of the difference would be seen.
void check_gain(const Setting& setting, const ThinkingOptions& player, const DeciderOptions& baseline,
                std::uint64_t games) {
    const Series series = setting.series(0, kSeed);
    Lookahead one(player), other({baseline});
    const double exact = exact_rate(series, one) - exact_rate(series, other);
    Judge judge(player, baseline, 4);
    const Mean found = mean_of(gains_of(judge, series, games));
    const Note note([&] { return show(found.value) + " ± " + show(found.error) + ", exactly " + show(exact); });
    CHECK(20 * found.error < std::abs(exact));
    CHECK_CLOSE(found.value, exact, 4 * found.error);
}

THOROUGH_TEST(judged_games_say_what_optimal_play_wins_more) {
    check_gain(corner_setting(3, 5, 4), {able(5'000)}, clumsy(0), 3000);
}

// Games end where both play optimally.
THOROUGH_TEST(judged_games_say_what_is_won_more_before_optimal_play) {
    check_gain(corner_setting(3, 5, 4), {able(20)}, clumsy(20), 3000);
}

// They continue while either does not.
THOROUGH_TEST(judged_games_say_what_a_worse_player_wins_less) {
    check_gain(corner_setting(4, 4, 4), {clumsy(0)}, able(20), 3000);
}

THOROUGH_TEST(judged_games_say_what_thinking_wins_more) {
    check_gain(corner_setting(4, 4, 4), thoughtful(), clumsy(0), 2000);
}

TEST(nothing_is_gained_by_playing_alike) {
    const Setting setting = corner_setting(5, 4, 5);
    Judge judge({able(20)}, able(20), 4);
    for (const double gain : gains_of(judge, setting.series(0, kSeed), 50)) CHECK_EQUAL(gain, 0);
}

TEST(a_judged_game_depends_on_its_number_alone) {
    const Setting setting = corner_setting(5, 4, 5);
    const Series series = setting.series(0, kSeed);
    Judge one({able(200)}, clumsy(20), 4), other({able(200)}, clumsy(20), 4);
    const std::vector<double> all = gains_of(one, series, 40);
    CHECK(mean_of(all).error > 0);
    for (std::uint64_t number = 40; number-- > 0;) CHECK_EQUAL(other.play(series, number), all[number]);
}

}  // namespace
}  // namespace mineproof::testing
