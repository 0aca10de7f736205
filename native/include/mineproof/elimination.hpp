// The order in which the constraints of a component are finished, and the slot of a key in which each keeps its
// partial sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"

namespace mineproof {

// One component seen as a graph: a vertex per constraint, an edge where two share a box.
// `weights[v]` is about 16·log2 of how many values the partial sum of v can take.
struct Elimination {
    // Finds an order; `members` lists the vertices of each box, concatenated, ends in `box_ends`. False when over
    // budget.
    bool run(std::span<const std::uint16_t> weights, std::span<const std::uint32_t> members,
             std::span<const std::uint32_t> box_ends, Budget& budget);

    std::vector<std::uint32_t> order;  // vertices, first to be finished first
    std::vector<std::uint32_t> place;  // inverse of `order`
    std::vector<std::uint8_t> slot;    // by vertex: vertices half-finished together have different slots
    std::uint32_t slots = 0;           // how many slots there are: one more than the width of the order

    static constexpr std::uint32_t kMaxSlots = 64;  // beyond it `slots` is set to kMaxSlots + 1 and `slot` is void

  private:
    // One attempt: the order, the scopes met on the way and the estimated work.
    struct Attempt {
        std::vector<std::uint32_t> order, scopes, scope_ends;
        std::uint64_t cost = 0;
    };
    template <class Sets, class Score>
    bool attempt(Sets& sets, std::span<const std::uint16_t> weights, Score score, Attempt& into, Budget& budget);
    template <class Fresh>
    bool search(std::span<const std::uint16_t> weights, Fresh fresh_sets, Budget& budget);
    void colour(const Attempt& chosen);

    Attempt best_, other_;
    std::vector<std::uint64_t> graph_mask_, masks_;  // neighbours, as given and as elimination links them
    std::vector<std::vector<std::uint32_t>> graph_lists_, lists_;
    std::vector<std::uint32_t> scratch_;
    std::vector<std::uint64_t> scores_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> heap_;
    std::vector<std::uint8_t> done_;
};

}  // namespace mineproof
