// Optimal play: equal to a player who tries everything by the rules of the game, and to values known from outside.

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/endgame.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

using Mask = std::uint32_t;

// The layouts of a position with this many mines, as bits over its covered cells.
struct Puzzle {
    Geometry geometry;
    std::vector<Cell> cells, flags;
    std::vector<Mask> layouts;

    bool mined(Mask layout, std::size_t i) const { return (layout >> i & 1) != 0; }
    Views views() const {
        std::vector<std::uint8_t> mines;
        for (const Mask layout : layouts)
            for (std::size_t i = 0; i < cells.size(); ++i) mines.push_back(mined(layout, i));
        Views result;
        view_layouts(geometry, cells, flags, mines, result);
        return result;
    }
};

Puzzle make_puzzle(const Board& board, std::int64_t mines) {
    const Layouts layouts = all_layouts(board);
    Puzzle puzzle{board.geometry, layouts.covered, {}, {}};
    for (Cell cell = 0; cell < board.geometry.cells; ++cell)
        if (board.codes[cell] == kFlagged) puzzle.flags.push_back(cell);
    for (const Mask layout : layouts.all)
        if (layouts.mines(layout) == mines) puzzle.layouts.push_back(layout);
    return puzzle;
}

Puzzle untouched(Shape shape, int rows, int columns, int mines) {
    Board board{make_geometry(shape, rows, columns), {}, static_cast<Cell>(columns), ""};
    board.codes.assign(board.geometry.cells, kCovered);
    return make_puzzle(board, mines);
}

// Plays a puzzle by the rules: one cell after the other, zeros open their neighbours, the game is won when all free
// cells are open. Tries every move in every situation.
class Rules {
  public:
    explicit Rules(const Puzzle& puzzle) : puzzle_(puzzle) {
        for (const Cell cell : puzzle.cells) {
            Mask around = 0;
            int flags = 0;
            for (const Cell other : puzzle.geometry.around(cell)) {
                for (std::size_t i = 0; i < puzzle.cells.size(); ++i)
                    if (puzzle.cells[i] == other) around |= Mask{1} << i;
                flags += static_cast<int>(std::count(puzzle.flags.begin(), puzzle.flags.end(), other));
            }
            around_.push_back(around);
            flags_.push_back(flags);
        }
    }

    std::uint64_t won() {
        std::vector<std::size_t> all(puzzle_.layouts.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return best(all, 0);
    }
    std::uint64_t won_by(std::size_t cell) {
        std::vector<std::size_t> all(puzzle_.layouts.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return by(all, 0, cell);
    }

  private:
    int number(Mask layout, std::size_t cell) const { return flags_[cell] + std::popcount(layout & around_[cell]); }

    void open(Mask layout, std::size_t cell, Mask& opened) const {
        if ((opened >> cell & 1) != 0) return;
        opened |= Mask{1} << cell;
        if (number(layout, cell) != 0) return;
        for (std::size_t i = 0; i < puzzle_.cells.size(); ++i)
            if ((around_[cell] >> i & 1) != 0) open(layout, i, opened);
    }

    std::uint64_t best(const std::vector<std::size_t>& set, Mask opened) {
        const auto [place, fresh] = known_.try_emplace({set, opened}, 0);
        if (!fresh) return place->second;
        std::uint64_t most = 0;
        for (std::size_t cell = 0; cell < puzzle_.cells.size(); ++cell)
            if ((opened >> cell & 1) == 0) most = std::max(most, by(set, opened, cell));
        return known_[{set, opened}] = most;
    }

    std::uint64_t by(const std::vector<std::size_t>& set, Mask opened, std::size_t cell) {
        std::map<std::pair<Mask, std::vector<int>>, std::vector<std::size_t>> seen;
        const Mask all = (Mask{1} << puzzle_.cells.size()) - 1;
        std::uint64_t won = 0;
        for (const std::size_t i : set) {
            const Mask layout = puzzle_.layouts[i];
            if (puzzle_.mined(layout, cell)) continue;
            Mask now = opened;
            open(layout, cell, now);
            if (now == (all & ~layout)) {
                ++won;
                continue;
            }
            std::vector<int> numbers;
            for (std::size_t other = 0; other < puzzle_.cells.size(); ++other)
                if ((now >> other & 1) != 0) numbers.push_back(number(layout, other));
            seen[{now, numbers}].push_back(i);
        }
        for (const auto& [what, layouts] : seen) won += best(layouts, what.first);
        return won;
    }

    const Puzzle& puzzle_;
    std::vector<Mask> around_;
    std::vector<int> flags_;
    std::map<std::pair<std::vector<std::size_t>, Mask>, std::uint64_t> known_;
};

// The recursion as it is written down, on what cells show: no bounds, but safe cells first, and nothing twice.
class Recursion {
  public:
    explicit Recursion(const Views& views) : views_(views) {}

    std::uint64_t won() {
        std::vector<std::uint32_t> all(views_.layouts());
        std::iota(all.begin(), all.end(), 0U);
        return all.empty() ? 0 : best(all);
    }

  private:
    std::uint64_t best(const std::vector<std::uint32_t>& set) {
        if (set.size() == 1) return 1;
        const auto [place, fresh] = known_.try_emplace(set, 1);
        if (!fresh) return place->second;
        std::vector<std::vector<std::vector<std::uint32_t>>> moves;
        for (std::size_t cell = 0; cell < views_.cells; ++cell) {
            std::map<std::uint8_t, std::vector<std::uint32_t>> parts;
            for (const std::uint32_t i : set) parts[views_.rows[i * views_.cells + cell]].push_back(i);
            const bool safe = parts.erase(Views::kMine) == 0;
            if (parts.size() < 2) continue;
            if (safe) moves.clear();
            moves.emplace_back();
            for (auto& [shown, part] : parts) moves.back().push_back(std::move(part));
            if (safe) break;
        }
        std::uint64_t most = 1;
        for (const auto& parts : moves) {
            std::uint64_t won = 0;
            for (const auto& part : parts) won += best(part);
            most = std::max(most, won);
        }
        return known_[set] = most;
    }

    const Views& views_;
    std::map<std::vector<std::uint32_t>, std::uint64_t> known_;
};

std::uint64_t solved(Endgame& endgame, const Views& views) {
    Budget budget = endless();
    REQUIRE(endgame.solve(views, budget));
    return endgame.won();
}

void check_every_cell(Endgame& endgame, const Views& views, std::uint64_t won) {
    Budget budget = endless();
    REQUIRE(endgame.solve_every_cell(views, budget));
    CHECK_EQUAL(endgame.won(), won);
    REQUIRE(endgame.values().size() == views.cells);
    std::uint64_t most = 0;
    for (const std::uint64_t value : endgame.values()) most = std::max(most, value);  // searched one by one
    if (endgame.best() == Endgame::kNoCell) {
        CHECK_EQUAL(most, 0);
        return;
    }
    CHECK_EQUAL(most, won);
    CHECK_EQUAL(endgame.values()[endgame.best()], won);
}

TEST(endgame_plays_as_well_as_the_rules_allow) {
    Rng rng(80);
    Endgame endgame;
    int checked = 0, guesses = 0;
    for (int i = 0; i < 1500; ++i) {
        const Position position = small_position(rng, 9);
        const Puzzle puzzle = make_puzzle(position.board, position.mines);
        if (puzzle.layouts.empty() || puzzle.layouts.size() > 14 || puzzle.cells.empty()) continue;
        const Note note([&] { return position.board.shape + " " + picture(position.board); });
        Rules rules(puzzle);
        const Views views = puzzle.views();
        const bool all_mines = puzzle.layouts.front() + Mask{1} == Mask{1} << puzzle.cells.size();
        const std::uint64_t won = all_mines ? 1 : rules.won();
        CHECK_EQUAL(solved(endgame, views), won);
        CHECK_EQUAL(endgame.best() == Endgame::kNoCell, all_mines);
        check_every_cell(endgame, views, won);
        for (std::size_t cell = 0; cell < views.cells; ++cell) CHECK_EQUAL(endgame.values()[cell], rules.won_by(cell));
        ++checked;
        guesses += won > 1 && won < puzzle.layouts.size();
    }
    CHECK(checked > 500);
    CHECK(guesses > 100);
}

TEST(endgame_equals_the_recursion) {
    Rng rng(81);
    Endgame endgame;
    int wide = 0;
    for (int i = 0; i < 200; ++i) {
        const Wish wish{between(rng, 3, 4), 4, kShapes[roll(rng, 3)], 0.35, i % 2 == 0 ? 0.05 : 0.2, 0.1, 0.0};
        const Position position = cut_out(rng, wish);
        const Puzzle puzzle = make_puzzle(position.board, position.mines);
        if (puzzle.layouts.empty() || puzzle.layouts.size() > 160 || puzzle.cells.empty()) continue;
        const Note note([&] { return position.board.shape + " " + picture(position.board); });
        const Views views = puzzle.views();
        CHECK_EQUAL(solved(endgame, views), Recursion(views).won());
        wide += views.layouts() > 64;
    }
    CHECK(wide > 20);
}

// Sets of layouts that no numbers on a board define.
TEST(endgame_of_arbitrary_sets) {
    Rng rng(82);
    Endgame endgame;
    for (int i = 0; i < 120; ++i) {
        Puzzle puzzle = untouched(kShapes[roll(rng, 3)], 3, between(rng, 4, 5), between(rng, 3, 5));
        const auto keep = static_cast<std::size_t>(between(rng, 1, i % 4 == 0 ? 130 : 60));
        while (puzzle.layouts.size() > keep) {
            std::swap(puzzle.layouts[roll(rng, puzzle.layouts.size())], puzzle.layouts.back());
            puzzle.layouts.pop_back();
        }
        const Views views = puzzle.views();
        const std::uint64_t won = Recursion(views).won();
        CHECK_EQUAL(solved(endgame, views), won);
        check_every_cell(endgame, views, won);
    }
}

struct Fraction {
    std::uint64_t numerator, denominator;
};

bool is(std::uint64_t won, std::uint64_t layouts, const Fraction& fraction) {
    return won * fraction.denominator == fraction.numerator * layouts;
}

// Layouts without a mine in these cells, and the best that can be won of them; the first cell is the player's choice.
bool best_start_is(const Puzzle& all, bool whole_neighbourhood, const Fraction& fraction) {
    Endgame endgame;
    bool reached = false;
    for (std::size_t first = 0; first < all.cells.size(); ++first) {
        Puzzle puzzle = all;
        Mask kept_free = Mask{1} << first;
        if (whole_neighbourhood)
            for (const Cell other : all.geometry.around(all.cells[first]))
                if (other < all.geometry.cells) kept_free |= Mask{1} << other;
        std::erase_if(puzzle.layouts, [&](Mask layout) { return (layout & kept_free) != 0; });
        if (puzzle.layouts.empty()) continue;
        const std::uint64_t won = solved(endgame, puzzle.views()), layouts = puzzle.layouts.size();
        CHECK(won * fraction.denominator <= fraction.numerator * layouts);
        reached = reached || is(won, layouts, fraction);
    }
    return reached;
}

// From cases/optimal_small_boards.json.
TEST(endgame_knows_small_boards) {
    struct Known {
        int rows, columns, mines;
        Fraction any, safe, open;  // open: 0 where there is no such layout
    };
    constexpr Known kKnown[] = {
        {2, 2, 2, {1, 6}, {1, 3}, {0, 1}},         {3, 3, 2, {2, 3}, {6, 7}, {1, 1}},
        {3, 3, 4, {3, 14}, {27, 70}, {3, 5}},      {3, 3, 8, {1, 9}, {1, 1}, {0, 1}},
        {3, 4, 3, {31, 55}, {124, 165}, {1, 1}},   {3, 4, 5, {157, 792}, {157, 462}, {5, 6}},
        {3, 4, 7, {5, 72}, {1, 6}, {1, 2}},        {4, 4, 2, {17, 20}, {34, 35}, {1, 1}},
        {4, 4, 3, {5, 7}, {80, 91}, {1, 1}},       {4, 4, 4, {961, 1820}, {961, 1365}, {34, 35}},
        {4, 4, 12, {6, 455}, {24, 455}, {1, 1}},   {3, 5, 4, {614, 1365}, {614, 1001}, {1, 1}},
        {4, 5, 2, {83, 95}, {166, 171}, {90, 91}},
    };
    for (const Known& known : kKnown) {
        const Note note([&] { return show(std::vector<int>{known.rows, known.columns, known.mines}); });
        const Puzzle puzzle = untouched(Shape::grid, known.rows, known.columns, known.mines);
        Endgame endgame;
        const Views views = puzzle.views();
        CHECK(is(solved(endgame, views), puzzle.layouts.size(), known.any));
        check_every_cell(endgame, views, endgame.won());
        CHECK(best_start_is(puzzle, false, known.safe));
        if (known.open.numerator != 0) CHECK(best_start_is(puzzle, true, known.open));
    }
}

// The safest cell, at a risk of 1/5, wins 1/2; one at 3/10 wins 3/5.
TEST(endgame_need_not_begin_with_the_safest_cell) {
    const Puzzle puzzle = make_puzzle(read_board("#####/123##/###3#"), 6);
    const Views views = puzzle.views();
    Endgame endgame;
    const std::uint64_t layouts = puzzle.layouts.size();
    CHECK(is(solved(endgame, views), layouts, {3, 5}));
    check_every_cell(endgame, views, endgame.won());
    std::size_t safest = 0;
    std::vector<std::uint64_t> mines(views.cells);
    for (std::size_t i = 0; i < views.rows.size(); ++i) mines[i % views.cells] += views.rows[i] == Views::kMine;
    for (std::size_t cell = 0; cell < views.cells; ++cell)
        if (mines[cell] < mines[safest]) safest = cell;
    CHECK(is(mines[safest], layouts, {1, 5}));
    CHECK(is(mines[endgame.best()], layouts, {3, 10}));
    CHECK(is(endgame.values()[safest], layouts, {1, 2}));
}

TEST(endgame_does_not_depend_on_the_order_of_layouts_and_cells) {
    Rng rng(83);
    Endgame endgame;
    Views views = untouched(Shape::grid, 4, 4, 4).views();
    const std::uint64_t won = solved(endgame, views);
    for (int i = 0; i < 5; ++i) {
        std::vector<std::size_t> rows(views.layouts()), cells(views.cells);
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        std::iota(cells.begin(), cells.end(), std::size_t{0});
        std::shuffle(rows.begin(), rows.end(), rng);
        std::shuffle(cells.begin(), cells.end(), rng);
        Views other{views.cells, {}};
        for (const std::size_t row : rows)
            for (const std::size_t cell : cells) other.rows.push_back(views.rows[row * views.cells + cell]);
        CHECK_EQUAL(solved(endgame, other), won);
    }
}

TEST(endgame_remembers_little_and_is_still_right) {
    const Views views = untouched(Shape::grid, 4, 4, 4).views();
    Endgame forgetful(1);
    CHECK_EQUAL(solved(forgetful, views), 961);
    forgetful.trim(true);
    CHECK_EQUAL(solved(forgetful, views), 961);
}

TEST(endgame_stops_within_its_budget) {
    const Views views = untouched(Shape::grid, 4, 4, 4).views();
    Endgame endgame;
    for (const std::uint64_t states : {0U, 1U, 2U, 5U, 20U, 100U}) {
        Budget budget(1e9, states);
        CHECK(!endgame.solve(views, budget));
        CHECK(budget.limit() == Limit::states);
    }
    Budget hurried(0, ~std::uint64_t{0});
    CHECK(!endgame.solve(untouched(Shape::grid, 4, 4, 6).views(), hurried));
    CHECK(hurried.limit() == Limit::seconds);
    CHECK_EQUAL(solved(endgame, views), 961);
}

TEST(endgame_of_next_to_nothing) {
    Endgame endgame;
    Budget budget = endless();
    CHECK(endgame.solve(Views{}, budget));
    CHECK_EQUAL(endgame.won(), 0);
    CHECK(endgame.best() == Endgame::kNoCell);
    CHECK(endgame.solve(Views{2, {9, 9}}, budget));
    CHECK_EQUAL(endgame.won(), 1);
    CHECK(endgame.best() == Endgame::kNoCell);
    CHECK(endgame.solve_every_cell(Views{2, {9, 3, 3, 9}}, budget));
    CHECK_EQUAL(endgame.won(), 1);
    CHECK_EQUAL(endgame.values(), (std::vector<std::uint64_t>{1, 1}));
}

// One mine among 100 cells that touch nothing but each other in a row: more cells than fit a word.
THOROUGH_TEST(endgame_of_many_cells) {
    Edges edges;
    for (Cell cell = 0; cell + 1 < 100; ++cell) edges.emplace_back(cell, cell + 1);
    const Geometry row = from_edges(100, edges);
    std::vector<Cell> cells(100);
    std::iota(cells.begin(), cells.end(), Cell{0});
    std::vector<std::uint8_t> mines(100 * 100, 0);
    for (std::size_t i = 0; i < 100; ++i) mines[i * 100 + i] = 1;
    Views views;
    view_layouts(row, cells, {}, mines, views);
    Endgame endgame;
    // The first cell opened may be the mine; whatever it shows, its neighbours are both safe or one of them is.
    CHECK_EQUAL(solved(endgame, views), Recursion(views).won());
}

}  // namespace
}  // namespace mineproof::testing
