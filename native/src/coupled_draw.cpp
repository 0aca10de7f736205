// Coupled draws.
//
// A fresh layout is drawn with the cell free. Then of the layout before is kept
//   each component that still fits its numbers and has as many mines as in the fresh layout,
//   and the sea, of which as few cells change as its number of mines demands, chosen at random.
// That leaves the fresh layout's distribution as it is. Given its number of mines, what a component holds is uniform
// over all that fit its numbers, and independent of everything else, in the fresh layout. In the layout before as well:
// if it fits the component's numbers as they are with the cell free, every other arrangement that fits them with as
// many mines would have done, with the rest of that layout as it is, and was as likely. So which of the two is taken
// may depend on the numbers of mines, and on whether the layout before fits. Cells of the sea are alike.
//
// Why     Two games that differ in a few cells hit the same mines. With draws of their own they have nothing in common
//         afterwards, and their difference is noise. Cells of the sea are changed in an order that depends on the cell
//         and the stream alone, so that two games change the same ones.
// Cost    That of drawing one layout: a count of the whole position.

#include "mineproof/coupled_draw.hpp"

#include <algorithm>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// A well mixed number for each cell of a stream (the finalizer of splitmix64).
std::uint64_t rank_of(std::uint64_t seed, std::uint64_t stream, Cell cell) {
    const auto mix = [](std::uint64_t value) {
        value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
        value = (value ^ value >> 27) * 0x94d049bb133111eb;
        return value ^ value >> 31;
    };
    return mix(mix(seed + 0x9e3779b97f4a7c15 * stream) + 0x9e3779b97f4a7c15 * (cell + std::uint64_t{1}));
}

}  // namespace

bool CoupledDraw::free(const Question& question, Cell cell, std::uint64_t seed, std::uint64_t stream, Budget& budget,
                       Field& field) {
    const Geometry& geometry = question.geometry;
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    MINEPROOF_REQUIRE(question.codes[cell] == kCovered && field.mined(cell));
    codes_.assign(question.codes.begin(), question.codes.end());
    codes_[cell] = kAbsent;
    const Question supposed{geometry, codes_, question.total};
    if (solver_.sample(supposed, seed, stream, 1, budget, samples_).status != Status::answered) return false;
    fresh_.assign(geometry.cells, 0);
    for (const Cell mine : samples_.mines) fresh_[mine] = 1;
    choose_kept(field);
    change_boxes(geometry, field);
    change_sea(geometry, seed, stream, field);
    field.flip(geometry, cell);
    return true;
}

// Which components stay as they are.
void CoupledDraw::choose_kept(const Field& field) {
    const Reduction& reduction = solver_.reduction();
    const auto component_of = solver_.tape().component_of_box();
    const auto boxes = reduction.boxes();
    is_kept_.assign(boxes.size(), 1);
    surplus_.assign(boxes.size(), 0);
    sums_.assign(reduction.constraints().size(), 0);
    for (std::size_t id = 0; id < boxes.size(); ++id) {
        const Box& box = boxes[id];
        std::int32_t before = 0, fresh = 0;
        for (std::size_t i = 0; i < box.size; ++i) {
            before += field.mined(box.cells[i]);
            fresh += fresh_[box.cells[i]];
        }
        surplus_[component_of[id]] += before - fresh;
        for (std::size_t i = 0; i < box.degree; ++i) sums_[box.constraints[i]] += before;
    }
    for (std::size_t id = 0; id < boxes.size(); ++id)
        for (std::size_t i = 0; i < boxes[id].degree; ++i) {
            const std::uint32_t constraint = boxes[id].constraints[i];
            if (sums_[constraint] != reduction.constraints()[constraint].need) is_kept_[component_of[id]] = 0;
        }
}

void CoupledDraw::change_boxes(const Geometry& geometry, Field& field) const {
    const Reduction& reduction = solver_.reduction();
    const auto make_fresh = [&](Cell cell) {
        if (field.mined(cell) != (fresh_[cell] != 0)) field.flip(geometry, cell);
    };
    for (const Cell cell : reduction.decided()) make_fresh(cell);
    const auto boxes = reduction.boxes();
    for (std::size_t id = 0; id < boxes.size(); ++id) {
        const std::uint32_t component = solver_.tape().component_of_box()[id];
        if (is_kept_[component] && surplus_[component] == 0) continue;
        for (std::size_t i = 0; i < boxes[id].size; ++i) make_fresh(boxes[id].cells[i]);
    }
}

void CoupledDraw::change_sea(const Geometry& geometry, std::uint64_t seed, std::uint64_t stream, Field& field) {
    const Reduction& reduction = solver_.reduction();
    boxed_.assign(geometry.cells, 0);
    for (const Box& box : reduction.boxes())
        for (std::size_t i = 0; i < box.size; ++i) boxed_[box.cells[i]] = 1;
    mined_sea_.clear();
    free_sea_.clear();
    std::size_t fresh = 0;
    for (Cell cell = 0; cell < geometry.cells; ++cell) {
        if (reduction.marks()[cell] != kUndecidedMark || boxed_[cell]) continue;
        (field.mined(cell) ? mined_sea_ : free_sea_).push_back(cell);
        fresh += fresh_[cell];
    }
    const bool too_many = mined_sea_.size() > fresh;
    std::vector<Cell>& cells = too_many ? mined_sea_ : free_sea_;
    const std::size_t changed = too_many ? mined_sea_.size() - fresh : fresh - mined_sea_.size();
    std::ranges::partial_sort(cells, cells.begin() + static_cast<std::ptrdiff_t>(changed), {},
                              [&](Cell cell) { return rank_of(seed, stream, cell); });
    for (std::size_t i = 0; i < changed; ++i) field.flip(geometry, cells[i]);
}

}  // namespace mineproof
