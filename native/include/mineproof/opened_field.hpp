// A field while it is opened: where the mines are, and what is seen of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/field.hpp"

namespace mineproof {

class OpenedField {
  public:
    // Covers everything but what is open in `codes`: numbers, kCovered, and negative codes of cells that are not part
    // of the board. The mines stay as they are.
    //   require: one code for each cell; the geometry outlives this
    void cover(const Geometry& geometry, std::span<const std::int8_t> codes);

    // Opens a cell and what zeros open; these cells, in the order in which they were opened.
    //   require: a covered cell without a mine
    std::span<const Cell> open(Cell first);

    // The mines. A caller that moves them must not change the numbers of open cells.
    Field& mines() { return mines_; }
    const Field& mines() const { return mines_; }
    // What is seen.
    std::span<const std::int8_t> codes() const { return {codes_.data(), geometry_->cells}; }
    std::uint32_t open_count() const { return open_count_; }

  private:
    const Geometry* geometry_ = nullptr;
    Field mines_;
    std::vector<std::int8_t> codes_;  // one more than there are cells: the cell that stands for "no neighbour"
    std::vector<Cell> opened_, waiting_;
    std::uint32_t open_count_ = 0;
};

}  // namespace mineproof
