#include "mineproof/originals.hpp"

#include <algorithm>

#include "mineproof/reduce.hpp"

namespace mineproof {

void Original::start(const Match& match, const Random& random) {
    match_ = &match;
    random_ = random;
    knowledge_.start(match.geometry, match.codes);
    fallbacks_ = 0;
}

Choice Original::choose() {
    for (;;) {
        if (Cell cell; knowledge_.take_safe(cell)) return {cell, true, 0};
        front_.build(match_->geometry, knowledge_);
        if (!deduce()) return {guess(), false};
    }
}

void Original::prove_safe(std::span<const Cell> cells) {
    for (const Cell cell : cells) knowledge_.prove_safe(cell);
}

void Original::prove_mines(std::span<const Cell> cells) {
    for (const Cell cell : cells) knowledge_.prove_mine(cell);
}

int Original::neighbours(Cell cell) const {
    int count = 0;
    for (const Cell other : match_->geometry.around(cell))
        count += other != match_->geometry.cells && match_->codes[other] == kCovered;
    return count;
}

Cell Original::pick_outermost() {
    for (const bool anywhere : {false, true}) {
        candidates_.clear();
        int fewest = kReach + 1;
        for (Cell cell = 0; cell < match_->geometry.cells; ++cell) {
            if (!knowledge_.is_unknown(cell) || (front_.holds(cell) && !anywhere)) continue;
            const int count = neighbours(cell);
            if (count > fewest) continue;
            if (count < fewest) candidates_.clear();
            fewest = count;
            candidates_.push_back(cell);
        }
        if (!candidates_.empty()) break;
    }
    return candidates_[random_.below(candidates_.size())];
}

Cell Original::pick_any() {
    auto skip = random_.below(knowledge_.unknown());
    Cell cell = 0;
    while (!knowledge_.is_unknown(cell) || skip-- > 0) ++cell;
    return cell;
}

}  // namespace mineproof
