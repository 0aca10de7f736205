// ProblemReduction: what single relations decide, and relations inside others.
//
// The sums that the first i terms of a relation can have, and those from which its last terms can still reach an
// allowed sum, are sets of bytes. A value has support if it leads from one to the other. Relations with one allowed sum
// are subtracted from those that contain all their terms. Both are repeated until nothing changes.
//
// Cost: for each relation its terms times values times the range of its sums, each time one of its variables changes.

#include "mineproof/problem_reduction.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace mineproof {

std::size_t SumSet::size() const { return static_cast<std::size_t>(std::ranges::count(flags, std::uint8_t{1})); }

std::uint32_t ProblemBox::value_count() const {
    return grouped ? static_cast<std::uint32_t>(variables.size()) + 1
                   : static_cast<std::uint32_t>(std::bit_width(values));
}

std::uint32_t ProblemReduction::value_of(std::uint32_t variable) const {
    return static_cast<std::uint32_t>(std::countr_zero(values_[variable]));
}

ProblemReduction::Outcome ProblemReduction::run(const Problem& problem, Budget& budget) {
    if (!read(problem)) return Outcome::conflict;
    for (bool changed = true; changed;) {
        if (!propagate(budget) || !subtract_all(changed, budget))
            return budget.stopped() ? Outcome::over_budget : Outcome::conflict;
    }
    condense(problem);
    return Outcome::done;
}

bool ProblemReduction::read(const Problem& problem) {
    const std::size_t count = problem.variable_count();
    values_.assign(count, 0);
    touching_.assign(count, {});
    for (std::uint32_t variable = 0; variable < count; ++variable) {
        const auto weights = problem.weights_of(variable);
        for (std::size_t value = 0; value < weights.size(); ++value)
            if (weights[value] > 0) values_[variable] |= std::uint64_t{1} << value;
    }
    relations_.assign(problem.constraint_count(), {});
    queue_.clear();
    queued_.assign(relations_.size(), 0);
    std::uint32_t term = 0, sum = 0;
    for (std::uint32_t id = 0; id < relations_.size(); ++id) {
        Relation& relation = relations_[id];
        for (; term < problem.term_ends[id]; ++term) {
            relation.terms.push_back({problem.variables[term], problem.coefficients[term]});
            touching_[problem.variables[term]].push_back(id);
        }
        std::ranges::sort(relation.terms);
        conflict_ = id;
        if (sum == problem.sum_ends[id]) return false;
        const std::int64_t last = problem.sums[problem.sum_ends[id] - 1];
        relation.sums.lo = problem.sums[sum];
        relation.sums.flags.assign(static_cast<std::size_t>(last - relation.sums.lo + 1), 0);
        for (; sum < problem.sum_ends[id]; ++sum)
            relation.sums.flags[static_cast<std::size_t>(problem.sums[sum] - relation.sums.lo)] = 1;
        enqueue(id);
    }
    return true;
}

void ProblemReduction::enqueue(std::uint32_t relation) {
    if (queued_[relation]) return;
    queued_[relation] = 1;
    queue_.push_back(relation);
}

bool ProblemReduction::propagate(Budget& budget) {
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const std::uint32_t relation = queue_[head];
        queued_[relation] = 0;
        if (!tighten(relation, budget)) {
            conflict_ = relation;
            return false;
        }
    }
    queue_.clear();
    return true;
}

// Takes the terms of decided variables out.
void ProblemReduction::fill_in(Relation& relation) const {
    std::erase_if(relation.terms, [&](const Term& term) {
        if (!is_decided(term.variable)) return false;
        relation.sums.lo -= std::int64_t{term.coefficient} * value_of(term.variable);
        return true;
    });
}

bool ProblemReduction::tighten(std::uint32_t id, Budget& budget) {
    Relation& relation = relations_[id];
    if (relation.terms.empty() && relation.sums.flags.empty()) return true;  // used up
    fill_in(relation);
    if (relation.terms.empty()) {
        const bool holds = relation.sums.holds(0);
        relation.sums.flags.clear();
        return holds;
    }
    return prune(id, budget);
}

// Removes values that no allowed sum has, and a relation that allows everything.
bool ProblemReduction::prune(std::uint32_t id, Budget& budget) {
    Relation& relation = relations_[id];
    const std::size_t count = relation.terms.size();
    if (before_.size() <= count) before_.resize(count + 1), behind_.resize(count + 1);
    std::int64_t least = 0;  // of all sums; sets below count from what their terms have at least
    const auto span_of = [&](const Term& term) {
        const std::int64_t low = std::countr_zero(values_[term.variable]);
        const std::int64_t high = static_cast<std::int64_t>(std::bit_width(values_[term.variable])) - 1;
        const std::int64_t a = std::int64_t{term.coefficient} * low, b = std::int64_t{term.coefficient} * high;
        return std::pair(std::min(a, b), std::max(a, b));
    };
    const auto each_value = [&](const Term& term, auto visit) {
        const std::int64_t low = span_of(term).first;
        for (std::uint64_t rest = values_[term.variable]; rest != 0; rest &= rest - 1) {
            const int value = std::countr_zero(rest);
            visit(value, static_cast<std::size_t>(std::int64_t{term.coefficient} * value - low));
        }
    };
    before_[0].assign(1, 1);
    for (std::size_t i = 0; i < count; ++i) {
        const auto [low, high] = span_of(relation.terms[i]);
        least += low;
        const auto& from = before_[i];
        auto& into = before_[i + 1];
        into.assign(from.size() + static_cast<std::size_t>(high - low), 0);
        each_value(relation.terms[i], [&](int, std::size_t step) {
            for (std::size_t sum = 0; sum < from.size(); ++sum) into[sum + step] |= from[sum];
        });
        if (!budget.work(into.size())) return false;
    }
    auto& last = behind_[count];
    last.assign(before_[count].size(), 0);
    bool any = false, all = true;
    for (std::size_t sum = 0; sum < last.size(); ++sum) {
        if (!before_[count][sum]) continue;
        last[sum] = relation.sums.holds(least + static_cast<std::int64_t>(sum));
        any |= last[sum] != 0, all &= last[sum] != 0;
    }
    if (!any) return false;
    if (all) {
        for (const Term& term : relation.terms) std::erase(touching_[term.variable], id);
        relation.terms.clear();
        relation.sums.flags.clear();
        return true;
    }
    relation.sums.lo = least;
    relation.sums.flags.assign(last.begin(), last.end());
    for (std::size_t i = count; i-- > 0;) {
        const Term& term = relation.terms[i];
        const auto &from = before_[i], &after = behind_[i + 1];
        if (!budget.work(from.size())) return false;
        auto& into = behind_[i];
        into.assign(from.size(), 0);
        std::uint64_t supported = 0;
        each_value(term, [&](int value, std::size_t step) {
            std::uint8_t reached = 0;
            for (std::size_t sum = 0; sum < from.size(); ++sum) {
                const std::uint8_t fits = from[sum] & after[sum + step];
                reached |= fits;
                into[sum] |= fits;
            }
            if (reached) supported |= std::uint64_t{1} << value;
        });
        if (supported == values_[term.variable]) continue;
        values_[term.variable] = supported;
        for (const std::uint32_t other : touching_[term.variable]) enqueue(other);
    }
    return true;
}

bool ProblemReduction::subtract_all(bool& changed, Budget& budget) {
    changed = false;
    for (std::uint32_t inner = 0; inner < relations_.size(); ++inner) {
        const Relation& relation = relations_[inner];
        if (relation.terms.empty()) continue;
        const bool single = relation.sums.size() == 1;
        const auto degree = [&](const Term& term) { return touching_[term.variable].size(); };
        const Term& rarest = *std::ranges::min_element(relation.terms, {}, degree);
        const std::vector<std::uint32_t> candidates = touching_[rarest.variable];
        for (const std::uint32_t outer : candidates) {
            const auto& terms = relations_[outer].terms;
            if (outer == inner || terms.size() < relation.terms.size()) continue;
            if (!single && (terms.size() != relation.terms.size() || outer < inner)) continue;
            if (!budget.work(terms.size())) return false;
            if (!std::ranges::includes(terms, relation.terms)) continue;
            if (!subtract(outer, inner)) {
                conflict_ = outer;
                return false;
            }
            changed = true;
        }
    }
    return true;
}

// The terms of `inner` leave `outer`. If they are all of them, `inner` keeps the sums that both allow.
bool ProblemReduction::subtract(std::uint32_t outer, std::uint32_t inner) {
    Relation &large = relations_[outer], &small = relations_[inner];
    for (const Term& term : small.terms) std::erase(touching_[term.variable], outer);
    if (large.terms.size() == small.terms.size()) {
        bool any = false;
        for (std::size_t i = 0; i < small.sums.flags.size(); ++i) {
            small.sums.flags[i] &= large.sums.holds(small.sums.lo + static_cast<std::int64_t>(i));
            any |= small.sums.flags[i] != 0;
        }
        large.terms.clear();
        large.sums.flags.clear();
        if (any) enqueue(inner);
        return any;
    }
    std::erase_if(large.terms, [&](const Term& term) { return std::ranges::binary_search(small.terms, term); });
    const auto at = std::ranges::find(small.sums.flags, std::uint8_t{1}) - small.sums.flags.begin();
    large.sums.lo -= small.sums.lo + at;
    enqueue(outer);
    return true;
}

void ProblemReduction::condense(const Problem& problem) {
    boxes_.clear();
    decided_total_ = 0;
    std::vector<std::vector<ProblemBox::Entry>> entries(values_.size());
    for (std::uint32_t id = 0; id < relations_.size(); ++id)
        for (const Term& term : relations_[id].terms) entries[term.variable].push_back({id, term.coefficient});
    std::map<std::pair<std::uint32_t, std::vector<ProblemBox::Entry>>, std::size_t> groups;
    for (std::uint32_t variable = 0; variable < values_.size(); ++variable) {
        if (is_decided(variable)) {
            decided_total_ += value_of(variable);
            continue;
        }
        const bool binary = values_[variable] == 3;
        if (binary) {
            const auto [place, fresh] = groups.try_emplace({problem.kinds[variable], entries[variable]}, boxes_.size());
            if (!fresh) {
                boxes_[place->second].variables.push_back(variable);
                continue;
            }
        }
        boxes_.push_back({{variable}, std::move(entries[variable]), binary, values_[variable]});
    }
}

}  // namespace mineproof
