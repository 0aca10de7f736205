// The general question: variables with a few values each, constraints on weighted sums of any of them, and a total.
//
// A board is the special case of variables that are 0 or 1 and constraints with coefficients 1 and one allowed sum.
// What boards and problems share is the tape: its order, its passes and its budget. They differ in who writes it.
#pragma once

#include <cstdint>
#include <span>

namespace mineproof {

// Arrays are concatenated; `…_ends` hold where each part ends.
struct Problem {
    static constexpr std::uint32_t kMostValues = 64;

    // By variable: the weight of each value from 0 on. A value of weight 0 is not allowed.
    std::span<const std::uint32_t> value_ends;
    std::span<const std::uint64_t> weights;
    std::span<const std::uint32_t> kinds;  // variables of the same kind have the same weights
    // By constraint: its variables with their coefficients, and the sums that it allows, ascending.
    std::span<const std::uint32_t> term_ends, variables;
    std::span<const std::int32_t> coefficients;
    std::span<const std::uint32_t> sum_ends;
    std::span<const std::int32_t> sums;
    // The sum of all variables, if something is known of it.
    bool has_total = false;
    std::int64_t fewest = 0, most = 0;

    std::size_t variable_count() const { return value_ends.size(); }
    std::size_t constraint_count() const { return term_ends.size(); }
    std::span<const std::uint64_t> weights_of(std::uint32_t variable) const {
        const std::uint32_t begin = variable == 0 ? 0 : value_ends[variable - 1];
        return weights.subspan(begin, value_ends[variable] - begin);
    }
};

}  // namespace mineproof
