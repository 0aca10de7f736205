// A short name for a state of a game, or for anything else that is made of bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace mineproof {

// Stands for some bytes: two different ones of n have the same key with a chance of about n² / 2^128.
struct StateKey {
    std::uint64_t a = 0, b = 0;

    bool operator==(const StateKey&) const = default;

    // The key of what this key stands for, followed by these bytes.
    template <class Byte>
    StateKey with(std::span<const Byte> bytes) const {
        static_assert(sizeof(Byte) == 1);
        StateKey key = *this;
        std::size_t at = 0;
        for (; at + 8 <= bytes.size(); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data() + at, 8);
            key.add(word);
        }
        std::uint64_t last = bytes.size();
        for (; at < bytes.size(); ++at) last = last << 8 | static_cast<std::uint8_t>(bytes[at]);
        key.add(last);
        return key;
    }
    StateKey with(std::uint64_t word) const {
        StateKey key = *this;
        key.add(word);
        return key;
    }

  private:
    // Both halves of a product of 128 bits, for each of the two numbers with a constant of its own.
    void add(std::uint64_t word) {
        a = folded(a ^ word, 0x9e3779b97f4a7c15) + 0xd1b54a32d192ed03;
        b = folded(b ^ std::rotl(word, 32), 0xa0761d6478bd642f) + 0x8bb84b93962eacc9;
    }
    static std::uint64_t folded(std::uint64_t x, std::uint64_t y) {
        const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
};

}  // namespace mineproof
