// What the numbers of a game say of the unknown cells beside them, in parts that share no cell.
//
// A box is the unknown cells that the same numbers see: every set of cells that a rule can make of the numbers by
// intersection and difference is made of whole boxes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/geometry.hpp"
#include "mineproof/knowledge.hpp"

namespace mineproof {

// At most as many things as a cell has neighbours.
template <class T>
class SmallVector {
  public:
    void push_back(T item) { items_[count_++] = item; }
    std::size_t size() const { return count_; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    std::span<const T> span() const { return {items_.data(), count_}; }
    const T* begin() const { return items_.data(); }
    const T* end() const { return items_.data() + count_; }
    bool operator==(const SmallVector& other) const { return std::ranges::equal(*this, other); }

  private:
    std::array<T, kReach> items_;
    std::uint8_t count_ = 0;
};

class Frontier {
  public:
    using Index = std::uint32_t;

    struct Number {
        Cell cell;
        int mines;                 // in its boxes
        int known;                 // proved mines beside it
        SmallVector<Index> boxes;  // ascending
    };
    struct Box {
        SmallVector<Cell> cells;     // ascending
        SmallVector<Index> numbers;  // ascending
    };
    // Numbers [first_number, last_number), in ascending order of their cells, and boxes [first_box, last_box).
    struct Component {
        Index first_number, last_number, first_box, last_box;

        Index numbers() const { return last_number - first_number; }
        Index boxes() const { return last_box - first_box; }
    };

    void build(const Geometry& geometry, const Knowledge& knowledge);

    std::span<const Number> numbers() const { return numbers_; }
    std::span<const Box> boxes() const { return boxes_; }
    std::span<const Component> components() const { return components_; }
    // Of an unknown cell: does a number see it?
    bool holds(Cell cell) const { return met_[cell] != 0; }

  private:
    void gather(const Geometry& geometry, const Knowledge& knowledge, Cell number);
    void number_boxes(const Geometry& geometry, const Knowledge& knowledge);
    Index box_of(const SmallVector<Index>& numbers);

    std::vector<Number> numbers_;
    std::vector<Box> boxes_;
    std::vector<Component> components_;
    std::vector<std::uint8_t> met_;
    std::vector<Index> number_of_cell_;  // of cells that are numbers of the component at hand
    std::vector<Cell> open_, unknown_;   // of the component at hand
};

}  // namespace mineproof
