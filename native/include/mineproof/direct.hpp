// Counting term by term, in doubles: what everything that counts so has in common.
//
// Counts of arrangements are whole numbers, and the ways to lay mines in the sea are weights relative to the largest. A
// weight that is possible is never less than kFaint, so that a term is zero exactly when nothing fits, and certainty
// can be read off sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "mineproof/binomial.hpp"
#include "mineproof/polynomial.hpp"
#include "mineproof/question.hpp"

namespace mineproof {

// No count of a component with at most this many cells overflows a double. Products of components can; that is noticed.
inline constexpr std::uint32_t kDirectComponent = 900;
// A possible weight is never less than this: far too small to change a probability, large enough that its
// product with a whole number does not underflow to zero.
inline constexpr double kFaint = 1e-250;
// The sum of all weights raised to kFaint must stay below this share of the total.
inline constexpr double kUnseen = 1e-20;

// Are sums over weights raised to kFaint as good as over the weights themselves? `all`: of all counts, unweighted.
inline bool is_precise(double all, double total) { return std::isfinite(all) && all * kFaint <= total * kUnseen; }

inline double log2_choose(double n, double k) { return log_choose(n, k) / std::numbers::ln2; }

// What the mines of a box count for: C(size, mines).
inline const PolynomialPass<Reals>::Weights& plain_weights() {
    static const auto kWeights = [] {
        PolynomialPass<Reals>::Weights weights{};
        for (std::size_t size = 0; size <= kReach; ++size)
            for (std::size_t mines = 0; mines <= size; ++mines) weights[size][mines] = kChoose[size][mines];
        return weights;
    }();
    return kWeights;
}

inline Verdict verdict_of(bool safe, bool mine) {
    return safe ? Verdict::safe : mine ? Verdict::mine : Verdict::undecided;
}

// A probability as its verdict allows it: what rounding leaves of one that is neither 0 nor 1 is neither.
inline double bounded(double probability, Verdict verdict) {
    if (verdict == Verdict::safe) return 0;
    if (verdict == Verdict::mine) return 1;
    return std::clamp(probability, 1e-18, 1 - 0x1p-53);
}

// Calls `use(mines, weight)` for `lowest` to `highest` mines in a sea of `sea` cells: C(sea, mines) relative to its
// largest value there, from which it falls off to both sides. Returns the number of mines that has it.
template <class Use>
std::int64_t weigh_sea(std::int64_t sea, std::int64_t lowest, std::int64_t highest, Use use) {
    const std::int64_t peak = std::clamp(sea / 2, lowest, highest);
    double weight = 1;
    for (std::int64_t mines = peak; mines <= highest; ++mines) {
        use(mines, std::max(weight, kFaint));
        weight *= static_cast<double>(sea - mines) / static_cast<double>(mines + 1);
    }
    weight = 1;
    for (std::int64_t mines = peak; mines > lowest; --mines) {
        weight *= static_cast<double>(mines) / static_cast<double>(sea - mines + 1);
        use(mines - 1, std::max(weight, kFaint));
    }
    return peak;
}

}  // namespace mineproof
