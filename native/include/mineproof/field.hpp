// Where the mines are. The truth lives here and nowhere else in the kernel: what solves is handed codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/random.hpp"
#include "mineproof/geometry.hpp"

namespace mineproof {

class Field {
  public:
    // Lays mines at random, uniformly over all ways to choose `mines` of the cells with allowed[cell] != 0.
    // The stream: of these cells in ascending order, place i (from 0) is swapped with place i + below(count - i);
    // the first `mines` places are mines. src/mineproof/base/rng.py deals the same.
    //   require: allowed.size() == geometry.cells; mines <= number of allowed cells
    void deal(const Geometry& geometry, std::span<const std::uint8_t> allowed, std::uint32_t mines, Random& random);

    // Lays the mines given, or turns a mine into a free cell and the other way round.
    void lay(const Geometry& geometry, std::span<const Cell> mines);
    void flip(const Geometry& geometry, Cell cell);

    bool mined(Cell cell) const { return mined_[cell] != 0; }
    // Mines around a cell.
    std::int8_t number(Cell cell) const { return numbers_[cell]; }

  private:
    void clear(const Geometry& geometry);

    std::vector<std::uint8_t> mined_;
    std::vector<std::int8_t> numbers_;  // one more than there are cells: the cell that stands for "no neighbour"
    std::vector<Cell> order_;
};

}  // namespace mineproof
