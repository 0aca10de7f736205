// Reduction: each rule on a board made for it; on random boards the layouts that fit stay the same.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/reduction.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

// Verdicts on the covered cells in board order: `!` mine, `-` safe, `?` none.
std::string fates_of(const Board& board) {
    Reduction reduction;
    if (!reduction.run(board.geometry, board.codes)) return "conflict";
    std::string text;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        if (board.codes[cell] != kCovered) continue;
        const Verdict fate = reduction.verdicts()[cell];
        text += fate == Verdict::mine ? '!' : fate == Verdict::safe ? '-' : '?';
    }
    return text;
}

// The cells of a constraint that are left, taken together from its boxes.
std::set<Cell> cells_of(const Reduction& reduction, std::uint32_t constraint) {
    std::set<Cell> cells;
    for (const Box& box : reduction.boxes()) {
        const auto end = box.constraints.begin() + box.degree;
        if (std::find(box.constraints.begin(), end, constraint) == end) continue;
        cells.insert(box.cells.begin(), box.cells.begin() + box.size);
    }
    return cells;
}

TEST(single_rule) {
    CHECK_EQUAL(fates_of(read_board("1#")), "!");
    CHECK_EQUAL(fates_of(read_board("0#/##")), "---");
    CHECK_EQUAL(fates_of(read_board("3#/##")), "!!!");
    CHECK_EQUAL(fates_of(read_board("1#/#F")), "--");
    CHECK_EQUAL(fates_of(read_board("2#/~F")), "!");
    CHECK_EQUAL(fates_of(read_board("1#1#")), "!-");
    CHECK_EQUAL(fates_of(read_board("#1#")), "??");
    CHECK_EQUAL(fates_of(read_board("##0##")), "?--?");
    CHECK_EQUAL(fates_of(read_board("8##/###/###", Shape::torus)), "!!!!!!!!");
    CHECK_EQUAL(fates_of(read_board("###/#6#/###", Shape::hex)), "?!!!!?!!");
}

TEST(subset_rule) {
    CHECK_EQUAL(fates_of(read_board("###/121")), "!-!");
    CHECK_EQUAL(fates_of(read_board("####/1221")), "-!!-");
    CHECK_EQUAL(fates_of(read_board("##/1~")), "??");
    // 2 of 0..4 and 1 of 0, 1: what is left is 1 of 2, 3, 4.
    const Board board{from_edges(7, {{5, 0}, {5, 1}, {5, 2}, {5, 3}, {5, 4}, {6, 0}, {6, 1}}),
                      {kCovered, kCovered, kCovered, kCovered, kCovered, 2, 1},
                      7,
                      "graph"};
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    REQUIRE(reduction.constraints().size() == 2);
    CHECK_EQUAL(reduction.boxes().size(), 2U);
    for (std::uint32_t id = 0; id < 2; ++id) {
        const Constraint& constraint = reduction.constraints()[id];
        CHECK_EQUAL(constraint.need, 1);
        CHECK_EQUAL(cells_of(reduction, id), (constraint.number == 5 ? std::set<Cell>{2, 3, 4} : std::set<Cell>{0, 1}));
    }
}

TEST(same_rule) {
    const Board board = read_board("##/11");
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    const auto constraints = reduction.constraints();
    CHECK_EQUAL(std::count_if(constraints.begin(), constraints.end(), [](const Constraint& c) { return c.size > 0; }),
                1);
    REQUIRE(reduction.boxes().size() == 1);
    CHECK_EQUAL(reduction.boxes()[0].size, 2);
    CHECK_EQUAL(reduction.boxes()[0].degree, 1);
    CHECK_EQUAL(reduction.undecided(), 2U);
}

TEST(contradictions_show_at_a_number_that_has_one) {
    const std::vector<std::pair<std::string, std::set<Cell>>> cases = {
        {"5#/##", {0}},           // too many for its cells
        {"0F", {0}},              // too few for its flags
        {"1~", {0}},              // no cells at all
        {"1#/~~/2F", {4}},        // only the second is wrong
        {"0#1", {0, 2}},          // one says safe, the other mine
        {"0##/##1/#0#", {5}},     // everything around the 1 is safe
        {"1#1/~2~", {1, 2, 4}},   // 2 sees one cell: found by counting alone
        {"~##~/1~~2", {4, 7}},    // the 2 sees one cell
        {"###/1~2/###", {3, 5}},  // a number with two sides; satisfiable or not is for the next test
    };
    for (const auto& [text, suspects] : cases) {
        const Board board = read_board(text);
        const Note note([&] { return picture(board); });
        Reduction reduction;
        const bool fine = reduction.run(board.geometry, board.codes);
        if (!all_layouts(board).all.empty()) {
            CHECK(fine);
            continue;
        }
        CHECK(!fine);
        CHECK(suspects.contains(reduction.conflict()));
    }
    // Same cells, different needs: neither is settled, so only the last rule sees it.
    const Board same{from_edges(5, {{3, 0}, {3, 1}, {3, 2}, {4, 0}, {4, 1}, {4, 2}}),
                     {kCovered, kCovered, kCovered, 1, 2},
                     5,
                     "graph"};
    Reduction reduction;
    CHECK(!reduction.run(same.geometry, same.codes));
    CHECK(reduction.conflict() == 3 || reduction.conflict() == 4);
    const Board second = side_by_side({read_board("#1#"), same}, 0);
    CHECK(!reduction.run(second.geometry, second.codes));
    CHECK(reduction.conflict() == 6 || reduction.conflict() == 7);
}

THOROUGH_TEST(the_blame_falls_on_the_guilty_board) {
    Rng rng(4);
    Reduction reduction;
    const Board innocent = read_board("#1#1##1#");  // one that leaves constraints, before and behind
    int found = 0;
    for (int i = 0; i < 20000; ++i) {
        const Board guilty = small_position(rng, 9).board;
        if (reduction.run(guilty.geometry, guilty.codes)) continue;
        ++found;
        const Note note([&] { return picture(guilty); });
        const Board all = side_by_side({innocent, guilty, innocent}, 2);
        CHECK(!reduction.run(all.geometry, all.codes));
        const Cell first = innocent.geometry.cells, end = first + guilty.geometry.cells;
        CHECK(reduction.conflict() >= first && reduction.conflict() < end);
    }
    CHECK(found > 200);
}

TEST(reduction_counts_what_it_says_it_counts) {
    const Board board = read_board("F2##~/##~##/0##F#");
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    // 0 frees its neighbours; the 2, one flag away, then needs the one that is left.
    CHECK_EQUAL(reduction.flags(), 2U);
    CHECK_EQUAL(reduction.decided().size(), 4U);
    CHECK_EQUAL(reduction.decided_mines(), 1U);
    CHECK_EQUAL(reduction.undecided(), 0U);
    CHECK_EQUAL(reduction.sea(), 5U);
    CHECK_EQUAL(reduction.marks().size(), board.geometry.cells + 1);
    CHECK_EQUAL(reduction.marks()[0], 16);
    CHECK_EQUAL(reduction.marks()[1], 0);
    CHECK_EQUAL(reduction.marks()[3], 1);
}

// Everything `run` promises, on one board.
void check_reduction(Reduction& reduction, const Board& board) {
    const Layouts layouts = all_layouts(board);
    if (!reduction.run(board.geometry, board.codes)) {
        CHECK(layouts.all.empty());
        CHECK(is_number(board.codes[reduction.conflict()]));
        return;
    }
    const auto bit = [&](Cell cell) {
        return 1U << (std::lower_bound(layouts.covered.begin(), layouts.covered.end(), cell) - layouts.covered.begin());
    };
    std::uint32_t safe = 0, mined = 0, boxed = 0, near = 0;
    for (const Cell cell : reduction.decided())
        (reduction.verdicts()[cell] == Verdict::mine ? mined : safe) |= bit(cell);
    CHECK_EQUAL(std::popcount(mined), reduction.decided_mines());
    CHECK_EQUAL(std::popcount(mined | safe), reduction.decided().size());

    const auto constraints = reduction.constraints();
    std::vector<std::uint32_t> around(constraints.size(), 0);
    std::set<std::vector<std::uint32_t>> kinds;
    for (const Box& box : reduction.boxes()) {
        CHECK(box.size > 0);
        CHECK(box.degree > 0);
        CHECK(kinds.emplace(box.constraints.begin(), box.constraints.begin() + box.degree).second);
        for (std::size_t i = 0; i < box.size; ++i) {
            CHECK((boxed & bit(box.cells[i])) == 0);
            boxed |= bit(box.cells[i]);
            for (std::size_t j = 0; j < box.degree; ++j) around[box.constraints[j]] |= bit(box.cells[i]);
        }
    }
    CHECK_EQUAL(boxed & (mined | safe), 0U);
    CHECK_EQUAL(std::popcount(boxed), reduction.undecided());
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        if (!is_number(board.codes[cell])) continue;
        for (const Cell other : board.geometry.around(cell))
            if (other < board.geometry.cells && board.codes[other] == kCovered) near |= bit(other);
    }
    CHECK_EQUAL(boxed | mined | safe, near);
    CHECK_EQUAL(reduction.sea(), layouts.covered.size() - static_cast<std::size_t>(std::popcount(near)));

    for (std::uint32_t a = 0; a < constraints.size(); ++a) {
        CHECK_EQUAL(std::popcount(around[a]), constraints[a].size);
        if (constraints[a].size == 0) continue;
        // Nothing is left to do: none is settled, none lies inside another.
        CHECK(constraints[a].need > 0 && constraints[a].need < constraints[a].size);
        for (std::uint32_t b = 0; b < constraints.size(); ++b) CHECK(a == b || (around[a] & ~around[b]) != 0);
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t layout = 0; layout < 1U << layouts.covered.size(); ++layout) {
        bool fits = (layout & (mined | safe)) == mined;
        for (std::uint32_t id = 0; fits && id < constraints.size(); ++id)
            fits = constraints[id].size == 0 || std::popcount(layout & around[id]) == constraints[id].need;
        if (fits) kept.push_back(layout);
    }
    CHECK(kept == layouts.all);
}

TEST(reduction_keeps_every_layout) {
    Rng rng(1);
    Reduction reduction;  // one for all: what an earlier board left behind must not show
    for (int i = 0; i < 3000; ++i) {
        const Position position = small_position(rng, 11);
        const Note note([&] { return picture(position.board); });
        check_reduction(reduction, position.board);
    }
}

// Beyond 64 frontier cells signatures collide; a board made of small ones must still come apart into them.
TEST(reduction_of_many_boards_is_that_of_each) {
    Rng rng(2);
    Reduction together, alone;
    for (int round = 0; round < 20; ++round) {
        std::vector<Board> boards;
        while (boards.size() < 40) {
            Board board = small_position(rng, 14).board;
            if (alone.run(board.geometry, board.codes)) boards.push_back(std::move(board));
        }
        const Board all = side_by_side(boards, 3);
        REQUIRE(together.run(all.geometry, all.codes));
        Cell offset = 0;
        std::size_t next = 0, boxes = 0;
        std::uint32_t sea = 3;
        for (const Board& board : boards) {
            const Note note([&] { return picture(board); });
            REQUIRE(alone.run(board.geometry, board.codes));
            for (Cell cell = 0; cell < board.geometry.cells; ++cell)
                CHECK_EQUAL(together.verdicts()[offset + cell], alone.verdicts()[cell]);
            for (const Constraint& constraint : alone.constraints()) {
                const Constraint& other = together.constraints()[next++];
                CHECK_EQUAL(other.number, offset + constraint.number);
                CHECK_EQUAL(other.need, constraint.need);
                CHECK_EQUAL(other.size, constraint.size);
            }
            sea += alone.sea();
            boxes += alone.boxes().size();
            offset += board.geometry.cells;
        }
        CHECK_EQUAL(together.constraints().size(), next);
        CHECK_EQUAL(together.boxes().size(), boxes);
        CHECK_EQUAL(together.sea(), sea);
    }
}

TEST(linked_numbers_share_covered_cells) {
    const Board board = read_board("1#1#1~1#1F1");
    CHECK_EQUAL(linked_numbers(board.geometry, board.codes, 2), (std::vector<Cell>{0, 2, 4}));
    CHECK_EQUAL(linked_numbers(board.geometry, board.codes, 6), (std::vector<Cell>{6, 8}));
    CHECK_EQUAL(linked_numbers(board.geometry, board.codes, 10), (std::vector<Cell>{10}));

    Rng rng(3);
    for (int i = 0; i < 300; ++i) {
        const Board random = small_position(rng, 14).board;
        const Cell cells = random.geometry.cells;
        std::vector<Cell> group(cells);
        std::iota(group.begin(), group.end(), 0U);
        const auto merge = [&](Cell a, Cell b) {
            const Cell from = group[a], into = group[b];
            std::replace(group.begin(), group.end(), from, into);
        };
        for (Cell cell = 0; cell < cells; ++cell) {
            if (!is_number(random.codes[cell])) continue;
            for (const Cell other : random.geometry.around(cell))
                if (other < cells && random.codes[other] == kCovered) merge(cell, other);
        }
        for (Cell number = 0; number < cells; ++number) {
            if (!is_number(random.codes[number])) continue;
            std::vector<Cell> expected;
            for (Cell cell = 0; cell < cells; ++cell)
                if (is_number(random.codes[cell]) && group[cell] == group[number]) expected.push_back(cell);
            const Note note([&] { return picture(random) + " at " + show(number); });
            CHECK_EQUAL(linked_numbers(random.geometry, random.codes, number), expected);
        }
    }
}

// Everything a reduction says of a position.
void check_equal(const Reduction& one, const Reduction& other) {
    CHECK_EQUAL(one.sea(), other.sea());
    CHECK_EQUAL(one.flags(), other.flags());
    CHECK_EQUAL(one.decided_mines(), other.decided_mines());
    CHECK_EQUAL(one.undecided(), other.undecided());
    CHECK(std::ranges::equal(one.decided(), other.decided()));
    CHECK(std::ranges::equal(one.verdicts(), other.verdicts()));
    CHECK(std::ranges::equal(one.marks(), other.marks()));
    CHECK(std::ranges::equal(one.constraints(), other.constraints(), [](const Constraint& a, const Constraint& b) {
        return a.number == b.number && a.need == b.need && a.size == b.size && a.signature == b.signature &&
               std::equal(a.cells.begin(), a.cells.begin() + a.size, b.cells.begin());
    }));
    CHECK(std::ranges::equal(one.boxes(), other.boxes(), [](const Box& a, const Box& b) {
        return a.size == b.size && a.degree == b.degree &&
               std::equal(a.cells.begin(), a.cells.begin() + a.size, b.cells.begin()) &&
               std::equal(a.constraints.begin(), a.constraints.begin() + a.degree, b.constraints.begin());
    }));
}

// Cells change a few or many at a time, some into numbers that cannot be right; now and then the shape changes too.
TEST(run_on_is_run_after_any_position) {
    Rng rng(11);
    Reduction following;
    int conflicts = 0, answers = 0;
    for (int round = 0; round < 60; ++round) {
        const int rows = between(rng, 2, 12), columns = between(rng, 2, 12);
        const Shape shape = kShapes[roll(rng, 3)];
        Position position = cut_out(rng, {rows, columns, shape, 0.2, 0.1, 0.05, 0.02});
        const Position truth = cut_out(rng, {rows, columns, shape, 0.2, 1, 0, 0});
        auto& codes = position.board.codes;
        for (int step = 0; step < 20; ++step) {
            const int changes = between(rng, 0, step % 5 == 0 ? 150 : 4);
            for (int i = 0; i < changes; ++i) {
                const std::size_t cell = roll(rng, codes.size());
                const std::int8_t likely = truth.board.codes[cell];
                codes[cell] = chance(rng, 0.02)  ? static_cast<std::int8_t>(roll(rng, 9))
                              : likely >= 0      ? likely
                              : chance(rng, 0.5) ? kFlagged
                                                 : kCovered;
            }
            Reduction fresh;
            const bool fits = fresh.run(position.board.geometry, codes);
            CHECK_EQUAL(following.run_on(position.board.geometry, codes), fits);
            (fits ? answers : conflicts) += 1;
            if (!fits) {
                CHECK_EQUAL(following.conflict(), fresh.conflict());
                continue;
            }
            CHECK(following.boxes().empty());
            following.condense();
            check_equal(following, fresh);
        }
    }
    CHECK(conflicts > 50 && answers > 50);
}

// Where single numbers prove nothing more, as a game comes to it: what the player has counted is what would be read.
TEST(run_counted_is_run_where_a_player_is_stuck) {
    Rng rng(12);
    Reduction counted;
    Knowledge knowledge;
    int stuck = 0, decided = 0;
    for (int round = 0; round < 150; ++round) {
        const Shape shape = kShapes[roll(rng, 3)];
        const Position truth = cut_out(rng, {between(rng, 4, 16), between(rng, 4, 20), shape, 0.2, 1, 0, 0.03});
        const Geometry& geometry = truth.board.geometry;
        std::vector<std::int8_t> covered = truth.board.codes;
        for (std::int8_t& code : covered)
            if (code != kAbsent) code = kCovered;
        knowledge.start(geometry, covered);
        for (int guess = 0; guess < 12; ++guess) {
            const auto cell = static_cast<Cell>(roll(rng, geometry.cells));
            if (truth.board.codes[cell] >= 0) knowledge.show(cell, truth.board.codes[cell]);
            for (Cell safe; knowledge.take_safe(safe);) knowledge.show(safe, truth.board.codes[safe]);
            Reduction fresh;
            REQUIRE(fresh.run(geometry, knowledge.codes()));
            REQUIRE(counted.run_counted(geometry, knowledge.codes(), knowledge.around()));
            CHECK(counted.boxes().empty());
            counted.condense();
            check_equal(counted, fresh);
            stuck += !fresh.constraints().empty();
            decided += !fresh.decided().empty();
        }
    }
    CHECK(stuck > 800 && decided > 300);
}

}  // namespace
}  // namespace mineproof::testing
