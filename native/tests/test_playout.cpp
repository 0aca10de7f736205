// Playouts: worth what is won, whatever they save by, on any number of threads.

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/counted_position.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/playout_pool.hpp"
#include "mineproof/strategy.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

constexpr std::uint64_t kSeed = 3;

// A position in which nothing is safe, with its certain mines flagged.
struct Stuck {
    Board board;
    std::int64_t mines;
    std::vector<double> odds;

    Question question() const { return {board.geometry, board.codes, mines}; }
};

std::optional<Stuck> stuck(const Position& position) {
    Solver solver;
    CountedPosition counted;
    Budget budget = endless();
    if (!counted.count({position.board.geometry, position.board.codes, position.mines}, solver, budget)) return {};
    if (!counted.is_stuck()) return {};
    Stuck found{position.board, position.mines, {counted.odds().begin(), counted.odds().end()}};
    found.board.codes.assign(counted.question().codes.begin(), counted.question().codes.end());
    return found;
}

struct Mean {
    double mean = 0, error = 0;
};

// Of all games from a cell that can be played.
Mean play_all(Playout& playout, const Stuck& position, Cell cell, std::uint32_t layouts, bool repairs) {
    playout.begin(position.question(), kSeed);
    Budget budget = endless();
    REQUIRE(playout.draw(0, layouts, budget));
    double sum = 0, squares = 0, games = 0;
    for (std::uint32_t number = 0; number < layouts; ++number) {
        if (!repairs && !playout.is_free(number, cell)) continue;
        const double won = playout.play(number, cell, budget);
        REQUIRE(won > 0 && won <= 1);
        sum += won, squares += won * won, ++games;
    }
    const double mean = sum / games;
    return {mean, std::sqrt(std::max(squares / games - mean * mean, 0.0) / games)};
}

PlayoutOptions options_of(bool strong, bool saves) {
    PlayoutOptions options = strong ? kStrongPlayout : kFastPlayout;
    options.remembers = options.couples = options.merges = options.repairs = saves;
    return options;
}

// Few layouts are left to optimal play, so a game played on is worth on average what the best play wins after its first
// move; and with more of them never more than that.
THOROUGH_TEST(games_played_on_are_worth_what_is_won) {
    for (const bool strong : {false, true})
        for (const bool saves : {false, true}) {
            Rng rng(125);
            const PlayoutOptions options = options_of(strong, saves);
            Playout playout(options);
            int exact = 0, more = 0;
            for (int round = 0; round < 400; ++round) {
                const auto position = stuck(small_position(rng, 12));
                if (!position) continue;
                const Note note([&] { return picture(position->board) + ", mines " + show(position->mines); });
                const Layouts layouts = layouts_with(position->board, position->mines);
                const Worth worth = worth_of(position->board, layouts);
                const auto place = static_cast<std::size_t>(roll(rng, layouts.covered.size()));
                const Cell cell = layouts.covered[place];
                constexpr std::uint32_t kGames = 300;
                const Mean found = play_all(playout, *position, cell, kGames, saves);
                const double free = static_cast<double>(layouts.all.size()) * (1 - position->odds[cell]);
                const double expected = static_cast<double>(worth.by_cell[place]) / free;
                const double slack = 5 * std::sqrt(std::max(expected * (1 - expected), 0.0) / (kGames / 3)) + 1e-9;
                CHECK(found.mean <= expected + slack);
                (free <= 64 ? exact : more) += 1;
                if (free <= 64) CHECK(found.mean >= expected - slack);
            }
            CHECK(exact > 50 && more > 10);
        }
}

// Where optimal play begins with as many layouts as it does in games, playouts win what games win that are played out.
THOROUGH_TEST(games_played_on_win_as_often_as_plain_games) {
    constexpr const char* kStarts[] = {"1########/#########/#########/#########/#########/#########/#########",
                                       "2#######/########/########/####2###/########/########"};
    for (const char* start : kStarts)
        for (const bool strong : {false, true}) {
            const auto position = stuck({read_board(start), 9});
            REQUIRE(position.has_value());
            const Note note([&] { return picture(position->board) + (strong ? ", strong" : ", fast"); });
            REQUIRE(std::ranges::count(position->board.codes, kFlagged) == 0);
            const Cell cell = static_cast<Cell>(position->board.geometry.cells - 1);
            const Cell cells[] = {cell};
            constexpr std::uint64_t kGames = 6000;
            std::uint64_t wins[1];
            GamePlayer player;
            Solver solver;
            Budget budget = endless();
            const auto strategy = make_strategy(strong ? "strong" : "fast");
            REQUIRE(player.play_on(position->question(), cells, *strategy, solver, 99, kGames, budget, wins));
            const double rate = static_cast<double>(wins[0]) / kGames, error = std::sqrt(rate * (1 - rate) / kGames);
            for (const bool saves : {false, true}) {
                PlayoutOptions options = options_of(strong, saves);
                options.few = strong ? 2'000 : 200;
                Playout playout(options);
                const Mean found = play_all(playout, *position, cell, 1500, saves);
                const double free = 1 - position->odds[cell], both = std::hypot(error, free * found.error);
                const Note values([&] { return show(free * found.mean) + " played on, " + show(rate) + " won"; });
                CHECK(std::abs(free * found.mean - rate) < 4.5 * both);
                CHECK(both < 0.02);
            }
        }
}

// What is remembered changes nothing, to the last bit, and nor does what was played before.
TEST(playouts_remember_without_a_trace) {
    for (const bool strong : {false, true}) {
        Rng rng(128);
        PlayoutOptions plain = options_of(strong, true);
        plain.remembers = plain.merges = false;
        plain.few = 4;
        PlayoutOptions saving = plain;
        saving.remembers = saving.merges = true;
        Playout used(saving), bare(plain);
        TapeMemory memory;
        used.remember_in(&memory);
        int games = 0;
        for (int round = 0; round < 300; ++round) {
            const auto position = stuck(cut_out(rng, {8, 8, kShapes[roll(rng, 3)], 0.17, 0.12, 0, 0.05}));
            if (!position) continue;
            const Note note([&] { return picture(position->board) + ", mines " + show(position->mines); });
            Budget budget = endless();
            for (Playout* playout : {&used, &bare}) {
                playout->begin(position->question(), kSeed);
                REQUIRE(playout->draw(5, 6, budget));
            }
            std::vector<Cell> cells;
            for (Cell cell = 0; cell < position->board.geometry.cells; ++cell)
                if (position->board.codes[cell] == kCovered && cells.size() < 4) cells.push_back(cell);
            for (std::uint32_t number = 5; number < 11; ++number)
                for (const Cell cell : cells) {
                    const double expected = bare.play(number, cell, budget);
                    CHECK_EQUAL(std::bit_cast<std::uint64_t>(used.play(number, cell, budget)),
                                std::bit_cast<std::uint64_t>(expected));
                    ++games;
                }
        }
        CHECK(games > 300);
    }
}

TEST(playing_on_ends_with_the_budget) {
    const auto position = stuck({read_board("1########/#########/#########/#########/#########"), 8});
    REQUIRE(position.has_value());
    Playout playout(kFastPlayout);
    Budget patient = endless();
    playout.begin(position->question(), kSeed);
    REQUIRE(playout.draw(0, 64, patient));
    CHECK(playout.play(0, 44, patient) > 0);
    Budget impatient(1e9, 1'000'000'000, [](void*) { return true; });
    int games = 0;
    while (playout.play(static_cast<std::uint32_t>(games % 64), 44, impatient) > 0) REQUIRE(++games < 100'000);
    CHECK(impatient.limit() == Limit::cancelled);
    CHECK(!playout.draw(0, 8, impatient));
}

TEST(threads_play_on_alike) {
    const auto position = stuck({read_board("1########/#########/#########/#########/#########"), 8});
    REQUIRE(position.has_value());
    const std::vector<Cell> cells = {2, 10, 44};
    std::vector<double> alone, together;
    for (const std::size_t threads : {1, 2, 3}) {
        PlayoutPool pool(kFastPlayout, threads);
        pool.begin(position->question(), kSeed);
        Budget budget = endless();
        REQUIRE(pool.play(7, 50, cells, budget, threads == 1 ? alone : together));
        if (threads > 1) CHECK(together == alone);
    }
    CHECK_EQUAL(alone.size(), std::size_t{150});
    CHECK(std::ranges::all_of(alone, [](double worth) { return worth > 0 && worth <= 1; }));
}

TEST(threads_stop_when_they_are_told_to) {
    const auto position = stuck({read_board("1########/#########/#########/#########/#########"), 8});
    PlayoutPool pool(kFastPlayout, 2);
    pool.begin(position->question(), kSeed);
    const std::vector<Cell> cells = {2, 10, 44};
    std::vector<double> worths;
    Budget impatient(1e9, 1'000'000'000, [](void*) { return true; });
    CHECK(!pool.play(0, 1'000'000, cells, impatient, worths));
    CHECK(impatient.limit() == Limit::cancelled);
    Budget patient = endless();
    CHECK(pool.play(0, 8, cells, patient, worths));
}

}  // namespace
}  // namespace mineproof::testing
