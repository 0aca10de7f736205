// Random numbers that are a function of (seed, stream, position): the same on every machine and in any order of calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mineproof {

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): key = seed, counter = (position, stream).
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t stream)
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, stream_(stream) {}

    std::uint64_t next() {
        if (left_ == 0) refill();
        return words_[--left_];
    }
    // Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // Uniform in [0, bound), exactly (Lemire's rejection).
    std::uint64_t below(std::uint64_t bound) {
        unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
        if (static_cast<std::uint64_t>(product) < bound) {
            const std::uint64_t threshold = -bound % bound;
            while (static_cast<std::uint64_t>(product) < threshold)
                product = static_cast<unsigned __int128>(next()) * bound;
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

  private:
    void refill() {
        std::array<std::uint32_t, 4> block = {
            static_cast<std::uint32_t>(position_), static_cast<std::uint32_t>(position_ >> 32),
            static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)};
        ++position_;
        std::array<std::uint32_t, 2> key = key_;
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53} * block[0], b = std::uint64_t{0xCD9E8D57} * block[2];
            block = {static_cast<std::uint32_t>(b >> 32) ^ block[1] ^ key[0], static_cast<std::uint32_t>(b),
                     static_cast<std::uint32_t>(a >> 32) ^ block[3] ^ key[1], static_cast<std::uint32_t>(a)};
            key[0] += 0x9E3779B9;
            key[1] += 0xBB67AE85;
        }
        words_ = {std::uint64_t{block[2]} << 32 | block[3], std::uint64_t{block[0]} << 32 | block[1]};
        left_ = 2;
    }

    std::array<std::uint32_t, 2> key_;
    std::uint64_t stream_, position_ = 0;
    std::array<std::uint64_t, 2> words_{};
    std::size_t left_ = 0;
};

// A seed for another use of a seed, as `derive` of src/mineproof/base/rng.py, which lists the purposes.
inline std::uint64_t derive(std::uint64_t seed, std::uint64_t purpose) { return Random(seed, ~purpose).next(); }

}  // namespace mineproof
