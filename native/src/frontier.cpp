#include "mineproof/frontier.hpp"

namespace mineproof {

void Frontier::build(const Geometry& geometry, const Knowledge& knowledge) {
    numbers_.clear();
    boxes_.clear();
    components_.clear();
    met_.assign(std::size_t{geometry.cells} + 1, 0);
    number_of_cell_.resize(geometry.cells);
    for (Cell cell = 0; cell < geometry.cells; ++cell) {
        if (met_[cell] || !knowledge.is_open(cell) || knowledge.unknown_around(cell) == 0) continue;
        gather(geometry, knowledge, cell);
        number_boxes(geometry, knowledge);
    }
}

// Finds the open cells and the unknown ones of the component that a number belongs to.
void Frontier::gather(const Geometry& geometry, const Knowledge& knowledge, Cell number) {
    open_.assign(1, number);
    unknown_.clear();
    met_[number] = 1;
    for (std::size_t i = 0; i < open_.size(); ++i)
        for (const Cell cell : geometry.around(open_[i])) {
            if (met_[cell] || !knowledge.is_unknown(cell)) continue;
            met_[cell] = 1;
            unknown_.push_back(cell);
            for (const Cell other : geometry.around(cell)) {
                if (other == geometry.cells || met_[other] || !knowledge.is_open(other)) continue;
                met_[other] = 1;
                open_.push_back(other);
            }
        }
    std::ranges::sort(open_);
    std::ranges::sort(unknown_);
}

void Frontier::number_boxes(const Geometry& geometry, const Knowledge& knowledge) {
    const auto first_number = static_cast<Index>(numbers_.size()), first_box = static_cast<Index>(boxes_.size());
    for (const Cell cell : open_) {
        number_of_cell_[cell] = static_cast<Index>(numbers_.size());
        int known = 0;
        for (const Cell other : geometry.around(cell)) known += knowledge.is_mine(other);
        numbers_.push_back({cell, knowledge.codes()[cell] - known, known, {}});
    }
    for (const Cell cell : unknown_) {
        SmallVector<Index> seen_by;
        for (const Cell other : geometry.around(cell))
            if (other != geometry.cells && knowledge.is_open(other)) seen_by.push_back(number_of_cell_[other]);
        boxes_[box_of(seen_by)].cells.push_back(cell);
    }
    components_.push_back(
        {first_number, static_cast<Index>(numbers_.size()), first_box, static_cast<Index>(boxes_.size())});
}

// The box of the cells that these numbers see, made if need be.
Frontier::Index Frontier::box_of(const SmallVector<Index>& numbers) {
    for (const Index box : numbers_[numbers[0]].boxes)
        if (boxes_[box].numbers == numbers) return box;
    const auto made = static_cast<Index>(boxes_.size());
    boxes_.push_back({{}, numbers});
    for (const Index number : numbers) numbers_[number].boxes.push_back(made);
    return made;
}

}  // namespace mineproof
