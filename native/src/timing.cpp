#include "mineproof/timing.hpp"

#include <algorithm>
#include <limits>

#include "mineproof/require.hpp"

namespace mineproof {

double time_analyze(const Question& question, int rounds, Solver& solver) {
    MINEPROOF_REQUIRE(rounds > 0);
    std::vector<Verdict> verdicts(question.geometry.cells);
    std::vector<double> odds(question.geometry.cells);
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        Budget budget(60, std::uint64_t{1} << 40);
        solver.analyze(question, budget, verdicts, odds);
        least = std::min(least, budget.seconds_spent());
    }
    return least;
}

}  // namespace mineproof
