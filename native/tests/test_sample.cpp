// Sampling: every layout drawn fits, all that fit come up as often as they should, and sample i is always sample i.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/solver.hpp"
#include "oracle.hpp"
#include "strip.hpp"

namespace mineproof::testing {
namespace {

struct Drawn {
    Status status;
    std::vector<std::vector<Cell>> layouts;
};

Drawn draw(Solver& solver, const Board& board, std::int64_t total, double odds, std::uint64_t seed, std::uint64_t first,
           std::uint64_t count) {
    Samples samples;
    Budget budget = endless();
    const Question question{board.geometry, board.codes, total, odds};
    Drawn drawn{solver.sample(question, seed, first, count, budget, samples).status, {}};
    std::uint64_t begin = 0;
    for (const std::uint64_t end : samples.ends) {
        REQUIRE(begin <= end && end <= samples.mines.size());
        drawn.layouts.emplace_back(samples.mines.begin() + static_cast<std::ptrdiff_t>(begin),
                                   samples.mines.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
    CHECK_EQUAL(begin, samples.mines.size());
    return drawn;
}

// Mines only where there is room for them, on every flag, around every number, and as many as there are.
void check_fits(const Board& board, std::int64_t total, const std::vector<Cell>& mines) {
    CHECK(std::adjacent_find(mines.begin(), mines.end(), std::greater_equal<>{}) == mines.end());
    const auto mined = [&](Cell cell) { return std::binary_search(mines.begin(), mines.end(), cell); };
    for (const Cell cell : mines)
        CHECK(cell < board.geometry.cells && (board.codes[cell] == kCovered || board.codes[cell] == kFlagged));
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        if (board.codes[cell] == kFlagged) CHECK(mined(cell));
        if (!is_number(board.codes[cell])) continue;
        int around = 0;
        for (const Cell other : board.geometry.around(cell)) around += other < board.geometry.cells && mined(other);
        CHECK_EQUAL(around, board.codes[cell]);
    }
    if (total != Question::kUnknown) CHECK_EQUAL(mines.size(), static_cast<std::size_t>(total));
}

THOROUGH_TEST(samples_of_small_boards_fit) {
    Rng rng(70);
    Solver solver;
    for (int i = 0; i < 2500; ++i) {
        const Position position =
            i % 50 == 0 ? Position{wide_board(rng, 14, between(rng, 8, 40)), 7} : small_position(rng, 12);
        const Board& board = position.board;
        const Layouts layouts = all_layouts(board);
        std::vector<std::int64_t> totals = {Question::kUnknown, position.mines, layouts.flags - 1, 100};
        if (!layouts.all.empty()) {
            totals.push_back(layouts.mines(layouts.all.front()));
            totals.push_back(layouts.mines(layouts.all.back()));
        }
        for (const std::int64_t total : totals) {
            const double odds = total == Question::kUnknown && i % 3 != 0 ? 0.2 : 0;
            const Note note([&] { return picture(board) + ", total " + show(total); });
            const bool any =
                total == Question::kUnknown ? !layouts.all.empty() : take_census(layouts, total).layouts > 0;
            const Drawn drawn = draw(solver, board, total, odds, rng(), 0, 4);
            CHECK_EQUAL(drawn.status, any                   ? Status::answered
                                      : layouts.all.empty() ? Status::numbers_conflict
                                                            : Status::total_conflict);
            CHECK_EQUAL(drawn.layouts.size(), any ? 4U : 0U);
            for (const auto& mines : drawn.layouts) check_fits(board, total, mines);
        }
    }
}

// Counts of what was drawn against what all layouts say; `expected` adds up to one.
void check_distribution(const std::map<std::vector<Cell>, double>& expected, const Drawn& drawn) {
    std::map<std::vector<Cell>, int> seen;
    for (const auto& mines : drawn.layouts) ++seen[mines];
    double statistic = 0;
    const auto all = static_cast<double>(drawn.layouts.size());
    for (const auto& [mines, share] : expected) {
        const double miss = seen[mines] - share * all;
        statistic += miss * miss / (share * all);
    }
    CHECK_EQUAL(seen.size(), expected.size());
    const auto freedom = static_cast<double>(expected.size() - 1);
    CHECK(statistic <= freedom + 5 * std::sqrt(2 * freedom) + 5);
}

TEST(samples_are_drawn_as_often_as_they_should_be) {
    struct Case {
        const char* text;
        std::int64_t total;
        double odds;
    };
    const Case cases[] = {
        {"####", 2, 0},                                  // sea alone
        {"#####/11###", 3, 0},                           // one box and sea
        {"#1#1#~#2##", 4, 0},                            // two components, no sea
        {"##1#1#/~~~~~~/####~~", 3, 0},                  // unequal counts, balanced by the sea
        {"#1#1#1#/~~~~~~~/##~~~~~", 4, 0},               // chain: one arrangement has more mines than the other
        {"F##/#3#/###", 3, 0},                           // a flag, a wide box
        {"###/1~2/###", Question::kUnknown, 0},          // every layout alike
        {"#1#1#/~~~~~/##~~~", Question::kUnknown, 0.3},  // by odds
        {"#1#1#/~~~~~/##~~~", Question::kUnknown, 4},
    };
    Solver solver;
    std::uint64_t seed = 1;
    for (const Case& each : cases) {
        const Board board = read_board(each.text);
        const Note note([&] { return picture(board); });
        const Layouts layouts = all_layouts(board);
        std::map<std::vector<Cell>, double> expected;
        double sum = 0;
        for (const std::uint32_t layout : layouts.all) {
            if (each.total != Question::kUnknown && layouts.mines(layout) != each.total) continue;
            std::vector<Cell> mines;
            for (Cell cell = 0; cell < board.geometry.cells; ++cell)
                if (board.codes[cell] == kFlagged || (board.codes[cell] == kCovered && layouts.mined(layout, cell)))
                    mines.push_back(cell);
            sum += expected[mines] = each.odds > 0 ? std::pow(each.odds, std::popcount(layout)) : 1;
        }
        REQUIRE(expected.size() > 1);
        for (auto& [mines, share] : expected) share /= sum;
        const std::uint64_t count = 300 * expected.size();
        check_distribution(expected, draw(solver, board, each.total, each.odds, seed++, 0, count));
    }
}

TEST(sample_i_is_always_sample_i) {
    Rng rng(71);
    for (int i = 0; i < 60; ++i) {
        const Position position = small_position(rng, 14);
        const Board& board = position.board;
        const std::int64_t total = i % 2 == 0 ? position.mines : Question::kUnknown;
        const Note note([&] { return picture(board) + ", total " + show(total); });
        Solver solver, used;
        const Drawn all = draw(solver, board, total, 0.3, 99, 0, 30);
        if (all.status != Status::answered) continue;
        draw(used, read_board("#1#1#"), 2, 0, 1, 0, 5);
        for (const std::uint64_t first : {0U, 7U, 29U}) {
            const std::uint64_t count = std::min<std::uint64_t>(5, 30 - first);
            const Drawn some = draw(used, board, total, 0.3, 99, first, count);
            REQUIRE(some.layouts.size() == count);
            for (std::uint64_t k = 0; k < count; ++k) CHECK_EQUAL(some.layouts[k], all.layouts[first + k]);
        }
        CHECK(draw(solver, board, total, 0.3, 99, 5, 0).layouts.empty());
    }
    Solver solver;
    const Board sea = read_board("########/########");
    CHECK(draw(solver, sea, 5, 0, 1, 0, 20).layouts != draw(solver, sea, 5, 0, 2, 0, 20).layouts);
}

// Nothing to draw is still an answer: the one layout there is.
TEST(samples_of_decided_boards) {
    Solver solver;
    struct Case {
        const char* text;
        std::int64_t total;
        std::vector<Cell> mines;
    };
    const Case cases[] = {
        {"0", 0, {}},  {"~", 0, {}},           {"F", 1, {0}}, {"F1", 1, {0}}, {"1#", 1, {1}},
        {"0#", 0, {}}, {"###/121", 2, {0, 2}}, {"#", 1, {0}}, {"##", 0, {}},  {"F#/FF", 4, {0, 1, 2, 3}}};
    for (const Case& each : cases)
        for (const std::int64_t total : {each.total, Question::kUnknown}) {
            const Board board = read_board(each.text);
            const Note note([&] { return picture(board) + ", total " + show(total); });
            if (total == Question::kUnknown && all_layouts(board).all.size() > 1) continue;
            const Drawn drawn = draw(solver, board, total, 0, 3, 0, 2);
            CHECK_EQUAL(drawn.status, Status::answered);
            for (const auto& mines : drawn.layouts) CHECK_EQUAL(mines, each.mines);
        }
}

// On large boards draws are thinned out until they have the right total. Chains of one or two mines and a sea share the
// mines left over as an urn would: a hypergeometric number of chains has two.
TEST(samples_of_large_boards_spread_as_they_should) {
    const std::size_t chains = 1100;
    const Cell sea = 300;
    const Board board = side_by_side(std::vector<Board>(chains, read_board("#1#1#")), sea);
    const std::int64_t extra = 700, total = static_cast<std::int64_t>(chains) + extra;
    Solver solver;
    const Drawn drawn = draw(solver, board, total, 0, 11, 0, 400);
    REQUIRE(drawn.layouts.size() == 400);
    double sum = 0, squares = 0;
    for (const auto& mines : drawn.layouts) {
        const auto in_sea = static_cast<double>(
            std::count_if(mines.begin(), mines.end(), [](Cell cell) { return cell >= 5 * chains; }));
        sum += in_sea;
        squares += in_sea * in_sea;
    }
    check_fits(board, total, drawn.layouts[0]);
    const double all = static_cast<double>(chains) + sea, drawn_share = static_cast<double>(extra) / all;
    const double mean = drawn_share * sea;
    const double variance = mean * (1 - drawn_share) * static_cast<double>(chains) / (all - 1);
    const double seen_mean = sum / 400, seen_variance = squares / 400 - seen_mean * seen_mean;
    CHECK_CLOSE(seen_mean, mean, 5 * std::sqrt(variance / 400));
    CHECK_CLOSE(seen_variance / variance, 1, 5 * std::sqrt(2.0 / 400));
}

TEST(samples_of_long_strips_fit) {
    Rng rng(72);
    Solver solver;
    for (const int columns : {50, 300, 600}) {
        const Strip strip = make_strip(rng, columns, columns % 3, 0.3, 0.7, true);
        const auto by_mines = StripSweep<LongDoubles>(strip).by_mines();
        const auto fewest = std::find_if(by_mines.begin(), by_mines.end(), [](auto ways) { return ways > 0; });
        const auto most = std::find_if(by_mines.rbegin(), by_mines.rend(), [](auto ways) { return ways > 0; });
        for (const std::int64_t total :
             {strip.mines, Question::kUnknown, static_cast<std::int64_t>(fewest - by_mines.begin()),
              static_cast<std::int64_t>(by_mines.rend() - most) - 1 + static_cast<std::int64_t>(strip.sea)}) {
            const Note note([&] { return picture(strip.board) + ", total " + show(total); });
            const Drawn drawn = draw(solver, strip.board, total, 0.3, 5, 0, 3);
            CHECK_EQUAL(drawn.status, Status::answered);
            CHECK_EQUAL(drawn.layouts.size(), 3U);
            for (const auto& mines : drawn.layouts) check_fits(strip.board, total, mines);
        }
    }
}

}  // namespace
}  // namespace mineproof::testing
