// What was found out about a state, to be looked up when it comes again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

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

// From keys to values; open addressing. When `most` are kept, all are forgotten.
template <class Value>
class StateMemory {
  public:
    explicit StateMemory(std::size_t most) : most_(most) {}

    // nullptr if nothing is kept. The value is there until the next `put` or `clear`.
    const Value* find(const StateKey& key) const {
        if (count_ == 0) return nullptr;
        const Place& place = places_[place_of(key)];
        return place.is_taken ? &place.value : nullptr;
    }
    void put(const StateKey& key, const Value& value) {
        if (count_ == most_) clear();
        if (2 * (count_ + 1) > places_.size()) grow();
        Place& place = places_[place_of(key)];
        count_ += !place.is_taken;
        place = {key, value, true};
    }
    void clear() {
        if (count_ > 0) places_.assign(places_.size(), Place{});
        count_ = 0;
    }
    std::size_t size() const { return count_; }
    bool is_full() const { return count_ == most_; }

  private:
    struct Place {
        StateKey key{};
        Value value{};
        bool is_taken = false;
    };

    // Where the key is, or would be put.
    std::size_t place_of(const StateKey& key) const {
        std::size_t at = key.a & (places_.size() - 1);
        while (places_[at].is_taken && !(places_[at].key == key)) at = (at + 1) & (places_.size() - 1);
        return at;
    }
    void grow() {
        std::vector<Place> before(places_.empty() ? 64 : 2 * places_.size());
        before.swap(places_);
        for (const Place& place : before)
            if (place.is_taken) places_[place_of(place.key)] = place;
    }

    std::size_t most_, count_ = 0;
    std::vector<Place> places_;
};

}  // namespace mineproof
