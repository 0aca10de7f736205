// Elimination order: what decides whether a wide frontier costs milliseconds or for ever.
//
// Finishing a constraint joins every table that mentions it into one over all their other constraints.
// The order is chosen greedily by the size that table may have (weighted min-degree); when that leaves
// a large table, a second attempt weighs the new links a step creates (weighted min-fill) and the cheaper
// of the two by estimated work is kept. Integers only, so that every machine takes the same order.
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

// Weight of the links that are not there yet, then the table's size.
struct ByFill {
    template <class Sets>
    std::uint64_t operator()(const Sets& sets, std::span<const std::uint16_t> weights, std::uint32_t vertex) const {
        std::uint64_t fill = 0, sum = 0;
        sets.each(vertex, [&](std::uint32_t a) {
            sum += weights[a];
            sets.each(vertex, [&](std::uint32_t b) {
                if (a < b && !sets.linked(a, b)) fill += std::uint64_t{weights[a]} * weights[b];
            });
        });
        return fill << 12 | std::min<std::uint64_t>(sum, (1 << 12) - 1);
    }
};

// Below this many vertices a scan for the least score beats keeping a heap.
constexpr std::uint32_t kScan = 64;

}  // namespace

template <class Sets, class Score>
void Elimination::attempt(Sets& sets, std::span<const std::uint16_t> weights, Score score, Attempt& into) {
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
        into.cost += std::uint64_t{1} << std::min(bits / 16, 50U);  // so wide that a sum of them matters no more
        sets.eliminate(vertex);
        for (std::size_t i = begin; i < into.scopes.size(); ++i) {
            const std::uint32_t other = into.scopes[i];
            scores_[other] = score(sets, weights, other);
            if (scan) continue;
            heap_.emplace_back(scores_[other], other);
            std::push_heap(heap_.begin(), heap_.end(), later);
        }
    }
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

void Elimination::run(std::span<const std::uint16_t> weights, std::span<const std::uint32_t> members,
                      std::span<const std::uint32_t> box_ends) {
    const auto count = static_cast<std::uint32_t>(weights.size());
    // Estimated work beyond which a second attempt is worth its time.
    constexpr std::uint64_t kHard = 512;
    if (count <= 64) {
        const auto fill_masks = [&] {
            masks_.assign(count, 0);
            std::uint32_t begin = 0;
            for (const std::uint32_t end : box_ends) {
                std::uint64_t all = 0;
                for (std::uint32_t i = begin; i < end; ++i) all |= std::uint64_t{1} << members[i];
                for (std::uint32_t i = begin; i < end; ++i)
                    masks_[members[i]] |= all & ~(std::uint64_t{1} << members[i]);
                begin = end;
            }
        };
        fill_masks();
        MaskSets sets{masks_};
        attempt(sets, weights, ByDegree{}, by_degree_);
        if (by_degree_.cost > kHard) {
            fill_masks();
            attempt(sets, weights, ByFill{}, by_fill_);
        }
    } else {
        if (lists_.size() < count) lists_.resize(count);
        for (std::uint32_t vertex = 0; vertex < count; ++vertex) lists_[vertex].clear();
        std::uint32_t begin = 0;
        for (const std::uint32_t end : box_ends) {
            for (std::uint32_t i = begin; i < end; ++i)
                for (std::uint32_t j = begin; j < end; ++j)
                    if (i != j) lists_[members[i]].push_back(members[j]);
            begin = end;
        }
        if (lists_again_.size() < count) lists_again_.resize(count);
        for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
            auto& list = lists_[vertex];
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            lists_again_[vertex].assign(list.begin(), list.end());
        }
        ListSets sets{lists_, count, scratch_}, again{lists_again_, count, scratch_};
        attempt(sets, weights, ByDegree{}, by_degree_);
        if (by_degree_.cost > kHard) attempt(again, weights, ByFill{}, by_fill_);
    }
    const bool tried_both = by_degree_.cost > kHard;
    colour(tried_both && by_fill_.cost < by_degree_.cost ? by_fill_ : by_degree_);
}

}  // namespace mineproof
