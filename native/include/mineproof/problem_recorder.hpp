// Writes the tape of a problem: bucket elimination as for boards, with tables of any partial sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/elimination.hpp"
#include "mineproof/problem_reduction.hpp"
#include "mineproof/tape.hpp"

namespace mineproof {

// Owns the tape it writes and the scratch memory for it. Boxes of the tape are those of the reduction.
class ProblemRecorder {
  public:
    enum class Outcome : std::uint8_t { done, conflict, over_budget };

    // Writes the tape of a reduced problem.
    //   track_total: rows know the sums of their variables, and all components are joined into one root at the end
    Outcome record(const ProblemReduction& reduction, bool track_total, Budget& budget);

    const Tape& tape() const { return tape_; }
    std::uint32_t conflict() const { return conflict_; }  // a constraint of the component that has no solution
    std::uint32_t width() const { return width_; }        // most relations half-finished at once so far

  private:
    // Partial sums of a relation that the boxes joined so far can have, each with the least sum that has the same
    // future; `kDead` if it has none.
    struct Futures {
        static constexpr std::int32_t kDead = -(1 << 30);
        std::int32_t lo = 0;
        std::vector<std::int32_t> same_as;
        std::uint32_t classes = 0;
        bool finished = false;  // no box is left

        std::int32_t operator()(std::int64_t sum) const {
            const std::int64_t at = sum - lo;
            return at < 0 || at >= static_cast<std::int64_t>(same_as.size()) ? kDead
                                                                             : same_as[static_cast<std::size_t>(at)];
        }
    };
    struct ScopeEntry {
        std::uint32_t relation;             // local index
        std::vector<std::uint32_t> joined;  // places of its boxes that are joined
    };
    // A factor waiting to be joined when its first relation is finished.
    struct Factor {
        std::uint32_t box = Step::kNoBox;
        std::uint32_t first_row = 0, end_row = 1;  // of a table; the unit row to begin with
        std::vector<ScopeEntry> scope;
    };
    // A relation whose sum a join changes.
    struct Check {
        std::uint32_t slot;
        std::int32_t coefficient;  // of the box that is joined
        Futures futures;
    };
    // A box of a relation, as the recorder needs it.
    struct Member {
        std::uint32_t box;
        std::int32_t coefficient;
    };

    void split(const ProblemReduction& reduction);
    Outcome record_component(std::uint32_t component, Budget& budget);
    void record_free_box(std::uint32_t box);
    bool find_order(std::span<const std::uint32_t> box_ids, Budget& budget);
    Outcome eliminate(std::span<const std::uint32_t> box_ids, Budget& budget);
    Factor box_factor(std::uint32_t box) const;
    std::uint32_t earliest(const Factor& factor) const;
    Futures futures_of(std::uint32_t relation, std::span<const std::uint32_t> joined, Budget& budget) const;
    static bool classify(const SumSet& sums, std::span<const std::int64_t> inside,
                         std::span<const std::int64_t> outside, Futures& futures, Budget& budget);
    std::vector<std::int64_t> sums_of(std::uint32_t relation, std::span<const std::uint32_t> joined, bool inside,
                                      Budget& budget) const;
    bool join(const Factor& left, const Factor& right, Factor& joined, Budget& budget);
    bool join_box(const Factor& left, const Factor& box, std::span<const Check> checks, Budget& budget);
    bool join_table(const Factor& left, const Factor& right, std::span<const Check> checks, Budget& budget);
    std::span<const std::int32_t> key_of(std::uint32_t row) const;
    void emit(std::uint32_t left, std::uint32_t right, std::uint32_t lo, std::uint32_t end);
    std::uint32_t find_or_add();
    void grow_index();
    void close_rows(std::uint32_t first_row);
    bool join_roots(Budget& budget);
    bool spend(std::size_t before, std::uint64_t work, Budget& budget);

    const ProblemReduction* reduction_ = nullptr;
    Tape tape_;
    std::uint32_t width_ = 0, conflict_ = 0;

    std::vector<std::vector<std::uint32_t>> relation_lists_, box_lists_;  // by component
    std::vector<std::uint32_t> local_;                                    // by relation
    // The component being recorded.
    std::vector<std::uint32_t> relations_;
    std::vector<std::vector<Member>> members_;  // by local relation
    Elimination elimination_;
    std::size_t stride_ = 1;          // slots of a key
    std::vector<std::int32_t> keys_;  // of rows from key_base_ on
    std::uint32_t key_base_ = 0, out_first_ = 0;
    std::vector<std::int32_t> key_, unit_key_;  // being made; of the unit row
    std::vector<std::uint32_t> index_;          // open addressing: row + 1, 0 when free
    std::vector<std::uint32_t> by_sum_;
};

}  // namespace mineproof
