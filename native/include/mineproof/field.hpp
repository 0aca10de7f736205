// Where the mines are. Only this class knows them: solvers and strategies are given codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/geometry.hpp"
#include "mineproof/random.hpp"

namespace mineproof {

class Field {
  public:
    // Lays mines at random, uniformly over all ways to choose `mines` of the cells with allowed[cell] != 0.
    // The stream: of these cells in ascending order, place i (from 0) is swapped with place i + below(count - i);
    // the first `mines` places are mines. src/mineproof/base/rng.py deals the same.
    //   require: allowed.size() == geometry.cells; mines <= number of allowed cells
    void deal(const Geometry& geometry, std::span<const std::uint8_t> allowed, std::uint32_t mines, Random& random);

    // Lays these mines; or flips one cell between mine and free.
    void lay(const Geometry& geometry, std::span<const Cell> mines);
    void flip(const Geometry& geometry, Cell cell);

    bool mined(Cell cell) const { return mined_[cell] != 0; }
    // By cell: 1 for a mine, else 0.
    std::span<const std::uint8_t> mined() const { return mined_; }
    // All mines, ascending.
    void list_mines(std::vector<Cell>& mines) const;
    // Mines around a cell.
    std::int8_t number(Cell cell) const { return static_cast<std::int8_t>(numbers_[cell]); }

  private:
    void count_numbers(const Geometry& geometry);

    std::vector<std::uint8_t> mined_;
    std::vector<std::uint8_t> numbers_;  // one more than there are cells: the cell that stands for "no neighbour"
    std::vector<Cell> order_;
    std::vector<std::uint8_t> across_;
};

}  // namespace mineproof
