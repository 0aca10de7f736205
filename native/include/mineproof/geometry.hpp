// Which cells touch which. The kernel never computes a neighbour: it reads this table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/state_key.hpp"

namespace mineproof {

using Cell = std::uint32_t;

// The most neighbours any cell has; the row length of the table.
inline constexpr int kReach = 8;

class Geometry {
  public:
    //   require: kReach entries for each cell, none of them beyond `cells`
    Geometry(Cell cell_count, std::vector<Cell> neighbour_table);

    Cell cells;
    // cells × kReach entries, ascending within a row; an unused place holds the index `cells`,
    // a cell that shows nothing, so that loops over a row need no branch.
    std::vector<Cell> table;
    // Columns of the rectangle this table describes, or 0 if it describes something else. Nothing depends on it
    // but speed: sums over neighbourhoods of a rectangle are sums of shifted rows.
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
