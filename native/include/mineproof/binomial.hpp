// Ways to choose mines inside one box.
#pragma once

#include <array>
#include <cstdint>

#include "mineproof/geometry.hpp"

namespace mineproof {

// kChoose[n][k] for boxes, which are never larger than one number's neighbourhood.
inline constexpr auto kChoose = [] {
    std::array<std::array<std::uint32_t, kReach + 1>, kReach + 1> table{};
    for (int n = 0; n <= kReach; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

}  // namespace mineproof
