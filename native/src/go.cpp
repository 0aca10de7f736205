// The Go simulator's solver: a matrix, then enumeration, then a guess.
//
// The numbers are equations; in reduced row echelon form, a row whose right-hand side is the greatest or the least that
// its left-hand side can be decides its cells. Boxes are columns: cells that the same numbers see keep equal columns.
// When no row decides, the solutions are enumerated, separately for parts of the matrix that share no column: mines are
// given to the boxes that are no pivots, and each row bounds what is still possible. Solutions are not weighted by the
// ways to lay the other mines, only by the cells they stand for.
//
// Where document and program differ, this follows the program, whose results are the published ones: a solution is
// discarded when the flags of its own part, not of all parts together, exceed the mines left; a cell that is a mine in
// all solutions is not flagged; and what a guess is compared to is the chance of all unknown cells, not only of those
// that no number sees. Unlike the program, single numbers come first (they are faster), and numbers are exact.

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "mineproof/binomial.hpp"
#include "mineproof/originals.hpp"
#include "mineproof/reduction.hpp"

namespace mineproof {
namespace {

// Boxes given their mines in one position; what is too wide is guessed without shares.
constexpr std::uint64_t kSteps = 200'000;
// Products of two entries, and sums of two such, fit an int.
constexpr int kLargest = 1 << 14;
// Of a matrix: a hundred times what an expert board comes to.
constexpr std::size_t kMostEntries = 1 << 20;

}  // namespace

void GoSimulator::start(const Match& match, const Random& random) {
    Original::start(match, random);
    covered_ = static_cast<std::uint32_t>(std::ranges::count(match.codes, kCovered));
}

void GoSimulator::see(Cell cell, std::int8_t number) {
    Original::see(cell, number);
    --covered_;
}

bool GoSimulator::deduce_from_frontier() {
    bool news = false;
    for (const Frontier::Component& component : frontier().components()) news |= reduce(component) && resolve();
    if (news) return true;
    share_.assign(frontier().boxes().size(), -1);
    mines_.resize(frontier().boxes().size());
    free_count_.resize(frontier().boxes().size());
    most_.resize(frontier().boxes().size());
    steps_ = 0;
    bool complete = true;
    for (const Frontier::Component& component : frontier().components()) complete &= reduce(component) && enumerate();
    if (!complete) fall_back();
    for (std::size_t box = 0; box < share_.size(); ++box) {
        if (share_[box] < 0 || most_[box] > 0) continue;
        prove_safe(frontier().boxes()[box].cells.span());
        news = true;
    }
    return news;
}

Cell GoSimulator::choose_guess() {
    const auto best = std::ranges::max_element(share_);
    const double anywhere = 1 - static_cast<double>(mines_left()) / knowledge().unknown();
    if (best == share_.end() || *best <= anywhere) return pick_outermost();
    candidates_.clear();
    for (std::size_t box = 0; box < share_.size(); ++box)
        if (share_[box] == *best)
            for (const Cell cell : frontier().boxes()[box].cells) candidates_.push_back(cell);
    return candidates_[random().below(candidates_.size())];
}

// The matrix ---------------------------------------------------------------------------------------------------------

// Brings the numbers of a component to reduced row echelon form, with whole numbers and pivots that are positive but
// need not be 1; false if that takes large numbers or a large matrix.
bool GoSimulator::reduce(const Frontier::Component& component) {
    first_box_ = component.first_box;
    width_ = component.boxes() + 1;
    if (std::size_t{component.numbers()} * width_ > kMostEntries) return false;
    matrix_.assign(std::size_t{component.numbers()} * width_, 0);
    for (Index row = 0; row < component.numbers(); ++row) {
        const Frontier::Number& number = frontier().numbers()[component.first_number + row];
        for (const Index box : number.boxes) value(row, box - first_box_) = 1;
        value(row, width_ - 1) = number.mines;
    }
    pivots_.clear();
    for (Index column = 0; column + 1 < width_ && pivots_.size() < component.numbers(); ++column) {
        const auto rank = static_cast<Index>(pivots_.size());
        Index row = rank;
        while (row < component.numbers() && value(row, column) == 0) ++row;
        if (row == component.numbers()) continue;
        std::swap_ranges(&value(row, 0), &value(row, 0) + width_, &value(rank, 0));
        pivots_.push_back(column);
        if (!clear_column(rank, component.numbers())) return false;
    }
    return true;
}

// Takes the column of a row's pivot out of all other rows.
bool GoSimulator::clear_column(Index rank, Index rows) {
    const Index column = pivots_[rank];
    int* const own = &value(rank, 0);
    if (own[column] < 0)
        for (Index i = 0; i < width_; ++i) own[i] = -own[i];
    for (Index row = 0; row < rows; ++row) {
        int* const other = &value(row, 0);
        const int factor = other[column], scale = own[column];
        if (row == rank || factor == 0) continue;
        int largest = 0;
        for (Index i = 0; i < width_; ++i) {
            other[i] = other[i] * scale - own[i] * factor;
            largest = std::max(largest, std::abs(other[i]));
        }
        if (scale != 1) {
            int divisor = 0;
            for (Index i = 0; i < width_; ++i) divisor = std::gcd(divisor, other[i]);
            for (Index i = 0; i < width_ && divisor > 1; ++i) other[i] /= divisor;
        }
        if (largest > kLargest) return false;
    }
    return true;
}

bool GoSimulator::resolve() {
    bool news = false;
    for (Index row = 0; row < pivots_.size(); ++row) {
        int least = 0, greatest = 0;
        for (Index column = 0; column + 1 < width_; ++column) {
            const int most = value(row, column) * size(first_box_ + column);
            (most < 0 ? least : greatest) += most;
        }
        const int right = value(row, width_ - 1);
        if (right != least && right != greatest) continue;
        news = true;
        for (Index column = 0; column + 1 < width_; ++column) {
            if (value(row, column) == 0) continue;
            const auto cells = frontier().boxes()[first_box_ + column].cells.span();
            (value(row, column) < 0) == (right == least) ? prove_mines(cells) : prove_safe(cells);
        }
    }
    return news;
}

// Enumeration --------------------------------------------------------------------------------------------------------

// Enumerates the solutions of a component, part by part; false if that takes too long.
bool GoSimulator::enumerate() {
    const Index columns = width_ - 1;
    part_.resize(columns);
    std::iota(part_.begin(), part_.end(), Index{0});
    const auto root = [&](Index column) {
        while (part_[column] != column) column = part_[column] = part_[part_[column]];
        return column;
    };
    for (Index row = 0; row < pivots_.size(); ++row)
        for (Index column = 0; column < columns; ++column)
            if (value(row, column) != 0) part_[root(column)] = root(pivots_[row]);
    for (Index column = 0; column < columns; ++column) part_[column] = root(column);
    bool complete = true;
    for (Index column = 0; column < columns; ++column)
        if (part_[column] == column) complete &= enumerate_part(column);
    return complete;
}

bool GoSimulator::enumerate_part(Index part) {
    prepare(part);
    solutions_ = 0;
    constexpr int kNotYet = -1;
    for (const Index column : free_) mines_[first_box_ + column] = kNotYet;
    if (free_.empty()) record();
    for (std::size_t at = 0; at < free_.size();) {
        if (++steps_ > kSteps) return false;
        int& mines = mines_[first_box_ + free_[at]];
        if (mines != kNotYet) place(at, mines, -1);
        if (++mines > size(first_box_ + free_[at])) {
            mines = kNotYet;
            if (at-- == 0) break;
        } else if (place(at, mines, 1) && ++at == free_.size()) {
            record();
            --at;
        }
    }
    for (const Index box : boxes_) share_[box] = free_count_[box] / (solutions_ * size(box));
    return true;
}

void GoSimulator::prepare(Index part) {
    boxes_.clear();
    free_.clear();
    rows_.clear();
    for (Index column = 0; column + 1 < width_; ++column) {
        if (part_[column] != part) continue;
        boxes_.push_back(first_box_ + column);
        free_.push_back(column);
        free_count_[first_box_ + column] = most_[first_box_ + column] = 0;
    }
    for (Index row = 0; row < pivots_.size(); ++row) {
        if (part_[pivots_[row]] != part) continue;
        std::erase(free_, pivots_[row]);
        Row entry{first_box_ + pivots_[row], value(row, pivots_[row]), value(row, width_ - 1), 0, 0};
        for (const Index box : boxes_) {
            const int most = value(row, box - first_box_) * size(box);
            (most < 0 ? entry.low : entry.high) += most;
        }
        rows_.push_back(entry);
    }
    if (terms_.size() < free_.size()) terms_.resize(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i) {
        terms_[i].clear();
        Index entry = 0;
        for (Index row = 0; row < pivots_.size(); ++row) {
            if (part_[pivots_[row]] != part) continue;
            if (const int factor = value(row, free_[i]); factor != 0) terms_[i].push_back({entry, factor});
            ++entry;
        }
    }
}

// Gives a box its mines (sign 1) or takes them back (-1); may all rows still be satisfied?
bool GoSimulator::place(std::size_t at, int mines, int sign) {
    bool fits = true;
    for (const Term& term : terms_[at]) {
        Row& row = rows_[term.row];
        const int most = term.factor * size(first_box_ + free_[at]);
        row.rest -= sign * term.factor * mines;
        (most < 0 ? row.low : row.high) -= sign * most;
        fits &= row.low <= row.rest && row.rest <= row.high;
    }
    return fits;
}

// All boxes that are no pivots have their mines, the pivots follow.
void GoSimulator::record() {
    for (const Row& row : rows_) {
        if (row.rest % row.factor != 0) return;
        mines_[row.pivot] = row.rest / row.factor;
    }
    std::uint32_t flags = 0;
    double ways = 1;
    for (const Index box : boxes_) {
        flags += static_cast<std::uint32_t>(mines_[box]);
        ways *= kChoose[static_cast<std::size_t>(size(box))][static_cast<std::size_t>(mines_[box])];
    }
    if (flags > mines_left()) return;
    solutions_ += ways;
    for (const Index box : boxes_) {
        free_count_[box] += ways * (size(box) - mines_[box]);
        most_[box] = std::max(most_[box], mines_[box]);
    }
}

}  // namespace mineproof
