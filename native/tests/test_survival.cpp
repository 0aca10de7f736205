// Survival-weighted games: their mean weight is what the strategy wins, on boards so small that every layout can be
// played; and they do not depend on threads or order.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/survival.hpp"
#include "settings.hpp"

namespace mineproof::testing {
namespace {

std::vector<double> weights_of(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy) {
    SurvivalPlayer player;
    SurvivalTally tally;
    Budget budget = endless();
    CHECK(player.play_games(series, first, count, strategy, budget, tally));
    CHECK_EQUAL(tally.weights.size(), count);
    CHECK_EQUAL(tally.mistakes, 0);
    CHECK_EQUAL(tally.blind, 0);
    CHECK(std::ranges::all_of(tally.weights, [](double weight) { return weight >= 0 && weight <= 1; }));
    return tally.weights;
}

std::vector<double> outcomes_of(const Series& series, std::uint64_t count, Strategy& strategy) {
    GamePlayer player;
    Tally tally;
    std::vector<std::uint8_t> won;
    Budget budget = endless();
    CHECK(player.play_games(series, 0, count, strategy, budget, tally, won));
    return {won.begin(), won.end()};
}

enum class Rule : std::uint8_t { any, safe, open };

// A board with some mines on which guesses are made, and its first click by one of the rules.
Setting played_setting(Rng& rng, Rule rule, int most_side, Cell most_cells) {
    for (;;) {
        Setting setting = small_setting(rng, most_side);
        if (rule == Rule::any) setting.allowed[0] = 1;
        if (rule == Rule::open)
            for (const Cell cell : setting.geometry.around(0))
                if (cell < setting.geometry.cells) setting.allowed[cell] = 0;
        const auto room = std::ranges::count(setting.allowed, 1);
        if (setting.geometry.cells <= most_cells && setting.mines >= 2 && setting.mines < room) return setting;
    }
}

// Each deviation is about normal; together they show a bias that is far below the error of one.
void check_deviations(const std::vector<double>& deviations) {
    double sum = 0, squares = 0;
    for (const double each : deviations) sum += each, squares += each * each;
    const auto count = static_cast<double>(deviations.size());
    CHECK_CLOSE(sum / std::sqrt(count), 0, 3.5);
    CHECK_CLOSE((squares - count) / std::sqrt(2 * count), 0, 4);
}

THOROUGH_TEST(the_mean_weight_is_the_share_of_all_layouts_won) {
    std::vector<double> deviations;
    for (const std::string_view name : {"fast", "strong"}) {
        Rng rng(161);
        for (int round = 0; deviations.size() < (name == "fast" ? 45 : 90); ++round) {
            const auto rule = static_cast<Rule>(round % 3);
            const Setting setting = played_setting(rng, rule, 4, 14);
            const Series series = setting.series(0, rng());
            const auto strategy = make_strategy(name);
            const double exact = exact_rate(series, *strategy);
            const Mean found = mean_of(weights_of(series, 0, 400, *strategy));
            const Note note([&] {
                return show(name) + ", round " + show(round) + ": " + show(found.value) + " ± " + show(found.error) +
                       ", exactly " + show(exact);
            });
            CHECK_CLOSE(found.value, exact, 5 * found.error + 1e-12);
            if (found.error > 1e-9) deviations.push_back((found.value - exact) / found.error);
        }
    }
    check_deviations(deviations);
}

// Those that draw lots, and those that state no odds, against plain games.
THOROUGH_TEST(weights_agree_with_plain_games) {
    std::vector<double> deviations;
    for (const std::string_view name : {"minesolver", "minedetector", "fair", "go"}) {
        Rng rng(162);
        for (int round = 0; round < 15; ++round) {
            const Setting setting = played_setting(rng, static_cast<Rule>(round % 3), 6, 30);
            Series series = setting.series(round % 2 == 0 && round % 3 == 0 ? Series::kAnywhere : 0, rng());
            const auto strategy = make_strategy(name);
            const Mean weighted = mean_of(weights_of(series, 0, 300, *strategy));
            series.seed = rng();  // plain games of their own: the two are independent
            const Mean plain = mean_of(outcomes_of(series, 600, *strategy));
            const double error = std::hypot(weighted.error, plain.error);
            if (plain.error > 1e-9) deviations.push_back((weighted.value - plain.value) / error);
            if (weighted.error > 1e-9) CHECK(weighted.error < std::numbers::sqrt2 * plain.error + 0.02);
        }
    }
    CHECK(deviations.size() > 40);
    check_deviations(deviations);
}

TEST(a_survival_game_depends_on_its_number_alone) {
    Rng rng(163);
    const Setting setting = played_setting(rng, Rule::any, 7, 49);
    const Series series = setting.series(0, 9);
    const auto one = make_strategy("strong"), other = make_strategy("strong");
    const std::vector<double> all = weights_of(series, 0, 40, *one);
    CHECK(mean_of(all).error > 0);
    for (std::uint64_t number = 40; number-- > 0;) CHECK_EQUAL(weights_of(series, number, 1, *other)[0], all[number]);
}

// Opens the cells one after the other, whatever they may be, and states nothing.
class Reckless : public Strategy {
  public:
    void start(const Match& match, const Random&) override { codes_.assign(match.codes.begin(), match.codes.end()); }
    void see(Cell cell, std::int8_t number) override { codes_[cell] = number; }
    Choice choose() override {
        return {static_cast<Cell>(std::ranges::find(codes_, kCovered) - codes_.begin()), false};
    }
    std::uint32_t flags() const override { return 0; }

  private:
    std::vector<std::int8_t> codes_;
};

TEST(whoever_opens_certain_mines_has_no_weight) {
    const Geometry geometry = make_geometry(Shape::grid, 1, 4);
    const std::vector<std::int8_t> codes(4, kCovered);
    const std::vector<std::uint8_t> allowed(4, 1);
    const Series series{{geometry, codes, 1}, allowed, 0, 3};
    Reckless reckless;
    // The first cell is free in three of four layouts. In two of them the next cell is certainly a mine, and is opened;
    // in the third everything is open.
    const Mean found = mean_of(weights_of(series, 0, 2000, reckless));
    CHECK_CLOSE(found.value, 0.25, 5 * found.error);
    CHECK_CLOSE(exact_rate(series, reckless), 0.25, 1e-12);
}

TEST(survival_games_end_with_the_budget) {
    Rng rng(164);
    const Setting setting = played_setting(rng, Rule::safe, 5, 25);
    const auto strategy = make_strategy("fast");
    Budget budget(0, ~std::uint64_t{0});
    SurvivalPlayer player;
    SurvivalTally tally;
    CHECK(!player.play_games(setting.series(0, 1), 0, 100, *strategy, budget, tally));
    CHECK_EQUAL(tally.weights.size(), 1);
}

TEST(a_long_survival_game_is_given_up_at_once) {
    const Geometry geometry = make_geometry(Shape::grid, 9, 9);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[0] = 0;
    const Series series{{geometry, codes, 12}, allowed, 0, 7};
    Budget budget(1e9, ~std::uint64_t{0}, [](void*) { return true; });
    SurvivalPlayer player;
    SurvivalTally tally;
    CHECK(!player.play_games(series, 0, 3, *make_strategy("deep"), budget, tally));
    CHECK(tally.weights.size() < 3);
    CHECK_EQUAL(tally.mistakes, 0);
}

}  // namespace
}  // namespace mineproof::testing
