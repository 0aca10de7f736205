// A solver that remembers components answers bit for bit like one that does not, and counts the same states.

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/field.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/strategy.hpp"
#include "strip.hpp"

namespace mineproof::testing {
namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// All that a solver says of a position, as numbers that are equal or not.
struct Said {
    std::vector<std::uint64_t> analysis, certain, exact, glance;
};

void say(std::vector<std::uint64_t>& out, const Answer& answer, const Budget& budget, const Solver& solver) {
    out.insert(out.end(), {static_cast<std::uint64_t>(answer.status), bits(answer.log2_layouts),
                           bits(answer.exact_bits), answer.largest_component, answer.width, budget.states_spent(),
                           static_cast<std::uint64_t>(budget.limit())});
    if (answer.status == Status::answered) out.insert(out.end(), {solver.products(), solver.width()});
    if (answer.status == Status::numbers_conflict) out.push_back(answer.conflict);
    if (answer.status == Status::total_conflict)
        out.insert(out.end(), {static_cast<std::uint64_t>(answer.fewest), static_cast<std::uint64_t>(answer.most)});
}

Said listen(Solver& solver, const Question& question, std::uint64_t states) {
    static const std::vector<PrimeWeights> kPrimes = {{largest_primes(1)[0], 1, 1}};
    Said said;
    std::vector<Verdict> verdicts(question.codes.size());
    std::vector<double> odds(question.codes.size());
    const Budget fresh(1e9, states);
    Budget budget = fresh;
    say(said.analysis, solver.analyze(question, budget, verdicts, odds), budget, solver);
    for (const Verdict verdict : verdicts) said.analysis.push_back(static_cast<std::uint64_t>(verdict));
    for (const double each : odds) said.analysis.push_back(bits(each));

    budget = fresh;
    Certain certain;
    const Answer found = solver.find_certain(question, budget, certain);
    said.certain = {static_cast<std::uint64_t>(found.status), certain.safe.size(), budget.states_spent()};
    said.certain.insert(said.certain.end(), certain.safe.begin(), certain.safe.end());
    said.certain.insert(said.certain.end(), certain.mines.begin(), certain.mines.end());

    budget = fresh;
    ExactCounts counts;
    const Answer answer = solver.count_exactly(question, kPrimes, budget, counts);
    say(said.exact, answer, budget, solver);
    if (answer.status == Status::answered) {
        said.exact.insert(said.exact.end(), counts.roots.begin(), counts.roots.end());
        said.exact.insert(said.exact.end(), counts.places.begin(), counts.places.end());
        said.exact.insert(said.exact.end(), counts.place_of_cell.begin(), counts.place_of_cell.end());
    }

    if (question.total == Question::kUnknown) return said;
    budget = fresh;
    const Glance glance = solver.glance(question, budget);
    said.glance = {static_cast<std::uint64_t>(glance.status),
                   bits(glance.log2_layouts),
                   bits(glance.best),
                   bits(glance.second),
                   glance.safe,
                   budget.states_spent()};
    return said;
}

void compare(Solver& remembering, Solver& plain, const Question& question, std::uint64_t states = ~std::uint64_t{0}) {
    const Said actual = listen(remembering, question, states), expected = listen(plain, question, states);
    CHECK_EQUAL(actual.analysis, expected.analysis);
    CHECK_EQUAL(actual.certain, expected.certain);
    CHECK_EQUAL(actual.exact, expected.exact);
    CHECK_EQUAL(actual.glance, expected.glance);
}

// With a total, without, and with odds only, by two solvers that share a memory and take turns.
TEST(remembering_changes_no_answer) {
    Rng rng(111);
    TapeMemory memory;
    Solver one, other, plain;
    one.remember_in(&memory);
    other.remember_in(&memory);
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 24);
        const Board& board = position.board;
        const Note note([&] { return picture(board) + ", mines " + show(position.mines); });
        const std::uint64_t kind = roll(rng, 4);
        Question question{board.geometry, board.codes, position.mines};
        if (kind >= 2) question.total = Question::kUnknown;
        if (kind == 3) question.odds = 0.25;
        compare(chance(rng, 0.5) ? one : other, plain, question);
    }
}

// Components that stay as they are while others change beside them, under other names and in another order; with and
// without enough states to record them all.
TEST(components_are_found_again_beside_others) {
    Rng rng(112);
    std::vector<Board> pieces;
    while (pieces.size() < 12) {
        const Position position = small_position(rng, 12);
        Solver solver;
        std::vector<Verdict> verdicts(position.board.codes.size());
        std::vector<double> odds(position.board.codes.size());
        Budget budget = endless();
        const Question question{position.board.geometry, position.board.codes};
        if (solver.analyze(question, budget, verdicts, odds).status == Status::answered && solver.products() > 8)
            pieces.push_back(position.board);
    }
    TapeMemory memory;
    Solver one, other, plain;
    one.remember_in(&memory);
    other.remember_in(&memory);
    for (int round = 0; round < 250; ++round) {
        if (round % 10 == 0) memory = TapeMemory();
        std::vector<Board> chosen;
        for (int i = between(rng, 1, 5); i > 0; --i) chosen.push_back(pieces[roll(rng, pieces.size())]);
        const Board board = side_by_side(chosen, static_cast<Cell>(between(rng, 0, 3)));
        const auto mines = std::ranges::count(board.codes, kFlagged) + std::ranges::count(board.codes, kCovered) / 3;
        const Note note([&] { return picture(board); });
        Question question{board.geometry, board.codes, mines};
        if (chance(rng, 0.3)) question.total = Question::kUnknown;
        if (chance(rng, 0.3)) compare(other, plain, question, roll(rng, 200));
        compare(round % 2 == 0 ? one : other, plain, question);
    }
}

// Long components: some too long to remember, all with many numbers half-finished at once.
TEST(long_components_are_remembered_or_not) {
    Rng rng(113);
    TapeMemory memory;
    Solver one, plain;
    one.remember_in(&memory);
    for (const int columns : {20, 60, 110, 220}) {
        const Strip strip = make_strip(rng, columns, 1, 0.3, 0.9, true);
        for (int times = 0; times < 2; ++times) {
            compare(one, plain, {strip.board.geometry, strip.board.codes, strip.mines});
            compare(one, plain, {strip.board.geometry, strip.board.codes});
        }
    }
    for (const int cells : {12, 18, 24}) {
        const Board board = wide_board(rng, cells, cells * 3 / 4);
        for (int times = 0; times < 2; ++times) {
            compare(one, plain, {board.geometry, board.codes, cells / 2});
            compare(one, plain, {board.geometry, board.codes});
            compare(one, plain, {board.geometry, board.codes, cells / 2}, 40);
        }
    }
}

// Every position of a few games, asked as a strategy would and as a caller without a total would.
TEST(remembering_changes_no_answer_in_games) {
    Rng rng(114);
    TapeMemory memory;
    Solver one, other, plain;
    one.remember_in(&memory);
    other.remember_in(&memory);
    Field field;
    const auto strategy = make_strategy("fast");
    int positions = 0;
    for (int game = 0; game < 12; ++game) {
        const Shape shape = kShapes[game % 3];
        const Geometry geometry = make_geometry(shape, 9, 11);
        const std::vector<std::int8_t> covered(geometry.cells, kCovered);
        std::vector<std::int8_t> seen = covered;
        std::vector<std::uint8_t> allowed(geometry.cells, 1);
        allowed[0] = 0;
        const Match match{geometry, covered, 16};
        Random random(114, static_cast<std::uint64_t>(game));
        field.deal(geometry, allowed, match.mines, random);
        strategy->start(match, random);
        for (Choice choice{0, false}; !field.mined(choice.cell); choice = strategy->choose()) {
            seen[choice.cell] = field.number(choice.cell);
            strategy->see(choice.cell, seen[choice.cell]);
            const Note note([&] { return picture({geometry, seen, 11, show(shape)}); });
            compare(one, plain, {geometry, seen, match.mines});
            if (positions % 3 == 0) compare(other, plain, {geometry, seen});
            ++positions;
            if (std::cmp_equal(std::ranges::count(seen, kCovered), match.mines)) break;
        }
    }
    CHECK(positions > 200);
}

}  // namespace
}  // namespace mineproof::testing
