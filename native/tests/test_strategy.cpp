// Strategies: whole games, and games from a position on.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/field.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/lent_strategy.hpp"
#include "mineproof/strategy.hpp"
#include "mineproof/turn_memory.hpp"
#include "settings.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

constexpr std::string_view kExact[] = {"fast", "strong", "best", "minesolver"};

// Plays games ------------------------------------------------------------------------------------

// Wraps a strategy: passes every call on, knows the mines, checks each choice and keeps its own counts.
class Watched : public Strategy {
  public:
    Watched(std::string_view name, const Field& field) : name_(name), inner_(make_strategy(name)), field_(field) {}

    void start(const Match& match, const Random& random) override {
        match_ = &match;
        board_ = std::make_unique<Board>(
            Board{match.geometry, {match.codes.begin(), match.codes.end()}, match.geometry.cells, ""});
        first = Series::kAnywhere;
        last = {};
        choices = guesses = 0;
        log_survived = 0;
        stated.clear();
        inner_->start(match, random);
    }
    void see(Cell cell, std::int8_t number) override {
        REQUIRE(cell < match_->geometry.cells && board_->codes[cell] == kCovered);
        CHECK(!field_.mined(cell));
        CHECK_EQUAL(number, field_.number(cell));
        if (first == Series::kAnywhere) first = cell;
        board_->codes[cell] = number;
        inner_->see(cell, number);
    }
    Choice choose() override {
        const Choice choice = inner_->choose();
        REQUIRE(choice.cell < match_->geometry.cells && board_->codes[choice.cell] == kCovered);
        CHECK(!(choice.certain && field_.mined(choice.cell)));
        CHECK(inner_->flags() <= match_->mines);
        if (!choice.certain) check_guess(choice);
        ++choices;
        guesses += !choice.certain;
        log_survived += std::log1p(-choice.mine_probability);
        if (!choice.certain) stated.push_back(choice.mine_probability);
        last = choice;
        return choice;
    }
    std::uint32_t flags() const override { return inner_->flags(); }
    std::uint32_t fallbacks() const override { return inner_->fallbacks(); }

    bool all_open() const { return std::cmp_equal(std::ranges::count(board_->codes, kCovered), match_->mines); }

    Cell first = 0;
    Choice last{};
    std::uint64_t choices = 0, guesses = 0;
    double log_survived = 0;
    std::vector<double> stated;  // of its guesses

  private:
    // A guess is made only where nothing is certain, at the odds it says; with few layouts it is as good as any, or by
    // those who say so the safest.
    void check_guess(const Choice& choice) const {
        if (std::ranges::count(board_->codes, kCovered) > 11) return;
        const Layouts layouts = layouts_with(*board_, match_->mines);
        const Census census = take_census(layouts, match_->mines);
        REQUIRE(census.layouts > 0);
        const auto place = std::ranges::lower_bound(layouts.covered, choice.cell) - layouts.covered.begin();
        const std::uint64_t mined = census.mined[static_cast<std::size_t>(place)];
        CHECK_CLOSE(choice.mine_probability, static_cast<double>(mined) / static_cast<double>(census.layouts), 1e-12);
        const std::uint64_t least = *std::ranges::min_element(census.mined);
        CHECK(least > 0 && mined < census.layouts);
        const bool few = static_cast<double>(census.layouts) <= kFast.layouts;
        if (name_ == "minesolver" || (name_ == "fast" && !few)) CHECK_EQUAL(mined, least);
        if (name_ == "minesolver" || !few) return;
        const Worth worth = worth_of(*board_, layouts);
        CHECK_EQUAL(worth.by_cell[static_cast<std::size_t>(place)], worth.won);
    }

    std::string_view name_;
    std::unique_ptr<Strategy> inner_;
    const Field& field_;
    const Match* match_ = nullptr;
    std::unique_ptr<Board> board_;
};

void check_tally(const Tally& tally, bool won, const Watched& watched) {
    CHECK_EQUAL(tally.games, 1);
    CHECK_EQUAL(tally.wins, won);
    CHECK_EQUAL(tally.all_guesses, 1 + watched.guesses);
    CHECK_EQUAL(tally.fallbacks, 0);
    CHECK_EQUAL(tally.mistakes, 0);
    CHECK_EQUAL(tally.moves, won ? 1 + watched.choices + watched.flags() : 0);
    CHECK_EQUAL(tally.guesses, won ? 1 + watched.guesses : 0);
    CHECK_CLOSE(tally.log_survived, won ? watched.log_survived : 0, 1e-9);
}

TEST(strategies_play_every_shape_and_know_what_is_certain) {
    for (const std::string_view name : kExact) {
        Rng rng(125);
        Field field;
        Watched watched(name, field);
        GamePlayer player;
        int wins = 0, losses = 0, guesses = 0;
        for (int round = 0; round < 250; ++round) {
            // `best` is slow where some ten thousand layouts are left.
            const Setting setting = small_setting(rng, name == "best" ? 4 : round % 10 == 0 ? 9 : 5);
            const Series series = setting.series(0, rng());
            const std::uint64_t number = roll(rng, 1000);
            Random random(series.seed, number);
            field.deal(setting.geometry, setting.allowed, setting.mines, random);
            const Note note([&] {
                return "strategy " + show(name) + ", " + show(setting.geometry.columns) + " columns of " +
                       show(setting.geometry.cells) + " cells, mines " + show(setting.mines) + ", round " + show(round);
            });
            Tally tally;
            const bool won = player.play(series, number, watched, tally);
            CHECK_EQUAL(watched.first, 0);
            CHECK_EQUAL(won, watched.all_open());
            CHECK_EQUAL(won, watched.choices == 0 || !field.mined(watched.last.cell));
            check_tally(tally, won, watched);
            ++(won ? wins : losses);
            guesses += watched.guesses > 0;
        }
        CHECK(wins > 100 && losses > 15 && guesses > 30);
    }
}

std::vector<std::uint64_t> in_bits(const Tally& tally) {
    return {tally.games,
            tally.wins,
            tally.moves,
            tally.guesses,
            tally.all_guesses,
            tally.fallbacks,
            std::bit_cast<std::uint64_t>(tally.log_survived)};
}

// Which of a hundred bins: the last whose lower bound is not above, but for the error of a double.
std::size_t bin_of(double stated) {
    std::size_t bin = 99;
    while (stated < static_cast<double>(bin) / 100 - 1e-12) --bin;
    return bin;
}

TEST(records_tell_of_lost_games_too) {
    for (const std::string_view name : kExact) {
        Rng rng(126);
        Field field;
        Watched watched(name, field);
        GamePlayer player;
        GameRecords records;
        std::map<std::size_t, std::pair<std::uint64_t, std::uint64_t>> bins;  // guesses and mines
        double sum = 0;
        std::size_t losses = 0, at_once = 0;
        for (std::size_t round = 0; round < 150; ++round) {
            Setting setting = small_setting(rng, 4);
            if (round % 2 == 0) setting.allowed[0] = 1;  // the first click may lose the game
            const Series series = setting.series(0, rng());
            Random random(series.seed, round);
            field.deal(setting.geometry, setting.allowed, setting.mines, random);
            Tally tally;
            std::vector<std::uint8_t> won;
            Budget budget = endless();
            CHECK(player.play_games(series, round, 1, watched, budget, tally, won, &records));
            REQUIRE(records.games.size() == round + 1 && won.size() == 1);
            const GameRecord& game = records.games.back();
            const bool lost = won[0] == 0, first = field.mined(0);
            CHECK_EQUAL(game.won, won[0]);
            CHECK_EQUAL(game.guesses, 1 + watched.guesses);
            CHECK_EQUAL(game.moves, 1 + watched.choices + watched.flags());
            CHECK_EQUAL(game.fallbacks, 0);
            CHECK_EQUAL(game.lost_cell, !lost ? -1 : static_cast<int>(first ? 0 : watched.last.cell));
            CHECK(lost == (game.lost_cell >= 0 && field.mined(static_cast<Cell>(game.lost_cell))));
            CHECK_EQUAL(std::isnan(game.lost_odds), !lost || first);
            double survived = 0;
            for (std::size_t i = 0; i < watched.stated.size(); ++i) {
                const bool mined = lost && i + 1 == watched.stated.size();
                auto& [guesses, mines] = bins[bin_of(watched.stated[i])];
                ++guesses;
                mines += mined;
                sum += watched.stated[i];
                if (mined)
                    CHECK_EQUAL(game.lost_odds, watched.stated[i]);
                else
                    survived += std::log1p(-watched.stated[i]);
            }
            CHECK_CLOSE(game.log_survived, survived, 1e-12);
            std::vector<Truth> truths;
            for (Cell cell = 0; cell < setting.geometry.cells; ++cell)
                truths.push_back(setting.codes[cell] != kCovered ? Truth::absent
                                 : field.mined(cell)             ? Truth::mine
                                                                 : Truth::safe);
            CHECK_EQUAL(game.bbbv, Measurer(setting.geometry, 1).measure(truths, false).bbbv);
            losses += lost;
            at_once += first;
        }
        double stated = 0;
        for (std::size_t bin = 0; bin < Calibration::kBins; ++bin) {
            const auto& found = records.calibration.table[bin];
            CHECK_EQUAL(found.guesses, bins[bin].first);
            CHECK_EQUAL(found.mines, bins[bin].second);
            stated += std::ldexp(static_cast<double>(found.stated), -32);
        }
        CHECK_CLOSE(stated, sum, 1e-6);
        CHECK(losses > at_once + 10 && at_once > 5 && sum > 10);
    }
}

TEST(odds_on_a_bound_are_in_the_bin_above) {
    Calibration calibration;
    for (int bound = 0; bound <= 100; ++bound) {
        calibration.count(bound / 100.0, false);
        if (bound > 0) calibration.count(std::nextafter(bound / 100.0, 0), true);  // the same, with an error
        if (bound < 100) calibration.count((bound + 0.99) / 100, true);
    }
    for (std::size_t bin = 0; bin < Calibration::kBins; ++bin) {
        const auto& found = calibration.table[bin];
        const std::uint64_t ends = bin == 99 ? 2 : 0;  // 1 has no bin of its own
        CHECK_EQUAL(found.guesses, (bin == 0 ? 2 : 3) + ends);
        CHECK_EQUAL(found.mines, (bin == 0 ? 1 : 2) + ends / 2);
    }
}

TEST(a_game_depends_on_seed_and_number_only) {
    for (const std::string_view name : kExact) {
        const Note note([&] { return "strategy " + show(name); });
        for (const Shape shape : kShapes) {
            Setting setting{make_geometry(shape, 4, 5), {}, {}, 3};
            setting.codes.assign(20, kCovered);
            setting.allowed.assign(20, 1);
            setting.codes[18] = kAbsent;
            setting.allowed[18] = setting.allowed[7] = 0;
            for (const Cell first : {Cell{7}, Series::kAnywhere}) {
                const Series series = setting.series(first, 4);
                const auto in_order = make_strategy(name), backwards = make_strategy(name);
                GamePlayer one, other;
                std::vector<std::vector<std::uint64_t>> results;
                Tally all, low, high;
                for (std::uint64_t number = 0; number < 10; ++number) {
                    Tally tally;
                    one.play(series, number, *in_order, tally);
                    one.play(series, number, *in_order, all);
                    results.push_back(in_bits(tally));
                }
                for (std::uint64_t number = 10; number-- > 0;) {
                    Tally tally;
                    other.play(series, number, *backwards, tally);
                    CHECK_EQUAL(in_bits(tally), results[number]);
                    other.play(series, number, *backwards, number < 5 ? low : high);
                }
                CHECK_EQUAL(all.games, 10);
                CHECK_EQUAL(low.games, 5);
                CHECK_EQUAL(all.wins, low.wins + high.wins);
                CHECK_EQUAL(all.moves, low.moves + high.moves);
                CHECK_EQUAL(all.guesses, low.guesses + high.guesses);
                CHECK_EQUAL(all.all_guesses, low.all_guesses + high.all_guesses);
                CHECK_CLOSE(all.log_survived, low.log_survived + high.log_survived, 1e-9);
            }
        }
    }
}

// Many games begin alike, on boards of the same size too: what a strategy remembers of them changes nothing.
TEST(strategies_that_have_played_play_like_new_ones) {
    std::vector<Setting> settings;
    for (const auto& [shape, mines] : {std::pair(Shape::grid, 9U), {Shape::torus, 9U}, {Shape::grid, 12U}}) {
        settings.push_back({make_geometry(shape, 8, 8), {}, {}, mines});
        settings.back().codes.assign(64, kCovered);
        settings.back().allowed.assign(64, 1);
        settings.back().allowed[0] = 0;
    }
    for (const std::string_view name : {"fast", "strong", "minesolver"}) {
        const Note note([&] { return "strategy " + show(name); });
        GamePlayer player;
        for (int round = 0; round < 3; ++round)
            for (const Setting& setting : settings) {
                const Series series = setting.series(0, 7);
                const LentStrategy lent(*find_strategy(name), 64);
                for (std::uint64_t number = 0; number < 12; ++number) {
                    Tally used, fresh;
                    player.play(series, number, *lent, used);
                    player.play(series, number, *make_strategy(name), fresh);
                    CHECK_EQUAL(in_bits(used), in_bits(fresh));
                }
            }
    }
}

TEST(a_strategy_is_lent_to_one_at_a_time) {
    const StrategyInfo& info = *find_strategy("fast");
    const Strategy* first = nullptr;
    {
        const LentStrategy one(info, 64), other(info, 64);
        CHECK(&*one != &*other);
        first = &*one;
    }
    {
        const LentStrategy again(info, 64);  // the last one given back
        CHECK(&*again == first);
        const LentStrategy different(*find_strategy("strong"), 64), large(info, 1'000'000);
        CHECK(&*different != first && &*large != first);
    }
    try {
        const LentStrategy broken(info, 64);
        CHECK(&*broken == first);
        throw std::runtime_error("in the middle of a game");
    } catch (const std::runtime_error&) {
    }
    const LentStrategy next(info, 64);  // not the one that an exception left in an unknown state
    CHECK(&*next != first);
}

TEST(turns_are_remembered_with_what_they_prove) {
    TurnMemory memory(3);
    const auto key = [](std::uint64_t number) { return StateKey{}.with(number); };
    const Cell mines[] = {4, 9}, safe[] = {1};
    CHECK(memory.find(key(1)) == nullptr);
    memory.put(key(1), {Turn::Kind::guess, 7, 0.25}, mines, {});
    memory.put(key(2), {.kind = Turn::Kind::certain}, mines, safe);
    const Turn* guess = memory.find(key(1));
    REQUIRE(guess != nullptr && guess->kind == Turn::Kind::guess);
    CHECK(guess->guess == 7 && guess->mine_probability == 0.25);
    CHECK_EQUAL(std::vector<Cell>(memory.mines(*guess).begin(), memory.mines(*guess).end()), (std::vector<Cell>{4, 9}));
    CHECK(memory.safe(*guess).empty());
    const Turn* certain = memory.find(key(2));
    REQUIRE(certain != nullptr && memory.mines(*certain).size() == 2 && memory.safe(*certain).size() == 1);
    CHECK_EQUAL(memory.safe(*certain)[0], Cell{1});
    memory.put(key(3), {}, {}, {});
    memory.put(key(4), {}, {}, {});  // one too many: the others are forgotten
    CHECK(memory.find(key(1)) == nullptr && memory.find(key(3)) == nullptr && memory.find(key(4)) != nullptr);
}

Tally play_many(std::string_view name, const Series& series, std::uint64_t count) {
    const auto strategy = make_strategy(name);
    GamePlayer player;
    Tally tally;
    for (std::uint64_t number = 0; number < count; ++number) player.play(series, number, *strategy, tally);
    return tally;
}

TEST(the_table_of_strategies_is_consistent) {
    CHECK_EQUAL(strategies().size(), 8);
    for (const StrategyInfo& info : strategies()) {
        const Note note([&] { return "strategy " + show(info.name); });
        CHECK(find_strategy(info.name) == &info);
        CHECK(info.make() != nullptr);
        CHECK(!info.looks_ahead || (info.decides && info.options->ahead.shared_fate > 0));
        CHECK(!info.decides || info.weighs);
        CHECK(info.options == nullptr || info.layouts == info.options->ahead.layouts);
    }
    CHECK(find_strategy("nobody") == nullptr && find_strategy("") == nullptr && find_strategy("Fast") == nullptr);
}

TEST(games_of_a_series_are_played_in_order_within_a_budget) {
    Setting setting{make_geometry(Shape::grid, 5, 5), {}, {}, 4};
    setting.codes.assign(25, kCovered);
    setting.allowed.assign(25, 1);
    const Series series = setting.series(Series::kAnywhere, 5);
    const auto strategy = make_strategy("fast");
    GamePlayer player;
    std::vector<std::uint8_t> expected;
    Tally one_by_one;
    for (std::uint64_t number = 3; number < 23; ++number)
        expected.push_back(player.play(series, number, *strategy, one_by_one));
    Tally tally;
    std::vector<std::uint8_t> won;
    Budget budget = endless();
    CHECK(player.play_games(series, 3, 20, *strategy, budget, tally, won));
    CHECK_EQUAL(won, expected);
    CHECK_EQUAL(in_bits(tally), in_bits(one_by_one));
    CHECK(tally.wins > 0 && tally.wins < 20);
    // Records change nothing else.
    Tally recorded;
    std::vector<std::uint8_t> same;
    GameRecords records;
    CHECK(player.play_games(series, 3, 20, *strategy, budget, recorded, same, &records));
    CHECK_EQUAL(same, expected);
    CHECK_EQUAL(in_bits(recorded), in_bits(one_by_one));
    CHECK_EQUAL(records.games.size(), 20);
    // The clock is looked at after a few games; what was played until then counts.
    Budget hurried(0, ~std::uint64_t{0});
    Tally fewer;
    std::vector<std::uint8_t> begun;
    CHECK(!player.play_games(series, 3, 20, *strategy, hurried, fewer, begun));
    CHECK_EQUAL(hurried.limit(), Limit::seconds);
    REQUIRE(!begun.empty() && begun.size() < 20);
    CHECK_EQUAL(fewer.games, begun.size());
    CHECK(std::ranges::equal(begun, std::span(expected).first(begun.size())));
}

// Boards so small that the course of every game is known.
TEST(moves_and_guesses_are_counted) {
    const Geometry two = make_geometry(Shape::grid, 1, 2), three = make_geometry(Shape::grid, 1, 3);
    const std::vector<std::int8_t> codes(3, kCovered);
    const std::span<const std::int8_t> pair(codes.data(), 2);
    for (const std::string_view name : kExact) {
        const Note note([&] { return "strategy " + show(name); });
        // The first click opens all that is free. The mine beside it needs no flag any more.
        const std::vector<std::uint8_t> right = {0, 1};
        Tally tally = play_many(name, {{two, pair, 1}, right, 0, 1}, 10);
        CHECK_EQUAL(in_bits(tally), (std::vector<std::uint64_t>{10, 10, 10, 10, 10, 0, 0}));

        // Without mines the first click, a zero, opens everything.
        tally = play_many(name, {{three, codes, 0}, std::vector<std::uint8_t>(3, 1), Series::kAnywhere, 1}, 10);
        CHECK_EQUAL(in_bits(tally), (std::vector<std::uint64_t>{10, 10, 10, 10, 10, 0, 0}));

        // Only the first click is free to be: a mine in the middle is flagged, then the last cell opened.
        const std::vector<std::uint8_t> middle = {0, 1, 0};
        tally = play_many(name, {{three, codes, 1}, middle, 0, 1}, 10);
        CHECK_EQUAL(in_bits(tally), (std::vector<std::uint64_t>{10, 10, 30, 10, 10, 0, 0}));

        // A mine on either side of the first click: one guess more, won half of the time; what is left is open.
        const std::vector<std::uint8_t> sides = {1, 0, 1};
        tally = play_many(name, {{three, codes, 1}, sides, 1, 1}, 400);
        CHECK(tally.wins > 160 && tally.wins < 240);
        CHECK_EQUAL(tally.games, 400);
        CHECK_EQUAL(tally.all_guesses, 800);
        CHECK_EQUAL(tally.guesses, 2 * tally.wins);
        CHECK_EQUAL(tally.moves, 2 * tally.wins);
        CHECK_CLOSE(tally.log_survived, static_cast<double>(tally.wins) * std::log(0.5), 1e-9);

        // A mine under the first click ends the game.
        const std::vector<std::uint8_t> left = {1, 0};
        tally = play_many(name, {{two, pair, 1}, left, 0, 1}, 10);
        CHECK_EQUAL(in_bits(tally), (std::vector<std::uint64_t>{10, 0, 0, 0, 10, 0, 0}));
    }
}

TEST(minesolver_breaks_ties_at_random_and_fast_does_not) {
    const Geometry geometry = make_geometry(Shape::grid, 1, 3);
    const std::vector<std::int8_t> covered(3, kCovered);
    const Match match{geometry, covered, 1};
    for (const std::string_view name : kExact) {
        const auto strategy = make_strategy(name);
        int left = 0;
        for (std::uint64_t number = 0; number < 400; ++number) {
            strategy->start(match, Random(2, number));
            strategy->see(1, 1);
            left += strategy->choose().cell == 0;
        }
        if (name == "minesolver")
            CHECK(left > 160 && left < 240);
        else
            CHECK(left == 0 || left == 400);
    }
}

TEST(a_first_click_anywhere_is_uniform_over_the_board) {
    const Board board = read_board("~###/#~##/###~");
    const std::vector<std::uint8_t> allowed(board.geometry.cells, 1);
    const Series series{{board.geometry, board.codes, 0}, allowed, Series::kAnywhere, 3};
    Field field;
    field.lay(board.geometry, {});
    Watched watched("fast", field);
    GamePlayer player;
    Tally tally;
    std::map<Cell, int> seen;
    const int games = 4500;
    for (int number = 0; number < games; ++number) {
        player.play(series, static_cast<std::uint64_t>(number), watched, tally);
        ++seen[watched.first];
    }
    CHECK_EQUAL(seen.size(), 9);
    double square = 0;
    for (const auto& [cell, times] : seen) {
        CHECK_EQUAL(board.codes[cell], kCovered);
        square += (times - games / 9.0) * (times - games / 9.0) / (games / 9.0);
    }
    CHECK(square < 27);  // 8 degrees of freedom: once in a thousand by chance, and the seed is fixed
}

// Optimal play, measured -------------------------------------------------------------------------

// Plays one layout; true when it is won.
bool wins(Strategy& strategy, const Match& match, const Field& field, Cell first) {
    strategy.start(match, Random(1, 1));
    auto left = std::ranges::count(match.codes, kCovered) - std::int64_t{match.mines};
    for (Cell cell = first;; cell = strategy.choose().cell) {
        if (field.mined(cell)) return false;
        strategy.see(cell, field.number(cell));
        if (--left == 0) return true;
    }
}

// Every layout of small boards once: what is won in all is what optimal play wins.
TEST(strong_and_best_win_what_can_be_won) {
    struct Small {
        const char* picture;
        Shape shape;
        int mines;
    };
    constexpr Small kSmall[] = {
        {"###/###/###", Shape::grid, 2}, {"###/###/###", Shape::grid, 3},    {"###/###/###", Shape::grid, 5},
        {"####/####", Shape::grid, 3},   {"####/#~##/####", Shape::grid, 3}, {"####/####/####", Shape::grid, 2},
        {"###/###/###", Shape::hex, 3},  {"####/####/##~#", Shape::hex, 3},  {"####/###~/####", Shape::torus, 3},
    };
    int below_all = 0;
    for (const char* const name : {"strong", "best"}) {
        const auto strategy = make_strategy(name);
        for (const Small& small : kSmall) {
            const Board board = read_board(small.picture, small.shape);
            const Note note([&] { return picture(board) + ", mines " + show(small.mines); });
            Layouts layouts = layouts_with(board, small.mines);
            const Match match{board.geometry, board.codes, static_cast<std::uint32_t>(small.mines)};
            for (const Cell first : {Cell{0}, Cell{1}, Cell{5}}) {
                Layouts free = layouts;
                if (board.codes[first] != kCovered) continue;
                std::erase_if(free.all, [&](std::uint32_t layout) { return layouts.mined(layout, first); });
                Field field;
                std::uint64_t won = 0;
                for (const std::uint32_t layout : free.all) {
                    std::vector<Cell> mines;
                    for (const Cell cell : free.covered)
                        if (free.mined(layout, cell)) mines.push_back(cell);
                    field.lay(board.geometry, mines);
                    won += wins(*strategy, match, field, first);
                }
                CHECK_EQUAL(won, worth_of(board, free).won);
                below_all += won < free.all.size();
            }
        }
    }
    CHECK(below_all > 20);
}

// From cases/optimal_small_boards.json: 6/7 is the best that any first cell brings.
TEST(best_wins_as_often_as_is_possible) {
    const Board board = read_board("###/###/###");
    Layouts layouts = layouts_with(board, 2);
    std::erase_if(layouts.all, [&](std::uint32_t layout) { return layouts.mined(layout, 0); });
    const auto all = static_cast<double>(layouts.all.size());
    const double optimum = static_cast<double>(worth_of(board, layouts).won) / all;
    CHECK(optimum > 0.5 && optimum <= 6.0 / 7 + 1e-12);
    std::vector<std::uint8_t> allowed(9, 1);
    allowed[0] = 0;
    const double games = 4000, sigma = std::sqrt(games * optimum * (1 - optimum));
    const Tally tally = play_many("best", {{board.geometry, board.codes, 2}, allowed, 0, 7}, 4000);
    CHECK_CLOSE(static_cast<double>(tally.wins), games * optimum, 4 * sigma);
}

// Playing on -------------------------------------------------------------------------------------

// `best` plays on optimally, so every cell is won as often as it is worth.
void check_playing_on(Strategy& strategy, const Board& board, std::int64_t mines, std::uint64_t count) {
    const Note note([&] { return picture(board) + ", mines " + show(mines); });
    const Layouts layouts = layouts_with(board, mines);
    const Census census = take_census(layouts, mines);
    const Worth worth = worth_of(board, layouts);
    GamePlayer player;
    Solver solver;
    Budget budget = endless();
    const Question position{board.geometry, board.codes, mines};
    std::vector<std::uint64_t> wins(layouts.covered.size(), 99);
    REQUIRE(player.play_on(position, layouts.covered, strategy, solver, 11, count, budget, wins));
    const auto all = static_cast<double>(layouts.all.size()), games = static_cast<double>(count);
    for (std::size_t i = 0; i < wins.size(); ++i) {
        const double chance = static_cast<double>(worth.by_cell[i]) / all;
        CHECK_CLOSE(static_cast<double>(wins[i]), games * chance, 5 * std::sqrt(games * chance * (1 - chance)) + 1e-9);
        if (census.mined[i] == census.layouts) CHECK_EQUAL(wins[i], 0);
    }
    // A cell is worth the same whichever others are asked about.
    const std::size_t i = wins.size() / 2;
    std::vector<std::uint64_t> alone(1);
    REQUIRE(player.play_on(position, {&layouts.covered[i], 1}, strategy, solver, 11, count, budget, alone));
    CHECK_EQUAL(alone[0], wins[i]);
}

TEST(playing_on_wins_what_cells_are_worth) {
    const auto strategy = make_strategy("best");
    // The best cell wins 3/5, the safest 1/2.
    check_playing_on(*strategy, read_board("#####/123##/###3#"), 6, 1000);
    Rng rng(127);
    int played = 0, certain = 0;
    while (played < 15) {
        const Position position = cut_out(rng, {between(rng, 2, 4), 4, kShapes[roll(rng, 3)], 0.35, 0.35, 0, 0.05});
        const auto covered = std::ranges::count(position.board.codes, kCovered);
        if (covered <= position.mines || covered > 12) continue;
        const Layouts layouts = layouts_with(position.board, position.mines);
        if (layouts.all.size() < 3 || layouts.all.size() > 60) continue;
        const Census census = take_census(layouts, position.mines);
        certain += std::ranges::count(census.mined, census.layouts) > 0;
        check_playing_on(*strategy, position.board, position.mines, 250);
        ++played;
    }
    CHECK(certain > 2);
}

TEST(playing_on_stops_within_its_budget) {
    const Board board = read_board("#########/#########/#########/####1####/#########/#########/#########");
    const auto strategy = make_strategy("fast");
    GamePlayer player;
    Solver solver;
    Budget hurried(0, ~std::uint64_t{0});
    const Cell first = 0;
    std::uint64_t won = 0;
    const Question position{board.geometry, board.codes, 10};
    const std::uint64_t played =
        player.play_on(position, {&first, 1}, *strategy, solver, 1, 1'000'000, hurried, {&won, 1});
    CHECK_EQUAL(hurried.limit(), Limit::seconds);
    REQUIRE(played < 1'000'000);
    // What was played counts, and is the same as without haste.
    Budget enough = endless();
    std::uint64_t expected = 0;
    REQUIRE(player.play_on(position, {&first, 1}, *strategy, solver, 1, played, enough, {&expected, 1}) == played);
    CHECK_EQUAL(won, expected);
}

// More layouts than are drawn at a time, of a position that is won where the first cell is free.
TEST(playing_on_from_many_layouts_adds_up) {
    const Board board = read_board("#1#");
    const auto strategy = make_strategy("fast");
    GamePlayer player;
    Solver solver;
    const Question position{board.geometry, board.codes, 1};
    const Cell first = 0;
    std::uint64_t won = 0;
    Budget budget = endless();
    REQUIRE(player.play_on(position, {&first, 1}, *strategy, solver, 5, 2'500, budget, {&won, 1}) == 2'500);
    Samples samples;
    REQUIRE(solver.sample(position, 5, 0, 2'500, budget, samples).status == Status::answered);
    CHECK_EQUAL(won, 2'500 - static_cast<std::uint64_t>(std::ranges::count(samples.mines, first)));
}

// A caller that cancels, and the number of polls.
struct Canceller {
    int asked = 0;
    static bool ended(void* self) {
        ++static_cast<Canceller*>(self)->asked;
        return true;
    }
};

// A game of deep takes seconds on an expert board. It is given up where the clock is first looked at, wherever that is,
// and the strategy plays on as if nothing had happened.
TEST(a_long_game_is_given_up_at_once_and_leaves_no_trace) {
    const Geometry geometry = make_geometry(Shape::grid, 9, 9);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[0] = 0;
    const Series series{{geometry, codes, 12}, allowed, 0, 7};
    const auto used = make_strategy("deep"), fresh = make_strategy("deep");
    GamePlayer player;
    std::size_t given_up = 0;
    for (std::uint64_t before = 0; before < 1 << 14; before += 4'000) {
        Canceller caller;
        Budget budget(1e9, ~std::uint64_t{0}, &Canceller::ended, &caller);
        budget.work(before);
        Tally tally;
        std::vector<std::uint8_t> won;
        GameRecords records;
        CHECK(!player.play_games(series, 0, 3, *used, budget, tally, won, &records));
        CHECK_EQUAL(caller.asked, 1);
        CHECK_EQUAL(budget.limit(), Limit::cancelled);
        CHECK(tally.games == won.size() && records.games.size() == won.size() && won.size() < 3);
        given_up += won.empty();
    }
    CHECK(given_up > 0);
    Tally after, expected;
    std::vector<std::uint8_t> won_after, won_expected;
    Budget budget = endless();
    CHECK(player.play_games(series, 0, 3, *used, budget, after, won_after));
    CHECK(player.play_games(series, 0, 3, *fresh, budget, expected, won_expected));
    CHECK_EQUAL(won_after, won_expected);
    CHECK_EQUAL(in_bits(after), in_bits(expected));
}

}  // namespace
}  // namespace mineproof::testing
