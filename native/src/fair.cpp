// FairMinesweeper's hints, rule by rule. Rules 1 and 2, single numbers, are Knowledge's.
//
// Rule 3 cuts the neighbourhoods of two numbers into what they share and what they do not, where the number of mines
// they share is certain, and continues with the pieces. The order is the original's: pieces in the order of their
// numbers, new ones first, each pair once; where a cut hides another deduction, it hides it here too. So is the upper
// bound, which forgets to take off the flags beside a number and so misses patterns of numbers that flags reduce.
//
// Rule 4 looks for the ways to place the mines that are left, until there are two; only a single way says anything.
// The original leaves a branch only where a number has too many mines, and may take minutes. Here a branch is also left
// where a number cannot get enough, and whole boxes are placed (some but not all mined is two ways): the same answer.
//
// Rule 5 picks at random among cells that no number sees. The original has no hint when there is none left; this
// strategy then takes any. No rule says that the rest is safe when all mines are flagged: such picks are guesses too.

#include <algorithm>

#include "mineproof/originals.hpp"

namespace mineproof {
namespace {

// Boxes that rule 4 places in one position; two ways are mostly found within some hundred.
constexpr std::uint64_t kSteps = 20'000;

}  // namespace

bool Fair::deduce_from_frontier() {
    const auto components = frontier().components();
    return std::ranges::any_of(components, [&](const auto& component) { return partition(component); }) ||
           (!components.empty() && count_mines());
}

// Rule 3 -------------------------------------------------------------------------------------------------------------

bool Fair::partition(const Frontier::Component& component) {
    pieces_.clear();
    order_.clear();
    for (Frontier::Index i = component.last_number; i-- > component.first_number;) {
        const Frontier::Number& number = frontier().numbers()[i];
        Piece piece;
        piece.mines = number.mines;
        piece.known = number.known;
        for (const Frontier::Index box : number.boxes) extend(piece, box);
        put_first(piece);
    }
    for (;;) {
        const Cut cut = cut_somewhere();
        if (cut != Cut::made) return cut == Cut::proved;
    }
}

void Fair::extend(Piece& piece, Frontier::Index box) const {
    piece.boxes.push_back(box);
    piece.shadow |= std::uint64_t{1} << box % 64;
    piece.size += static_cast<int>(frontier().boxes()[box].cells.size());
}

void Fair::put_first(const Piece& piece) {
    order_.insert(order_.begin(), static_cast<std::uint32_t>(pieces_.size()));
    if (compared_.size() == pieces_.size()) compared_.emplace_back();
    compared_[pieces_.size()].clear();
    pieces_.push_back(piece);
}

Fair::Cut Fair::cut_somewhere() {
    for (std::size_t i = 0; i < order_.size(); ++i)
        for (std::size_t j = i + 1; j < order_.size(); ++j) {
            const std::uint32_t one = order_[i], other = order_[j];
            if ((pieces_[one].shadow & pieces_[other].shadow) == 0) continue;
            std::vector<std::uint32_t>& met = compared_[std::min(one, other)];
            if (std::ranges::find(met, std::max(one, other)) != met.end()) continue;
            met.push_back(std::max(one, other));
            if (const Cut result = cut(i, j); result != Cut::none) return result;
        }
    return Cut::none;
}

Fair::Cut Fair::cut(std::size_t i, std::size_t j) {
    const Piece one = pieces_[order_[i]], other = pieces_[order_[j]];
    Piece common, one_rest, other_rest;
    for (const Frontier::Index box : one.boxes)
        extend(std::ranges::find(other.boxes, box) != other.boxes.end() ? common : one_rest, box);
    if (common.size == 0) return Cut::none;
    for (const Frontier::Index box : other.boxes)
        if (std::ranges::find(common.boxes, box) == common.boxes.end()) extend(other_rest, box);
    const int lower = std::max(one.mines - one_rest.size, other.mines - other_rest.size);
    const int upper = std::min({common.size, one.mines + one.known, other.mines + other.known});
    if (lower != upper) return Cut::none;
    common.mines = lower;
    common.known = std::min(one.known, other.known);
    one_rest.mines = one.mines - lower;
    one_rest.known = one.known;
    other_rest.mines = other.mines - lower;
    other_rest.known = other.known;
    if (settle(one_rest) || settle(other_rest)) return Cut::proved;
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(j));
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(i));
    for (const Piece& piece : {other_rest, one_rest, common})
        if (piece.size > 0) put_first(piece);
    return Cut::made;
}

bool Fair::settle(const Piece& rest) {
    if (rest.size == 0 || (rest.mines != 0 && rest.mines != rest.size)) return false;
    for (const Frontier::Index box : rest.boxes) {
        const auto cells = frontier().boxes()[box].cells.span();
        rest.mines == 0 ? prove_safe(cells) : prove_mines(cells);
    }
    return true;
}

// Rule 4 -------------------------------------------------------------------------------------------------------------

bool Fair::count_mines() {
    int seen = 0;
    for (const Frontier::Box& box : frontier().boxes()) seen += static_cast<int>(box.cells.size());
    const int left = static_cast<int>(mines_left()), sea = static_cast<int>(knowledge().unknown()) - seen;
    if (!find_only_way(left - sea, left, seen)) return false;
    int mines = 0;
    for (std::size_t i = 0; i < only_way_.size(); ++i) {
        if (only_way_[i] == 0) continue;
        prove_mines(frontier().boxes()[i].cells.span());
        mines += only_way_[i];
    }
    if (sea > 0 && mines + sea == left)
        for (Cell cell = 0; cell < match().geometry.cells; ++cell)
            if (knowledge().is_unknown(cell) && !frontier().holds(cell)) prove_mines({&cell, 1}), ++mines;
    return mines > 0;
}

// Places mines box by box, as few as possible first, and takes back what does not fit.
bool Fair::find_only_way(int fewest, int most, int cells_left) {
    const auto boxes = frontier().boxes();
    missing_.clear();
    room_.clear();
    for (const Frontier::Number& number : frontier().numbers()) {
        missing_.push_back(number.mines);
        room_.push_back(knowledge().unknown_around(number.cell));
    }
    int placed = 0;
    const auto place = [&](const Frontier::Box& box, int mines, int sign) {
        const int size = static_cast<int>(box.cells.size());
        placed += sign * mines;
        cells_left -= sign * size;
        bool fits = placed <= most && placed + cells_left >= fewest;
        for (const Frontier::Index number : box.numbers) {
            missing_[number] -= sign * mines;
            room_[number] -= sign * size;
            fits &= missing_[number] >= 0 && missing_[number] <= room_[number];
        }
        return fits;
    };
    constexpr int kNotYet = -1;
    mines_.assign(boxes.size(), kNotYet);
    bool found = false;
    std::size_t at = 0;
    for (std::uint64_t steps = 0; steps < kSteps; ++steps) {
        int& mines = mines_[at];
        if (mines != kNotYet) place(boxes[at], mines, -1);
        if (++mines > static_cast<int>(boxes[at].cells.size())) {
            mines = kNotYet;
            if (at == 0) return found;
            --at;
        } else if (place(boxes[at], mines, 1)) {
            if (at + 1 < boxes.size()) {
                ++at;
                continue;
            }
            if (found || some_box_is_mixed()) return false;
            found = true;
            only_way_ = mines_;
        }
    }
    fall_back();
    return false;
}

// Are some, but not all cells of a box mines? Then there is another way.
bool Fair::some_box_is_mixed() const {
    for (std::size_t i = 0; i < mines_.size(); ++i)
        if (mines_[i] > 0 && mines_[i] < static_cast<int>(frontier().boxes()[i].cells.size())) return true;
    return false;
}

}  // namespace mineproof
