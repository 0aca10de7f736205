// For benchmarks: how long the kernel itself takes.
#pragma once

#include <vector>

#include "mineproof/solver.hpp"

namespace mineproof {

// The least of `rounds` times, in seconds, that `Solver::analyze` takes for a position.
//   require: rounds > 0
double time_analyze(const Question& question, int rounds, Solver& solver);

}  // namespace mineproof
