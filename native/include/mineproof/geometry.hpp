// Which cells touch which. The kernel never computes a neighbour: it reads this table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/state_key.hpp"

namespace mineproof {

using Cell = std::uint32_t;

// The most neighbours any cell has; the row length of the table. The kernel is compiled twice, because loops over a
// neighbourhood are fastest with a fixed length: with 8 for most boards, and with 32 for shapes whose cells touch more
// (CMakeLists.txt). Everything that holds a number or a sum of marks takes its size from this.
#ifndef MINEPROOF_REACH
#define MINEPROOF_REACH 8
#endif
inline constexpr int kReach = MINEPROOF_REACH;
static_assert(kReach == 8 || kReach == 32, "keys, marks and weights are laid out for these");
inline constexpr bool kIsWide = kReach > 8;

class Geometry {
  public:
    //   require: kReach entries for each cell, none of them beyond `cells`
    Geometry(Cell cell_count, std::vector<Cell> neighbour_table);

    Cell cells;
    // cells × kReach entries, ascending within a row; an unused place holds the index `cells`,
    // a cell that shows nothing, so that loops over a row need no branch.
    std::vector<Cell> table;
    // Columns of the rectangle this table describes, or 0 if it describes something else or the kernel is the wide one.
    // Nothing depends on it but speed: sums over neighbourhoods of a rectangle are sums of shifted rows.
    Cell columns;
    // How many neighbours each cell has.
    std::vector<std::uint8_t> degrees;
    // Stands for the table: two of the same shape have the same.
    StateKey key;

    std::span<const Cell, kReach> around(Cell cell) const {
        return std::span<const Cell, kReach>(table.data() + std::size_t{cell} * kReach, kReach);
    }

  private:
    Cell find_columns() const;
};

}  // namespace mineproof
