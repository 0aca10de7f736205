// Primes to count modulo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineproof {

// The `count` largest primes below 2^62, descending. Each carries more than 61.9 bits.
std::vector<std::uint64_t> largest_primes(std::size_t count);

}  // namespace mineproof
