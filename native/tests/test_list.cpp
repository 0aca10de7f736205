// Positions with few layouts: all layouts, one by one, and a quick look for the safest cells.

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/reduction.hpp"
#include "mineproof/solver.hpp"
#include "oracle.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

constexpr std::size_t kNoLimit = std::size_t{1} << 31;

Question ask(const Position& position) { return {position.board.geometry, position.board.codes, position.mines}; }

// The layouts with as many mines as the position has, ascending.
std::vector<std::uint32_t> with_total(const Layouts& layouts, std::int64_t mines) {
    std::vector<std::uint32_t> result = layouts.all;
    std::erase_if(result, [&](std::uint32_t layout) { return layouts.mines(layout) != mines; });
    return result;
}

// A listing in the bits of the oracle, ascending. Cells that are not listed are as the verdicts have them.
std::vector<std::uint32_t> in_bits(const Listing& listing, const Layouts& layouts,
                                   const std::vector<Verdict>& verdicts) {
    const auto bit = [&](Cell cell) {
        const auto place = std::lower_bound(layouts.covered.begin(), layouts.covered.end(), cell);
        REQUIRE(place != layouts.covered.end() && *place == cell);
        return std::uint32_t{1} << (place - layouts.covered.begin());
    };
    std::uint32_t certain = 0;
    for (const Cell cell : layouts.covered)
        if (verdicts[cell] == Verdict::mine && std::ranges::count(listing.cells, cell) == 0) certain |= bit(cell);
    const std::size_t rows = listing.cells.empty() ? 1 : listing.layouts();
    CHECK_EQUAL(listing.mines.size(), rows * listing.cells.size());
    std::vector<std::uint32_t> result(rows, certain);
    for (std::size_t i = 0; i < listing.mines.size(); ++i)
        if (listing.mines[i] != 0) result[i / listing.cells.size()] |= bit(listing.cells[i % listing.cells.size()]);
    std::sort(result.begin(), result.end());
    return result;
}

// Numbers that no rule reduces, so that tables are joined with tables.
TEST(a_listing_of_many_half_finished_numbers) {
    Rng rng(105);
    Solver solver;
    Listing listing;
    std::size_t listed = 0;
    for (int round = 0; round < 40; ++round) {
        const Board board = wide_board(rng, 14, between(rng, 6, 10));
        const Layouts layouts = all_layouts(board);
        for (std::int64_t mines = 4; mines <= 8; ++mines) {
            const Note note([&] { return picture(board) + ", round " + show(round) + ", mines " + show(mines); });
            const Question question{board.geometry, board.codes, mines};
            std::vector<Verdict> found(board.codes.size());
            std::vector<double> odds(board.codes.size());
            Budget budget = endless();
            const Counted counted = solver.analyze(question, budget, found, odds);
            if (counted.status != Status::answered) continue;
            REQUIRE(counted.list(kNoLimit, listing));
            CHECK_EQUAL(in_bits(listing, layouts, found), with_total(layouts, mines));
            listed += listing.layouts();
        }
    }
    CHECK(listed > 1000);
}

TEST(a_listing_is_all_layouts) {
    Rng rng(101);
    Solver solver;
    Listing listing;
    int listed = 0, several = 0, conflicts = 0;
    for (int round = 0; round < 1200; ++round) {
        const Position position = small_position(rng, 13);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const Layouts layouts = all_layouts(position.board);
        const std::vector<std::uint32_t> expected = with_total(layouts, position.mines);
        std::vector<Verdict> verdicts(position.board.codes.size());
        std::vector<double> odds(position.board.codes.size());
        Budget budget = endless();
        const Counted answer = solver.analyze(ask(position), budget, verdicts, odds);
        CHECK_EQUAL(answer.status == Status::answered, !expected.empty());
        if (answer.status != Status::answered) {
            ++conflicts;
            continue;
        }
        REQUIRE(answer.list(kNoLimit, listing));
        CHECK_EQUAL(std::set<Cell>(listing.cells.begin(), listing.cells.end()).size(), listing.cells.size());
        for (const Cell cell : layouts.covered)
            CHECK_EQUAL(std::ranges::count(listing.cells, cell), verdicts[cell] == Verdict::undecided);
        CHECK_EQUAL(in_bits(listing, layouts, verdicts), expected);
        CHECK(answer.list(expected.size(), listing));
        CHECK_EQUAL(in_bits(listing, layouts, verdicts), expected);
        CHECK(!answer.list(expected.size() - 1, listing));
        CHECK(listing.layouts() <= expected.size());
        ++listed;
        several += expected.size() > 1;
    }
    CHECK(listed > 800 && several > 400 && conflicts > 20);
}

// As strategies use it: certain mines are flagged before, and `find_certain` has counted.
TEST(a_listing_follows_find_certain) {
    Rng rng(102);
    Solver solver;
    Certain certain;
    Listing listing;
    int listed = 0;
    for (int round = 0; round < 600; ++round) {
        Position position = small_position(rng, 13);
        const Note note([&] { return picture(position.board); });
        Budget budget = endless();
        if (solver.find_certain(ask(position), budget, certain).status != Status::answered || !certain.safe.empty())
            continue;
        for (const Cell cell : certain.mines) position.board.codes[cell] = kFlagged;
        const Counted counted = solver.find_certain(ask(position), budget, certain);
        REQUIRE(counted.status == Status::answered);
        const Layouts layouts = all_layouts(position.board);
        REQUIRE(counted.list(kNoLimit, listing));
        CHECK_EQUAL(listing.cells.size(), layouts.covered.size());
        CHECK_EQUAL(in_bits(listing, layouts, std::vector<Verdict>(position.board.codes.size())),
                    with_total(layouts, position.mines));
        ++listed;
    }
    CHECK(listed > 150);
}

Counted analyze(Solver& solver, const Question& question) {
    std::vector<Verdict> verdicts(question.codes.size());
    std::vector<double> odds(question.codes.size());
    Budget budget = endless();
    return solver.analyze(question, budget, verdicts, odds);
}

TEST(nothing_is_listed_without_polynomials) {
    Solver solver;
    Listing listing;
    const Board pair = read_board("#1#");
    const Question one_mine{pair.geometry, pair.codes, 1};
    CHECK(analyze(solver, one_mine).list(kNoLimit, listing));
    CHECK_EQUAL(listing.layouts(), 2);
    for (const double odds : {0.0, 0.25}) {
        const Counted counted = analyze(solver, {pair.geometry, pair.codes, Question::kUnknown, odds});
        REQUIRE(counted.status == Status::answered);
        CHECK(!counted.list(kNoLimit, listing));
    }
    // More cells than are counted directly, and one layout: the two cells that both numbers see.
    const Board many = side_by_side(std::vector<Board>(560, read_board("#2##/###2")), 0);
    const Counted counted = analyze(solver, {many.geometry, many.codes, std::int64_t{560 * 2}});
    REQUIRE(counted.status == Status::answered);
    CHECK(!counted.list(kNoLimit, listing));
    CHECK(analyze(solver, one_mine).list(kNoLimit, listing));
}

// The numbers a cell shows in the layouts in which it is free.
std::set<int> numbers_of(const Board& board, const Layouts& layouts, Cell cell) {
    std::set<int> numbers;
    for (const std::uint32_t layout : layouts.all)
        if (!layouts.mined(layout, cell)) numbers.insert(number_at(board, layouts, layout, cell));
    return numbers;
}

TEST(a_dead_cell_shows_one_number) {
    Rng rng(103);
    Reduction reduction;
    int dead = 0, found = 0, alive = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 10);
        const Board& board = position.board;
        const Layouts layouts = all_layouts(board);
        if (layouts.all.empty() || !reduction.run(board.geometry, board.codes)) continue;
        for (const Cell cell : layouts.covered) {
            const std::set<int> numbers = numbers_of(board, layouts, cell);
            const bool said = reduction.shows_one_number(board.geometry, cell);
            const Note note([&] { return picture(board) + ", cell " + show(cell) + ": " + show(numbers); });
            CHECK(!said || numbers.size() <= 1);
            // Those with a covered neighbour that may or may not be a mine are the ones that take thought.
            const auto around = board.geometry.around(cell);
            const bool easy = std::none_of(around.begin(), around.end(), [&](Cell other) {
                return other < board.geometry.cells && reduction.marks()[other] == 1;
            });
            if (easy && numbers.size() == 1) CHECK(said);
            alive += numbers.size() > 1;
            dead += !easy && numbers.size() == 1;
            found += !easy && numbers.size() == 1 && said;
        }
    }
    const Note note([&] { return show(found) + " of " + show(dead) + " found; alive " + show(alive); });
    CHECK(dead > 500 && alive > 1000);
    CHECK(found > dead / 2);
}

// The two safest living cells, listed and sorted. The sea counts as alive.
struct Minesolver {
    double best = 0, second = 0;
    std::uint32_t safe = 0;
};

Minesolver safest_cells(const Board& board, const Layouts& layouts, const Census& census) {
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    Minesolver result;
    std::vector<double> safeties = {0, 0};
    for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
        const Cell cell = layouts.covered[i];
        const auto around = board.geometry.around(cell);
        const bool at_sea = std::none_of(around.begin(), around.end(), [&](Cell other) {
            return other < board.geometry.cells && is_number(board.codes[other]);
        });
        if (!at_sea && reduction.shows_one_number(board.geometry, cell)) continue;
        const auto free = static_cast<double>(census.layouts - census.mined[i]);
        safeties.push_back(free / static_cast<double>(census.layouts));
        result.safe += census.mined[i] == 0;
    }
    std::sort(safeties.begin(), safeties.end(), std::greater<>());
    result.best = safeties[0];
    result.second = safeties[1];
    if (result.best == 0) result.best = result.second = 1 / static_cast<double>(census.layouts);
    return result;
}

TEST(a_glance_sees_the_safest_living_cells) {
    Rng rng(104);
    Solver solver;
    int glances = 0, guesses = 0, all_dead = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 11);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const Layouts layouts = all_layouts(position.board);
        const Census census = take_census(layouts, position.mines);
        Budget budget = endless();
        const Glance glance = solver.glance(ask(position), budget);
        CHECK_EQUAL(glance.status == Status::answered, census.layouts > 0);
        if (glance.status != Status::answered) continue;
        const Minesolver expected = safest_cells(position.board, layouts, census);
        CHECK_CLOSE(glance.log2_layouts, std::log2(static_cast<double>(census.layouts)), 1e-9);
        CHECK_CLOSE(glance.best, expected.best, 1e-12);
        CHECK_CLOSE(glance.second, expected.second, 1e-12);
        CHECK_EQUAL(glance.safe, expected.safe);
        ++glances;
        guesses += expected.safe == 0 && census.layouts > 1;
        all_dead += census.layouts > 1 && expected.best <= 1 / static_cast<double>(census.layouts);
    }
    CHECK(glances > 1000 && guesses > 100 && all_dead > 3);
}

// Two cells of which one is a mine, and nothing distinguishes them: no cell lives.
TEST(a_glance_at_a_fifty_fifty) {
    const Board board = read_board("##/11");
    Solver solver;
    Budget budget = endless();
    const Glance glance = solver.glance({board.geometry, board.codes, 1}, budget);
    REQUIRE(glance.status == Status::answered);
    CHECK_CLOSE(glance.log2_layouts, 1, 1e-12);
    CHECK_CLOSE(glance.best, 0.5, 1e-12);
    CHECK_CLOSE(glance.second, 0.5, 1e-12);
    CHECK_EQUAL(glance.safe, 0);
}

}  // namespace
}  // namespace mineproof::testing
