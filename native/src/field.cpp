#include "mineproof/field.hpp"

#include <utility>

namespace mineproof {

void Field::clear(const Topology& topology) {
    mined_.assign(topology.cells, 0);
    numbers_.assign(std::size_t{topology.cells} + 1, 0);
}

void Field::deal(const Topology& topology, std::span<const std::uint8_t> allowed, std::uint32_t mines, Random& random) {
    clear(topology);
    order_.resize(topology.cells);
    std::uint32_t count = 0;
    for (Cell cell = 0; cell < topology.cells; ++cell) {
        order_[count] = cell;
        count += allowed[cell] != 0;
    }
    for (std::uint32_t i = 0; i < mines; ++i) {
        std::swap(order_[i], order_[i + random.below(count - i)]);
        flip(topology, order_[i]);
    }
}

void Field::lay(const Topology& topology, std::span<const Cell> mines) {
    clear(topology);
    for (const Cell cell : mines) flip(topology, cell);
}

void Field::flip(const Topology& topology, Cell cell) {
    mined_[cell] ^= 1;
    const auto change = static_cast<std::int8_t>(mined_[cell] != 0 ? 1 : -1);
    for (const Cell other : topology.around(cell)) numbers_[other] = static_cast<std::int8_t>(numbers_[other] + change);
}

}  // namespace mineproof
