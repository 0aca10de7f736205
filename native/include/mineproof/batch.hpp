// Many positions of one shape, each answered as `Solver::analyze` answers it, by several threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

struct Batch {
    static constexpr std::int64_t kNoTotal = -1;

    const Geometry& geometry;
    std::span<const std::int8_t> codes;    // position by position, one for each cell; any value
    std::span<const std::int64_t> totals;  // one for each position: kNoTotal where it is unknown; any value
    double odds = 0;                       // as in Question, for positions without a total
    bool trust_flags = true;               // else they are covered cells like others

    std::size_t positions() const { return totals.size(); }
};

// What came of a position. `imprecise`: verdicts hold, odds and layouts must be had by `Solver::count_exactly`.
enum class BatchStatus : std::int8_t { answered = 0, malformed = 1, contradiction = 2, over_budget = 3, imprecise = 4 };

// Where the answers go. A position that was not answered has NaN, and `none` for every verdict.
struct BatchAnswers {
    std::span<double> probabilities;  // position by position, one for each cell
    std::span<Verdict> verdicts;
    std::span<double> log2_layouts;  // one for each position, as the next two
    std::span<BatchStatus> statuses;
    std::span<Limit> limits;  // what ran out, where the status is `over_budget`
};

// Seconds, states and memory are for each position. Only the calling thread calls `poll`, about twenty times
// a second. The batch stops once `poll` returns true.
struct BatchLimits {
    double seconds;
    std::uint64_t states;
    std::uint64_t memory = Budget::kNoLimit;
    Budget::Poll poll = nullptr;
    void* context = nullptr;
};

// Owns the scratch memory of its threads, and keeps it from batch to batch.
class BatchSolver {
  public:
    // Answers a batch; false if it was broken off, which leaves some answers unwritten. The calling thread works too.
    // What is written does not depend on the number of threads, unless seconds run out.
    //   require: sizes as said above; threads > 0
    bool analyze(const Batch& batch, const BatchLimits& limits, std::size_t threads, const BatchAnswers& answers);

  private:
    struct Worker {
        Solver solver;
        std::vector<std::int8_t> codes;  // of a position with its flags taken away
    };
    class Work;

    std::vector<Worker> workers_;
};

}  // namespace mineproof
