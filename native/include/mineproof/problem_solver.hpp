// The exact answer to a problem: the weight of its solutions, the chance of every value, and what is certain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/polynomial.hpp"
#include "mineproof/problem.hpp"
#include "mineproof/problem_recorder.hpp"
#include "mineproof/problem_reduction.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// `Answer::conflict` is a constraint; `log2_layouts` is of the weight of all solutions.
struct ProblemAnswer : Answer {
    std::vector<double> probabilities;   // by value, concatenated as the weights of the problem
    std::vector<std::uint8_t> possible;  // by value: has it a solution?
    std::vector<double> log2_roots;      // of the counts that `count_exactly` returns as roots
    std::vector<std::uint32_t> roots;    // by variable: its root; kNowhere for decided ones
};

// Exact counts modulo primes: roots, whose product with the weights of decided variables is the weight of all
// solutions, and by value the weight of the solutions that have it, in its root.
struct ProblemCounts {
    static constexpr std::uint32_t kNowhere = ExactCounts::kNowhere;
    std::vector<std::uint64_t> roots, values;  // residues, prime by prime
    std::size_t root_count = 0;
};

// Owns the scratch memory; use one per thread.
class ProblemSolver {
  public:
    ProblemAnswer analyze(const Problem& problem, Budget& budget);

    // Counts once for each prime. With `weighted` false, every allowed value weighs 1.
    Answer count_exactly(const Problem& problem, std::span<const std::uint64_t> primes, bool weighted, Budget& budget,
                         ProblemCounts& counts);

    // Draws solutions number `first` to `first + count - 1` of a seed by weight: a value for each variable.
    Answer sample(const Problem& problem, std::uint64_t seed, std::uint64_t first, std::uint64_t count, Budget& budget,
                  std::vector<std::uint8_t>& values);

    std::uint64_t products() const { return recorder_.tape().products().size(); }

  private:
    template <class Ring>
    struct Count {
        PolynomialPass<Ring> pass;
        std::vector<typename Ring::Value> factors;
    };
    class Drawing;

    bool prepare(const Problem& problem, Budget& budget, Answer& answer);
    bool fits_doubles(const Problem& problem) const;
    template <class Ring>
    void list_factors(const Ring& ring, const Problem& problem, bool weighted, Count<Ring>& count) const;
    template <class Ring>
    bool forward(const Ring& ring, const Problem& problem, bool weighted, Count<Ring>& count, Budget& budget);
    template <class Ring>
    void answer_with(const Ring& ring, const Problem& problem, Count<Ring>& count, Budget& budget,
                     ProblemAnswer& answer);
    template <class Ring>
    void read_off(const Ring& ring, const Problem& problem, const Count<Ring>& count,
                  std::span<const typename Ring::Value> roots, ProblemAnswer& answer) const;
    template <class Ring>
    void share_roots(const Ring& ring, const Problem& problem, Count<Ring>& count,
                     std::vector<typename Ring::Value>& roots) const;
    void set_total_conflict(Answer& answer) const;

    ProblemReduction reduction_;
    ProblemRecorder recorder_;
    std::vector<std::uint32_t> starts_;  // of the factors of each box
    std::uint32_t factor_count_ = 0;
    Count<Reals> reals_;
    Count<Floats> floats_;
    Count<Residues> residues_;
};

}  // namespace mineproof
