// The numbers of layouts, against definitions that look at the whole board at every step.

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/measures.hpp"

namespace mineproof::testing {
namespace {

struct Sample {
    Geometry geometry;
    Cell rows, columns;
    std::vector<Truth> truths;
};

Sample random_sample(Rng& rng, Shape shape) {
    const int rows = between(rng, 1, 9), columns = between(rng, 1, 9);
    Sample sample{make_geometry(shape, rows, columns), static_cast<Cell>(rows), static_cast<Cell>(columns), {}};
    const double mines = 0.05 * between(rng, 0, 12), absent = chance(rng, 0.3) ? 0.15 : 0;
    for (int i = 0; i < rows * columns; ++i)
        sample.truths.push_back(chance(rng, mines) ? Truth::mine : chance(rng, absent) ? Truth::absent : Truth::safe);
    return sample;
}

// A board on which nothing is remembered from step to step but what is open and flagged.
class Slow {
  public:
    explicit Slow(const Sample& sample) : sample_(sample), cells_(sample.geometry.cells) {
        opening_.assign(cells_, kNone);
        for (Cell cell = 0; cell < cells_; ++cell)
            if (zero(cell) && opening_[cell] == kNone) label(cell, openings_++);
    }

    int openings() const { return static_cast<int>(openings_); }
    int bbbv() const {
        int alone = 0;
        for (Cell cell = 0; cell < cells_; ++cell) alone += lone(cell);
        return openings() + alone;
    }
    int islands() const {
        std::vector<Cell> root(cells_);
        std::iota(root.begin(), root.end(), Cell{0});
        for (bool changed = true; changed;) {
            changed = false;
            for (Cell cell = 0; cell < cells_; ++cell)
                for (const Cell other : near(cell))
                    if (lone(cell) && lone(other) && root[other] < root[cell]) root[cell] = root[other], changed = true;
        }
        int count = 0;
        for (Cell cell = 0; cell < cells_; ++cell) count += lone(cell) && root[cell] == cell;
        return count;
    }
    int numbers(int wanted) const {
        int count = 0;
        for (Cell cell = 0; cell < cells_; ++cell) count += safe(cell) && number(cell) == wanted;
        return count;
    }

    int zini(bool human) {
        open_.assign(cells_, false);
        flagged_.assign(cells_, false);
        int clicks = 0;
        if (human)
            for (Cell cell = 0; cell < cells_; ++cell)
                if (zero(cell) && !open_[cell]) reveal(cell), ++clicks;
        while (true) {
            int best = -1;
            Cell chosen = kNone, click = kNone;
            for (Cell column = 0; column < sample_.columns; ++column)
                for (Cell row = 0; row < sample_.rows; ++row) {
                    const Cell cell = row * sample_.columns + column;
                    if (!safe(cell)) continue;
                    if ((open_[cell] || !human) && premium(cell) > best) best = premium(cell), chosen = cell;
                    if (!open_[cell] && (zero(cell) || lone(cell)) && click == kNone) click = cell;
                }
            if (click == kNone) return clicks;
            if (chosen == kNone) {
                reveal(click), ++clicks;
                continue;
            }
            if (!open_[chosen]) reveal(chosen), ++clicks;
            for (const Cell other : near(chosen))
                if (mine(other) && !flagged_[other]) flagged_[other] = true, ++clicks;
            for (const Cell other : near(chosen)) reveal(other);
            ++clicks;
        }
    }

  private:
    static constexpr Cell kNone = ~Cell{0};

    std::vector<Cell> near(Cell cell) const {
        std::vector<Cell> cells;
        for (const Cell other : sample_.geometry.around(cell))
            if (other != cells_) cells.push_back(other);
        return cells;
    }
    bool mine(Cell cell) const { return sample_.truths[cell] == Truth::mine; }
    bool safe(Cell cell) const { return sample_.truths[cell] == Truth::safe; }
    int number(Cell cell) const {
        const auto cells = near(cell);
        return static_cast<int>(std::ranges::count_if(cells, [&](Cell other) { return mine(other); }));
    }
    bool zero(Cell cell) const { return safe(cell) && number(cell) == 0; }
    bool lone(Cell cell) const {
        return safe(cell) && !zero(cell) && std::ranges::none_of(near(cell), [&](Cell other) { return zero(other); });
    }
    void label(Cell cell, Cell opening) {
        opening_[cell] = opening;
        for (const Cell other : near(cell))
            if (zero(other) && opening_[other] == kNone) label(other, opening);
    }
    int premium(Cell cell) const {
        std::set<Cell> openings;
        int value = -1 - !open_[cell] + (lone(cell) && !open_[cell]);
        for (const Cell other : near(cell)) {
            value -= mine(other) && !flagged_[other];
            value += lone(other) && !open_[other];
            if (zero(other) && !open_[other]) openings.insert(opening_[other]);
        }
        if (zero(cell) && !open_[cell]) openings.insert(opening_[cell]);
        return value + static_cast<int>(openings.size());
    }
    void reveal(Cell cell) {
        if (!safe(cell) || open_[cell]) return;
        open_[cell] = true;
        if (zero(cell))
            for (const Cell other : near(cell)) reveal(other);
    }

    const Sample& sample_;
    Cell cells_;
    Cell openings_ = 0;
    std::vector<Cell> opening_;
    std::vector<bool> open_, flagged_;
};

void compare(const Sample& sample, Measurer& measurer) {
    Slow slow(sample);
    const Measures found = measurer.measure(sample.truths, true);
    CHECK_EQUAL(found.bbbv, slow.bbbv());
    CHECK_EQUAL(measurer.count_bbbv(sample.truths), slow.bbbv());
    CHECK_EQUAL(found.openings, slow.openings());
    CHECK_EQUAL(found.islands, slow.islands());
    CHECK_EQUAL(found.zini, slow.zini(false));
    CHECK_EQUAL(found.human_zini, slow.zini(true));
    for (int number = 0; number <= kReach; ++number)
        CHECK_EQUAL(found.safe_numbers[static_cast<std::size_t>(number)], slow.numbers(number));
}

void compare_many(std::uint64_t seed, int count) {
    Rng rng(seed);
    for (const Shape shape : kShapes)
        for (int i = 0; i < count; ++i) {
            const Sample sample = random_sample(rng, shape);
            Measurer measurer(sample.geometry, sample.columns);
            compare(sample, measurer);
        }
}

TEST(measures_are_as_defined) { compare_many(20261116, 25); }

THOROUGH_TEST(measures_of_many_boards_are_as_defined) { compare_many(7, 300); }

TEST(a_measurer_remembers_nothing_of_other_boards) {
    Rng rng(7);
    const Geometry geometry = make_geometry(Shape::grid, 8, 10);
    Measurer measurer(geometry, 10);
    for (int i = 0; i < 15; ++i) {
        Sample sample{geometry, 8, 10, {}};
        const double mines = 0.1 * between(rng, 0, 6);
        for (int cell = 0; cell < 80; ++cell)
            sample.truths.push_back(chance(rng, mines) ? Truth::mine : chance(rng, 0.05) ? Truth::absent : Truth::safe);
        if (i % 3 != 0)
            compare(sample, measurer);
        else
            CHECK_EQUAL(measurer.measure(sample.truths, false).zini, -1);
    }
}

}  // namespace
}  // namespace mineproof::testing
