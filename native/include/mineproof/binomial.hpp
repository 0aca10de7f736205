// Ways to choose mines: inside one box, and in the sea.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "mineproof/geometry.hpp"

namespace mineproof {

// kChoose[n][k] for boxes, which are never larger than one number's neighbourhood.
inline constexpr auto kChoose = [] {
    std::array<std::array<std::uint32_t, kReach + 1>, kReach + 1> table{};
    for (std::size_t n = 0; n <= kReach; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

// The natural logarithm of C(n, k). The C library's lgamma writes a global variable; its other form does not, so that
// threads may count side by side. Both give the same bits.
inline double log_choose(double n, double k) {
    const auto log_factorial = [](double m) {
#ifdef __linux__
        int sign;
        return ::lgamma_r(m + 1, &sign);
#else
        return std::lgamma(m + 1);
#endif
    };
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

}  // namespace mineproof
