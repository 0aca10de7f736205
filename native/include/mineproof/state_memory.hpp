// What was found out about a state, to be looked up when it comes again.
#pragma once

#include <cstddef>
#include <vector>

#include "mineproof/state_key.hpp"

namespace mineproof {

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
    // The value is there until the next `put` or `clear`.
    const Value& put(const StateKey& key, const Value& value) {
        if (count_ == most_) clear();
        if (2 * (count_ + 1) > places_.size()) grow();
        Place& place = places_[place_of(key)];
        count_ += !place.is_taken;
        place = {key, value, true};
        return place.value;
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
