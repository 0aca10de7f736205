#include "mineproof/opened_field.hpp"

#include <algorithm>

#include "mineproof/question.hpp"
#include "mineproof/require.hpp"

namespace mineproof {

void OpenedField::cover(const Geometry& geometry, std::span<const std::int8_t> codes) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells);
    geometry_ = &geometry;
    codes_.assign(codes.begin(), codes.end());
    codes_.push_back(kAbsent);
    open_count_ = static_cast<std::uint32_t>(std::ranges::count_if(codes, [](std::int8_t code) { return code >= 0; }));
}

std::span<const Cell> OpenedField::open(Cell first) {
    MINEPROOF_REQUIRE(codes_[first] == kCovered && !mines_.mined(first));
    opened_.clear();
    waiting_.assign(1, first);
    codes_[first] = mines_.number(first);
    while (!waiting_.empty()) {
        const Cell cell = waiting_.back();
        waiting_.pop_back();
        opened_.push_back(cell);
        if (codes_[cell] != 0) continue;
        for (const Cell other : geometry_->around(cell)) {
            if (codes_[other] != kCovered) continue;
            codes_[other] = mines_.number(other);
            waiting_.push_back(other);
        }
    }
    open_count_ += static_cast<std::uint32_t>(opened_.size());
    return opened_;
}

}  // namespace mineproof
