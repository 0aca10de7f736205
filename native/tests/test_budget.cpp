// Limits: whichever is reached first stops the search, says so, and leaves a solver that answers the next question.

#include "mineproof/budget.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"
#include "strip.hpp"

namespace mineproof::testing {
namespace {

constexpr std::uint64_t kMany = ~std::uint64_t{0};

// One of the three things a solver does.
struct Doing {
    const char* name;
    Status (*run)(Solver&, const Question&, Budget&);
};

const Doing kDoings[] = {
    {"analyze",
     [](Solver& solver, const Question& question, Budget& budget) {
         std::vector<Verdict> verdicts(question.geometry.cells);
         std::vector<double> probabilities(question.geometry.cells);
         return solver.analyze(question, budget, verdicts, probabilities).status;
     }},
    {"count_exactly",
     [](Solver& solver, const Question& question, Budget& budget) {
         static const std::vector<PrimeWeights> kPrimes = {{largest_primes(1)[0], 1, 1}};
         ExactCounts counts;
         return solver.count_exactly(question, kPrimes, budget, counts).status;
     }},
    {"sample",
     [](Solver& solver, const Question& question, Budget& budget) {
         Samples samples;
         return solver.sample(question, 1, 0, 3, budget, samples).status;
     }},
};

// All that analyze tells, to the last bit.
struct Told {
    Status status;
    double log2_layouts;
    std::vector<Verdict> verdicts;
    std::vector<double> probabilities;
};

Told tell(Solver& solver, const Question& question) {
    Told told{{}, 0, std::vector<Verdict>(question.geometry.cells), std::vector<double>(question.geometry.cells)};
    Budget budget = endless();
    const Answer answer = solver.analyze(question, budget, told.verdicts, told.probabilities);
    told.status = answer.status;
    told.log2_layouts = answer.log2_layouts;
    return told;
}

void check_same(const Told& a, const Told& b) {
    CHECK_EQUAL(a.status, b.status);
    CHECK_EQUAL(a.log2_layouts, b.log2_layouts);
    CHECK_EQUAL(a.verdicts, b.verdicts);
    for (std::size_t cell = 0; cell < a.probabilities.size(); ++cell)
        CHECK(a.probabilities[cell] == b.probabilities[cell] ||
              (std::isnan(a.probabilities[cell]) && std::isnan(b.probabilities[cell])));
}

TEST(budget_counts_states) {
    Budget budget(1e9, 10);
    CHECK(budget.spend(4));
    CHECK(budget.spend(0));
    CHECK(budget.work(1000));
    CHECK_EQUAL(budget.states_spent(), 4U);
    CHECK(budget.spend(6));
    CHECK(budget.limit() == Limit::none);
    CHECK_EQUAL(budget.states_spent(), 10U);
    CHECK(!budget.spend(1));
    CHECK(budget.limit() == Limit::states);
    CHECK_EQUAL(budget.states_spent(), 10U);
    CHECK(!budget.spend(1));
}

TEST(budget_looks_at_the_clock_now_and_then) {
    for (const double seconds : {0.0, -1.0, 1e-9}) {
        Budget budget(seconds, kMany);
        int steps = 0;
        while (budget.work(1) && steps < 1 << 20) ++steps;
        CHECK(steps < 1 << 20);
        CHECK(budget.limit() == Limit::seconds);
        CHECK(budget.seconds_spent() > 0);
    }
    for (const double seconds : {1e9, 1e300, std::numeric_limits<double>::infinity()}) {
        Budget budget(seconds, kMany);
        for (int i = 0; i < 100; ++i) CHECK(budget.spend(1 << 14));
        CHECK(budget.limit() == Limit::none);
    }
}

TEST(budget_asks_the_caller_at_once_and_then_rarely) {
    struct Caller {
        int asked = 0, patience = 0;
        static bool ended(void* self) {
            auto& caller = *static_cast<Caller*>(self);
            return ++caller.asked > caller.patience;
        }
    } caller;
    caller.patience = 1000;
    Budget budget(1e9, kMany, &Caller::ended, &caller);
    for (int i = 0; i < 50; ++i) CHECK(budget.work(1 << 14));
    CHECK(caller.asked >= 1);
    CHECK(caller.asked <= 5);
    caller.patience = 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    CHECK(!budget.work(1 << 14));
    CHECK(budget.limit() == Limit::cancelled);
}

TEST(a_stopped_budget_stays_stopped) {
    Budget budget(1e9, 10);
    CHECK(!budget.spend(11));
    CHECK(!budget.work(1) && !budget.spend(0));
    CHECK(budget.stopped() && budget.limit() == Limit::states);
}

TEST(a_part_has_states_of_its_own_and_ends_with_the_whole) {
    Budget whole(1e9, 10);
    Budget step = whole.part(3);
    CHECK(!step.spend(4));
    CHECK(step.limit() == Limit::states && !whole.stopped());
    CHECK_EQUAL(whole.states_spent(), 0U);
    CHECK(whole.part(3).spend(3));

    Budget late(0, kMany);
    Budget first = late.part(kMany);
    CHECK(!first.work(1 << 14));
    CHECK(first.limit() == Limit::seconds && late.limit() == Limit::seconds);
    CHECK(!late.part(kMany).part(kMany).work(1 << 14));

    Budget cancelled(1e9, kMany, [](void*) { return true; });
    Budget inner = cancelled.part(kMany);
    CHECK(!inner.spend(1 << 14));
    CHECK(inner.limit() == Limit::cancelled && cancelled.stopped());
}

TEST(a_budget_bounds_bytes) {
    Budget budget(1e9, kMany, nullptr, nullptr, 1000);
    CHECK(budget.fits(1000) && !budget.stopped());
    CHECK(budget.part(1).fits(250) && !budget.part(1).fits(251) && budget.part(1, 1).fits(1000));
    CHECK(!budget.stopped());
    CHECK(!budget.fits(1001));
    CHECK(budget.limit() == Limit::memory && !budget.work(1));
    Budget unlimited = endless();
    CHECK(unlimited.fits(kMany) && unlimited.part(1).fits(kMany));
}

// The least memory that suffices is the same for every solver, whatever it was asked before.
TEST(too_little_memory_stops_everything_a_solver_does) {
    Rng rng(85);
    const Board board = wide_board(rng, 60, 44), other = wide_board(rng, 22, 20);
    for (const std::int64_t total : {std::int64_t{30}, Question::kUnknown}) {
        const Question question{board.geometry, board.codes, total, 0.3};
        Solver fresh;
        const Told expected = tell(fresh, question);
        REQUIRE(expected.status == Status::answered);
        for (const Doing& doing : kDoings) {
            const Note note([&] { return doing.name; });
            const auto suffices = [&](Solver& solver, std::uint64_t bytes) {
                Budget budget(1e9, kMany, nullptr, nullptr, bytes);
                const Status status = doing.run(solver, question, budget);
                CHECK(status == Status::answered || status == Status::over_budget);
                CHECK_EQUAL(budget.limit(), status == Status::answered ? Limit::none : Limit::memory);
                return status == Status::answered;
            };
            Solver used;
            std::uint64_t least = 0, most = std::uint64_t{1} << 32;
            REQUIRE(!suffices(used, least) && suffices(used, most));
            while (most - least > 1) {
                const std::uint64_t middle = least + (most - least) / 2;
                (suffices(used, middle) ? most : least) = middle;
            }
            check_same(tell(used, question), expected);
            tell(used, {other.geometry, other.codes, 11});
            CHECK(suffices(used, most) && !suffices(used, least));
            Solver anew;
            CHECK(!suffices(anew, least) && suffices(anew, most));
        }
    }
}

TEST(too_few_states_stop_everything_a_solver_does) {
    Rng rng(80);
    const Board board = wide_board(rng, 22, 20);
    for (const std::int64_t total : {std::int64_t{11}, Question::kUnknown}) {
        const Question question{board.geometry, board.codes, total, 0.3};
        Solver fresh;
        const Told expected = tell(fresh, question);
        REQUIRE(expected.status == Status::answered);
        for (const Doing& doing : kDoings) {
            const Note note([&] { return doing.name; });
            Solver solver;
            int stopped = 0;
            for (std::uint64_t states = 0;; states = states * 2 + 1) {
                REQUIRE(states < kMany);
                Budget budget(1e9, states);
                const Status status = doing.run(solver, question, budget);
                CHECK(budget.states_spent() <= states);
                if (status == Status::answered) break;
                ++stopped;
                REQUIRE(status == Status::over_budget);
                CHECK(budget.limit() == Limit::states);
                check_same(tell(solver, question), expected);
            }
            CHECK(stopped >= 5);
        }
    }
}

TEST(an_answer_that_ran_out_tells_the_width) {
    Rng rng(81);
    const Board board = wide_board(rng, 80, 60);
    const Question question{board.geometry, board.codes, 40};
    Solver solver;
    std::vector<Verdict> verdicts(board.geometry.cells);
    std::vector<double> probabilities(board.geometry.cells);
    Budget budget(1e9, 100);
    const Answer answer = solver.analyze(question, budget, verdicts, probabilities);
    CHECK_EQUAL(answer.status, Status::over_budget);
    CHECK(answer.width >= 8);
    CHECK(budget.limit() == Limit::states);
    CHECK(budget.states_spent() <= 100);
}

TEST(time_and_cancelling_stop_everything_a_solver_does) {
    Rng rng(82);
    const Board hard = wide_board(rng, 120, 85), easy = wide_board(rng, 12, 8);
    const Question question{hard.geometry, hard.codes, 60}, next{easy.geometry, easy.codes, 6};
    Solver fresh;
    const Told expected = tell(fresh, next);
    for (const Doing& doing : kDoings) {
        const Note note([&] { return doing.name; });
        Solver solver;
        Budget late(0.02, kMany);
        CHECK_EQUAL(doing.run(solver, question, late), Status::over_budget);
        CHECK(late.limit() == Limit::seconds);
        CHECK(late.seconds_spent() < 2);
        check_same(tell(solver, next), expected);

        Budget cancelled(1e9, kMany, [](void*) { return true; });
        CHECK_EQUAL(doing.run(solver, question, cancelled), Status::over_budget);
        CHECK(cancelled.limit() == Limit::cancelled);
        check_same(tell(solver, next), expected);
        solver.trim(true);
        check_same(tell(solver, next), expected);
    }
}

// Boards of growing length spend the first look at the clock in one pass after another; each must pass it on.
TEST(time_is_noticed_in_every_pass) {
    Rng rng(84);
    const Strip part = make_strip(rng, 12, 0, 0.4, 0.8, true);
    for (const Doing& doing : kDoings)
        for (const bool with_total : {true, false}) {
            const Note note([&] { return std::string(doing.name) + (with_total ? ", total" : ", no total"); });
            Solver solver;
            int stopped = 0, answered = 0;
            for (std::size_t copies = 1; copies < 300; copies += copies / 3 + 1) {
                const Board board = side_by_side(std::vector<Board>(copies, part.board), 20);
                const auto mines = static_cast<std::int64_t>(copies) * part.mines + 5;
                const Question question{board.geometry, board.codes, with_total ? mines : Question::kUnknown, 0.3};
                Budget budget(0, kMany);
                const Status status = doing.run(solver, question, budget);
                if (status == Status::over_budget) {
                    ++stopped;
                    CHECK(budget.limit() == Limit::seconds);
                } else {
                    ++answered;
                    CHECK_EQUAL(status, Status::answered);
                }
                Budget enough = endless();
                CHECK_EQUAL(doing.run(solver, question, enough), Status::answered);
            }
            CHECK(stopped > 0);
            CHECK(answered > 0);
        }
}

TEST(hopelessly_wide_boards_are_given_up_at_once) {
    // Every number shares a cell with eight others, far and near: no order keeps few of them half-finished.
    Rng rng(83);
    const Board board = wide_board(rng, 90, 175);
    const Question question{board.geometry, board.codes, 45};
    Solver solver;
    for (const Doing& doing : kDoings) {
        const Note note([&] { return doing.name; });
        Budget budget = endless();
        CHECK_EQUAL(doing.run(solver, question, budget), Status::over_budget);
        CHECK(budget.limit() == Limit::width);
        CHECK_EQUAL(budget.states_spent(), 0U);
        CHECK_EQUAL(solver.width(), Elimination::kMaxSlots + 1);
    }
    const Board next = read_board("#1#");
    CHECK_EQUAL(tell(solver, {next.geometry, next.codes, 1}).status, Status::answered);
}

}  // namespace
}  // namespace mineproof::testing
