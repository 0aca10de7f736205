// Elimination order: on wide frontiers it decides between milliseconds and no answer at all.
//
// Finishing a constraint joins every table that mentions it into one over all their other constraints.
// The order is chosen greedily by the size that table may have (weighted min-degree). Where that promises much
// work, further attempts weigh the new links a step creates (weighted min-fill), with ties broken differently
// each time, and the cheapest by estimated work is kept: regular patterns are full of ties, and a lucky order
// of them is worth orders of magnitude. Integers only, so that every machine takes the same order.
//
// Slots: two constraints need different places in a table's key only if some table mentions both. Those
// pairs form a chordal graph whose reversed elimination order colours it with as few colours as its
// largest clique has vertices, so keys are as narrow as they can be and never need re-packing: the key
// of a join is the sum of the keys.
//
// Cost: about 40 ns per constraint on expert components (bit masks), near-linear on large ones (heap).

#include "mineproof/elimination.hpp"

#include <algorithm>
#include <bit>

namespace mineproof {
namespace {

// Neighbour sets of at most 64 vertices.
struct MaskSets {
    std::vector<std::uint64_t>& sets;

    std::uint32_t size() const { return static_cast<std::uint32_t>(sets.size()); }
    template <class Visit>
    void each(std::uint32_t vertex, Visit visit) const {
        for (std::uint64_t rest = sets[vertex]; rest != 0; rest &= rest - 1)
            visit(static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    bool linked(std::uint32_t a, std::uint32_t b) const { return (sets[a] >> b & 1) != 0; }
    // Links all neighbours of `vertex` with each other and takes it out.
    void eliminate(std::uint32_t vertex) {
        const std::uint64_t scope = sets[vertex], self = std::uint64_t{1} << vertex;
        for (std::uint64_t rest = scope; rest != 0; rest &= rest - 1) {
            const auto other = static_cast<std::uint32_t>(std::countr_zero(rest));
            sets[other] = (sets[other] | scope) & ~self & ~(std::uint64_t{1} << other);
        }
    }
};

// The same for any number of vertices, as sorted lists.
struct ListSets {
    std::vector<std::vector<std::uint32_t>>& sets;
    std::uint32_t count;
    std::vector<std::uint32_t>& scratch;

    std::uint32_t size() const { return count; }
    template <class Visit>
    void each(std::uint32_t vertex, Visit visit) const {
        for (const std::uint32_t other : sets[vertex]) visit(other);
    }
    bool linked(std::uint32_t a, std::uint32_t b) const {
        return std::binary_search(sets[a].begin(), sets[a].end(), b);
    }
    void eliminate(std::uint32_t vertex) {
        const auto& scope = sets[vertex];
        for (const std::uint32_t other : scope) {
            scratch.clear();
            std::set_union(sets[other].begin(), sets[other].end(), scope.begin(), scope.end(),
                           std::back_inserter(scratch));
            std::erase_if(scratch, [&](std::uint32_t each) { return each == vertex || each == other; });
            sets[other].assign(scratch.begin(), scratch.end());
        }
    }
};

// log2 of the rows of the table left behind, in sixteenths.
struct ByDegree {
    template <class Sets>
    std::uint64_t operator()(const Sets& sets, std::span<const std::uint16_t> weights, std::uint32_t vertex) const {
        std::uint64_t sum = 0;
        sets.each(vertex, [&](std::uint32_t other) { sum += weights[other]; });
        return sum;
    }
};

// Weight of the links that are not there yet, then the table's size; among equals by chance.
struct ByFill {
    std::uint64_t seed;

    template <class Sets>
    std::uint64_t operator()(const Sets& sets, std::span<const std::uint16_t> weights, std::uint32_t vertex) const {
        std::uint64_t fill = 0, sum = 0;
        sets.each(vertex, [&](std::uint32_t a) {
            sum += weights[a];
            sets.each(vertex, [&](std::uint32_t b) {
                if (a < b && !sets.linked(a, b)) fill += std::uint64_t{weights[a]} * weights[b];
            });
        });
        const std::uint64_t chance = (vertex + 1) * (seed * 0x9E3779B97F4A7C15U) >> 56;
        return fill << 20 | std::min<std::uint64_t>(sum, (1 << 12) - 1) << 8 | chance;
    }
};

constexpr std::uint64_t kMostAttempts = 8;
constexpr std::uint64_t kHopeless = ~std::uint64_t{0};

// Below this many vertices a scan for the least score beats keeping a heap.
constexpr std::uint32_t kScan = 64;

}  // namespace

template <class Sets, class Score>
bool Elimination::attempt(Sets& sets, std::span<const std::uint16_t> weights, Score score, Attempt& into,
                          Budget& budget) {
    const std::uint32_t count = sets.size();
    into.order.clear();
    into.scopes.clear();
    into.scope_ends.clear();
    into.cost = 0;
    scores_.resize(count);
    done_.assign(count, 0);
    const bool scan = count <= kScan;
    heap_.clear();
    for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
        scores_[vertex] = score(sets, weights, vertex);
        if (!scan) heap_.emplace_back(scores_[vertex], vertex);
    }
    const auto later = std::greater<>{};
    if (!scan) std::make_heap(heap_.begin(), heap_.end(), later);
    const auto next = [&] {
        if (scan) {
            std::uint32_t best = 0;
            std::uint64_t least = ~std::uint64_t{0};
            for (std::uint32_t vertex = 0; vertex < count; ++vertex)
                if (!done_[vertex] && scores_[vertex] < least) least = scores_[vertex], best = vertex;
            return best;
        }
        for (;;) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            const auto [value, vertex] = heap_.back();
            heap_.pop_back();
            if (!done_[vertex] && scores_[vertex] == value) return vertex;
        }
    };
    while (into.order.size() < count) {
        const std::uint32_t vertex = next();
        done_[vertex] = 1;
        into.order.push_back(vertex);
        const std::size_t begin = into.scopes.size();
        std::uint32_t bits = weights[vertex];
        sets.each(vertex, [&](std::uint32_t other) {
            into.scopes.push_back(other);
            bits += weights[other];
        });
        into.scope_ends.push_back(static_cast<std::uint32_t>(into.scopes.size()));
        if (into.scopes.size() - begin >= kMaxSlots) {  // too wide for any key: the rest of this order does not matter
            into.cost = kHopeless;
            return true;
        }
        into.cost += std::uint64_t{1} << std::min(bits / 16, 50U);  // so wide that a sum of them matters no more
        sets.eliminate(vertex);
        for (std::size_t i = begin; i < into.scopes.size(); ++i) {
            const std::uint32_t other = into.scopes[i];
            scores_[other] = score(sets, weights, other);
            if (scan) continue;
            heap_.emplace_back(scores_[other], other);
            std::push_heap(heap_.begin(), heap_.end(), later);
        }
        const std::size_t scope = into.scopes.size() - begin;
        if (!budget.work(scope * scope)) return false;
    }
    return true;
}

// Gives each vertex the lowest slot that no vertex of its scope, all finished later, has.
void Elimination::colour(const Attempt& chosen) {
    const auto count = static_cast<std::uint32_t>(chosen.order.size());
    order.assign(chosen.order.begin(), chosen.order.end());
    place.resize(count);
    slot.resize(count);
    slots = 0;
    for (std::uint32_t i = count; i-- > 0;) {
        std::uint64_t used = 0;
        for (std::uint32_t j = i == 0 ? 0 : chosen.scope_ends[i - 1]; j < chosen.scope_ends[i]; ++j)
            used |= std::uint64_t{1} << slot[chosen.scopes[j]];
        const auto free = static_cast<std::uint32_t>(std::countr_one(used));
        slots = std::max(slots, free + 1);
        if (slots > kMaxSlots) return;
        slot[order[i]] = static_cast<std::uint8_t>(free);
        place[order[i]] = i;
    }
}

bool Elimination::run(std::span<const std::uint16_t> weights, std::span<const std::uint32_t> members,
                      std::span<const std::uint32_t> box_ends, Budget& budget) {
    const auto count = static_cast<std::uint32_t>(weights.size());
    const auto each_link = [&](auto link) {
        std::uint32_t begin = 0;
        for (const std::uint32_t end : box_ends) {
            for (std::uint32_t i = begin; i < end; ++i)
                for (std::uint32_t j = begin; j < end; ++j)
                    if (i != j) link(members[i], members[j]);
            begin = end;
        }
    };
    if (count <= 64) {
        graph_mask_.assign(count, 0);
        each_link([&](std::uint32_t a, std::uint32_t b) { graph_mask_[a] |= std::uint64_t{1} << b; });
        const auto fresh = [&] {
            masks_.assign(graph_mask_.begin(), graph_mask_.end());
            return MaskSets{masks_};
        };
        return search(weights, fresh, budget);
    }
    if (graph_lists_.size() < count) graph_lists_.resize(count);
    if (lists_.size() < count) lists_.resize(count);
    for (std::uint32_t vertex = 0; vertex < count; ++vertex) graph_lists_[vertex].clear();
    each_link([&](std::uint32_t a, std::uint32_t b) { graph_lists_[a].push_back(b); });
    for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
        auto& list = graph_lists_[vertex];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        if (!budget.work(list.size())) return false;
    }
    const auto fresh = [&] {
        for (std::uint32_t vertex = 0; vertex < count; ++vertex)
            lists_[vertex].assign(graph_lists_[vertex].begin(), graph_lists_[vertex].end());
        return ListSets{lists_, count, scratch_};
    };
    return search(weights, fresh, budget);
}

// Tries orders as long as the best so far promises more work than the trying.
template <class Fresh>
bool Elimination::search(std::span<const std::uint16_t> weights, Fresh fresh_sets, Budget& budget) {
    auto first = fresh_sets();
    if (!attempt(first, weights, ByDegree{}, best_, budget)) return false;
    // What an attempt costs, in the same unit as its estimate of the work.
    const std::uint64_t effort = 64 + 16 * weights.size();
    const std::uint64_t most = best_.cost == kHopeless ? 2 : kMostAttempts;
    for (std::uint64_t seed = 0; seed < most && best_.cost > (seed + 1) * effort; ++seed) {
        auto sets = fresh_sets();
        if (!attempt(sets, weights, ByFill{seed}, other_, budget)) return false;
        if (other_.cost < best_.cost) std::swap(best_, other_);
    }
    if (best_.cost == kHopeless)
        slots = kMaxSlots + 1;
    else
        colour(best_);
    return true;
}

}  // namespace mineproof
