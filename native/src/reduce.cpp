// Reduce: the cheap half of the analysis, and most of it on most boards.
//
// Three rules, none of which changes the set of layouts:
//   single   a number that needs none, or all, of its undecided cells decides them;
//   subset   cells of A inside cells of B: B keeps only the others, with the difference of the needs;
//   same     two numbers over the same cells are one (or a contradiction).
// Singles run first, on counts alone, because they decide most covered cells of a real game: deciding
// a cell counts down one byte at each neighbour. Only what they leave is linked into lists.
// Subsets run after them from a queue of changed constraints: A can only lie inside constraints that
// hold A's least shared cell, so a visit costs a handful of bit tests. What remains is condensed into boxes.
//
// The loops over all cells are branch-free: whether a cell is open, or a number finished, is a coin flip
// to a branch predictor, and a wrong guess costs more than the work.
//
// Cost: linear in cells, then proportional to the number of changes. Rejected: bit boards (fast on
// rectangles, useless on the other shapes); one queue for singles and subsets (edits lists of cells that
// singles decide anyway).

#include "mineproof/reduce.hpp"

#include <algorithm>
#include <array>

namespace mineproof {
namespace {

// Scratch arrays only ever grow: clearing or shrinking them would cost more than using them.
template <class T>
void reserve_entries(std::vector<T>& entries, std::size_t count) {
    if (entries.size() < count) entries.resize(count);
}

}  // namespace

bool Reduction::run(const Topology& topology, std::span<const std::int8_t> codes) {
    decided_mines_ = 0;
    undecided_ = 0;
    constraint_count_ = 0;
    decided_.clear();
    boxes_.clear();
    if (!read(topology, codes) || !propagate_singles(topology)) return false;
    link(topology);
    if (!propagate_subsets()) return false;
    condense();
    return true;
}

// Counts, for every open number, what it needs and among how many covered cells; queues the settled ones.
bool Reduction::read(const Topology& topology, std::span<const std::int8_t> codes) {
    const Cell cells = topology.cells;
    marks_.resize(cells + 1);
    fates_.assign(cells, Fate::unknown);
    reserve_entries(numbers_, cells);
    std::uint32_t covered = 0, flags = 0;
    for (Cell cell = 0; cell < cells; ++cell) {
        const bool is_covered = codes[cell] == kCovered, is_flagged = codes[cell] == kFlagged;
        marks_[cell] = static_cast<std::uint8_t>(is_covered | (is_flagged << 4));
        covered += is_covered;
        flags += is_flagged;
    }
    marks_[cells] = 0;
    covered_ = covered;
    flags_ = flags;
    std::uint32_t numbers = 0;
    for (Cell cell = 0; cell < cells; ++cell) {
        numbers_[numbers] = cell;
        numbers += codes[cell] >= 0;
    }

    needs_.assign(cells + 1, kNotANumber);
    spares_.assign(cells + 1, kNotANumber);
    reserve_entries(queue_, 2 * std::size_t{cells} + kReach);  // a number settles at most twice
    std::uint32_t unfinished = 0, queued = 0;
    bool wrong = false;
    // Plain pointers: a store to a byte array makes the compiler reload everything reached through `this`.
    const std::uint8_t* const marks = marks_.data();
    std::uint8_t *const needs = needs_.data(), *const spares = spares_.data();
    Cell *const list = numbers_.data(), *const queue = queue_.data();
    for (std::uint32_t i = 0; i < numbers; ++i) {
        const Cell cell = list[i];
        unsigned sum = 0;
        for (const Cell other : topology.around(cell)) sum += marks[other];
        const unsigned size = sum & 15, need = static_cast<unsigned>(codes[cell]) - (sum >> 4), spare = size - need;
        needs[cell] = static_cast<std::uint8_t>(need);
        spares[cell] = static_cast<std::uint8_t>(spare);
        wrong |= broken(needs[cell]) | broken(spares[cell]);
        list[unfinished] = cell;
        unfinished += (need | spare) != 0;
        queue[queued] = cell;
        queued += static_cast<unsigned>((need == 0) != (spare == 0));
    }
    number_count_ = unfinished;
    queued_count_ = queued;
    return !wrong || blame();
}

// Finds the number that went wrong; the loops that notice do not stop to remember it.
bool Reduction::blame() {
    for (std::uint32_t i = 0; i < number_count_; ++i)
        if (broken(needs_[numbers_[i]]) || broken(spares_[numbers_[i]])) conflict_ = numbers_[i];
    return false;
}

void Reduction::decide(Cell cell, bool mine) {
    fates_[cell] = mine ? Fate::mine : Fate::safe;
    marks_[cell] = 0;
    decided_.push_back(cell);
    decided_mines_ += mine;
}

bool Reduction::propagate_singles(const Topology& topology) {
    std::uint8_t *const needs = needs_.data(), *const spares = spares_.data(), *const marks = marks_.data();
    Cell* const queue = queue_.data();
    std::uint32_t queued = queued_count_;
    bool wrong = false;
    while (queued > 0) {
        const Cell number = queue[--queued];
        const bool mine = needs[number] > 0;
        if (!mine && spares[number] == 0) continue;
        std::uint8_t* const counts = mine ? needs : spares;  // the count that each of its cells brings down
        std::array<Cell, kReach> undecided;
        int count = 0;
        for (const Cell cell : topology.around(number)) {
            undecided[count] = cell;
            count += marks[cell] & 1;
        }
        needs[number] = spares[number] = kNotANumber;  // all its cells are decided now: it need not hear of each
        for (int i = 0; i < count; ++i) {
            const Cell cell = undecided[i];
            decide(cell, mine);
            for (const Cell other : topology.around(cell)) {
                const auto left = static_cast<std::uint8_t>(counts[other] - 1);
                counts[other] = left;
                wrong |= broken(left);
                queue[queued] = other;
                queued += left == 0;
            }
            counts[topology.cells] = kNotANumber;  // the cell that stands for "no neighbour" is hit again and again
        }
        if (wrong) return blame();
        needs[number] = spares[number] = 0;
    }
    return true;
}

// Turns the unfinished numbers into constraints over frontier cells, numbered in board order.
void Reduction::link(const Topology& topology) {
    reserve_entries(constraints_, number_count_);
    reserve_entries(frontier_of_, topology.cells + 1);
    reserve_entries(frontier_, topology.cells + 1);
    std::uint32_t constraints = 0, frontier = 0;
    for (std::uint32_t i = 0; i < number_count_; ++i) {
        const Cell number = numbers_[i];
        Constraint& constraint = constraints_[constraints];
        constraint.number = number;
        constraint.need = static_cast<std::int8_t>(needs_[number]);
        constraint.size = static_cast<std::uint8_t>(needs_[number] + spares_[number]);
        constraints += constraint.size > 0;
    }
    constraint_count_ = constraints;
    for (std::uint32_t id = 0; id < constraints; ++id) {
        Constraint& constraint = constraints_[id];
        std::array<Cell, kReach> cells;
        int count = 0;
        for (const Cell cell : topology.around(constraint.number)) {
            cells[count] = cell;
            count += marks_[cell] & 1;
        }
        constraint.signature = 0;
        for (int i = 0; i < count; ++i) {
            // A cell is on the frontier already when its entry points back at it: nothing needs clearing.
            const std::uint32_t entry = frontier_of_[cells[i]];
            const bool known = (entry < frontier) & (frontier_[entry].cell == cells[i]);
            const std::uint32_t index = known ? entry : frontier;
            frontier += !known;
            frontier_of_[cells[i]] = index;
            FrontierCell& frontier_cell = frontier_[index];
            frontier_cell.cell = cells[i];
            const int degree = known ? frontier_cell.degree : 0;
            frontier_cell.constraints[degree] = id;
            frontier_cell.degree = static_cast<std::uint8_t>(degree + 1);
            constraint.cells[i] = index;
            constraint.signature |= std::uint64_t{1} << (index & 63);
        }
    }
    undecided_ = frontier_count_ = frontier;
}

void Reduction::enqueue(std::uint32_t constraint) {
    if (queued_[constraint]) return;
    queued_[constraint] = 1;
    changed_.push_back(constraint);
}

bool Reduction::propagate_subsets() {
    changed_.resize(constraint_count_);
    for (std::uint32_t id = 0; id < constraint_count_; ++id) changed_[id] = id;
    queued_.assign(constraint_count_, 1);
    for (std::size_t head = 0; head < changed_.size(); ++head) {
        const std::uint32_t id = changed_[head];
        queued_[id] = 0;
        const Constraint& constraint = constraints_[id];
        if (constraint.size == 0) continue;
        const bool settled = constraint.need == 0 || constraint.need == constraint.size;
        if (!(settled ? settle(id) : absorb(id))) return false;
    }
    return true;
}

// Takes constraint `inner` out of every constraint around it.
bool Reduction::absorb(std::uint32_t inner) {
    const Constraint& self = constraints_[inner];
    std::uint32_t least = self.cells[0];
    for (int i = 1; i < self.size; ++i)
        if (frontier_[self.cells[i]].degree < frontier_[least].degree) least = self.cells[i];
    const FrontierCell& shared = frontier_[least];
    for (int i = shared.degree; i-- > 0;) {  // from the end: subtracting takes entries out
        const std::uint32_t outer = shared.constraints[i];
        if (outer == inner || !contains(constraints_[outer], self)) continue;
        if (!subtract(outer, self)) return false;
    }
    return true;
}

bool Reduction::contains(const Constraint& outer, const Constraint& inner) const {
    if ((inner.signature & ~outer.signature) != 0 || outer.size < inner.size) return false;
    if (frontier_count_ <= 64) return true;  // every cell has a bit of its own
    const auto end = outer.cells.begin() + outer.size;
    return std::all_of(inner.cells.begin(), inner.cells.begin() + inner.size,
                       [&](std::uint32_t cell) { return std::find(outer.cells.begin(), end, cell) != end; });
}

bool Reduction::subtract(std::uint32_t outer, const Constraint& inner) {
    Constraint& constraint = constraints_[outer];
    for (int i = 0; i < inner.size; ++i) {
        drop(constraint, inner.cells[i]);
        detach(inner.cells[i], outer);
    }
    constraint.need = static_cast<std::int8_t>(constraint.need - inner.need);
    if (constraint.need < 0 || constraint.need > constraint.size) {
        conflict_ = constraint.number;
        return false;
    }
    if (constraint.size > 0) enqueue(outer);
    return true;
}

// Decides every cell of a constraint that needs none or all of them.
bool Reduction::settle(std::uint32_t id) {
    const Constraint self = constraints_[id];
    const bool mine = self.need > 0;
    for (int i = 0; i < self.size; ++i) {
        const FrontierCell& frontier_cell = frontier_[self.cells[i]];
        decide(frontier_cell.cell, mine);
        --undecided_;
        for (int j = 0; j < frontier_cell.degree; ++j) {
            const std::uint32_t other = frontier_cell.constraints[j];
            Constraint& constraint = constraints_[other];
            drop(constraint, self.cells[i]);
            constraint.need = static_cast<std::int8_t>(constraint.need - mine);
            if (constraint.need < 0 || constraint.need > constraint.size) {
                conflict_ = constraint.number;
                return false;
            }
            if (constraint.size > 0 && other != id) enqueue(other);
        }
    }
    return true;
}

void Reduction::drop(Constraint& constraint, std::uint32_t frontier_cell) {
    const auto end = constraint.cells.begin() + constraint.size;
    const auto place = std::find(constraint.cells.begin(), end, frontier_cell);
    std::copy(place + 1, end, place);
    --constraint.size;
    constraint.signature = 0;
    for (int i = 0; i < constraint.size; ++i) constraint.signature |= std::uint64_t{1} << (constraint.cells[i] & 63);
}

void Reduction::detach(std::uint32_t index, std::uint32_t constraint) {
    FrontierCell& frontier_cell = frontier_[index];
    const auto end = frontier_cell.constraints.begin() + frontier_cell.degree;
    const auto place = std::find(frontier_cell.constraints.begin(), end, constraint);
    std::copy(place + 1, end, place);
    --frontier_cell.degree;
}

// Cells of one box share all their constraints, so they meet in the first of them.
void Reduction::condense() {
    boxed_.assign(frontier_count_, 0);
    for (std::uint32_t id = 0; id < constraint_count_; ++id) {
        const Constraint& constraint = constraints_[id];
        for (int i = 0; i < constraint.size; ++i) {
            const std::uint32_t first = constraint.cells[i];
            if (boxed_[first]) continue;
            const FrontierCell& leader = frontier_[first];
            const auto list = leader.constraints.begin();
            Box& box = boxes_.emplace_back();
            box.degree = leader.degree;
            std::copy(list, list + leader.degree, box.constraints.begin());
            box.size = 0;
            for (int j = i; j < constraint.size; ++j) {
                const std::uint32_t index = constraint.cells[j];
                const FrontierCell& other = frontier_[index];
                if (other.degree != leader.degree || !std::equal(list, list + leader.degree, other.constraints.begin()))
                    continue;
                boxed_[index] = 1;
                box.cells[box.size++] = other.cell;
            }
        }
    }
}

std::vector<Cell> linked_numbers(const Topology& topology, std::span<const std::int8_t> codes, Cell number) {
    std::vector<std::uint8_t> seen(topology.cells + 1, 0);
    seen[topology.cells] = 1;
    seen[number] = 1;
    std::vector<Cell> found{number}, next{number};
    while (!next.empty()) {
        const Cell cell = next.back();
        next.pop_back();
        const bool from_number = codes[cell] >= 0;
        for (const Cell other : topology.around(cell)) {
            if (seen[other] || (from_number ? codes[other] != kCovered : codes[other] < 0)) continue;
            seen[other] = 1;
            next.push_back(other);
            if (!from_number) found.push_back(other);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace mineproof
