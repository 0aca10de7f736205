// From what a board shows to the smallest equivalent system of constraints.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "mineproof/geometry.hpp"
#include "mineproof/question.hpp"

namespace mineproof {

// What a cell counts for in a sum over neighbours: the sum's low half counts undecided cells, its high half flags.
inline constexpr std::uint8_t kUndecidedMark = 1, kFlagMark = kIsWide ? 64 : 16;
using MarkSum = std::conditional_t<kIsWide, std::uint16_t, std::uint8_t>;
static_assert(kReach < kFlagMark && kReach * kFlagMark <= std::numeric_limits<MarkSum>::max());

// A number that still has undecided cells: exactly `need` of its `size` are mines. Cells are frontier indices.
struct Constraint {
    Cell number;
    std::int8_t need;
    std::uint8_t size;
    std::array<std::uint32_t, kReach> cells;
    // One bit for each cell, equal for cells 64 apart: A inside B implies A's bits inside B's.
    std::uint64_t signature;
};

// An undecided cell next to a number, with the constraints that hold it, ascending.
struct FrontierCell {
    Cell cell;
    std::uint8_t degree;
    std::array<std::uint32_t, kReach> constraints;
};

// Frontier cells held by the same constraints: only how many of them are mines can matter.
struct Box {
    std::uint8_t size;
    std::uint8_t degree;
    std::array<std::uint32_t, kReach> constraints;
    std::array<Cell, kReach> cells;
};

class Reduction {
  public:
    // Reads a board and reduces it. Returns false if a number cannot be satisfied; `conflict()` returns it.
    //   require: codes.size() == geometry.cells; every code is 0..kReach or negative
    //   ensure:  the layouts that fit are those that satisfy `constraints` and agree with `verdicts`
    bool run(const Geometry& geometry, std::span<const std::int8_t> codes);
    // The same without `boxes`, which `condense` fills in. Quicker after a position that differs in few cells: only
    // these are read.
    bool run_on(const Geometry& geometry, std::span<const std::int8_t> codes);
    // The same of a position that is counted already: single numbers are not looked at.
    //   require: `around` is true of these codes
    bool run_counted(const Geometry& geometry, std::span<const std::int8_t> codes, const Around& around);
    // Copies the reduction of another position, adds suppositions, and continues from what they change: nothing of
    // `parent` is reduced again. False on a contradiction. Without `boxes`, as above.
    //   require: `parent` was reduced without one, decided no cell and outlives the use of this; each cell is supposed
    //            once, and unknown; at most one number is supposed
    //   asleep: by constraint of the parent, 1 for those that are left out of `constraints`, as if they were used up,
    //           and of `boxes`: they hold no cell that is supposed or next to a supposed number
    bool branch(const Reduction& parent, const Geometry& geometry, std::span<const Supposed> supposed,
                std::span<const std::uint8_t> asleep);
    //   require: the last call, of `run_on`, `run_counted` or `branch`, returned true
    void condense();

    // The number at which a contradiction showed; others may share the blame.
    Cell conflict() const { return conflict_; }

    // Those with size 0 are used up and say nothing more.
    std::span<const Constraint> constraints() const { return {constraints_.data(), constraint_count_}; }
    std::span<const Box> boxes() const { return boxes_; }
    // Covered cells that touch no number.
    std::uint32_t sea() const { return covered_ - static_cast<std::uint32_t>(decided_.size()) - undecided_; }
    // Calls `visit(cell)` for each of them, ascending.
    template <class Visit>
    void each_at_sea(Visit visit) const {
        for (Cell cell = 0; cell + 1 < marks_.size(); ++cell)
            if (marks_[cell] == kUndecidedMark && frontier_of(cell) == kAtSea) visit(cell);
    }
    std::uint32_t flags() const { return flags_; }
    std::uint32_t decided_mines() const { return decided_mines_; }
    std::uint32_t undecided() const { return undecided_; }  // frontier cells that are not decided
    // Cells that the reduction decided, and the verdict on every cell of the board: safe, mine or none. Of a branch
    // only the verdicts of decided cells mean something.
    std::span<const Cell> decided() const { return decided_; }
    std::span<const Verdict> verdicts() const { return verdicts_; }
    // Would a covered cell, if free, show the same number in every layout, as far as the constraints tell at once: is
    // every undecided cell around it in constraints that hold no others?
    bool shows_one_number(const Geometry& geometry, Cell cell) const;
    // kUndecidedMark on covered cells that are not decided, kFlagMark on flags, 0 elsewhere; one more entry than there
    // are cells.
    std::span<const std::uint8_t> marks() const { return marks_; }

  private:
    // Held by cells that are no numbers: deciding a cell counts down all its neighbours alike, and from
    // here kReach steps reach neither zero (settled) nor below (broken).
    static constexpr std::uint8_t kNotANumber = 0x40;
    static bool broken(std::uint8_t count) { return (count & 0x80) != 0; }

    // A frontier cell's index, or none if it is at sea.
    static constexpr std::uint32_t kAtSea = ~std::uint32_t{0};
    std::uint32_t frontier_of(Cell cell) const {
        const std::uint32_t index = frontier_of_[cell];
        return index < frontier_count_ && frontier_[index].cell == cell ? index : kAtSea;
    }
    // With the cells that it had before it was left out.
    const Constraint& whole(std::uint32_t constraint) const {
        const bool sleeps = parent_ != nullptr && constraint < asleep_.size() && asleep_[constraint] != 0;
        return sleeps ? parent_->constraints_[constraint] : constraints_[constraint];
    }

    void read(const Geometry& geometry, std::span<const std::int8_t> codes);
    bool read_changes(const Geometry& geometry, std::span<const std::int8_t> codes);
    void sum_marks(const Geometry& geometry, std::span<const std::int8_t> codes);
    bool reduce(const Geometry& geometry);
    void clear(const Geometry& geometry);
    void count_numbers();
    bool queue_numbers();
    bool propagate_singles(const Geometry& geometry);
    bool blame();
    void list_unfinished();
    void list_unfinished(std::span<const std::int8_t> codes, const Around& around);
    template <class Need>
    void list_constraints(Need need);
    void link(const Geometry& geometry);
    bool propagate_subsets();
    bool work_off_queue();
    void copy(const Reduction& parent, std::span<const std::uint8_t> asleep);
    bool suppose(const Supposed& supposed);
    bool suppose_number(const Geometry& geometry, const Supposed& supposed);
    bool absorb(std::uint32_t inner);
    bool contains(const Constraint& outer, const Constraint& inner) const;
    bool subtract(std::uint32_t outer, const Constraint& inner);
    bool settle(std::uint32_t constraint);
    bool take_out(std::uint32_t frontier_cell, std::uint32_t constraint, bool mine);
    void detach(std::uint32_t frontier_cell, std::uint32_t constraint);
    static void drop(Constraint& constraint, std::uint32_t frontier_cell);
    void enqueue(std::uint32_t constraint);
    void decide(Cell cell, bool mine);

    std::vector<std::int8_t> codes_;  // of the position that was read last
    Cell columns_ = 0;                // of its geometry
    std::vector<std::uint8_t> marks_;
    std::vector<Verdict> verdicts_;
    // By board cell, for numbers: undecided cells that must be mines, and that must be free.
    std::vector<std::uint8_t> needs_, spares_;
    std::vector<MarkSum> sums_, across_;
    std::vector<std::uint8_t> open_;  // by board cell: more than 0 for numbers with undecided cells
    std::vector<Cell> decided_;
    std::vector<Constraint> constraints_;
    std::uint32_t constraint_count_ = 0;
    std::vector<FrontierCell> frontier_;
    std::vector<std::uint32_t> frontier_of_;  // by board cell
    std::vector<Cell> queue_;                 // settled numbers
    std::uint32_t queued_count_ = 0;
    std::vector<std::uint32_t> changed_;  // constraints to look at again
    std::vector<std::uint8_t> queued_, boxed_;
    std::vector<Box> boxes_;
    std::uint32_t covered_ = 0, flags_ = 0, decided_mines_ = 0, undecided_ = 0, frontier_count_ = 0;
    Cell conflict_ = 0;
    const Reduction* parent_ = nullptr;     // of a branch
    std::span<const std::uint8_t> asleep_;  // its constraints that are left out
};

// The open numbers linked to one number through shared covered cells, itself included, ascending.
//   require: `number` is an open cell
std::vector<Cell> linked_numbers(const Geometry& geometry, std::span<const std::int8_t> codes, Cell number);

}  // namespace mineproof
