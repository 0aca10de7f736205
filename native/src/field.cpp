#include "mineproof/field.hpp"

#include <utility>

#include "mineproof/neighbour_sums.hpp"
#include "mineproof/require.hpp"

namespace mineproof {

void Field::deal(const Geometry& geometry, std::span<const std::uint8_t> allowed, std::uint32_t mines, Random& random) {
    MINEPROOF_REQUIRE(allowed.size() == geometry.cells);
    mined_.assign(geometry.cells, 0);
    order_.resize(geometry.cells);
    std::uint32_t count = 0;
    for (Cell cell = 0; cell < geometry.cells; ++cell) {
        order_[count] = cell;
        count += allowed[cell] != 0;
    }
    MINEPROOF_REQUIRE(mines <= count);
    for (std::uint32_t i = 0; i < mines; ++i) {
        std::swap(order_[i], order_[i + random.below(count - i)]);
        mined_[order_[i]] = 1;
    }
    count_numbers(geometry);
}

void Field::lay(const Geometry& geometry, std::span<const Cell> mines) {
    mined_.assign(geometry.cells, 0);
    for (const Cell cell : mines) mined_[cell] = 1;
    count_numbers(geometry);
}

void Field::count_numbers(const Geometry& geometry) {
    numbers_.assign(std::size_t{geometry.cells} + 1, 0);
    if (geometry.columns > 0) {
        sum_around(geometry, mined_.data(), numbers_.data(), across_);
        return;
    }
    for (Cell cell = 0; cell < geometry.cells; ++cell)
        if (mined(cell))
            for (const Cell other : geometry.around(cell)) ++numbers_[other];
}

void Field::flip(const Geometry& geometry, Cell cell) {
    mined_[cell] ^= 1;
    const auto change = static_cast<std::uint8_t>(mined_[cell] != 0 ? 1 : -1);
    for (const Cell other : geometry.around(cell))
        numbers_[other] = static_cast<std::uint8_t>(numbers_[other] + change);
}

void Field::list_mines(std::vector<Cell>& mines) const {
    mines.clear();
    for (Cell cell = 0; cell < mined_.size(); ++cell)
        if (mined(cell)) mines.push_back(cell);
}

}  // namespace mineproof
