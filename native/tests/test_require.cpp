// A violated requirement ends the program, where requirements are checked.

#include "mineproof/require.hpp"

#if defined(MINEPROOF_CHECKED)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <csignal>
#include <cstdio>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/counted_position.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/field.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/strategy.hpp"

namespace mineproof::testing {
namespace {

#if defined(MINEPROOF_CHECKED)

// Does this end the process by abort? It runs in a child, whose messages are thrown away.
template <class Body>
bool aborts(Body body) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
        body();
        _exit(0);
    }
    int status = 0;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

TEST(a_requirement_aborts_only_if_it_is_violated) {
    CHECK(aborts([] { MINEPROOF_REQUIRE(1 + 1 == 3); }));
    CHECK(!aborts([] { MINEPROOF_REQUIRE(1 + 1 == 2); }));
}

TEST(a_counted_position_ends_with_the_next_question) {
    const Board board = read_board("#1#"), other = read_board("##2#");
    std::vector<Verdict> verdicts(3);
    std::vector<double> odds(3);
    Listing listing;
    Solver solver;
    Budget budget = endless();
    const Question question{board.geometry, board.codes, 1};
    const Counted counted = solver.analyze(question, budget, verdicts, odds);
    CHECK(!aborts([&] { counted.list(10, listing); }));
    CHECK(!aborts([&] { counted.write(verdicts, odds); }));
    CHECK(aborts([&] { counted.write(verdicts, std::span(odds).first(2)); }));
    CHECK(aborts([&] {
        solver.glance({other.geometry, other.codes, 1}, budget);
        counted.list(10, listing);
    }));
    CHECK(aborts([&] {
        Samples samples;
        solver.sample(question, 1, 0, 1, budget, samples);
        counted.write(verdicts, odds);
    }));
    CHECK(aborts([&] {
        solver.trim(true);
        counted.list(10, listing);
    }));
    // Where the reduction finds a safe cell nothing is counted, so there is nothing to write.
    const Board easy = read_board("1##/1F#");
    std::vector<Verdict> six(6);
    std::vector<double> six_odds(6);
    Certain certain;
    const Counted reduced = solver.find_certain({easy.geometry, easy.codes, 1}, budget, certain);
    REQUIRE(!certain.safe.empty() && !reduced.is_counted());
    CHECK(aborts([&] { reduced.write(six, six_odds); }));
}

TEST(requirements_of_questions_are_checked) {
    const Board board = read_board("#1#");
    std::vector<Verdict> verdicts(3);
    std::vector<double> odds(3);
    Budget budget = endless();
    const std::vector<std::int8_t> nine = {kCovered, 9, kCovered}, two = {kCovered, 1};
    Solver solver;
    CHECK(!aborts([&] { solver.analyze({board.geometry, board.codes, 1}, budget, verdicts, odds); }));
    CHECK(aborts([&] { solver.analyze({board.geometry, nine, 1}, budget, verdicts, odds); }));
    CHECK(aborts([&] { solver.analyze({board.geometry, two, 1}, budget, verdicts, odds); }));
    CHECK(aborts([&] { solver.analyze({board.geometry, board.codes, 1}, budget, {}, odds); }));
    CHECK(aborts([&] { solver.glance({board.geometry, board.codes}, budget); }));
    CHECK(aborts([] { Geometry(2, std::vector<Cell>(2 * kReach, 3)); }));
    CHECK(aborts([] { Geometry(2, std::vector<Cell>(kReach, 2)); }));
}

TEST(requirements_of_players_are_checked) {
    const Board board = read_board("#1#"), safe = read_board("1##/1F#");
    Budget budget = endless();
    Random random(1, 1);
    const std::vector<std::uint8_t> allowed = {1, 0, 1};
    CHECK(!aborts([&] { Field().deal(board.geometry, allowed, 2, random); }));
    CHECK(aborts([&] { Field().deal(board.geometry, allowed, 3, random); }));
    CHECK(aborts([&] { make_strategy("nobody"); }));
    Knowledge knowledge;
    const std::vector<std::int8_t> covered(3, kCovered);
    knowledge.start(board.geometry, covered);
    CHECK(aborts([&] { knowledge.start(board.geometry, board.codes); }));
    CHECK(aborts([&] { knowledge.show(1, 9); }));
    CHECK(aborts([&] { knowledge.show(3, 0); }));
    Solver solver;
    CountedPosition position;
    REQUIRE(position.count({safe.geometry, safe.codes, 1}, solver, budget));
    CHECK(aborts([&] { Decider(kStrong).decide(position, budget, false); }));
    Views views{2, {0, Views::kMine, Views::kMine, Views::kMine}};  // one mine, then two
    CHECK(aborts([&] { Endgame().solve(views, budget); }));
}

#endif

TEST(a_requirement_is_an_expression) {
    const bool fine = true;
    fine ? MINEPROOF_REQUIRE(fine) : MINEPROOF_REQUIRE(!fine);
    CHECK(fine);
}

}  // namespace
}  // namespace mineproof::testing
