// Writes the tape of a position: bucket elimination, recorded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/elimination.hpp"
#include "mineproof/reduction.hpp"
#include "mineproof/tape.hpp"

namespace mineproof {

// Components already recorded, found again by content: what did not change between two moves of a game, or between a
// position and the look ahead from it, is copied instead of eliminated again. A fixed number of places, each holding
// the last component whose hash led to it.
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

// Owns the tape it writes and the scratch memory for it.
class TapeRecorder {
  public:
    enum class Outcome : std::uint8_t { done, conflict, over_budget };

    // Looks up components here from now on, and files them; nullptr remembers nothing. The tape is the same either way.
    void remember_in(TapeMemory* memory) { memory_ = memory; }

    // Writes the tape of a reduced position.
    //   track_mines: rows know their mine counts, and all components are joined into one root at the end;
    //                otherwise each component has a root of its own.
    Outcome record(const Reduction& reduction, bool track_mines, Budget& budget);

    // Complete after `done`; whatever was written so far otherwise.
    const Tape& tape() const { return tape_; }
    Cell conflict() const { return conflict_; }     // a number of the component that has no arrangement
    std::uint32_t width() const { return width_; }  // most constraints half-finished at once so far
    // Of the tape and of what finds its rows: entries, not what the allocator takes for them.
    std::uint64_t bytes() const {
        return tape_.bytes() + keys_.size() * sizeof(keys_[0]) + index_.size() * sizeof(index_[0]) +
               by_value_.size() * sizeof(by_value_[0]);
    }

  private:
    static constexpr int kSlotBits = kIsWide ? 7 : 5;
    static constexpr int kHigh = 1 << (kSlotBits - 1);  // the test bit of a field
    static constexpr int kSlotMask = 2 * kHigh - 1;
    static_assert(2 * kReach <= kHigh, "a sum of two partial sums passes its test bit by one bound");
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
    // How long the tape was.
    struct Ends {
        std::size_t rows, products, steps;
        std::uint64_t storage;
    };
    template <int Words>
    struct Bounds;

    void split(const Reduction& reduction);
    Outcome record_component(const Reduction& reduction, std::uint32_t component, Budget& budget);
    void record_box(std::uint32_t box, std::uint32_t mines);
    void begin_component(const Reduction& reduction, std::span<const std::uint32_t> box_ids);
    void fill_buckets(std::span<const std::uint32_t> box_ids);
    Outcome eliminate(const Reduction& reduction, Budget& budget);
    void write_key(const Reduction& reduction, std::span<const std::uint32_t> box_ids);
    bool copy(const TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids, Budget& budget);
    void file(TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids, const Ends& before) const;
    template <int Words>
    Outcome eliminate_with(const Reduction& reduction, Budget& budget);
    void sort_waiting();
    template <int Words>
    Bounds<Words> bound_join(const Reduction& reduction);
    template <int Words>
    bool join(const Factor& left, const Factor& right, const Bounds<Words>& bounds, Budget& budget);
    template <int Words>
    bool join_box(const Factor& left, const Factor& box, const Bounds<Words>& bounds, Budget& budget);
    template <int Words>
    bool join_table(const Factor& left, const Factor& right, const Bounds<Words>& bounds, Budget& budget);
    template <int Words>
    void read_key(std::uint32_t row, std::uint64_t* key) const {
        for (std::size_t i = 0; i < Words; ++i) key[i] = row == 0 ? 0 : keys_[std::size_t{row - key_base_} * Words + i];
    }
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
    // Spends the states of the products made since there were `before`; false over budget.
    bool spend(std::size_t before, std::uint64_t work, Budget& budget) {
        return budget.spend(tape_.products_.size() - before) && budget.work(work) &&
               (tape_.products_.size() < next_weighing_ || weigh(budget));
    }
    bool weigh(Budget& budget);

    Tape tape_;
    TapeMemory* memory_ = nullptr;
    std::vector<std::uint8_t> key_;  // what the component being recorded is
    std::uint32_t width_ = 0;
    Cell conflict_ = 0;
    std::size_t next_weighing_ = 0;  // products at which the memory is compared with the budget again

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
