// Many games side by side: the mines of Field::deal, numbers that fit them, and the same results with any number of
// threads.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/field.hpp"
#include "mineproof/many_games.hpp"

namespace mineproof::testing {
namespace {

constexpr StepRewards kRewards{1, -1, 0.5F, -0.25F, -0.125F};

// Games with the arrays they are seen in.
struct Table {
    Table(const Geometry& shape, std::uint32_t mine_count, FirstClick first_click, Fairness fairness,
          Autoreset autoreset, std::size_t count, std::size_t threads, std::uint64_t longest = 0,
          std::uint64_t states = ~std::uint64_t{0})
        : geometry(shape),
          seeds(count),
          numbers(count),
          codes(count * shape.cells),
          masks(codes.size()),
          last_codes(autoreset == Autoreset::same_step ? codes.size() : 0),
          rewards(count),
          flags(std::make_unique<bool[]>(4 * count)) {
        for (std::size_t i = 0; i < count; ++i) seeds[i] = 1000 + i;
        bool* const flag = flags.get();
        games = std::make_unique<ManyGames>(
            GamesOrder{geometry, mine_count, first_click, fairness, autoreset, longest, kRewards, states},
            GamesShown{seeds,
                       numbers,
                       codes,
                       masks,
                       rewards,
                       {flag, count},
                       {flag + count, count},
                       {flag + 2 * count, count},
                       {flag + 3 * count, count},
                       last_codes},
            threads);
    }
    bool terminated(std::size_t game) const { return flags[game]; }
    bool truncated(std::size_t game) const { return flags[seeds.size() + game]; }
    bool won(std::size_t game) const { return flags[2 * seeds.size() + game]; }
    bool unjudged(std::size_t game) const { return flags[3 * seeds.size() + game]; }
    std::int8_t code(std::size_t game, Cell cell) const { return codes[game * geometry.cells + cell]; }

    const Geometry& geometry;
    std::vector<std::uint64_t> seeds, numbers;
    std::vector<std::int8_t> codes, masks, last_codes;
    std::vector<float> rewards;
    std::unique_ptr<bool[]> flags;
    std::unique_ptr<ManyGames> games;
};

// Mines as Field::deal lays them when `start` is opened first, and all cells around it are kept free.
Field dealt(const Geometry& geometry, Cell start, std::uint32_t mines, std::uint64_t seed, std::uint64_t number) {
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[start] = 0;
    for (const Cell other : geometry.around(start))
        if (other < geometry.cells) allowed[other] = 0;
    Field field;
    Random random(seed, number);
    field.deal(geometry, allowed, mines, random);
    return field;
}

}  // namespace

TEST(many_games_are_dealt_and_opened_as_fields_are) {
    for (const Shape shape : kShapes) {
        const Geometry geometry = make_geometry(shape, 7, 8);
        Rng rng(31);
        Table table(geometry, 12, FirstClick::open, Fairness::none, Autoreset::next_step, 40, 1);
        std::vector<Field> fields(40);
        std::vector<bool> over(40, true);
        std::vector<std::int64_t> actions(40);
        std::size_t ends = 0, wins = 0;
        for (auto& number : table.numbers) number = 3;
        std::fill(over.begin(), over.end(), false);
        std::vector<bool> fresh(40, true);
        for (int step = 0; step < 200; ++step) {
            for (auto& action : actions) action = static_cast<std::int64_t>(roll(rng, geometry.cells));
            const std::vector<std::int8_t> before = table.codes;
            REQUIRE(table.games->step(actions).fault == StepFault::none);
            for (std::size_t game = 0; game < 40; ++game) {
                const auto cell = static_cast<Cell>(actions[game]);
                if (over[game]) {
                    CHECK(std::all_of(table.codes.begin() + game * geometry.cells,
                                      table.codes.begin() + (game + 1) * geometry.cells,
                                      [](std::int8_t code) { return code == kCovered; }));
                    over[game] = false;
                    fresh[game] = true;
                    continue;
                }
                if (fresh[game]) fields[game] = dealt(geometry, cell, 12, table.seeds[game], table.numbers[game]);
                fresh[game] = false;
                Cell covered = 0;
                for (Cell each = 0; each < geometry.cells; ++each) {
                    const std::int8_t code = table.code(game, each);
                    covered += code == kCovered;
                    CHECK_EQUAL(table.masks[game * geometry.cells + each], code == kCovered ? 1 : 0);
                    if (code == kCovered) continue;
                    CHECK(!fields[game].mined(each));
                    CHECK_EQUAL(code, fields[game].number(each));
                }
                CHECK_EQUAL(table.terminated(game), fields[game].mined(cell) || covered == 12);
                CHECK_EQUAL(table.won(game), covered == 12);
                if (before[game * geometry.cells + cell] >= 0) CHECK_EQUAL(table.rewards[game], kRewards.repeat);
                over[game] = table.terminated(game);
                ends += over[game];
                wins += table.won(game);
                std::vector<Cell> mines, expected;
                CHECK_EQUAL(table.games->list_mines(game, mines), static_cast<bool>(over[game]));
                fields[game].list_mines(expected);
                if (over[game]) CHECK_EQUAL(mines, expected);
            }
        }
        CHECK(ends > 100);
        CHECK(wins < ends);
    }
}

TEST(threads_step_many_games_alike) {
    const Geometry geometry = make_geometry(Shape::grid, 8, 8);
    for (const Fairness fairness : {Fairness::none, Fairness::forced, Fairness::strict}) {
        constexpr std::size_t kGames = 700;
        Table one(geometry, 10, FirstClick::safe, fairness, Autoreset::same_step, kGames, 1);
        Table four(geometry, 10, FirstClick::safe, fairness, Autoreset::same_step, kGames, 4);
        Rng rng(5);
        std::vector<std::int64_t> actions(kGames);
        for (int step = 0; step < 10; ++step) {
            for (auto& action : actions) action = static_cast<std::int64_t>(roll(rng, geometry.cells));
            for (Table* const table : {&one, &four}) CHECK(table->games->step(actions).fault == StepFault::none);
            CHECK_EQUAL(four.codes, one.codes);
            CHECK_EQUAL(four.last_codes, one.last_codes);
            CHECK_EQUAL(four.masks, one.masks);
            CHECK_EQUAL(four.rewards, one.rewards);
            CHECK_EQUAL(four.numbers, one.numbers);
        }
        CHECK(*std::ranges::max_element(one.numbers) > 0);
    }
}

TEST(wrong_steps_of_many_games_change_nothing) {
    const Geometry geometry = make_geometry(Shape::grid, 3, 3);
    Table table(geometry, 8, FirstClick::safe, Fairness::none, Autoreset::never, 3, 1);
    std::vector<std::int64_t> actions = {0, 9, -1};
    StepResult result = table.games->step(actions);
    CHECK(result.fault == StepFault::outside);
    CHECK_EQUAL(result.game, std::size_t{1});
    CHECK_EQUAL(result.action, std::int64_t{9});
    CHECK_EQUAL(table.code(0, 0), kCovered);
    actions = {0, 1, 2};
    CHECK(table.games->step(actions).fault == StepFault::none);
    for (std::size_t game = 0; game < 3; ++game) CHECK(table.won(game));
    const std::vector<std::uint8_t> which = {1, 0, 1};
    table.games->reset(which);
    result = table.games->step(actions);
    CHECK(result.fault == StepFault::over);
    CHECK_EQUAL(result.game, std::size_t{1});
    CHECK_EQUAL(table.code(0, 0), kCovered);
}

TEST(many_games_are_cut_short) {
    const Geometry geometry = make_geometry(Shape::grid, 9, 9);
    Table table(geometry, 20, FirstClick::open, Fairness::none, Autoreset::never, 2, 1, 3);
    const std::vector<std::int64_t> actions = {40, 41};
    for (int step = 1; step <= 3; ++step) {
        CHECK(table.games->step(actions).fault == StepFault::none);
        CHECK_EQUAL(table.truncated(0), step == 3);
        CHECK(!table.terminated(0));
    }
    CHECK(table.games->step(actions).fault == StepFault::over);
}

TEST(a_game_that_cannot_be_judged_is_cut_short) {
    const Geometry geometry = make_geometry(Shape::grid, 16, 30);
    Table table(geometry, 99, FirstClick::open, Fairness::kind, Autoreset::next_step, 1, 1, 0, 0);
    Rng rng(8);
    std::vector<std::int8_t> before;
    for (int step = 0; step < 400 && !table.unjudged(0); ++step) {
        before = table.codes;
        const std::vector<std::int64_t> actions = {static_cast<std::int64_t>(roll(rng, geometry.cells))};
        CHECK(table.games->step(actions).fault == StepFault::none);
        CHECK_EQUAL(table.truncated(0), table.unjudged(0));
    }
    CHECK(table.unjudged(0));
    CHECK(!table.terminated(0));
    CHECK_EQUAL(table.codes, before);
    const std::vector<std::int64_t> actions = {0};
    CHECK(table.games->step(actions).fault == StepFault::none);
    CHECK(!table.unjudged(0));
    CHECK_EQUAL(table.numbers[0], std::uint64_t{1});
}

// The poll runs in the middle of a step, changes the actions, and must not call into the games.
TEST(threads_that_step_many_games_ask_the_caller) {
    const Geometry geometry = make_geometry(Shape::grid, 16, 30);
    constexpr std::size_t kGames = 3000;
    for (const std::size_t threads : {1, 3}) {
        Table table(geometry, 99, FirstClick::open, Fairness::kind, Autoreset::next_step, kGames, threads);
        struct Caller {
            Table& table;
            std::vector<std::int64_t> actions;
            bool is_asked = false, is_refused = false, stops = false;

            static bool ask(void* self) {
                auto& caller = *static_cast<Caller*>(self);
                caller.is_asked = true;
                std::ranges::fill(caller.actions, std::int64_t{0x7fffffff});
                try {
                    caller.table.games->step(caller.actions);
                } catch (const std::logic_error&) {
                    caller.is_refused = true;
                }
                return caller.stops;
            }
        } caller{table, std::vector<std::int64_t>(kGames)};
        Rng rng(4);
        for (int step = 0; step < 2000 && !caller.stops; ++step) {
            caller.stops = caller.is_asked;  // the first poll continues, the second one stops
            for (auto& action : caller.actions) action = static_cast<std::int64_t>(roll(rng, geometry.cells));
            const StepResult result = table.games->step(caller.actions, &Caller::ask, &caller);
            if (caller.stops && result.fault == StepFault::none) caller.stops = false;
            CHECK(result.fault == (caller.stops ? StepFault::cancelled : StepFault::none));
        }
        CHECK(caller.stops);
        CHECK(caller.is_refused);
        for (auto& action : caller.actions) action = 0;
        CHECK(table.games->step(caller.actions).fault == StepFault::none);
    }
}

}  // namespace mineproof::testing
