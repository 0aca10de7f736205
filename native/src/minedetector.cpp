// Minedetector's deduction: bounds on the mines in two sets of cells give bounds on the mines in their differences.
//
// It begins with the set of each number and ends when no set is new and no bound narrows; a set whose bounds say
// "all" or "none" decides its cells. Every set is part of one number's neighbourhood and made of whole boxes, so it is
// a number and a mask of its boxes, and a table finds the set with given boxes: at most 255 for a number, and the end
// is certain. Bounds only narrow, so the order of comparisons does not change what follows in the end; therefore the
// first set that decides ends the work, and pairs without a common cell, of which nothing follows, are left out.
//
// The mine total is used in one place only: the original has won when all mines are known; here the rest is opened.
// Like the original, the strategy does not try out what a mine or a free cell would contradict.

#include <algorithm>
#include <bit>

#include "mineproof/originals.hpp"

namespace mineproof {
namespace {

constexpr Frontier::Index kNone = ~Frontier::Index{0};

}  // namespace

bool Minedetector::deduce_from_frontier() {
    if (mines_left() == 0) {
        for (Cell cell = 0; cell < match().geometry.cells; ++cell)
            if (knowledge().is_unknown(cell)) prove_safe({&cell, 1});
        return true;
    }
    bool news = false;
    for (const Frontier::Component& component : frontier().components()) news |= deduce_component(component);
    return news;
}

bool Minedetector::deduce_component(const Frontier::Component& component) {
    begin(component);
    for (std::size_t next = 0; next < waiting_.size() && decided_ == kNone; ++next) compare(waiting_[next]);
    if (decided_ == kNone) return false;
    const Set& set = sets_[decided_];
    for (unsigned bits = set.boxes; bits != 0; bits &= bits - 1) {
        const auto cells = frontier().boxes()[box(set, bits)].cells.span();
        set.upper == 0 ? prove_safe(cells) : prove_mines(cells);
    }
    return true;
}

void Minedetector::begin(const Frontier::Component& component) {
    const auto numbers = frontier().numbers();
    first_id_.resize(numbers.size());
    Index ids = 0;
    for (Index i = component.first_number; i < component.last_number; ++i) {
        first_id_[i] = ids;
        ids += Index{1} << numbers[i].boxes.size();
    }
    ids_.assign(ids, kNone);
    bit_of_box_.assign(frontier().boxes().size(), 0);
    if (sets_of_box_.size() < frontier().boxes().size()) sets_of_box_.resize(frontier().boxes().size());
    for (Index i = component.first_box; i < component.last_box; ++i) sets_of_box_[i].clear();
    sets_.clear();
    compared_to_.clear();
    waiting_.clear();
    decided_ = kNone;
    for (Index i = component.first_number; i < component.last_number; ++i) {
        const auto all = static_cast<std::uint8_t>((1U << numbers[i].boxes.size()) - 1);
        const auto mines = static_cast<std::uint8_t>(numbers[i].mines);
        learn({i, all, knowledge().unknown_around(numbers[i].cell), mines, mines, false});
    }
}

// The lowest of some boxes of a set.
Frontier::Index Minedetector::box(const Set& set, unsigned bits) const {
    return frontier().numbers()[set.number].boxes[static_cast<std::size_t>(std::countr_zero(bits))];
}

// Compares a set with all those that overlap it and do not wait to be compared themselves.
void Minedetector::compare(Index id) {
    sets_[id].waits = false;
    const Set one = sets_[id];
    for (unsigned bits = one.boxes; bits != 0; bits &= bits - 1)
        bit_of_box_[box(one, bits)] = static_cast<std::uint8_t>(bits & -bits);
    compared_to_[id] = id;
    for (unsigned bits = one.boxes; bits != 0; bits &= bits - 1) {
        const std::vector<Index>& overlapping = sets_of_box_[box(one, bits)];
        for (std::size_t i = 0; i < overlapping.size() && decided_ == kNone; ++i) {
            const Index with = overlapping[i];
            if (sets_[with].waits || compared_to_[with] == id) continue;
            compared_to_[with] = id;
            compare(sets_[id], sets_[with]);
        }
    }
    for (unsigned bits = one.boxes; bits != 0; bits &= bits - 1) bit_of_box_[box(one, bits)] = 0;
}

void Minedetector::compare(Set one, Set other) {
    unsigned common = 0, rest = 0;
    int rest_size = 0;
    for (unsigned bits = other.boxes; bits != 0; bits &= bits - 1) {
        const Index at = box(other, bits);
        common |= bit_of_box_[at];
        if (bit_of_box_[at] != 0) continue;
        rest |= bits & -bits;
        rest_size += static_cast<int>(frontier().boxes()[at].cells.size());
    }
    const int common_size = other.size - rest_size, own_size = one.size - common_size;
    const int lower = std::max({0, one.lower - own_size, other.lower - rest_size});
    const int upper = std::min<int>({common_size, one.upper, other.upper});
    const auto learn_rest = [&](const Set& set, unsigned boxes, int size) {
        if (size == 0) return;
        learn({set.number, static_cast<std::uint8_t>(boxes), static_cast<std::uint8_t>(size),
               static_cast<std::uint8_t>(std::max(0, set.lower - upper)),
               static_cast<std::uint8_t>(std::min(size, set.upper - lower)), false});
    };
    learn_rest(one, one.boxes & ~common, own_size);
    learn_rest(other, rest, rest_size);
}

// Bounds of some boxes: a new set, or the old one with narrower bounds, is to be compared.
void Minedetector::learn(const Set& set) {
    Index id = ids_[first_id_[set.number] + set.boxes];
    if (id == kNone) {
        id = static_cast<Index>(sets_.size());
        enter(set, id);
    }
    Set& known = sets_[id];
    if (set.lower > known.lower || set.upper < known.upper) {
        known.lower = std::max(known.lower, set.lower);
        known.upper = std::min(known.upper, set.upper);
        if (!known.waits) waiting_.push_back(id);
        known.waits = true;
    }
    if (known.upper == 0 || known.lower == known.size) decided_ = id;
}

// Puts a new set where all numbers that see the whole of it look for it.
void Minedetector::enter(const Set& set, Index id) {
    sets_.push_back(set);
    sets_.back().waits = true;
    waiting_.push_back(id);
    compared_to_.push_back(kNone);
    for (unsigned bits = set.boxes; bits != 0; bits &= bits - 1) sets_of_box_[box(set, bits)].push_back(id);
    for (const Index number : frontier().boxes()[box(set, set.boxes)].numbers) {
        const auto& boxes = frontier().numbers()[number].boxes;
        unsigned mask = 0;
        int found = 0;
        for (unsigned bits = set.boxes; bits != 0; bits &= bits - 1) {
            const auto place = std::find(boxes.begin(), boxes.end(), box(set, bits));
            if (place == boxes.end()) break;
            mask |= 1U << (place - boxes.begin());
            ++found;
        }
        if (found == std::popcount(set.boxes)) ids_[first_id_[number] + mask] = id;
    }
}

}  // namespace mineproof
