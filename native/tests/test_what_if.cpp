// What is supposed of a position: the same answers as counting it whole, from what the position itself left.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/counted_position.hpp"
#include "mineproof/what_if.hpp"

namespace mineproof::testing {
namespace {

struct Seen {
    int answered = 0, refused = 0, with_safe = 0, solved = 0, apart = 0;
    int other_cells_live = 0;  // glances that differ in the safest living cells
};

void check_glance(WhatIf& what_if, Solver& solver, const Question& question, std::span<const Supposed> supposed,
                  Seen& seen) {
    std::vector<std::int8_t> codes(question.codes.begin(), question.codes.end());
    for (const Supposed& each : supposed) codes[each.cell] = each.code;
    const Note note([&] {
        std::string text = "supposed";
        for (const Supposed& each : supposed) text += " " + show(each.cell) + "=" + show(each.code);
        return text;
    });
    Budget budget = endless();
    const Glance expected = solver.glance({question.geometry, codes, question.total}, budget);
    const Glance counted = what_if.count(supposed, budget);
    const Glance glance = what_if.glance(supposed, budget);
    CHECK_EQUAL(glance.status == Status::answered, expected.status == Status::answered);
    CHECK_EQUAL(counted.status == Status::answered, expected.status == Status::answered);
    ++(expected.status == Status::answered ? seen.answered : seen.refused);
    if (expected.status != Status::answered || glance.status != Status::answered) return;
    CHECK_CLOSE(counted.log2_layouts, expected.log2_layouts, 1e-9);
    CHECK_CLOSE(glance.log2_layouts, expected.log2_layouts, 1e-9);
    CHECK_EQUAL(glance.solved, expected.solved);
    seen.with_safe += glance.safe > 0;
    seen.solved += glance.solved;
    seen.other_cells_live += std::abs(glance.best - expected.best) > 1e-12 ||
                             std::abs(glance.second - expected.second) > 1e-12 || glance.safe != expected.safe;
}

// Every number of some cells, and some mines and free cells together.
void check_position(Rng& rng, WhatIf& what_if, const Position& position, bool flag_mines, Seen& seen) {
    const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
    const Question asked{position.board.geometry, position.board.codes, position.mines};
    Solver solver;
    CountedPosition counted;
    Budget budget = endless();
    if (!counted.count(asked, solver, budget) || counted.undecided().empty()) return;
    const Question question = flag_mines ? counted.question() : asked;
    seen.apart += solver.tape().parts().size() > 1;
    what_if.begin(question);
    Solver other;
    std::vector<Cell> cells(counted.undecided().begin(), counted.undecided().end());
    for (std::size_t i = cells.size(); i-- > 1;) std::swap(cells[i], cells[roll(rng, i + 1)]);
    for (std::size_t i = 0; i < std::min<std::size_t>(cells.size(), 4); ++i)
        for (std::int8_t number = 0; number <= kReach; ++number) {
            const Supposed supposed{cells[i], number};
            check_glance(what_if, other, question, {&supposed, 1}, seen);
        }
    for (int round = 0; round < 4; ++round) {
        std::vector<Supposed> supposed;
        const auto count = std::min<std::size_t>(cells.size(), static_cast<std::size_t>(between(rng, 1, 5)));
        for (std::size_t i = 0; i < count; ++i) supposed.push_back({cells[i], chance(rng, 0.5) ? kFlagged : kAbsent});
        if (chance(rng, 0.3)) supposed[0].code = static_cast<std::int8_t>(between(rng, 0, 4));
        check_glance(what_if, other, question, supposed, seen);
        std::rotate(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(count), cells.end());
    }
}

TEST(what_is_supposed_is_counted_as_on_the_whole_board) {
    Rng rng(181);
    WhatIf what_if;
    TapeMemory memory;
    what_if.remember_in(&memory);
    Seen seen;
    for (int round = 0; round < 250; ++round) {
        const Wish wish{between(rng, 4, 12),
                        between(rng, 4, 12),
                        kShapes[roll(rng, 3)],
                        0.1 + 0.02 * between(rng, 0, 7),
                        0.2 + 0.05 * between(rng, 0, 9),
                        0.1,
                        0.05};
        check_position(rng, what_if, cut_out(rng, wish), true, seen);
    }
    CHECK(seen.answered > 2000 && seen.refused > 3000 && seen.with_safe > 1000 && seen.solved > 100 && seen.apart > 80);
    CHECK_EQUAL(seen.other_cells_live, 0);
}

TEST(what_is_supposed_on_odd_boards) {
    Rng rng(182);
    WhatIf what_if;
    Seen seen;
    for (int round = 0; round < 600; ++round)
        check_position(rng, what_if, small_position(rng, 14), chance(rng, 0.8), seen);
    CHECK(seen.answered > 4000 && seen.refused > 8000 && seen.with_safe > 2000 && seen.solved > 500 && seen.apart > 40);
    // The two reductions may leave other constraints, and one may show at once what the other does not.
    CHECK(seen.other_cells_live < 4);
}

// Certain mines that are not flagged, and a board with too many cells for the quick way.
TEST(what_is_supposed_where_the_quick_way_ends) {
    Rng rng(183);
    WhatIf what_if;
    Seen seen;
    for (int round = 0; round < 40; ++round)
        check_position(rng, what_if, cut_out(rng, {9, 9, Shape::grid, 0.15, 0.5, 0, 0}), false, seen);
    check_position(rng, what_if, cut_out(rng, {60, 60, Shape::grid, 0.2, 0.4, 0, 0}), true, seen);
    CHECK(seen.answered > 250 && seen.with_safe > 200 && seen.apart > 10);
    CHECK_EQUAL(seen.other_cells_live, 0);
}

}  // namespace
}  // namespace mineproof::testing
