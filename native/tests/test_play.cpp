// Playing with the mines known: laying them, single-number knowledge, and layouts that need no guess.

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/field.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/no_guess.hpp"
#include "mineproof/solver.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

int mines_around(const Geometry& geometry, const Field& field, Cell cell) {
    int count = 0;
    for (const Cell other : geometry.around(cell)) count += other < geometry.cells && field.mined(other);
    return count;
}

std::vector<Cell> mines_of(const Field& field, Cell cells) {
    std::vector<Cell> mines;
    for (Cell cell = 0; cell < cells; ++cell)
        if (field.mined(cell)) mines.push_back(cell);
    return mines;
}

TEST(a_deal_is_uniform_over_the_allowed_cells) {
    const Geometry geometry = make_geometry(Shape::grid, 2, 4);
    const std::vector<std::uint8_t> allowed = {1, 1, 0, 1, 1, 1, 0, 1};  // 6 cells: 20 ways to lay 3 mines
    std::map<std::vector<Cell>, int> seen;
    Field field;
    const int deals = 20'000;
    for (int number = 0; number < deals; ++number) {
        Random random(5, static_cast<std::uint64_t>(number));
        field.deal(geometry, allowed, 3, random);
        ++seen[mines_of(field, geometry.cells)];
    }
    REQUIRE(seen.size() == 20);
    double square = 0;
    for (const auto& [mines, times] : seen) {
        CHECK(std::none_of(mines.begin(), mines.end(), [&](Cell cell) { return allowed[cell] == 0; }));
        square += (times - deals / 20.0) * (times - deals / 20.0) / (deals / 20.0);
    }
    CHECK(square < 45);  // 19 degrees of freedom: once in a thousand by chance, and the seed is fixed
}

TEST(a_field_knows_its_numbers) {
    Rng rng(81);
    Field field;
    for (const Shape shape : kShapes)
        for (int round = 0; round < 20; ++round) {
            const Geometry geometry = make_geometry(shape, between(rng, 1, 7), between(rng, 1, 7));
            const std::vector<std::uint8_t> allowed(geometry.cells, 1);
            Random random(rng(), 0);
            field.deal(geometry, allowed, static_cast<std::uint32_t>(roll(rng, geometry.cells + 1)), random);
            const Cell flipped = static_cast<Cell>(roll(rng, geometry.cells));
            const bool before = field.mined(flipped);
            field.flip(geometry, flipped);
            CHECK_EQUAL(field.mined(flipped), !before);
            for (Cell cell = 0; cell < geometry.cells; ++cell)
                CHECK_EQUAL(field.number(cell), mines_around(geometry, field, cell));
            const std::vector<Cell> mines = mines_of(field, geometry.cells);
            field.lay(geometry, mines);
            CHECK_EQUAL(mines_of(field, geometry.cells), mines);
        }
}

// What single numbers decide on a board, looked for again and again.
void decide_by_singles(const Geometry& geometry, std::vector<std::int8_t>& codes, std::vector<std::uint8_t>& safe) {
    for (bool news = true; news;) {
        news = false;
        for (Cell number = 0; number < geometry.cells; ++number) {
            if (codes[number] < 0) continue;
            std::vector<Cell> unknown;
            int need = codes[number];
            for (const Cell cell : geometry.around(number)) {
                if (cell == geometry.cells) continue;
                need -= codes[cell] == kFlagged;
                if (codes[cell] == kCovered && !safe[cell]) unknown.push_back(cell);
            }
            const bool all_mines = need == static_cast<int>(unknown.size());
            if (unknown.empty() || (need != 0 && !all_mines)) continue;
            news = true;
            for (const Cell cell : unknown)
                if (all_mines)
                    codes[cell] = kFlagged;
                else
                    safe[cell] = 1;
        }
    }
}

TEST(knowledge_is_what_single_numbers_decide) {
    Rng rng(82);
    Field field;
    Knowledge knowledge;
    for (const Shape shape : kShapes)
        for (int round = 0; round < 40; ++round) {
            const Geometry geometry = make_geometry(shape, between(rng, 1, 8), between(rng, 1, 8));
            std::vector<std::int8_t> codes(geometry.cells, kCovered);
            std::vector<std::uint8_t> allowed(geometry.cells, 1), safe(geometry.cells, 0);
            for (Cell cell = 0; cell < geometry.cells; ++cell)
                if (chance(rng, 0.1)) codes[cell] = kAbsent, allowed[cell] = 0;
            const auto room = static_cast<std::uint64_t>(std::count(allowed.begin(), allowed.end(), 1));
            Random random(rng(), 0);
            field.deal(geometry, allowed, static_cast<std::uint32_t>(roll(rng, room / 3 + 1)), random);
            knowledge.start(geometry, codes);
            for (int reveal = 0; reveal < 4; ++reveal) {
                const Cell first = static_cast<Cell>(roll(rng, geometry.cells));
                if (codes[first] != kCovered || field.mined(first)) continue;
                codes[first] = field.number(first);
                knowledge.show(first, codes[first]);
                for (Cell cell; knowledge.take_safe(cell);) {
                    REQUIRE(!field.mined(cell) && !knowledge.is_open(cell));
                    knowledge.show(cell, field.number(cell));
                }
                for (bool news = true; news;) {
                    news = false;
                    decide_by_singles(geometry, codes, safe);
                    for (Cell cell = 0; cell < geometry.cells; ++cell)
                        if (safe[cell] && codes[cell] == kCovered) codes[cell] = field.number(cell), news = true;
                }
                CHECK_EQUAL(knowledge.codes(), codes);
                const auto unknown = std::count(codes.begin(), codes.end(), kCovered);
                CHECK_EQUAL(knowledge.unknown(), unknown);
                CHECK_EQUAL(knowledge.mines(), std::count(codes.begin(), codes.end(), kFlagged));
            }
        }
}

TEST(what_find_certain_finds_is_certain_and_enough) {
    Rng rng(83);
    Solver solver, other;
    Certain certain;
    int complete = 0, quick = 0;
    for (int round = 0; round < 3000; ++round) {
        const Position position = small_position(rng, 14);
        const Note note([&] { return picture(position.board); });
        const Question question{position.board.geometry, position.board.codes, position.mines};
        Budget budget = endless();
        std::vector<Verdict> verdicts(question.codes.size());
        std::vector<double> odds(question.codes.size());
        const Answer expected = other.analyze(question, budget, verdicts, odds);
        const Answer found = solver.find_certain(question, budget, certain);
        if (expected.status != Status::answered) continue;
        REQUIRE(found.status == Status::answered);
        for (const Cell cell : certain.safe) CHECK(verdicts[cell] == Verdict::safe);
        for (const Cell cell : certain.mines) CHECK(verdicts[cell] == Verdict::mine);
        const auto count = [&](Verdict verdict) { return std::count(verdicts.begin(), verdicts.end(), verdict); };
        const bool all = std::cmp_equal(certain.safe.size(), count(Verdict::safe)) &&
                         std::cmp_equal(certain.mines.size(), count(Verdict::mine));
        CHECK(all || !certain.safe.empty());
        ++(all ? complete : quick);
    }
    CHECK(complete > 500 && quick > 20);
}

// Asked of one cell, and of the lowest of all, without writing all of them.
TEST(one_probability_and_the_safest_cell) {
    Rng rng(84);
    Solver solver;
    Certain certain;
    int guesses = 0, at_sea = 0, ties = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = chance(rng, 0.5) ? small_position(rng, 14)
                                                   : cut_out(rng, {between(rng, 4, 9), between(rng, 4, 9), Shape::grid,
                                                                   0.2, 0.05 * between(rng, 1, 8), 0.1, 0});
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const Board& board = position.board;
        const Question question{board.geometry, board.codes, position.mines};
        Budget budget = endless();
        const Counted counted = solver.find_certain(question, budget, certain);
        if (!counted.is_counted()) continue;
        std::vector<Verdict> verdicts(question.codes.size());
        std::vector<double> odds(question.codes.size());
        counted.write(verdicts, odds);
        for (Cell cell = 0; cell < odds.size(); ++cell)
            if (board.codes[cell] == kCovered) CHECK(counted.probability(cell) == odds[cell]);
        const auto rank = [](Cell cell) { return cell * 7 % 5; };
        const auto is_better = [&](Cell one, Cell other) {
            if (std::abs(odds[one] - odds[other]) > 1e-12) return odds[one] < odds[other];
            return rank(one) != rank(other) ? rank(one) < rank(other) : one < other;
        };
        Cell best = board.geometry.cells;
        for (Cell cell = 0; cell < odds.size(); ++cell)
            if (verdicts[cell] == Verdict::undecided && (best == board.geometry.cells || is_better(cell, best)))
                best = cell;
        if (best == board.geometry.cells || !certain.safe.empty()) continue;
        CHECK_EQUAL(counted.safest(rank), best);
        ++guesses;
        const auto near = board.geometry.around(best);
        at_sea += std::none_of(near.begin(), near.end(), [&](Cell other) {
            return other < board.geometry.cells && is_number(board.codes[other]);
        });
        ties += std::ranges::count(odds, odds[best]) > 1;
    }
    CHECK(guesses > 300 && at_sea > 50 && ties > 100);
}

// Opens a layout by what is certain in all layouts that fit, listed one by one; true if that opens everything.
bool opens_by_certainty(const NoGuessWish& wish, const Field& field) {
    Board board{wish.geometry, {wish.codes.begin(), wish.codes.end()}, wish.geometry.cells, ""};
    board.codes[wish.start] = field.number(wish.start);
    for (bool news = true; news;) {
        news = false;
        const Layouts layouts = all_layouts(board);
        const Census census = take_census(layouts, std::int64_t{wish.mines});
        for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
            const Cell cell = layouts.covered[i];
            if (census.mined[i] > 0) continue;
            if (field.mined(cell)) return false;
            board.codes[cell] = field.number(cell);
            news = true;
        }
    }
    return std::cmp_equal(std::count(board.codes.begin(), board.codes.end(), kCovered), wish.mines);
}

// The allowed layouts of a wish that need no guess, and how often each was made.
struct Made {
    std::map<std::vector<Cell>, int> times;
};

Made make_many(const NoGuessWish& wish, int count) {
    Made made;
    NoGuess generator;
    Field field;
    for (int number = 0; number < count; ++number) {
        Budget budget = endless();
        NoGuessEffort effort;
        REQUIRE(generator.make(wish, 9, static_cast<std::uint64_t>(number), budget, effort));
        const std::vector<Cell> mines(generator.mines().begin(), generator.mines().end());
        CHECK_EQUAL(mines.size(), wish.mines);
        CHECK(std::none_of(mines.begin(), mines.end(), [&](Cell cell) { return wish.allowed[cell] == 0; }));
        if (made.times[mines]++ > 0) continue;
        field.lay(wish.geometry, mines);
        CHECK(opens_by_certainty(wish, field));
    }
    return made;
}

THOROUGH_TEST(layouts_without_a_guess_are_opened_by_certainty) {
    for (const bool repair : {false, true})
        for (const Shape shape : kShapes)
            for (const std::uint32_t mines : {2U, 4U, 6U}) {
                const Geometry geometry = make_geometry(shape, 4, 5);
                std::vector<std::int8_t> codes(geometry.cells, kCovered);
                std::vector<std::uint8_t> allowed(geometry.cells, 1);
                codes[19] = kAbsent;
                allowed[19] = allowed[0] = 0;
                const Note note([&] { return "shape " + show(shape) + ", mines " + show(mines); });
                make_many({geometry, codes, allowed, mines, 0, repair}, 12);
            }
}

TEST(rejection_is_uniform_over_the_layouts_without_a_guess) {
    const Geometry geometry = make_geometry(Shape::grid, 3, 4);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[0] = allowed[1] = allowed[4] = allowed[5] = 0;
    const NoGuessWish wish{geometry, codes, allowed, 3, 0, false};
    int possible = 0;
    Field field;
    for (Cell a = 0; a < 12; ++a)
        for (Cell b = a + 1; b < 12; ++b)
            for (Cell c = b + 1; c < 12; ++c) {
                if (!(allowed[a] && allowed[b] && allowed[c])) continue;
                field.lay(geometry, std::vector<Cell>{a, b, c});
                possible += opens_by_certainty(wish, field);
            }
    const int count = 200 * possible;
    const Made made = make_many(wish, count);
    CHECK_EQUAL(made.times.size(), possible);
    double square = 0;
    for (const auto& [mines, times] : made.times) square += (times - 200) * (times - 200) / 200.0;
    CHECK(square < possible + 4 * std::sqrt(2.0 * possible));
}

TEST(a_layout_depends_on_seed_and_number_only) {
    const Geometry geometry = make_geometry(Shape::grid, 16, 30);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    for (const Cell cell : {Cell{0}, Cell{1}, Cell{30}, Cell{31}}) allowed[cell] = 0;
    const NoGuessWish wish{geometry, codes, allowed, 130, 0, true};
    NoGuess one, two;
    for (const std::uint64_t number : {3U, 1U, 2U}) {
        Budget budget = endless();
        NoGuessEffort effort, same;
        REQUIRE(one.make(wish, 4, number, budget, effort));
        if (number == 2) REQUIRE(two.make(wish, 4, number, budget, same));
        CHECK(effort.most_open == 350 && effort.safe_cells == 350);
    }
    CHECK_EQUAL(one.mines(), two.mines());
}

TEST(a_hopeless_wish_ends_with_the_budget) {
    const Geometry geometry = make_geometry(Shape::grid, 1, 3);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    for (const bool repair : {false, true}) {
        Budget budget(0.05, ~std::uint64_t{0});
        NoGuessEffort effort;
        NoGuess generator;
        const std::vector<std::uint8_t> stuck = {1, 0, 1};  // either side of the start may hold the mine
        CHECK(!generator.make({geometry, codes, stuck, 1, 1, repair}, 1, 0, budget, effort));
        CHECK(budget.limit() == Limit::seconds);
        CHECK(effort.most_open < effort.safe_cells && effort.deals > 0);
    }
}

}  // namespace
}  // namespace mineproof::testing
