// Coupled draws.
//
// Idea    A fresh layout is drawn with the cell free. The *shared part* of the board is the sea and every component
//         that the old layout still satisfies with the cell free. Z is the shared part of the fresh layout: uniform
//         over all that fit and have the same number of mines. The other components come from the fresh layout. The
//         old layout gives another proposal Y for the shared part: its own cells there, with mines of the sea added or
//         removed at random until the number of mines is that of Z. Y replaces Z with the chance min(1, w(Y) / w(Z)),
//         where w is 1 over the chance of being proposed, up to a factor. This is a step of Metropolis and Hastings,
//         which leaves the uniform distribution of Z unchanged. If Y is rejected, Z stays. Then every component with
//         the same number of mines in both layouts is copied from the old one, and the sea up to the difference: given
//         the numbers of mines, both are equally likely.
// Proof   The old layout is uniform on the shared part: everything else that fits there with as many mines also fits
//         the rest of the old layout, and was as likely. So w depends only on the number m of mines in the sea. If d
//         mines were added to its n cells, that was one of C(n - m + d, d) ways, and C(m, d) proposals give the same Y.
// Why     Two games that differ in a few cells hit the same mines. With independent draws they would have nothing in
//         common afterwards, and their difference would be noise. Cells of the sea change in an order that depends on
//         the cell and the stream alone, so that two games change the same cells.
// Cost    That of drawing one layout: a count of the whole position.

#include "mineproof/coupled_draw.hpp"

#include <algorithm>
#include <cstdlib>

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
    find_sea(field);
    find_fitting(field);
    choose_kept(seed, stream, cell);
    change_boxes(geometry, field);
    change_sea(geometry, seed, stream, field);
    field.flip(geometry, cell);
    return true;
}

// Which components the layout before fits too, and how many mines more than the fresh one each has.
void CoupledDraw::find_fitting(const Field& field) {
    const Reduction& reduction = solver_.reduction();
    const auto component_of = solver_.tape().component_of_box();
    const auto boxes = reduction.boxes();
    fits_.assign(boxes.size(), 1);
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
            if (sums_[constraint] != reduction.constraints()[constraint].need) fits_[component_of[id]] = 0;
        }
}

// Which components that fit stay as they are, and how many mines the sea is to have.
void CoupledDraw::choose_kept(std::uint64_t seed, std::uint64_t stream, Cell cell) {
    const auto sea = static_cast<std::int32_t>(mined_sea_.size());
    std::int32_t missing = fresh_sea_ - sea;
    for (std::size_t component = 0; component < fits_.size(); ++component)
        if (fits_[component]) missing -= surplus_[component];
    is_kept_ = fits_;
    const double chance = missing == 0 ? 1 : chance_to_keep(sea + missing, missing);
    if (static_cast<double>(rank_of(~seed, stream, cell) >> 11) * 0x1p-53 < chance) {
        fresh_sea_ = sea + missing;
        return;
    }
    for (std::size_t component = 0; component < fits_.size(); ++component)
        if (surplus_[component] != 0) is_kept_[component] = 0;
}

// The weight of the layout before with `mines` mines in the sea, of which `added` (maybe below 0) are new. Can
// exceed 1.
double CoupledDraw::chance_to_keep(std::int32_t mines, std::int32_t added) const {
    const auto cells = static_cast<std::int32_t>(mined_sea_.size() + free_sea_.size());
    if (mines < 0 || mines > cells) return 0;
    // To remove mines is to add free cells.
    const std::int32_t changed = std::abs(added);
    const std::int32_t before = added > 0 ? mines : cells - mines, fresh = added > 0 ? fresh_sea_ : cells - fresh_sea_;
    if (fresh < changed) return 0;  // could not have come about in this way
    double chance = 1;
    for (std::int32_t i = 0; i < changed; ++i)
        chance *= static_cast<double>(cells - before + changed - i) / (cells - fresh + changed - i) *
                  static_cast<double>(fresh - i) / (before - i);
    return chance;
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
        if (is_kept_[component]) continue;
        for (std::size_t i = 0; i < boxes[id].size; ++i) make_fresh(boxes[id].cells[i]);
    }
}

void CoupledDraw::find_sea(const Field& field) {
    const auto marks = solver_.reduction().marks();
    boxed_.assign(marks.size(), 0);
    for (const Box& box : solver_.reduction().boxes())
        for (std::size_t i = 0; i < box.size; ++i) boxed_[box.cells[i]] = 1;
    mined_sea_.clear();
    free_sea_.clear();
    fresh_sea_ = 0;
    for (Cell cell = 0; cell < fresh_.size(); ++cell) {
        if (marks[cell] != kUndecidedMark || boxed_[cell]) continue;
        (field.mined(cell) ? mined_sea_ : free_sea_).push_back(cell);
        fresh_sea_ += fresh_[cell];
    }
}

void CoupledDraw::change_sea(const Geometry& geometry, std::uint64_t seed, std::uint64_t stream, Field& field) {
    const auto surplus = static_cast<std::int32_t>(mined_sea_.size()) - fresh_sea_;
    std::vector<Cell>& cells = surplus > 0 ? mined_sea_ : free_sea_;
    const auto changed = static_cast<std::size_t>(std::abs(surplus));
    std::ranges::partial_sort(cells, cells.begin() + static_cast<std::ptrdiff_t>(changed), {},
                              [&](Cell cell) { return rank_of(seed, stream, cell); });
    for (std::size_t i = 0; i < changed; ++i) field.flip(geometry, cells[i]);
}

}  // namespace mineproof
