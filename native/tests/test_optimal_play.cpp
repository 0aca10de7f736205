// Optimal play of whole positions: certain cells and unflagged mines included.

#include <algorithm>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/optimal_play.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

constexpr std::size_t kNoLimit = 1 << 20;

std::uint64_t worth_at(const Worth& worth, const Layouts& layouts, Cell cell) {
    const auto place = std::ranges::lower_bound(layouts.covered, cell) - layouts.covered.begin();
    return worth.by_cell[static_cast<std::size_t>(place)];
}

TEST(an_optimum_is_what_the_best_play_wins) {
    Rng rng(141);
    int solved = 0, with_safe = 0, with_mines = 0, done = 0, conflicts = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 10);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const Question question{position.board.geometry, position.board.codes, position.mines};
        const Layouts layouts = layouts_with(position.board, position.mines);
        Budget budget = endless();
        const bool every = round % 3 != 0;
        const Optimum found = find_optimum(question, every, kNoLimit, budget);
        CHECK_EQUAL(found.answer.status == Status::answered, !layouts.all.empty());
        if (layouts.all.empty()) {
            ++conflicts;
            continue;
        }
        const Census census = take_census(layouts, position.mines);
        std::vector<Cell> expected;
        for (std::size_t i = 0; i < layouts.covered.size(); ++i)
            if (census.mined[i] < census.layouts) expected.push_back(layouts.covered[i]);
        CHECK_EQUAL(found.layouts, layouts.all.size());
        if (expected.empty()) {
            CHECK(!found.best.has_value() && found.cells.empty());
            CHECK_EQUAL(found.won, 1);
            ++done;
            continue;
        }
        const Worth worth = worth_of(position.board, layouts);
        CHECK_EQUAL(found.won, worth.won);
        REQUIRE(found.best.has_value());
        CHECK_EQUAL(worth_at(worth, layouts, *found.best), worth.won);
        std::vector<Cell> cells = found.cells;
        std::ranges::sort(cells);
        CHECK_EQUAL(cells, expected);
        CHECK_EQUAL(found.values.size(), every ? cells.size() : 0);
        for (std::size_t i = 0; i < found.values.size(); ++i)
            CHECK_EQUAL(found.values[i], worth_at(worth, layouts, found.cells[i]));
        ++solved;
        with_safe += std::ranges::count(census.mined, 0) > 0;
        with_mines += std::ranges::count(census.mined, census.layouts) > 0;
    }
    const Note note([&] { return show(std::vector{solved, with_safe, with_mines, done, conflicts}); });
    CHECK(solved > 500 && with_safe > 100 && with_mines > 100 && done > 10 && conflicts > 20);
}

TEST(an_optimum_of_too_many_layouts_is_over_budget) {
    const Board board = read_board("####/####");
    const Question question{board.geometry, board.codes, 3};  // 56 layouts
    Budget budget = endless();
    CHECK_EQUAL(find_optimum(question, false, 56, budget).answer.status, Status::answered);
    CHECK_EQUAL(budget.limit(), Limit::none);
    CHECK_EQUAL(find_optimum(question, false, 55, budget).answer.status, Status::over_budget);
    CHECK_EQUAL(budget.limit(), Limit::states);
    Budget few = Budget::of_states(3);
    CHECK_EQUAL(find_optimum(question, true, kNoLimit, few).answer.status, Status::over_budget);
    CHECK_EQUAL(few.limit(), Limit::states);
}

}  // namespace
}  // namespace mineproof::testing
