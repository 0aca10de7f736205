// Miller-Rabin with the first twelve primes as bases, which is a proof below 3.3·10^24.

#include "mineproof/primes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace mineproof {
namespace {

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % modulus);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base = multiply(base, base, modulus))
        if (exponent & 1) result = multiply(result, base, modulus);
    return result;
}

bool passes(std::uint64_t odd, std::uint64_t base) {
    const int twos = std::countr_zero(odd - 1);
    std::uint64_t value = power(base, (odd - 1) >> twos, odd);
    if (value == 1) return true;
    for (int i = 0; i < twos; ++i, value = multiply(value, value, odd))
        if (value == odd - 1) return true;
    return false;
}

bool is_prime(std::uint64_t odd) {
    constexpr std::array<std::uint64_t, 12> kBases = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    return std::all_of(kBases.begin(), kBases.end(), [&](std::uint64_t base) { return passes(odd, base); });
}

}  // namespace

std::vector<std::uint64_t> largest_primes(std::size_t count) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t candidate = (std::uint64_t{1} << 62) - 1; found.size() < count; candidate -= 2)
        if (is_prime(candidate)) found.push_back(candidate);
    return found;
}

}  // namespace mineproof
