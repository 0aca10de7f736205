#include "mineproof/knowledge.hpp"

#include <algorithm>
#include <array>

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
    unknown_.assign(geometry.degrees.begin(), geometry.degrees.end());
    unknown_.push_back(0);
    unknown_count_ = cells_;
    for (Cell cell = 0; cell < cells_; ++cell)
        if (codes_[cell] != kCovered) take_off(cell);
    mines_near_.assign(std::size_t{cells_} + 1, 0);
    safe_.clear();
    deciding_.clear();
    mine_count_ = 0;
}

// The cell is not part of the board.
void Knowledge::take_off(Cell cell) {
    marks_[cell] = Mark::none;
    --unknown_count_;
    for (const Cell other : geometry_->around(cell)) --unknown_[other];
}

void Knowledge::show(Cell cell, std::int8_t number) {
    MINEPROOF_REQUIRE(cell < cells_ && number >= 0 && number <= kReach);
    prove(cell, Mark::none);
    codes_[cell] = number;
    if (decides(cell)) deciding_.push_back(cell);
}

void Knowledge::prove(Cell cell, Mark mark) {
    const bool news = marks_[cell] == Mark::unknown;
    if (!news && mark != Mark::none) return;
    marks_[cell] = mark;
    if (mark == Mark::safe) safe_.push_back(cell);
    if (mark == Mark::mine) codes_[cell] = kFlagged, ++mine_count_;
    if (!news) return;
    --unknown_count_;
    const std::int8_t mine = mark == Mark::mine;
    // Plain pointers: a store to a byte array makes the compiler reload everything reached through `this`.
    std::uint8_t* const unknown = unknown_.data();
    std::int8_t* const mines = mines_near_.data();
    const std::int8_t* const codes = codes_.data();
    for (const Cell other : geometry_->around(cell)) {
        --unknown[other];
        mines[other] = static_cast<std::int8_t>(mines[other] + mine);
        if (codes[other] >= 0 && decides(other)) deciding_.push_back(other);
    }
}

void Knowledge::settle() {
    while (!deciding_.empty()) {
        const Cell number = deciding_.back();
        deciding_.pop_back();
        if (!decides(number)) continue;
        const Mark mark = codes_[number] == mines_near_[number] ? Mark::safe : Mark::mine;
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

Cell Knowledge::safest(std::span<const double> odds) const {
    MINEPROOF_REQUIRE(unknown_count_ > 0 && odds.size() == cells_);
    constexpr double kClose = 1e-9;  // odds this close are the same: far more than the error of a double
    std::array<double, 4> lowest;    // of every fourth cell: together they are found faster
    lowest.fill(2);
    std::size_t first = 0;
    const auto take = [&](std::size_t lane) {
        const double each = odds[first + lane];
        lowest[lane] = each < lowest[lane] ? each : lowest[lane];  // NaN is not
    };
    for (; first + lowest.size() <= cells_; first += lowest.size())
        for (std::size_t lane = 0; lane < lowest.size(); ++lane) take(lane);
    for (std::size_t lane = 0; first + lane < cells_; ++lane) take(lane);
    const double high = *std::ranges::min_element(lowest) * (1 + kClose);
    const auto rank = [&](Cell cell) { return unknown_[cell] << 8 | geometry_->degrees[cell]; };
    Cell best = cells_;
    for (Cell cell = 0; cell < cells_; ++cell)
        if (odds[cell] <= high && (best == cells_ || rank(cell) < rank(best))) best = cell;
    return best;
}

}  // namespace mineproof
