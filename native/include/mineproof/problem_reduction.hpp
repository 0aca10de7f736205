// From a problem to the smallest equivalent system of relations between boxes of variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/problem.hpp"

namespace mineproof {

// A set of whole numbers: a byte for each from `lo` on.
struct SumSet {
    std::int64_t lo = 0;
    std::vector<std::uint8_t> flags;

    bool holds(std::int64_t sum) const {
        return sum >= lo && sum - lo < static_cast<std::int64_t>(flags.size()) &&
               flags[static_cast<std::size_t>(sum - lo)] != 0;
    }
    std::size_t size() const;
};

struct Term {
    std::uint32_t variable;
    std::int32_t coefficient;
    auto operator<=>(const Term&) const = default;
};

// A constraint on variables that are not decided yet, ascending. Without terms it says nothing more.
struct Relation {
    std::vector<Term> terms;
    SumSet sums;
};

// A variable, or several of 0 and 1 with the same weights in the same relations: only their sum can matter.
struct ProblemBox {
    struct Entry {
        std::uint32_t relation;
        std::int32_t coefficient;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<std::uint32_t> variables;
    std::vector<Entry> entries;
    bool grouped = false;      // variables of 0 and 1; its value is how many of them are 1
    std::uint64_t values = 0;  // else: the values of its one variable, as bits

    std::uint32_t value_count() const;  // one more than the largest value
    bool allows(std::uint32_t value) const { return grouped || (values >> value & 1) != 0; }
};

class ProblemReduction {
  public:
    enum class Outcome : std::uint8_t { done, conflict, over_budget };

    // Reduces a problem: values without support in a single relation are removed, decided variables are filled in,
    // and relations are subtracted from those that contain them.
    //   ensure: the solutions are those that satisfy `relations` within `values`
    Outcome run(const Problem& problem, Budget& budget);

    std::uint32_t conflict() const { return conflict_; }  // a constraint that cannot be satisfied; others may share it
    std::span<const Relation> relations() const { return relations_; }
    std::span<const ProblemBox> boxes() const { return boxes_; }
    // The values left to each variable, as bits.
    std::span<const std::uint64_t> values() const { return values_; }
    bool is_decided(std::uint32_t variable) const { return (values_[variable] & (values_[variable] - 1)) == 0; }
    std::uint32_t value_of(std::uint32_t variable) const;  // of a decided one
    std::int64_t decided_total() const { return decided_total_; }

  private:
    bool read(const Problem& problem);
    bool propagate(Budget& budget);
    bool tighten(std::uint32_t relation, Budget& budget);
    void fill_in(Relation& relation) const;
    bool prune(std::uint32_t relation, Budget& budget);
    bool subtract_all(bool& changed, Budget& budget);
    bool subtract(std::uint32_t outer, std::uint32_t inner);
    void enqueue(std::uint32_t relation);
    void condense(const Problem& problem);

    std::vector<Relation> relations_;
    std::vector<std::vector<std::uint32_t>> touching_;  // relations by variable
    std::vector<std::uint64_t> values_;
    std::vector<ProblemBox> boxes_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> queued_;
    std::vector<std::vector<std::uint8_t>> before_, behind_;  // sums that the first, and the last terms can have
    std::uint32_t conflict_ = 0;
    std::int64_t decided_total_ = 0;
};

}  // namespace mineproof
