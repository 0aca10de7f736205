// Which mine counts every box can have, decided without rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/tape.hpp"

namespace mineproof {

class FeasibilityPass {
  public:
    // What a pass along a tape holds, at most.
    static std::uint64_t bytes(const Tape& tape) {
        const std::uint64_t words = tape.rows().size() + tape.storage() / 64;
        return sizeof(std::uint64_t) * (tape.rows().size() + 2 * words);
    }

    // Every box's possible mine counts, whatever the number of mines in all.
    void any_total(const Tape& tape, std::span<const Box> boxes);
    // The same when the boxes together must hold between `fewest` and `most` mines. False when over budget.
    //   require: the tape tracks mines
    bool within(const Tape& tape, std::span<const Box> boxes, std::int64_t fewest, std::int64_t most, Budget& budget);

    // After `within`: the totals in question that can be had; none when first > last.
    std::int64_t first_total() const { return first_total_; }
    std::int64_t last_total() const { return last_total_; }

    bool possible(std::uint32_t box, int mines) const { return (possible_[box] >> mines & 1) != 0; }

  private:
    bool collect(const Tape& tape, Budget& budget);
    void want(const Tape& tape, std::int64_t fewest, std::int64_t most);
    bool complete(const Tape& tape, Budget& budget);

    // Bit i of a row's set stands for lo + i mines.
    std::uint64_t* counts_of(std::uint32_t row) { return &counts_[starts_[row]]; }
    std::uint64_t* wanted_of(std::uint32_t row) { return &wanted_[starts_[row]]; }

    std::vector<std::uint16_t> possible_;  // by box, a bit for each number of mines
    std::vector<std::uint8_t> alive_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> counts_, wanted_;  // sets that can be had; sets that can be completed
    std::int64_t first_total_ = 0, last_total_ = -1;
};

}  // namespace mineproof
