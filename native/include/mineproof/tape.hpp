// The counting of a position as a straight-line program over an arbitrary ring.
//
// Which partial sums meet which does not depend on what is being counted. So the joins are found once
// and written down, and any question is a pass along this tape: ways by number of mines in doubles, the
// same modulo a prime, values on a contour, bare feasibility. Run forwards it counts; run backwards it
// gives every box its share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/elimination.hpp"
#include "mineproof/reduce.hpp"

namespace mineproof {

// An entry of a table. Its arrangements hold `lo` to `lo + len - 1` mines (all 0 when mines are not tracked).
struct Row {
    std::uint64_t offset;  // where a polynomial of `len` coefficients is kept in a pass's storage
    std::uint32_t lo;
    std::uint32_t len;
};

// out += left · right. In a box step `right` is not a row but the number of mines put into the box.
struct Product {
    std::uint32_t left, right, out;
};

struct Step {
    static constexpr std::uint32_t kNoBox = ~std::uint32_t{0};
    std::uint32_t box;                         // the box that is joined, or kNoBox when two tables are
    std::uint32_t first_row, end_row;          // rows made by this step
    std::uint64_t first_product, end_product;  // products summed by this step
};

// Walks the products of a step in pieces small enough to ask the budget between them.
//   `visit(product)` returns what it cost; false when over budget.
template <class Visit>
bool each_product(const Step& step, std::span<const Product> products, Budget& budget, Visit visit) {
    constexpr std::uint64_t kPiece = 1024;
    for (std::uint64_t i = step.first_product; i < step.end_product;) {
        std::uint64_t effort = 0;
        for (const std::uint64_t end = std::min(step.end_product, i + kPiece); i < end; ++i)
            effort += visit(products[i]);
        if (!budget.work(effort)) return false;
    }
    return true;
}

// Components already recorded, found again by content: what did not change between two moves of a game, or between a
// position and the look ahead from it, is copied instead of eliminated again. A fixed number of places, each holding
// the last component that fell to it.
class TapeMemory {
  public:
    // A component's part of a tape. Rows count from its first, after the unit; boxes in the order of the component.
    struct Segment {
        std::vector<std::uint8_t> key;
        std::vector<Row> rows;
        std::vector<Product> products;
        std::vector<Step> steps;
        std::uint32_t root = 0, slots = 0;
        std::uint64_t storage = 0;
    };

    Segment& place(std::span<const std::uint8_t> key);

  private:
    static constexpr std::size_t kPlaces = 1024;
    std::vector<Segment> places_ = std::vector<Segment>(kPlaces);
};

class Tape {
  public:
    enum class Outcome : std::uint8_t { done, conflict, over_budget };

    // Looks up components here from now on, and files them; nullptr remembers nothing. The tape is the same either way.
    void remember_in(TapeMemory* memory) { memory_ = memory; }

    // Writes the tape of a reduced position.
    //   track_mines: rows know their mine counts, and all components are joined into one root at the end;
    //                otherwise each component has a root of its own.
    Outcome record(const Reduction& reduction, bool track_mines, Budget& budget);

    std::span<const Row> rows() const { return rows_; }  // row 0 is the unit: one way, no mines
    std::span<const Product> products() const { return products_; }
    std::span<const Step> steps() const { return steps_; }
    // The rows that hold the final counts: one for each component, or a single one (the unit if there is none).
    std::span<const std::uint32_t> roots() const { return roots_; }
    std::span<const std::uint32_t> component_of_box() const { return component_of_box_; }
    std::uint64_t storage() const { return storage_; }
    std::uint32_t largest_component() const { return largest_component_; }  // in cells
    bool tracks_mines() const { return track_mines_; }
    Cell conflict() const { return conflict_; }     // a number of the component that has no arrangement
    std::uint32_t width() const { return width_; }  // most constraints half-finished at once so far

  private:
    static constexpr int kSlotBits = 5;
    static constexpr int kSlotsPerWord = 64 / kSlotBits;
    static constexpr int kMostWords = (Elimination::kMaxSlots + kSlotsPerWord - 1) / kSlotsPerWord;

    struct ScopeEntry {
        std::uint32_t constraint;  // local index
        std::uint32_t included;    // cells of it in boxes already joined
    };
    // A factor waiting to be joined when its first constraint is finished.
    struct Factor {
        std::uint32_t next;  // in the same bucket
        std::uint32_t box;   // kNoBox for a table
        std::uint32_t first_row, end_row;
        std::uint32_t scope_begin, scope_end;  // into scopes_ (tables) or members_ (boxes)
    };
    template <int Words>
    struct Bounds;

    void split(const Reduction& reduction);
    Outcome record_component(const Reduction& reduction, std::uint32_t component, Budget& budget);
    void record_box(std::uint32_t box, std::uint32_t mines);
    void write_key(const Reduction& reduction, std::span<const std::uint32_t> box_ids);
    bool copy(const TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids, Budget& budget);
    void file(TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids, std::size_t first_row,
              std::size_t first_product, std::size_t first_step, std::uint64_t first_storage) const;
    template <int Words>
    Outcome eliminate(const Reduction& reduction, Budget& budget);
    template <int Words>
    bool join(const Factor& left, const Factor& right, const Bounds<Words>& bounds, Budget& budget);
    template <int Words>
    void emit(const std::uint64_t* key, const Bounds<Words>& bounds, std::uint32_t left, std::uint32_t right,
              std::uint32_t lo, std::uint32_t end);
    template <int Words>
    std::uint32_t find_or_add(const std::uint64_t* key);
    template <int Words>
    void grow_index();
    void merge_scope(const Reduction& reduction, const Factor& left, const Factor& right);
    void close_rows(std::uint32_t first_row);
    void put(std::uint32_t factor);
    bool join_roots(Budget& budget);

    bool track_mines_ = true;
    TapeMemory* memory_ = nullptr;
    std::vector<std::uint8_t> key_;  // what the component being recorded is
    std::vector<Row> rows_;
    std::vector<Product> products_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> roots_;
    std::vector<std::uint32_t> component_of_box_;
    std::uint64_t storage_ = 0;
    std::uint32_t largest_component_ = 0;
    std::uint32_t width_ = 0;
    Cell conflict_ = 0;

    // Components, as constraint and box lists.
    std::vector<std::uint32_t> component_of_constraint_, local_;
    std::vector<std::uint32_t> constraint_list_, constraint_ends_;
    std::vector<std::uint32_t> box_list_, box_ends_;
    std::vector<std::uint32_t> touch_, touch_begin_;  // boxes of each constraint

    // The component being recorded.
    Elimination elimination_;
    std::span<const std::uint32_t> local_constraints_;  // local index -> constraint
    std::vector<std::uint16_t> weights_;
    std::vector<std::uint32_t> members_, member_ends_;
    std::vector<Factor> factors_;
    std::vector<std::uint32_t> bucket_;
    std::vector<ScopeEntry> scopes_, merged_;
    std::uint32_t box_size_ = 0;
    std::vector<std::uint64_t> keys_;  // Words per row, from key_base_ on
    std::uint32_t key_base_ = 0;
    std::vector<std::uint32_t> index_;  // open addressing: row + 1, 0 when free
    std::uint32_t index_bits_ = 0;
    std::uint32_t out_first_ = 0;
    std::vector<std::uint32_t> by_value_;  // right rows sorted by the partial sum being finished
    std::vector<std::uint32_t> waiting_;
};

}  // namespace mineproof
