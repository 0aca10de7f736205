// ProblemRecorder: bucket elimination over sets of allowed sums, recorded.
//
// A table maps a key, the partial sums of its half-finished relations, to the ways to choose values for the boxes
// joined so far. Two partial sums of a relation are the same state if the boxes still to come can complete both alike:
// they are merged into the least of them. So "at least 2" has three states and a sum modulo 3 has three, however
// long the relation. A list of allowed patterns is a relation with coefficients 1, 2, 4, 8…, and merging makes the
// smallest automaton that reads it.
//
// TapeRecorder is the special case of boards, where sums are at most 8 and only one is allowed: it packs a key into
// machine words. Order, tape and passes are the same.
//
// Cost: one product per pair of rows that fit, which is what `Budget::spend` counts.

#include "mineproof/problem_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace mineproof {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

template <class Values>
void sort_unique(Values& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

ProblemRecorder::Outcome ProblemRecorder::record(const ProblemReduction& reduction, bool track_total, Budget& budget) {
    reduction_ = &reduction;
    tape_ = Tape();
    tape_.tracks_mines_ = track_total;
    tape_.rows_.assign(1, Row{0, 0, 1});
    tape_.storage_ = 1;
    width_ = 0;
    split(reduction);
    for (std::uint32_t component = 0; component < box_lists_.size(); ++component) {
        const Outcome outcome = record_component(component, budget);
        if (outcome != Outcome::done) return outcome;
        tape_.parts_.push_back({tape_.roots_.back(), static_cast<std::uint32_t>(tape_.steps_.size())});
    }
    if (track_total && !join_roots(budget)) return Outcome::over_budget;
    return Outcome::done;
}

// Finds the components: boxes linked by relations, in the order they are met.
void ProblemRecorder::split(const ProblemReduction& reduction) {
    const auto boxes = reduction.boxes();
    const auto relations = reduction.relations();
    std::vector<std::vector<std::uint32_t>> touch(relations.size());
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (const auto& entry : boxes[id].entries) touch[entry.relation].push_back(id);
    tape_.component_of_box_.assign(boxes.size(), kNone);
    local_.assign(relations.size(), kNone);
    relation_lists_.clear();
    box_lists_.clear();
    for (std::uint32_t start = 0; start < boxes.size(); ++start) {
        if (tape_.component_of_box_[start] != kNone) continue;
        const auto component = static_cast<std::uint32_t>(box_lists_.size());
        std::vector<std::uint32_t> linked{start}, found;
        tape_.component_of_box_[start] = component;
        std::uint32_t cells = 0;
        for (std::size_t head = 0; head < linked.size(); ++head) {
            cells += static_cast<std::uint32_t>(boxes[linked[head]].variables.size());
            for (const auto& entry : boxes[linked[head]].entries) {
                if (local_[entry.relation] != kNone) continue;
                local_[entry.relation] = static_cast<std::uint32_t>(found.size());
                found.push_back(entry.relation);
                for (const std::uint32_t other : touch[entry.relation]) {
                    if (tape_.component_of_box_[other] != kNone) continue;
                    tape_.component_of_box_[other] = component;
                    linked.push_back(other);
                }
            }
        }
        tape_.largest_component_ = std::max(tape_.largest_component_, cells);
        relation_lists_.push_back(std::move(found));
        box_lists_.push_back(std::move(linked));
    }
}

ProblemRecorder::Outcome ProblemRecorder::record_component(std::uint32_t component, Budget& budget) {
    const std::vector<std::uint32_t>& box_ids = box_lists_[component];
    relations_ = relation_lists_[component];
    if (relations_.empty()) {
        record_free_box(box_ids[0]);
        return Outcome::done;
    }
    members_.assign(relations_.size(), {});
    for (const std::uint32_t id : box_ids)
        for (const auto& entry : reduction_->boxes()[id].entries)
            members_[local_[entry.relation]].push_back({id, entry.coefficient});
    if (!find_order(box_ids, budget)) return Outcome::over_budget;
    width_ = std::max(width_, elimination_.slots);
    if (elimination_.slots > Elimination::kMaxSlots) {
        budget.give_up(Limit::width);
        return Outcome::over_budget;
    }
    const Outcome outcome = eliminate(box_ids, budget);
    if (outcome == Outcome::conflict) conflict_ = relations_[0];
    return outcome;
}

// A box in no relation.
void ProblemRecorder::record_free_box(std::uint32_t id) {
    const ProblemBox& box = reduction_->boxes()[id];
    const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
    const std::size_t first = tape_.products_.size();
    for (std::uint32_t value = 0; value < box.value_count(); ++value)
        if (box.allows(value)) tape_.products_.push_back({0, value, row});
    const std::uint32_t lo = tape_.products_[first].right;
    const bool tracks = tape_.tracks_mines_;
    tape_.rows_.push_back(Row{0, tracks ? lo : 0, tracks ? box.value_count() - lo : 1});
    close_rows(row);
    tape_.steps_.push_back(Step{id, row, row + 1, first, tape_.products_.size()});
    tape_.roots_.push_back(row);
}

bool ProblemRecorder::find_order(std::span<const std::uint32_t> box_ids, Budget& budget) {
    std::vector<std::uint16_t> weights;
    for (std::uint32_t relation = 0; relation < relations_.size(); ++relation) {
        std::vector<std::uint32_t> half((members_[relation].size() + 1) / 2);
        std::iota(half.begin(), half.end(), 0);
        const Futures futures = futures_of(relation, half, budget);
        if (budget.stopped()) return false;
        weights.push_back(static_cast<std::uint16_t>(4 + std::lround(16 * std::log2(1 + futures.classes))));
    }
    std::vector<std::uint32_t> vertices, ends;
    for (const std::uint32_t id : box_ids) {
        for (const auto& entry : reduction_->boxes()[id].entries) vertices.push_back(local_[entry.relation]);
        ends.push_back(static_cast<std::uint32_t>(vertices.size()));
    }
    return elimination_.run(weights, vertices, ends, budget);
}

// Sums that the joined boxes of a relation can have together, or those that are not joined; ascending.
std::vector<std::int64_t> ProblemRecorder::sums_of(std::uint32_t relation, std::span<const std::uint32_t> joined,
                                                   bool inside, Budget& budget) const {
    std::vector<std::int64_t> sums{0}, next;
    for (std::uint32_t place = 0; place < members_[relation].size(); ++place) {
        if (std::ranges::binary_search(joined, place) != inside) continue;
        const Member& member = members_[relation][place];
        const ProblemBox& box = reduction_->boxes()[member.box];
        next.clear();
        for (std::uint32_t value = 0; value < box.value_count(); ++value)
            if (box.allows(value))
                for (const std::int64_t sum : sums) next.push_back(sum + std::int64_t{member.coefficient} * value);
        if (!budget.work(next.size())) break;
        sort_unique(next);
        sums.swap(next);
    }
    return sums;
}

ProblemRecorder::Futures ProblemRecorder::futures_of(std::uint32_t local, std::span<const std::uint32_t> joined,
                                                     Budget& budget) const {
    Futures futures;
    futures.finished = joined.size() == members_[local].size();
    const auto inside = sums_of(local, joined, true, budget), outside = sums_of(local, joined, false, budget);
    if (budget.stopped()) return futures;
    futures.lo = static_cast<std::int32_t>(inside.front());
    futures.same_as.assign(static_cast<std::size_t>(inside.back() - inside.front() + 1), Futures::kDead);
    const SumSet& sums = reduction_->relations()[relations_[local]].sums;
    if (sums.size() > 1) {
        classify(sums, inside, outside, futures, budget);
        return futures;
    }
    // One allowed sum leaves one rest to each partial sum, so no two of them are the same state.
    const std::int64_t need = sums.lo + (std::ranges::find(sums.flags, std::uint8_t{1}) - sums.flags.begin());
    for (const std::int64_t sum : inside) {
        if (!std::ranges::binary_search(outside, need - sum)) continue;
        futures.same_as[static_cast<std::size_t>(sum - futures.lo)] = static_cast<std::int32_t>(sum);
        ++futures.classes;
    }
    return futures;
}

// Gives each sum the first sum that the same sums outside complete.
bool ProblemRecorder::classify(const SumSet& sums, std::span<const std::int64_t> inside,
                               std::span<const std::int64_t> outside, Futures& futures, Budget& budget) {
    std::map<std::vector<std::uint64_t>, std::int32_t> firsts;
    std::vector<std::uint64_t> future((outside.size() + 63) / 64);
    for (const std::int64_t sum : inside) {
        std::ranges::fill(future, 0);
        bool any = false;
        for (std::size_t i = 0; i < outside.size(); ++i) {
            if (!sums.holds(sum + outside[i])) continue;
            future[i / 64] |= std::uint64_t{1} << i % 64;
            any = true;
        }
        if (!budget.work(outside.size()) || !budget.fits(firsts.size() * future.size() * sizeof(future[0])))
            return false;
        if (!any) continue;
        const auto first = firsts.try_emplace(future, static_cast<std::int32_t>(sum)).first->second;
        futures.same_as[static_cast<std::size_t>(sum - futures.lo)] = first;
    }
    futures.classes = static_cast<std::uint32_t>(firsts.size());
    return true;
}

ProblemRecorder::Factor ProblemRecorder::box_factor(std::uint32_t id) const {
    Factor factor;
    factor.box = id;
    for (const auto& entry : reduction_->boxes()[id].entries) {
        const auto& members = members_[local_[entry.relation]];
        const auto place = std::ranges::find(members, id, &Member::box) - members.begin();
        factor.scope.push_back({local_[entry.relation], {static_cast<std::uint32_t>(place)}});
    }
    return factor;
}

std::uint32_t ProblemRecorder::earliest(const Factor& factor) const {
    std::uint32_t first = kNone;
    for (const ScopeEntry& entry : factor.scope) first = std::min(first, elimination_.place[entry.relation]);
    return first;
}

ProblemRecorder::Outcome ProblemRecorder::eliminate(std::span<const std::uint32_t> box_ids, Budget& budget) {
    stride_ = elimination_.slots;
    keys_.clear();
    key_base_ = static_cast<std::uint32_t>(tape_.rows_.size());
    key_.assign(stride_, 0);
    unit_key_.assign(stride_, 0);
    std::vector<std::vector<Factor>> buckets(relations_.size());
    for (const std::uint32_t id : box_ids) {
        Factor factor = box_factor(id);
        buckets[earliest(factor)].push_back(std::move(factor));
    }
    for (auto& bucket : buckets) {
        // Tables first, large ones before small ones, then boxes from the widest down.
        std::ranges::stable_sort(bucket, [](const Factor& a, const Factor& b) {
            const bool a_box = a.box != Step::kNoBox, b_box = b.box != Step::kNoBox;
            if (a_box != b_box) return b_box;
            return a_box ? a.scope.size() > b.scope.size() : a.end_row - a.first_row > b.end_row - b.first_row;
        });
        Factor current;
        std::size_t at = 0;
        if (!bucket.empty() && bucket[0].box == Step::kNoBox) current = std::move(bucket[at++]);
        for (; at < bucket.size(); ++at) {
            Factor joined;
            if (!join(current, bucket[at], joined, budget)) return Outcome::over_budget;
            if (joined.first_row == joined.end_row) return Outcome::conflict;
            current = std::move(joined);
        }
        if (!current.scope.empty()) {
            const std::uint32_t next = earliest(current);
            buckets[next].push_back(std::move(current));
        } else if (current.first_row != 0) {
            tape_.roots_.push_back(current.first_row);
        }
    }
    return Outcome::done;
}

bool ProblemRecorder::join(const Factor& left, const Factor& right, Factor& joined, Budget& budget) {
    const auto first_row = static_cast<std::uint32_t>(tape_.rows_.size());
    const std::uint64_t first_product = tape_.products_.size();
    const bool is_box = right.box != Step::kNoBox;
    joined.scope = left.scope;
    std::vector<Check> checks;
    for (const ScopeEntry& entry : right.scope) {
        auto place = std::ranges::find(joined.scope, entry.relation, &ScopeEntry::relation);
        const bool shared = place != joined.scope.end();
        if (!shared) place = joined.scope.insert(place, ScopeEntry{entry.relation, {}});
        place->joined.insert(place->joined.end(), entry.joined.begin(), entry.joined.end());
        std::ranges::sort(place->joined);
        if (!shared && !is_box) continue;  // its sums are those of the right table
        Check check{elimination_.slot[entry.relation], 0, futures_of(entry.relation, place->joined, budget)};
        if (budget.stopped()) return false;
        if (is_box) check.coefficient = members_[entry.relation][entry.joined[0]].coefficient;
        const bool finished = check.futures.finished;
        checks.push_back(std::move(check));
        if (finished) joined.scope.erase(place);
    }
    std::ranges::stable_sort(checks, {}, [](const Check& check) { return !check.futures.finished; });
    out_first_ = first_row;
    index_.assign(16, 0);
    if (!(is_box ? join_box(left, right, checks, budget) : join_table(left, right, checks, budget))) return false;
    close_rows(first_row);
    joined.first_row = first_row;
    joined.end_row = static_cast<std::uint32_t>(tape_.rows_.size());
    tape_.steps_.push_back(Step{right.box, first_row, joined.end_row, first_product, tape_.products_.size()});
    return true;
}

std::span<const std::int32_t> ProblemRecorder::key_of(std::uint32_t row) const {
    return row == 0 ? std::span(unit_key_) : std::span(keys_).subspan((row - key_base_) * stride_, stride_);
}

// A table with a box: each row with each value of the box.
bool ProblemRecorder::join_box(const Factor& left, const Factor& factor, std::span<const Check> checks,
                               Budget& budget) {
    const ProblemBox& box = reduction_->boxes()[factor.box];
    for (std::uint32_t row = left.first_row; row < left.end_row; ++row) {
        const std::size_t before = tape_.products_.size();
        for (std::uint32_t value = 0; value < box.value_count(); ++value) {
            if (!box.allows(value)) continue;
            const auto from = key_of(row);
            std::ranges::copy(from, key_.begin());
            bool fits = true;
            for (const Check& check : checks) {
                const std::int32_t sum = check.futures(from[check.slot] + std::int64_t{check.coefficient} * value);
                fits = sum != Futures::kDead;
                if (!fits) break;
                key_[check.slot] = check.futures.finished ? 0 : sum;
            }
            if (!fits) continue;
            const Row& made_from = tape_.rows_[row];
            const std::uint32_t lo = tape_.tracks_mines_ ? made_from.lo + value : 0;
            emit(row, value, lo, lo + made_from.len);
        }
        if (!spend(before, box.value_count(), budget)) return false;
    }
    return true;
}

// A table with a table. Right rows are put in groups of equal sum of one relation, so that most pairs that do not fit
// are never looked at.
bool ProblemRecorder::join_table(const Factor& left, const Factor& right, std::span<const Check> checks,
                                 Budget& budget) {
    by_sum_.resize(right.end_row - right.first_row);
    std::iota(by_sum_.begin(), by_sum_.end(), right.first_row);
    const auto leading = [&](std::uint32_t row) { return checks.empty() ? 0 : key_of(row)[checks[0].slot]; };
    std::ranges::stable_sort(by_sum_, {}, leading);
    for (std::uint32_t row = left.first_row; row < left.end_row; ++row) {
        const std::size_t before = tape_.products_.size();
        std::uint64_t looked = 0;
        for (std::size_t i = 0; i < by_sum_.size();) {
            const std::int32_t sum = leading(by_sum_[i]);
            std::size_t end = i + 1;
            while (end < by_sum_.size() && leading(by_sum_[end]) == sum) ++end;
            if (!checks.empty() && checks[0].futures(std::int64_t{leading(row)} + sum) == Futures::kDead) {
                i = end;
                ++looked;
                continue;
            }
            for (; i < end; ++i, ++looked) {
                const std::uint32_t other = by_sum_[i];
                const auto a = key_of(row), b = key_of(other);
                for (std::size_t slot = 0; slot < stride_; ++slot) key_[slot] = a[slot] + b[slot];
                bool fits = true;
                for (const Check& check : checks) {
                    const std::int32_t same = check.futures(key_[check.slot]);
                    fits = same != Futures::kDead;
                    if (!fits) break;
                    key_[check.slot] = check.futures.finished ? 0 : same;
                }
                if (!fits) continue;
                const Row &x = tape_.rows_[row], &y = tape_.rows_[other];
                emit(row, other, x.lo + y.lo, x.lo + y.lo + x.len + y.len - 1);
            }
        }
        if (!spend(before, looked, budget)) return false;
    }
    return true;
}

// Adds a product that makes the row of `key_`; `end` is one past the largest total it can have.
void ProblemRecorder::emit(std::uint32_t left, std::uint32_t right, std::uint32_t lo, std::uint32_t end) {
    const std::uint32_t out = find_or_add();
    Row& row = tape_.rows_[out];
    if (row.len == 0) {
        row.lo = lo;
        row.len = end - lo;
    } else {
        const std::uint32_t old_end = row.lo + row.len;
        row.lo = std::min(row.lo, lo);
        row.len = std::max(old_end, end) - row.lo;
    }
    tape_.products_.push_back(Product{left, right, out});
}

namespace {

std::size_t hash(std::span<const std::int32_t> key) {
    std::uint64_t value = key.size();
    for (const std::int32_t part : key)
        value = (value ^ value >> 32 ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15U;
    return value >> 20;
}

}  // namespace

std::uint32_t ProblemRecorder::find_or_add() {
    const std::size_t mask = index_.size() - 1;
    std::size_t place = hash(key_) & mask;
    for (; index_[place] != 0; place = (place + 1) & mask)
        if (std::ranges::equal(key_of(index_[place] - 1), key_)) return index_[place] - 1;
    const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
    tape_.rows_.push_back(Row{0, 0, 0});
    keys_.insert(keys_.end(), key_.begin(), key_.end());
    index_[place] = row + 1;
    if ((row - out_first_ + 1) * 2 > mask) grow_index();
    return row;
}

void ProblemRecorder::grow_index() {
    index_.assign(index_.size() * 4, 0);
    const std::size_t mask = index_.size() - 1;
    for (std::uint32_t row = out_first_; row < tape_.rows_.size(); ++row) {
        std::size_t place = hash(key_of(row)) & mask;
        while (index_[place] != 0) place = (place + 1) & mask;
        index_[place] = row + 1;
    }
}

void ProblemRecorder::close_rows(std::uint32_t first_row) {
    for (std::size_t row = first_row; row < tape_.rows_.size(); ++row) {
        if (!tape_.tracks_mines_) tape_.rows_[row].lo = 0, tape_.rows_[row].len = 1;
        tape_.rows_[row].offset = tape_.storage_;
        tape_.storage_ += tape_.rows_[row].len;
    }
}

// Multiplies the components' counts together, two and two, so that long ones meet late.
bool ProblemRecorder::join_roots(Budget& budget) {
    while (tape_.roots_.size() > 1) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < tape_.roots_.size(); i += 2) {
            const Row a = tape_.rows_[tape_.roots_[i]], b = tape_.rows_[tape_.roots_[i + 1]];
            const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
            tape_.products_.push_back(Product{tape_.roots_[i], tape_.roots_[i + 1], row});
            tape_.rows_.push_back(Row{0, a.lo + b.lo, a.len + b.len - 1});
            close_rows(row);
            tape_.steps_.push_back(
                Step{Step::kNoBox, row, row + 1, tape_.products_.size() - 1, tape_.products_.size()});
            tape_.roots_[kept++] = row;
        }
        if (tape_.roots_.size() % 2 == 1) tape_.roots_[kept++] = tape_.roots_.back();
        tape_.roots_.resize(kept);
        if (!budget.work(kept)) return false;
    }
    if (tape_.roots_.empty()) tape_.roots_.push_back(0);
    return true;
}

bool ProblemRecorder::spend(std::size_t before, std::uint64_t work, Budget& budget) {
    return budget.spend(tape_.products_.size() - before) && budget.work(work) &&
           budget.fits(tape_.bytes() + keys_.size() * sizeof(keys_[0]));
}

}  // namespace mineproof
