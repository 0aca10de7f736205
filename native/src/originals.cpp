#include "mineproof/originals.hpp"

#include <algorithm>

#include "mineproof/reduction.hpp"

namespace mineproof {

bool Original::deduce() {
    frontier_.build(geometry(), knowledge());
    return deduce_from_frontier();
}

int Original::neighbours(Cell cell) const {
    int count = 0;
    for (const Cell other : geometry().around(cell))
        count += other != geometry().cells && match().codes[other] == kCovered;
    return count;
}

Cell Original::pick_outermost() {
    for (const bool anywhere : {false, true}) {
        candidates_.clear();
        int fewest = kReach + 1;
        for (Cell cell = 0; cell < geometry().cells; ++cell) {
            if (!knowledge().is_unknown(cell) || (frontier_.holds(cell) && !anywhere)) continue;
            const int count = neighbours(cell);
            if (count > fewest) continue;
            if (count < fewest) candidates_.clear();
            fewest = count;
            candidates_.push_back(cell);
        }
        if (!candidates_.empty()) break;
    }
    return candidates_[random().below(candidates_.size())];
}

}  // namespace mineproof
