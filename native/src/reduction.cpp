// Reduce: the cheap half of the analysis, and most of it on most boards.
//
// Three rules, none of which changes which layouts fit:
//   single   a number that needs none, or all, of its undecided cells decides them;
//   subset   cells of A inside cells of B: B keeps only the others, with the difference of the needs;
//   same     two numbers over the same cells are one (or a contradiction).
// Singles run first, on counts alone, because they decide most covered cells of a real game: deciding
// a cell counts down one byte at each neighbour. Only what they leave is linked into lists.
// Subsets run after them from a queue of changed constraints: A can only lie inside constraints that
// hold A's least shared cell, so a visit costs a handful of bit tests. What remains is condensed into boxes.
//
// The loops over all cells are branch-free: whether a cell is open, or a number finished, cannot be predicted, and a
// mispredicted branch costs more than the work.
//
// Cost: linear in cells, then proportional to the number of changes. Rejected: bit boards (fast on
// rectangles, useless on the other shapes); one queue for singles and subsets (edits lists of cells that
// singles decide anyway).

#include "mineproof/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "mineproof/byte_squares.hpp"
#include "mineproof/neighbour_sums.hpp"
#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// Cells looked at together, and the most changes for which a position is not read anew.
constexpr std::size_t kWord = 64, kMostChanges = 96;

std::uint8_t mark_of(std::int8_t code) {
    return static_cast<std::uint8_t>((code == kCovered) * kUndecidedMark | (code == kFlagged) * kFlagMark);
}

// Scratch arrays only ever grow: clearing or shrinking them would cost more than using them.
template <class T>
void reserve_entries(std::vector<T>& entries, std::size_t count) {
    if (entries.size() < count) entries.resize(count);
}

}  // namespace

bool Reduction::run(const Geometry& geometry, std::span<const std::int8_t> codes) {
    read(geometry, codes);
    if (!reduce(geometry)) return false;
    condense();
    return true;
}

bool Reduction::run_on(const Geometry& geometry, std::span<const std::int8_t> codes) {
    if (!read_changes(geometry, codes)) read(geometry, codes);
    return reduce(geometry);
}

bool Reduction::run_counted(const Geometry& geometry, std::span<const std::int8_t> codes, const Around& around) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells && around.counts.size() == codes.size() + 1);
    columns_ = 0;  // what follows cannot be read as changes of this
    marks_.resize(geometry.cells + 1);
    std::uint8_t* const marks = marks_.data();
    for (std::size_t cell = 0; cell < codes.size(); ++cell) marks[cell] = mark_of(codes[cell]);
    marks[codes.size()] = 0;
    covered_ = around.all_covered;
    flags_ = around.all_flags;
    clear(geometry);
    list_unfinished(codes, around);
    link(geometry);
    return propagate_subsets();
}

// From marks and sums to what the rules leave.
bool Reduction::reduce(const Geometry& geometry) {
    clear(geometry);
    count_numbers();
    if (!queue_numbers() || !propagate_singles(geometry)) return false;
    list_unfinished();
    link(geometry);
    return propagate_subsets();
}

void Reduction::clear(const Geometry& geometry) {
    decided_mines_ = 0;
    undecided_ = 0;
    constraint_count_ = 0;
    decided_.clear();
    boxes_.clear();
    parent_ = nullptr;
    verdicts_.assign(geometry.cells, Verdict::none);
}

// Marks every cell and adds up the marks around every number.
void Reduction::read(const Geometry& geometry, std::span<const std::int8_t> codes) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells);
    MINEPROOF_REQUIRE(std::ranges::all_of(codes, [](std::int8_t code) { return code <= kReach; }));
    const Cell cells = geometry.cells;
    columns_ = geometry.columns;
    codes_.assign(codes.begin(), codes.end());
    marks_.resize(cells + 1);
    // Plain pointers: a store to a byte array makes the compiler reload everything reached through `this`.
    std::uint8_t* const marks = marks_.data();
    for (std::size_t cell = 0; cell < cells; ++cell) marks[cell] = mark_of(codes[cell]);
    marks[cells] = 0;
    std::uint32_t covered = 0, flags = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        covered += marks[cell] & kUndecidedMark;
        flags += marks[cell] / kFlagMark;
    }
    covered_ = covered;
    flags_ = flags;
    sum_marks(geometry, codes);
}

// Brings marks and sums up to date with a position that differs little from the last one. False if it may not: then
// nothing has happened. Rectangles only: two of the same size have the same table.
bool Reduction::read_changes(const Geometry& geometry, std::span<const std::int8_t> codes) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells);
    if (geometry.columns == 0 || geometry.columns != columns_ || codes_.size() != codes.size()) return false;
    std::array<Cell, kMostChanges> changed;
    std::size_t count = 0, first = 0;
    const auto compare = [&](std::size_t end) {  // cell by cell
        for (std::size_t cell = first; cell < end; ++cell) {
            changed[count] = static_cast<Cell>(cell);
            count += codes[cell] != codes_[cell];
        }
    };
    for (std::uint64_t now, before; first + sizeof now <= codes.size(); first += sizeof now) {
        std::memcpy(&now, codes.data() + first, sizeof now);
        std::memcpy(&before, codes_.data() + first, sizeof before);
        if (now == before) continue;
        if (count + 2 * sizeof now > changed.size()) return false;  // room for the rest, too
        compare(first + sizeof now);
    }
    compare(codes.size());
    for (const Cell cell : decided_) marks_[cell] = kUndecidedMark;
    for (const Cell cell : std::span(changed).first(count)) {
        MINEPROOF_REQUIRE(codes[cell] <= kReach);
        const std::uint8_t before = marks_[cell], now = mark_of(codes[cell]);
        codes_[cell] = codes[cell];
        marks_[cell] = now;
        covered_ += (now & kUndecidedMark) - (before & kUndecidedMark);
        flags_ += now / kFlagMark - before / kFlagMark;
        for (const Cell other : geometry.around(cell)) sums_[other] = static_cast<MarkSum>(sums_[other] + now - before);
    }
    return true;
}

// Counts, for every open number, what it needs and among how many covered cells.
void Reduction::count_numbers() {
    const std::size_t cells = codes_.size(), padded = (cells + kWord) / kWord * kWord;
    needs_.resize(padded);
    spares_.resize(padded);
    needs_[cells] = spares_[cells] = kNotANumber;
    open_.assign(padded, 0);
    const std::int8_t* const codes = codes_.data();
    std::uint8_t *const needs = needs_.data(), *const spares = spares_.data(), *const open = open_.data();
    const MarkSum* const sums = sums_.data();
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto number = static_cast<std::uint8_t>(-(codes[cell] >= 0));  // all ones or all zeros
        const auto need = static_cast<std::uint8_t>(codes[cell] - (sums[cell] / kFlagMark));
        const auto spare = static_cast<std::uint8_t>((sums[cell] % kFlagMark) - need);
        const auto other = static_cast<std::uint8_t>(kNotANumber & ~number);
        needs[cell] = static_cast<std::uint8_t>((need & number) | other);
        spares[cell] = static_cast<std::uint8_t>((spare & number) | other);
        open[cell] = static_cast<std::uint8_t>((need | spare) & number);
    }
}

// Queues the numbers that decide all covered cells around them. False when some number cannot be satisfied.
bool Reduction::queue_numbers() {
    reserve_entries(queue_, 2 * marks_.size() + kReach);  // a number settles at most twice
    Cell* const queue = queue_.data();
    const std::uint8_t *const open = open_.data(), *const needs = needs_.data(), *const spares = spares_.data();
    std::uint32_t queued = 0;
    std::uint8_t wrong = 0;
    for (std::size_t first = 0; first < open_.size(); first += kWord) {
        const std::uint64_t left = ~equal(open + first, kWord, 0);
        if (left == 0) continue;
        for (std::size_t i = first; i < first + kWord; ++i) wrong |= open[i];
        const std::uint64_t settled = left & (equal(needs + first, kWord, 0) | equal(spares + first, kWord, 0));
        for (std::uint64_t bits = settled; bits != 0; bits &= bits - 1)
            queue[queued++] = static_cast<Cell>(first + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    queued_count_ = queued;
    return !broken(wrong) || blame();
}

// Adds up the marks around each open number; what it leaves on other cells means nothing.
void Reduction::sum_marks(const Geometry& geometry, std::span<const std::int8_t> codes) {
    const Cell cells = geometry.cells, width = geometry.columns;
    sums_.resize(cells + 1);
    if (width == 0) {
        for (Cell cell = 0; cell < cells; ++cell) {
            if (codes[cell] < 0) continue;
            unsigned sum = 0;
            for (const Cell other : geometry.around(cell)) sum += marks_[other];
            sums_[cell] = static_cast<MarkSum>(sum);
        }
        return;
    }
    sum_around(geometry, marks_.data(), sums_.data(), across_);
}

// Finds the number that cannot be satisfied; the loops that notice it do not record which it is, to stay fast.
bool Reduction::blame() {
    for (Cell cell = 0; cell < codes_.size(); ++cell)
        if (codes_[cell] >= 0 && (broken(needs_[cell]) || broken(spares_[cell]))) conflict_ = cell;
    return false;
}

void Reduction::decide(Cell cell, bool mine) {
    verdicts_[cell] = mine ? Verdict::mine : Verdict::safe;
    marks_[cell] = 0;
    decided_.push_back(cell);
    decided_mines_ += mine;
}

bool Reduction::propagate_singles(const Geometry& geometry) {
    std::uint8_t *const needs = needs_.data(), *const spares = spares_.data(), *const marks = marks_.data();
    const Cell* const table = geometry.table.data();
    Cell* const queue = queue_.data();
    std::uint32_t queued = queued_count_;
    std::uint8_t wrong = 0;
    while (queued > 0) {
        const Cell number = queue[--queued];
        if ((needs[number] | spares[number]) == 0) continue;  // most of them: others have decided all its cells
        const bool mine = needs[number] > 0;
        std::uint8_t* const counts = mine ? needs : spares;  // the count that each of its cells brings down
        std::array<Cell, kReach> undecided;
        std::size_t count = 0;
        for (std::size_t i = 0; i < kReach; ++i) {
            const Cell cell = table[std::size_t{number} * kReach + i];
            undecided[count] = cell;
            count += marks[cell] & kUndecidedMark;
        }
        needs[number] = spares[number] = kNotANumber;  // all its cells are decided now: it is not counted down for each
        for (std::size_t i = 0; i < count; ++i) {
            const Cell* const around = table + std::size_t{undecided[i]} * kReach;
            decide(undecided[i], mine);
            for (int j = 0; j < kReach; ++j) {
                const auto left = static_cast<std::uint8_t>(counts[around[j]] - 1);
                counts[around[j]] = left;
                wrong |= left;
                queue[queued] = around[j];
                queued += left == 0;
            }
            counts[geometry.cells] =
                kNotANumber;  // reset: the cell that stands for "no neighbour" is counted down every time
        }
        if (broken(wrong)) return blame();
        needs[number] = spares[number] = 0;
    }
    return true;
}

// Turns unfinished numbers into constraints, in the order of the board: after single numbers have decided what they
// can.
void Reduction::list_unfinished() {
    const std::size_t cells = codes_.size();
    const std::int8_t* const codes = codes_.data();
    const std::uint8_t *const needs = needs_.data(), *const spares = spares_.data();
    std::uint8_t* const open = open_.data();
    for (std::size_t cell = 0; cell < cells; ++cell)
        open[cell] = static_cast<std::uint8_t>((needs[cell] + spares[cell]) & -(codes[cell] >= 0));
    list_constraints([needs](std::size_t cell) { return needs[cell]; });
}

// The same as a player has counted it.
void Reduction::list_unfinished(std::span<const std::int8_t> codes, const Around& around) {
    const std::size_t cells = codes.size();
    const std::uint16_t* const counts = around.counts.data();
    open_.assign((cells + kWord) / kWord * kWord, 0);
    std::uint8_t* const open = open_.data();
    for (std::size_t cell = 0; cell < cells; ++cell)
        open[cell] = static_cast<std::uint8_t>(unknown_of(counts[cell]) & -(codes[cell] >= 0));
    list_constraints([counts](std::size_t cell) { return need_of(counts[cell]); });
}

// `open_` has how many cells of each number are undecided.
template <class Need>
void Reduction::list_constraints(Need need) {
    reserve_entries(constraints_, open_.size());
    const std::uint8_t* const open = open_.data();
    std::uint32_t constraints = 0;
    for (std::size_t first = 0; first < open_.size(); first += kWord)
        for (std::uint64_t left = ~equal(open + first, kWord, 0); left != 0; left &= left - 1) {
            const std::size_t cell = first + static_cast<std::size_t>(std::countr_zero(left));
            Constraint& constraint = constraints_[constraints++];
            constraint.number = static_cast<Cell>(cell);
            constraint.need = static_cast<std::int8_t>(need(cell));
            constraint.size = open[cell];
            MINEPROOF_REQUIRE(constraint.need > 0 && constraint.need < constraint.size);
        }
    constraint_count_ = constraints;
}

// Gives constraints their cells: those of the frontier, numbered as they are met.
void Reduction::link(const Geometry& geometry) {
    reserve_entries(frontier_of_, geometry.cells + 1);
    reserve_entries(frontier_, geometry.cells + 1);
    const std::uint32_t constraints = constraint_count_;
    std::uint32_t frontier = 0;
    for (std::uint32_t id = 0; id < constraints; ++id) {
        Constraint& constraint = constraints_[id];
        std::array<Cell, kReach> cells;
        std::size_t count = 0;
        for (const Cell cell : geometry.around(constraint.number)) {
            cells[count] = cell;
            count += marks_[cell] & kUndecidedMark;
        }
        MINEPROOF_REQUIRE(count == constraint.size);
        constraint.signature = 0;
        for (std::size_t i = 0; i < count; ++i) {
            // A cell is on the frontier already when its entry points back at it: nothing needs clearing.
            const std::uint32_t entry = frontier_of_[cells[i]];
            const bool known = (entry < frontier) & (frontier_[entry].cell == cells[i]);
            const std::uint32_t index = known ? entry : frontier;
            frontier += !known;
            frontier_of_[cells[i]] = index;
            FrontierCell& frontier_cell = frontier_[index];
            frontier_cell.cell = cells[i];
            const std::size_t degree = known ? frontier_cell.degree : 0;
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
    return work_off_queue();
}

bool Reduction::work_off_queue() {
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
    for (std::size_t i = 1; i < self.size; ++i)
        if (frontier_[self.cells[i]].degree < frontier_[least].degree) least = self.cells[i];
    const FrontierCell& shared = frontier_[least];
    for (std::size_t i = shared.degree; i-- > 0;) {  // from the end: subtracting takes entries out
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
    for (std::size_t i = 0; i < inner.size; ++i) {
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
    for (std::size_t i = 0; i < self.size; ++i) {
        const FrontierCell& frontier_cell = frontier_[self.cells[i]];
        decide(frontier_cell.cell, mine);
        --undecided_;
        for (std::size_t j = 0; j < frontier_cell.degree; ++j)
            if (!take_out(self.cells[i], frontier_cell.constraints[j], mine)) return false;
    }
    return true;
}

// A cell of the constraint is known now.
bool Reduction::take_out(std::uint32_t frontier_cell, std::uint32_t id, bool mine) {
    Constraint& constraint = constraints_[id];
    drop(constraint, frontier_cell);
    constraint.need = static_cast<std::int8_t>(constraint.need - mine);
    if (constraint.need < 0 || constraint.need > constraint.size) {
        conflict_ = constraint.number;
        return false;
    }
    if (constraint.size > 0) enqueue(id);
    return true;
}

void Reduction::drop(Constraint& constraint, std::uint32_t frontier_cell) {
    const auto end = constraint.cells.begin() + constraint.size;
    const auto place = std::find(constraint.cells.begin(), end, frontier_cell);
    std::copy(place + 1, end, place);
    --constraint.size;
    constraint.signature = 0;
    for (std::size_t i = 0; i < constraint.size; ++i)
        constraint.signature |= std::uint64_t{1} << (constraint.cells[i] & 63);
}

void Reduction::detach(std::uint32_t index, std::uint32_t constraint) {
    FrontierCell& frontier_cell = frontier_[index];
    const auto end = frontier_cell.constraints.begin() + frontier_cell.degree;
    const auto place = std::find(frontier_cell.constraints.begin(), end, constraint);
    std::copy(place + 1, end, place);
    --frontier_cell.degree;
}

bool Reduction::branch(const Reduction& parent, const Geometry& geometry, std::span<const Supposed> supposed,
                       std::span<const std::uint8_t> asleep) {
    MINEPROOF_REQUIRE(parent.decided_.empty() && asleep.size() == parent.constraint_count_);
    MINEPROOF_REQUIRE(std::ranges::count_if(supposed, [](const Supposed& each) { return each.code >= 0; }) <= 1);
    copy(parent, asleep);
    for (const Supposed& each : supposed)
        if (!suppose(each)) return false;
    for (const Supposed& each : supposed)
        if (each.code >= 0 && !suppose_number(geometry, each)) return false;
    return work_off_queue();
}

// Verdicts are not copied: they are read of decided cells alone, and these are decided anew.
void Reduction::copy(const Reduction& parent, std::span<const std::uint8_t> asleep) {
    parent_ = &parent;
    asleep_ = asleep;
    columns_ = 0;  // what follows cannot be read as changes of this
    marks_ = parent.marks_;
    verdicts_.resize(marks_.size());
    decided_.clear();
    boxes_.clear();
    covered_ = parent.covered_;
    flags_ = parent.flags_;
    decided_mines_ = 0;
    undecided_ = parent.undecided_;
    frontier_count_ = parent.frontier_count_;
    constraint_count_ = parent.constraint_count_;
    reserve_entries(constraints_, constraint_count_ + 1);  // with room for a number that is supposed
    reserve_entries(frontier_, frontier_count_ + kReach);
    reserve_entries(frontier_of_, parent.frontier_of_.size());
    std::copy_n(parent.constraints_.begin(), constraint_count_, constraints_.begin());
    std::copy_n(parent.frontier_.begin(), frontier_count_, frontier_.begin());
    std::copy_n(parent.frontier_of_.begin(), marks_.size(), frontier_of_.begin());
    for (std::uint32_t id = 0; id < constraint_count_; ++id)
        if (asleep[id] != 0) constraints_[id].size = 0;
    changed_.clear();
    queued_.assign(constraint_count_ + 1, 0);
}

// The cell is known now: it leaves the constraints that hold it.
bool Reduction::suppose(const Supposed& supposed) {
    const Cell cell = supposed.cell;
    MINEPROOF_REQUIRE(marks_[cell] == kUndecidedMark);
    const bool mine = supposed.code == kFlagged;
    marks_[cell] = mark_of(supposed.code);
    --covered_;
    flags_ += mine;
    const std::uint32_t index = frontier_of(cell);
    if (index == kAtSea) return true;
    --undecided_;
    const FrontierCell& frontier_cell = frontier_[index];
    for (std::size_t i = 0; i < frontier_cell.degree; ++i)
        if (!take_out(index, frontier_cell.constraints[i], mine)) return false;
    return true;
}

// A new constraint on what is unknown around the cell.
bool Reduction::suppose_number(const Geometry& geometry, const Supposed& supposed) {
    const std::uint32_t id = constraint_count_;
    Constraint& constraint = constraints_[id];
    constraint.number = supposed.cell;
    int need = supposed.code;
    std::uint8_t size = 0;
    constraint.signature = 0;
    for (const Cell cell : geometry.around(supposed.cell)) {
        need -= marks_[cell] == kFlagMark;
        if (marks_[cell] != kUndecidedMark) continue;
        std::uint32_t index = frontier_of(cell);
        if (index == kAtSea) {
            index = frontier_count_++;
            ++undecided_;
            frontier_of_[cell] = index;
            frontier_[index].cell = cell;
            frontier_[index].degree = 0;
        }
        FrontierCell& frontier_cell = frontier_[index];
        // What lies inside the new constraint is taken out of it.
        for (std::size_t i = 0; i < frontier_cell.degree; ++i) enqueue(frontier_cell.constraints[i]);
        frontier_cell.constraints[frontier_cell.degree++] = id;
        constraint.cells[size++] = index;
        constraint.signature |= std::uint64_t{1} << (index & 63);
    }
    if (need < 0 || need > size) {
        conflict_ = supposed.cell;
        return false;
    }
    constraint.need = static_cast<std::int8_t>(need);
    constraint.size = size;
    ++constraint_count_;
    if (size > 0) enqueue(id);
    return true;
}

// Cells of one box share all their constraints, so they meet in the first of them.
void Reduction::condense() {
    boxed_.assign(frontier_count_, 0);
    for (std::uint32_t id = 0; id < constraint_count_; ++id) {
        const Constraint& constraint = constraints_[id];
        for (std::size_t i = 0; i < constraint.size; ++i) {
            const std::uint32_t first = constraint.cells[i];
            if (boxed_[first]) continue;
            const FrontierCell& leader = frontier_[first];
            const auto list = leader.constraints.begin();
            Box& box = boxes_.emplace_back();
            box.degree = leader.degree;
            std::copy(list, list + leader.degree, box.constraints.begin());
            box.size = 0;
            for (std::size_t j = i; j < constraint.size; ++j) {
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

bool Reduction::shows_one_number(const Geometry& geometry, Cell cell) const {
    std::array<Cell, kReach> open;
    std::size_t count = 0;
    for (const Cell other : geometry.around(cell)) {
        open[count] = other;
        count += marks_[other] & kUndecidedMark;
    }
    while (count > 0) {
        const std::uint32_t index = frontier_of(open[count - 1]);
        if (index == kAtSea) return false;
        const FrontierCell& last = frontier_[index];
        const std::size_t before = count;
        for (std::size_t i = 0; i < last.degree && count == before; ++i) {
            const Constraint& constraint = whole(last.constraints[i]);
            const auto cells = std::span(constraint.cells).first(constraint.size);
            const auto end = open.begin() + static_cast<std::ptrdiff_t>(count);
            const bool inside = std::all_of(cells.begin(), cells.end(), [&](std::uint32_t each) {
                return frontier_[each].cell == cell || std::find(open.begin(), end, frontier_[each].cell) != end;
            });
            if (!inside) continue;
            count = static_cast<std::size_t>(
                std::remove_if(open.begin(), end,
                               [&](Cell each) {
                                   return std::any_of(cells.begin(), cells.end(),
                                                      [&](std::uint32_t one) { return frontier_[one].cell == each; });
                               }) -
                open.begin());
        }
        if (count == before) return false;
    }
    return true;
}

std::vector<Cell> linked_numbers(const Geometry& geometry, std::span<const std::int8_t> codes, Cell number) {
    MINEPROOF_REQUIRE(codes.size() == geometry.cells && number < geometry.cells && codes[number] >= 0);
    std::vector<std::uint8_t> seen(geometry.cells + 1, 0);
    seen[geometry.cells] = 1;
    seen[number] = 1;
    std::vector<Cell> found{number}, next{number};
    while (!next.empty()) {
        const Cell cell = next.back();
        next.pop_back();
        const bool from_number = codes[cell] >= 0;
        for (const Cell other : geometry.around(cell)) {
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
