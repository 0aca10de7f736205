#include "mineproof/knowledge.hpp"

#include <algorithm>

#include "mineproof/question.hpp"
#include "mineproof/require.hpp"

namespace mineproof {

void Knowledge::start(const Geometry& geometry, std::span<const std::int8_t> codes) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells);
    MINEPROOF_REQUIRE(std::ranges::all_of(codes, [](std::int8_t code) { return code < 0; }));
    geometry_ = &geometry;
    cells_ = geometry.cells;
    codes_.assign(codes.begin(), codes.end());
    codes_.push_back(kFlagged);  // shows nothing
    marks_.assign(std::size_t{cells_} + 1, Mark::unknown);
    marks_[cells_] = Mark::none;
    counts_.resize(std::size_t{cells_} + 1);
    for (Cell cell = 0; cell < cells_; ++cell) counts_[cell] = kNoNumber | geometry.degrees[cell];
    counts_[cells_] = kNoNumber;
    unknown_count_ = cells_;
    for (Cell cell = 0; cell < cells_; ++cell)
        if (codes_[cell] != kCovered) take_off(cell);
    safe_.clear();
    deciding_count_ = 0;
    mine_count_ = 0;
}

// The cell is not part of the board.
void Knowledge::take_off(Cell cell) {
    marks_[cell] = Mark::none;
    --unknown_count_;
    for (const Cell other : geometry_->around(cell)) --counts_[other];
    counts_[cells_] = kNoNumber;
}

void Knowledge::show(Cell cell, std::int8_t number) {
    MINEPROOF_REQUIRE(cell < cells_ && number >= 0 && number <= kReach);
    prove(cell, Mark::none);
    if (codes_[cell] < 0) counts_[cell] = static_cast<std::uint16_t>(counts_[cell] + (number << 8) - kNoNumber);
    codes_[cell] = number;
    if (decides(counts_[cell])) deciding_[deciding_count_++] = cell;
}

void Knowledge::prove(Cell cell, Mark mark) {
    const bool news = marks_[cell] == Mark::unknown;
    if (!news && mark != Mark::none) return;
    marks_[cell] = mark;
    if (mark == Mark::safe) safe_.push_back(cell);
    if (mark == Mark::mine) codes_[cell] = kFlagged, ++mine_count_;
    if (deciding_.size() < deciding_count_ + kReach + 1) deciding_.resize(2 * deciding_.size() + kReach + 1);
    if (!news) return;
    --unknown_count_;
    const std::uint16_t less = mark == Mark::mine ? 0x0101 : 1;
    // Plain pointers: a store makes the compiler reload everything reached through `this`. And no branch: which numbers
    // decide something cannot be predicted.
    std::uint16_t* const counts = counts_.data();
    Cell* const deciding = deciding_.data();
    std::size_t count = deciding_count_;
    for (const Cell other : geometry_->around(cell)) {
        const auto left = static_cast<std::uint16_t>(counts[other] - less);
        counts[other] = left;
        deciding[count] = other;
        count += decides(left);
    }
    deciding_count_ = count;
    counts[cells_] = kNoNumber;  // counted down for each neighbour that is none
}

void Knowledge::settle() {
    while (deciding_count_ > 0) {
        const Cell number = deciding_[--deciding_count_];
        if (!decides(counts_[number])) continue;
        const Mark mark = need_of(counts_[number]) == 0 ? Mark::safe : Mark::mine;
        for (const Cell cell : geometry_->around(number))
            if (marks_[cell] == Mark::unknown) prove(cell, mark);
    }
}

bool Knowledge::take_safe(Cell& cell) {
    for (;;) {
        if (safe_.empty()) settle();
        if (safe_.empty()) return false;
        cell = safe_.back();
        safe_.pop_back();
        if (marks_[cell] == Mark::safe) return true;  // else it was opened in the meantime
    }
}

}  // namespace mineproof
