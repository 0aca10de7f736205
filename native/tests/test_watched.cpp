// Watched games: the same games, and all that happened in them.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/field.hpp"
#include "mineproof/watched.hpp"

namespace mineproof::testing {
namespace {

constexpr std::uint64_t kGames = 12, kFirst = 5;

// A board to play on, with a first click that is free.
struct Setting {
    explicit Setting(Shape shape)
        : geometry(make_geometry(shape, 7, 8)), codes(geometry.cells, kCovered), allowed(geometry.cells, 1) {
        allowed[9] = 0;
    }
    Series series() const { return {{geometry, codes, 10}, allowed, 9, 77}; }

    Geometry geometry;
    std::vector<std::int8_t> codes;
    std::vector<std::uint8_t> allowed;
};

// Opens a cell and what zeros open, in a way of its own: the cells, in any order.
std::vector<Cell> opened_by(const Geometry& geometry, const Field& field, std::vector<std::uint8_t>& open, Cell cell) {
    if (open[cell]) return {};
    open[cell] = 1;
    std::vector<Cell> all{cell};
    if (field.number(cell) == 0)
        for (const Cell other : geometry.around(cell))
            if (other < geometry.cells)
                for (const Cell more : opened_by(geometry, field, open, other)) all.push_back(more);
    return all;
}

// Plays the moves of a watched game on its layout, and checks each against what was written down.
void check_game(const Setting& setting, const WatchedGames& games, std::size_t place) {
    const Cell cells = setting.geometry.cells;
    Random random(77, kFirst + place);
    Field field;
    field.deal(setting.geometry, setting.allowed, 10, random);
    std::vector<std::uint8_t> open(cells);
    const auto opened = games.opened.begin() + static_cast<std::ptrdiff_t>(place * cells);
    const std::size_t begin = place == 0 ? 0 : games.ends[place - 1], end = games.ends[place];
    bool lost = false;
    for (std::size_t i = begin; i <= end; ++i) {
        const auto move = static_cast<std::int32_t>(i - begin);
        REQUIRE(!lost);
        const Cell cell = move == 0 ? Cell{9} : games.chosen[i - 1];
        REQUIRE(cell < cells && !open[cell]);
        if (field.mined(cell)) {
            CHECK(games.certain[i - 1] == 0);
            lost = true;
            continue;
        }
        const auto now = opened_by(setting.geometry, field, open, cell);
        CHECK_EQUAL(static_cast<std::size_t>(std::count(opened, opened + cells, move)), now.size());
        for (const Cell each : now) {
            CHECK_EQUAL(opened[each], move);
            CHECK_EQUAL(games.numbers[place * cells + each], field.number(each));
        }
    }
    const auto covered = static_cast<std::uint32_t>(std::count(open.begin(), open.end(), std::uint8_t{0}));
    CHECK_EQUAL(games.won[place] != 0, !lost && covered == 10);
    CHECK(lost || covered == 10);
    for (Cell cell = 0; cell < cells; ++cell) {
        CHECK_EQUAL(games.mined[place * cells + cell] != 0, field.mined(cell));
        CHECK_EQUAL(opened[cell] == WatchedGames::kNever, games.numbers[place * cells + cell] == kCovered);
    }
}

TEST(watched_games_are_the_games_that_are_played) {
    for (const Shape shape : kShapes)
        for (const std::string_view name : {"fast", "strong", "go"}) {
            const Setting setting(shape);
            Budget budget = endless();
            WatchedGames games;
            REQUIRE(watch_games(setting.series(), kFirst, kGames, *make_strategy(name), budget, games));
            Tally tally;
            std::vector<std::uint8_t> won;
            GamePlayer().play_games(setting.series(), kFirst, kGames, *make_strategy(name), budget, tally, won);
            CHECK(games.won == won);
            REQUIRE(games.ends.size() == kGames && games.ends.back() == games.chosen.size());
            CHECK(games.certain.size() == games.chosen.size() && games.lots.size() == games.chosen.size());
            for (std::size_t place = 0; place < kGames; ++place) check_game(setting, games, place);
            CHECK_EQUAL(kGames + static_cast<std::uint64_t>(std::ranges::count(games.certain, 0)), tally.all_guesses);
        }
}

TEST(lots_depend_on_seed_game_and_move_only) {
    const Setting setting(Shape::grid);
    Budget budget = endless();
    WatchedGames all, one;
    REQUIRE(watch_games(setting.series(), kFirst, kGames, *make_strategy("fast"), budget, all));
    REQUIRE(watch_games(setting.series(), kFirst + 3, 1, *make_strategy("go"), budget, one));
    REQUIRE(!one.lots.empty());
    for (std::size_t i = 0; i < std::min<std::size_t>(one.lots.size(), all.ends[3] - all.ends[2]); ++i)
        CHECK_EQUAL(one.lots[i], all.lots[all.ends[2] + i]);
    std::vector<std::uint64_t> sorted = all.lots;
    std::ranges::sort(sorted);
    CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
}

TEST(watched_games_stop_within_a_budget) {
    const Setting setting(Shape::grid);
    Budget budget(1e9, ~std::uint64_t{0}, [](void*) { return true; }, nullptr);
    WatchedGames games;
    CHECK(!watch_games(setting.series(), 0, 100'000, *make_strategy("fast"), budget, games));
    CHECK(games.won.size() < 100'000);
    CHECK(games.ends.size() == games.won.size());
    CHECK(games.opened.size() == games.won.size() * setting.geometry.cells);
    CHECK(games.mined.size() == games.opened.size() && games.numbers.size() == games.opened.size());
}

}  // namespace
}  // namespace mineproof::testing
