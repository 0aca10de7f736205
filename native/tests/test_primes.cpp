// The primes are prime, are the largest, and come in order.

#include "mineproof/primes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "check.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

// The ten least k with 2^62 - k prime, as the Prime Pages list them ("primes just less than a power of two").
constexpr std::uint64_t kGaps[] = {57, 87, 117, 143, 153, 167, 171, 195, 203, 273};

bool has_divisor_below(std::uint64_t value, std::uint64_t bound) {
    for (std::uint64_t divisor = 3; divisor < bound; divisor += 2)
        if (value % divisor == 0) return true;
    return false;
}

TEST(largest_primes_are_those_known) {
    const auto primes = largest_primes(std::size(kGaps));
    REQUIRE(primes.size() == std::size(kGaps));
    for (std::size_t i = 0; i < primes.size(); ++i) CHECK_EQUAL((std::uint64_t{1} << 62) - primes[i], kGaps[i]);
}

TEST(largest_primes_are_prime_and_descending) {
    const auto primes = largest_primes(100);
    REQUIRE(primes.size() == 100);
    for (std::size_t i = 0; i < primes.size(); ++i) {
        CHECK(i == 0 || primes[i] < primes[i - 1]);
        CHECK(!has_divisor_below(primes[i], 2000));
        // Bases that the implementation does not use.
        for (const std::uint64_t base : {41U, 43U, 47U, 53U})
            CHECK_EQUAL(power_mod(base, primes[i] - 1, primes[i]), 1U);
    }
    CHECK(largest_primes(0).empty());
    const auto few = largest_primes(7);
    CHECK(std::equal(few.begin(), few.end(), primes.begin()));
}

// Nothing between two of them is prime: each has a small divisor or fails Fermat's test.
TEST(no_prime_is_left_out) {
    const auto primes = largest_primes(10);
    std::size_t next = 0;
    for (std::uint64_t odd = (std::uint64_t{1} << 62) - 1; odd >= primes.back(); odd -= 2) {
        if (odd == primes[next]) {
            ++next;
            continue;
        }
        CHECK(has_divisor_below(odd, 100) || power_mod(2, odd - 1, odd) != 1);
    }
    CHECK_EQUAL(next, primes.size());
}

}  // namespace
}  // namespace mineproof::testing
