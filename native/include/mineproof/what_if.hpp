// A position with a few cells supposed: what a look ahead asks, again and again, about one position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/polynomial.hpp"
#include "mineproof/reduction.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/tape_recorder.hpp"

namespace mineproof {

// Counts a position once. What is supposed touches some of its components: only these are reduced and counted again,
// from what the position's own reduction left. Owns its scratch memory; use one per thread.
class WhatIf {
  public:
    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory);

    // Begins with a position, which is counted at the first question.
    //   require: a total; the question's geometry and codes outlive this. Quick where nothing is certain and what is
    //            certainly a mine is flagged
    void begin(const Question& question);

    // What Solver::glance says of the position with these cells supposed, but for cells that one of the two may see to
    // be dead and the other not.
    //   require: `begin` was called; each cell is unknown, and supposed once; at most one number
    Glance glance(std::span<const Supposed> supposed, Budget& budget);
    // Its status and `log2_layouts` alone.
    Glance count(std::span<const Supposed> supposed, Budget& budget);

  private:
    // Ways by the number of mines, from `lo` on.
    struct Ways {
        std::uint32_t lo = 0;
        std::vector<double> counts;
    };
    // A component of the position.
    struct Component {
        Ways ways;
        std::uint32_t root = 0;  // its row
        std::size_t first_step = 0, end_step = 0;
        std::uint64_t products = 0;
        // Filled in when they are first needed. For each of its boxes, by the number of mines in the component: sums
        // over its arrangements of the mines in the box, then of its free cells.
        bool is_spread = false;
        std::vector<std::uint32_t> boxes;
        std::vector<double> sums;
        double safest = 1;  // the highest safety of a cell at any number of mines
        // Of the components that are as they were, but this one; filled in when it is first needed.
        bool has_others = false;
        Ways others;
    };

    bool count_parent(Budget& budget);
    void list_components();
    bool spread(Component& component, Budget& budget);
    Status count_branch(std::span<const Supposed> supposed, Budget& budget, double& log2_layouts);
    void find_touched(std::span<const Supposed> supposed);
    void multiply_untouched(std::size_t but, Ways& product);
    Status add_up(double& log2_layouts);
    bool sum_up(Glance& glance, Budget& budget);
    void sum_up_box(const Box& box, double mined, double free, Glance& glance) const;
    void sum_up_sea(Glance& glance) const;
    bool sum_up_untouched(Glance& glance, Budget& budget);
    void weigh_rest();
    void sum_up_component(const Component& component, Glance& glance);
    Question suppose(std::span<const Supposed> supposed);

    bool lives(Cell cell) const { return !branch_.shows_one_number(question_->geometry, cell); }
    std::span<Component> components() { return {components_.data(), component_count_}; }
    const Row& root() const { return recorder_.tape().rows()[recorder_.tape().roots()[0]]; }

    std::optional<Question> question_;
    bool is_counted_ = false, is_quick_ = false;
    // The position.
    Reduction parent_;
    TapeRecorder parent_recorder_;
    PolynomialPass<Reals> parent_reals_;
    std::vector<Component> components_;  // these and more, which are not in use
    std::size_t component_count_ = 0;
    std::vector<std::uint32_t> component_of_cell_, component_of_constraint_;  // kNowhere for cells of the sea
    // The components that hold a cell that is supposed or next to a supposed number, and those of the last time.
    std::vector<std::uint8_t> touched_, touched_before_;
    bool knows_touched_ = false;
    std::vector<std::uint8_t> asleep_;  // by constraint: of a component that is not touched
    Ways untouched_;                    // of all components that are as they were
    std::vector<double> scratch_;
    // What is supposed.
    Reduction branch_;
    TapeRecorder recorder_;
    PolynomialPass<Reals> reals_;
    double total_ = 0;              // all layouts, relative to the ways of the sea with the most
    std::int64_t left_ = 0;         // mines for branch, other components and sea
    std::vector<double> sea_ways_;  // by mines in branch and other components, from the fewest on
    std::vector<double> rest_;      // ways of branch and sea, by mines in other components
    std::vector<double> weights_;   // of the arrangements of a component, by its number of mines
    // Where it is not quick.
    Solver solver_;
    std::vector<std::int8_t> codes_;
};

}  // namespace mineproof
