// Boards of arbitrary bytes: nothing crashes, and the answers of different functions agree.

#include <algorithm>
#include <cmath>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

struct Answers {
    Answer answer;
    std::vector<Verdict> verdicts;
    std::vector<double> probabilities;
};

Budget small_budget() { return Budget(1e9, 20000); }

Answers analyze(Solver& solver, const Question& question) {
    Answers answers{{}, std::vector<Verdict>(question.geometry.cells), std::vector<double>(question.geometry.cells)};
    Budget budget = small_budget();
    answers.answer = solver.analyze(question, budget, answers.verdicts, answers.probabilities);
    CHECK((answers.answer.status == Status::over_budget) == (budget.limit() != Limit::none));
    return answers;
}

bool answered(Status status) { return status == Status::answered || status == Status::imprecise; }

// Certain by counting modulo two primes, which two counts below 2^120 cannot fool and larger ones hardly.
void check_exact(const Answers& answers, const ExactCounts& counts, std::size_t primes) {
    for (std::size_t cell = 0; cell < answers.verdicts.size(); ++cell) {
        const Verdict verdict = answers.verdicts[cell];
        const std::uint32_t place = counts.place_of_cell[cell];
        if (place == ExactCounts::kNowhere) {
            CHECK(verdict != Verdict::undecided);
            continue;
        }
        bool safe = true, mine = true;
        for (std::size_t at = 0; at < primes; ++at) {
            const std::uint64_t count = counts.places[at * counts.place_count + place];
            safe &= count == 0;
            mine &= count == counts.roots[at * counts.root_count + counts.root_of_place[place]];
        }
        CHECK_EQUAL(verdict, safe ? Verdict::safe : mine ? Verdict::mine : Verdict::undecided);
    }
}

void check_samples(const Question& question, const Samples& samples) {
    std::uint64_t begin = 0;
    for (const std::uint64_t end : samples.ends) {
        std::vector<bool> mined(question.geometry.cells + 1, false);
        for (std::uint64_t i = begin; i < end; ++i) mined[samples.mines[i]] = true;
        CHECK_EQUAL(end - begin, static_cast<std::uint64_t>(question.total));
        for (Cell cell = 0; cell < question.geometry.cells; ++cell) {
            if (question.codes[cell] == kFlagged) CHECK(mined[cell]);
            if (mined[cell]) CHECK(question.codes[cell] == kFlagged || question.codes[cell] == kCovered);
            if (!is_number(question.codes[cell])) continue;
            int around = 0;
            for (const Cell other : question.geometry.around(cell)) around += mined[other];
            CHECK_EQUAL(around, question.codes[cell]);
        }
        begin = end;
    }
}

void check_consistent(Solver& solver, const Board& board, std::int64_t total, double odds, std::uint64_t seed) {
    static const auto kLarge = largest_primes(2);
    const std::vector<PrimeWeights> primes = {{kLarge[0], 1, 1}, {kLarge[1], 1, 1}};
    const Question question{board.geometry, board.codes, total},
        open{board.geometry, board.codes, Question::kUnknown, odds};
    const Answers with_total = analyze(solver, question), without = analyze(solver, open);
    ExactCounts counts;
    Budget count_budget = small_budget();
    const Status counted = solver.count_exactly(question, primes, count_budget, counts).status;
    Samples samples;
    Budget sample_budget(0.1, 20000);
    const Status sampled = solver.sample(question, seed, 0, 2, sample_budget, samples).status;

    const Status status = with_total.answer.status, open_status = without.answer.status;
    // The same numbers cannot conflict in one way and agree in another; nor can the same search take more states.
    for (const Status other : {open_status, counted, sampled})
        if (other != Status::over_budget || sample_budget.limit() == Limit::none)
            CHECK_EQUAL(other == Status::numbers_conflict, status == Status::numbers_conflict);
    if (status == Status::over_budget || status == Status::numbers_conflict) return;
    CHECK(answered(open_status));
    CHECK_EQUAL(counted, Status::answered);
    REQUIRE(counts.roots.size() == 2);
    CHECK_EQUAL(status == Status::total_conflict, counts.roots[0] == 0 && counts.roots[1] == 0);
    if (sampled != Status::over_budget)  // its time may be up before it comes to that
        CHECK_EQUAL(sampled == Status::total_conflict, status == Status::total_conflict);
    if (status == Status::total_conflict) {
        CHECK(with_total.answer.fewest <= with_total.answer.most);
        CHECK(samples.ends.empty());
        return;
    }
    check_exact(with_total, counts, primes.size());
    if (sampled == Status::answered) {
        CHECK_EQUAL(samples.ends.size(), 2U);
        check_samples(question, samples);
    }
    double mines = 0;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        const bool tracked = board.codes[cell] == kCovered || board.codes[cell] == kFlagged;
        CHECK_EQUAL(std::isnan(with_total.probabilities[cell]), !tracked);
        if (tracked) mines += with_total.probabilities[cell];
        // A total can only make more certain.
        const Verdict before = without.verdicts[cell], after = with_total.verdicts[cell];
        CHECK(before == after || before == Verdict::undecided);
        CHECK_EQUAL(before == Verdict::none, board.codes[cell] != kCovered);
    }
    CHECK_CLOSE(mines, static_cast<double>(total), 1e-9L * static_cast<double>(std::max<std::int64_t>(total, 1)));
}

// Any bytes: numbers, flags, covered cells and all the codes that mean nothing.
Board scribble(Rng& rng) {
    const int rows = between(rng, 1, 12), columns = between(rng, 1, 12);
    Board board{make_geometry(kShapes[roll(rng, 3)], rows, columns), {}, static_cast<Cell>(columns), "scribble"};
    const double covered = 0.3 + 0.7 * chance(rng, 0.5), odd = chance(rng, 0.3) ? 0.2 : 0;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        if (chance(rng, covered * 0.8))
            board.codes.push_back(kCovered);
        else if (chance(rng, 0.2))
            board.codes.push_back(kFlagged);
        else if (chance(rng, odd))
            board.codes.push_back(static_cast<std::int8_t>(between(rng, -128, -3)));
        else
            board.codes.push_back(static_cast<std::int8_t>(roll(rng, chance(rng, 0.7) ? 4 : 9)));
    }
    return board;
}

std::int64_t any_total(Rng& rng, const Board& board) {
    switch (roll(rng, 6)) {
        case 0:
            return between(rng, -3, 3);
        case 1:
            return static_cast<std::int64_t>(board.geometry.cells) + between(rng, -3, 3);
        case 2:
            return static_cast<std::int64_t>(roll(rng, std::uint64_t{1} << 50)) - (std::int64_t{1} << 49);
        default:
            return static_cast<std::int64_t>(roll(rng, board.geometry.cells + 1));
    }
}

TEST(fuzz_of_any_codes) {
    Rng rng(90);
    Solver solver;
    for (int i = 0; i < 4000; ++i) {
        const Board board = scribble(rng);
        const std::int64_t total = any_total(rng, board);
        const Note note([&] { return picture(board) + ", total " + show(total); });
        check_consistent(solver, board, total, chance(rng, 0.5) ? 0.25 : 0, rng());
    }
}

TEST(fuzz_of_positions_with_a_layout) {
    Rng rng(91);
    Solver solver;
    int answers = 0;
    for (int i = 0; i < 700; ++i) {
        const Wish wish{between(rng, 1, 24),
                        between(rng, 1, 30),
                        kShapes[roll(rng, 3)],
                        0.05 + 0.05 * static_cast<double>(roll(rng, 8)),
                        0.1 * static_cast<double>(roll(rng, 10)),
                        chance(rng, 0.5) ? 0.2 : 0,
                        chance(rng, 0.3) ? 0.1 : 0};
        Position position = cut_out(rng, wish);
        if (chance(rng, 0.1)) position.board.codes[roll(rng, position.board.codes.size())] = 2;
        const std::int64_t total = chance(rng, 0.8) ? position.mines : any_total(rng, position.board);
        const Note note([&] { return picture(position.board) + ", total " + show(total); });
        check_consistent(solver, position.board, total, 0.25, rng());
        ++answers;
    }
    CHECK(answers > 0);
}

// Tables that describe no board anyone would draw.
TEST(fuzz_of_any_graph) {
    Rng rng(92);
    Solver solver;
    for (int i = 0; i < 800; ++i) {
        const auto cells = static_cast<Cell>(between(rng, 1, 60));
        std::vector<int> degree(cells, 0);
        Edges edges;
        for (std::uint64_t k = roll(rng, 4 * cells); k > 0; --k) {
            const auto a = static_cast<Cell>(roll(rng, cells)), b = static_cast<Cell>(roll(rng, cells));
            if (a == b || degree[a] == kReach || degree[b] == kReach) continue;
            ++degree[a];
            ++degree[b];
            edges.emplace_back(a, b);
        }
        Board board{from_edges(cells, edges), std::vector<std::int8_t>(cells, kCovered), cells, "graph"};
        std::vector<bool> mined(cells);
        std::int64_t mines = 0;
        for (Cell cell = 0; cell < cells; ++cell) mines += mined[cell] = chance(rng, 0.35);
        for (Cell cell = 0; cell < cells; ++cell) {
            if (mined[cell] || chance(rng, 0.5)) continue;
            int around = 0;
            for (const Cell other : board.geometry.around(cell)) around += other < cells && mined[other];
            board.codes[cell] = static_cast<std::int8_t>(around);
        }
        const Note note([&] { return picture(board) + ", total " + show(mines); });
        check_consistent(solver, board, mines, 0.5, rng());
    }
}

}  // namespace
}  // namespace mineproof::testing
