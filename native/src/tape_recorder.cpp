// TapeRecorder: bucket elimination, recorded.
//
// A table maps a key (the partial sums of its half-finished constraints, kSlotBits each) to the ways to
// arrange the boxes joined so far. Finishing a constraint joins every table and box that mentions it;
// keys add, rows that exceed a number or can no longer reach it are dropped, the finished constraint
// leaves the key and equal keys merge. That is dynamic programming over a tree decomposition; minesolver's
// sweep over cells is the special case where the tree is a path.
//
// Both bound tests are one addition and one mask for all constraints at once: with b = kHigh - 1 - need
// in a field, the test bit kHigh of sum + b is set exactly when the sum is too large; with b = kHigh - lowest, exactly
// when the sum is large enough. Fields never spill: five bits hold numbers up to 8, and seven those up to 32.
//
// Cost: one product per pair of rows that fit, which is what `Budget::spend` counts.

#include "mineproof/tape_recorder.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace mineproof {
namespace {

// About 16·log2(values), for one to seventeen values.
constexpr std::array<std::uint16_t, 18> kWeights = {0,  4,  16, 25, 32, 37, 41, 45, 48,
                                                    51, 53, 55, 57, 59, 61, 63, 64, 65};

// Components remembered: of at most so many constraints and boxes, and products.
constexpr std::size_t kMostRemembered = 200, kLongestRemembered = 4096;
// The memory is compared with the budget after so many products at first, then whenever they are an eighth more.
constexpr std::size_t kWeighed = 4096, kMore = 8;

}  // namespace

template <int Words>
struct TapeRecorder::Bounds {
    std::array<std::uint64_t, Words> upper{}, lower{}, high{};
    std::array<std::uint64_t, Words> finished{};  // what to take off a key: the needs of finished constraints
    // One of them, if any: what is missing to its need leaves a row little choice.
    int closing_need = -1;
    std::size_t closing_word = 0, closing_shift = 0;

    static std::size_t word(std::size_t slot) { return Words == 1 ? 0 : slot / kSlotsPerWord; }
    static std::size_t shift(std::size_t slot) { return (Words == 1 ? slot : slot % kSlotsPerWord) * kSlotBits; }
    void set(std::size_t slot, int need, int lowest) {
        upper[word(slot)] |= std::uint64_t(kHigh - 1 - need) << shift(slot);
        lower[word(slot)] |= std::uint64_t(kHigh - lowest) << shift(slot);
        high[word(slot)] |= std::uint64_t{kHigh} << shift(slot);
    }
    void finish(std::size_t slot, int need) {
        finished[word(slot)] |= static_cast<std::uint64_t>(need) << shift(slot);
        closing_need = need;
        closing_word = word(slot);
        closing_shift = shift(slot);
    }
    bool closes() const { return closing_need >= 0; }
    std::uint64_t closing_sum(const std::uint64_t* key) const { return key[closing_word] >> closing_shift & kSlotMask; }
    int closing_rest(const std::uint64_t* key) const { return closing_need - static_cast<int>(closing_sum(key)); }
    bool fits(const std::uint64_t* key) const {
        std::uint64_t bad = 0;
        for (std::size_t i = 0; i < Words; ++i)
            bad |= ((key[i] + upper[i]) & high[i]) | (~(key[i] + lower[i]) & high[i]);
        return bad == 0;
    }
};

TapeRecorder::Outcome TapeRecorder::record(const Reduction& reduction, bool track_mines, Budget& budget) {
    tape_.tracks_mines_ = track_mines;
    tape_.rows_.assign(1, Row{0, 0, 1});
    tape_.products_.clear();
    tape_.steps_.clear();
    tape_.roots_.clear();
    tape_.parts_.clear();
    tape_.storage_ = 1;
    keys_.clear();
    index_.clear();
    by_value_.clear();
    next_weighing_ = kWeighed;
    width_ = 0;
    tape_.largest_component_ = 0;
    split(reduction);
    for (std::uint32_t component = 0; component < constraint_ends_.size(); ++component) {
        const Outcome outcome = record_component(reduction, component, budget);
        if (outcome != Outcome::done) return outcome;
        tape_.parts_.push_back({tape_.roots_.back(), static_cast<std::uint32_t>(tape_.steps_.size())});
    }
    if (track_mines && !join_roots(budget)) return Outcome::over_budget;
    return Outcome::done;
}

// Finds the components: constraints linked by boxes, in the order they are met.
void TapeRecorder::split(const Reduction& reduction) {
    const auto constraints = reduction.constraints();
    const auto boxes = reduction.boxes();
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    touch_begin_.assign(constraints.size() + 1, 0);
    for (const Box& box : boxes)
        for (std::size_t i = 0; i < box.degree; ++i) ++touch_begin_[box.constraints[i] + 1];
    for (std::size_t i = 1; i < touch_begin_.size(); ++i) touch_begin_[i] += touch_begin_[i - 1];
    touch_.resize(touch_begin_.back());
    local_.assign(touch_begin_.begin(), touch_begin_.end() - 1);  // write positions, until reused below
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (std::size_t i = 0; i < boxes[id].degree; ++i) touch_[local_[boxes[id].constraints[i]]++] = id;

    component_of_constraint_.assign(constraints.size(), kNone);
    tape_.component_of_box_.assign(boxes.size(), kNone);
    constraint_list_.clear();
    constraint_ends_.clear();
    box_list_.clear();
    box_ends_.clear();
    for (std::uint32_t start = 0; start < constraints.size(); ++start) {
        if (constraints[start].size == 0 || component_of_constraint_[start] != kNone) continue;
        const auto component = static_cast<std::uint32_t>(constraint_ends_.size());
        const std::size_t first = constraint_list_.size();
        std::uint32_t cells = 0;
        component_of_constraint_[start] = component;
        constraint_list_.push_back(start);
        for (std::size_t head = first; head < constraint_list_.size(); ++head) {
            const std::uint32_t id = constraint_list_[head];
            local_[id] = static_cast<std::uint32_t>(head - first);
            for (std::uint32_t i = touch_begin_[id]; i < touch_begin_[id + 1]; ++i) {
                const std::uint32_t box_id = touch_[i];
                if (tape_.component_of_box_[box_id] != kNone) continue;
                tape_.component_of_box_[box_id] = component;
                box_list_.push_back(box_id);
                const Box& box = boxes[box_id];
                cells += box.size;
                for (std::size_t j = 0; j < box.degree; ++j) {
                    const std::uint32_t other = box.constraints[j];
                    if (component_of_constraint_[other] != kNone) continue;
                    component_of_constraint_[other] = component;
                    constraint_list_.push_back(other);
                }
            }
        }
        tape_.largest_component_ = std::max(tape_.largest_component_, cells);
        constraint_ends_.push_back(static_cast<std::uint32_t>(constraint_list_.size()));
        box_ends_.push_back(static_cast<std::uint32_t>(box_list_.size()));
    }
}

TapeRecorder::Outcome TapeRecorder::record_component(const Reduction& reduction, std::uint32_t component,
                                                     Budget& budget) {
    const auto constraints = reduction.constraints();
    const std::uint32_t first = component == 0 ? 0 : constraint_ends_[component - 1];
    const std::uint32_t first_box = component == 0 ? 0 : box_ends_[component - 1];
    local_constraints_ = std::span(constraint_list_).subspan(first, constraint_ends_[component] - first);
    const auto box_ids = std::span(box_list_).subspan(first_box, box_ends_[component] - first_box);
    if (box_ids.size() == 1) {
        record_box(box_ids[0], static_cast<std::uint32_t>(constraints[local_constraints_[0]].need));
        return Outcome::done;
    }
    TapeMemory::Segment* place = nullptr;
    if (memory_ != nullptr && local_constraints_.size() <= kMostRemembered && box_ids.size() <= kMostRemembered) {
        write_key(reduction, box_ids);
        place = &memory_->place(key_);
        if (std::ranges::equal(place->key, key_))
            return copy(*place, box_ids, budget) ? Outcome::done : Outcome::over_budget;
    }
    const Ends before{tape_.rows_.size(), tape_.products_.size(), tape_.steps_.size(), tape_.storage_};
    begin_component(reduction, box_ids);
    if (!elimination_.run(weights_, members_, member_ends_, budget)) return Outcome::over_budget;
    width_ = std::max(width_, elimination_.slots);
    if (elimination_.slots > Elimination::kMaxSlots) {
        budget.give_up(Limit::width);
        return Outcome::over_budget;
    }
    fill_buckets(box_ids);
    const Outcome outcome = eliminate(reduction, budget);
    if (outcome == Outcome::conflict) conflict_ = constraints[local_constraints_[0]].number;
    if (outcome == Outcome::done && place != nullptr && tape_.products_.size() - before.products <= kLongestRemembered)
        file(*place, box_ids, before);
    return outcome;
}

// Lists what the elimination order is found by: the weight of each constraint, and the constraints of each box.
void TapeRecorder::begin_component(const Reduction& reduction, std::span<const std::uint32_t> box_ids) {
    weights_.clear();
    for (const std::uint32_t id : local_constraints_) {
        const Constraint& constraint = reduction.constraints()[id];
        weights_.push_back(
            kWeights[static_cast<std::size_t>(1 + std::min<int>(constraint.need, constraint.size - constraint.need))]);
    }
    members_.clear();
    member_ends_.clear();
    for (const std::uint32_t id : box_ids) {
        const Box& box = reduction.boxes()[id];
        for (std::size_t i = 0; i < box.degree; ++i) members_.push_back(local_[box.constraints[i]]);
        member_ends_.push_back(static_cast<std::uint32_t>(members_.size()));
    }
}

// Each box waits in the bucket of the first of its constraints to be finished.
void TapeRecorder::fill_buckets(std::span<const std::uint32_t> box_ids) {
    factors_.clear();
    scopes_.clear();
    bucket_.assign(local_constraints_.size(), ~std::uint32_t{0});
    for (std::size_t i = 0; i < box_ids.size(); ++i) {
        const std::uint32_t begin = i == 0 ? 0 : member_ends_[i - 1];
        std::uint32_t earliest = ~std::uint32_t{0};
        for (std::uint32_t j = begin; j < member_ends_[i]; ++j)
            earliest = std::min(earliest, elimination_.place[members_[j]]);
        factors_.push_back(Factor{bucket_[earliest], box_ids[i], 0, 0, begin, member_ends_[i]});
        bucket_[earliest] = static_cast<std::uint32_t>(factors_.size() - 1);
    }
}

TapeMemory::Segment& TapeMemory::place(std::span<const std::uint8_t> key) {
    std::uint64_t hash = key.size();
    for (const std::uint8_t byte : key) hash = (hash ^ byte) * 0x100000001B3U;
    return places_[(hash ^ hash >> 32) % kPlaces];
}

// Everything that the recording of a component depends on. Numbers below 256 throughout.
void TapeRecorder::write_key(const Reduction& reduction, std::span<const std::uint32_t> box_ids) {
    const auto put = [&](std::size_t value) { key_.push_back(static_cast<std::uint8_t>(value)); };
    key_.clear();
    put(tape_.tracks_mines_);
    put(local_constraints_.size());
    for (const std::uint32_t id : local_constraints_)
        if constexpr (kIsWide) {
            put(static_cast<std::size_t>(reduction.constraints()[id].need));
            put(reduction.constraints()[id].size);
        } else {
            put(static_cast<std::size_t>(reduction.constraints()[id].need) << 4 | reduction.constraints()[id].size);
        }
    for (const std::uint32_t id : box_ids) {
        const Box& box = reduction.boxes()[id];
        if constexpr (kIsWide) {
            put(box.size);
            put(box.degree);
        } else {
            put(std::size_t{box.size} << 4 | box.degree);
        }
        for (std::size_t i = 0; i < box.degree; ++i) put(local_[box.constraints[i]]);
    }
}

// Costs as many states as the recording did: what a position costs does not depend on what was met before it.
bool TapeRecorder::copy(const TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids, Budget& budget) {
    const auto shift = static_cast<std::uint32_t>(tape_.rows_.size()) - 1;  // row 0 is the unit, in every tape
    const std::uint64_t first_product = tape_.products_.size();
    for (Row row : segment.rows) {
        row.offset += tape_.storage_;
        tape_.rows_.push_back(row);
    }
    for (const Step& step : segment.steps) {
        const bool is_box = step.box != Step::kNoBox;
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = segment.products[i];
            tape_.products_.push_back(Product{product.left == 0 ? 0 : product.left + shift,
                                              is_box || product.right == 0 ? product.right : product.right + shift,
                                              product.out + shift});
        }
        tape_.steps_.push_back(Step{is_box ? box_ids[step.box] : Step::kNoBox, step.first_row + shift,
                                    step.end_row + shift, step.first_product + first_product,
                                    step.end_product + first_product});
    }
    tape_.roots_.push_back(segment.root + shift);
    tape_.storage_ += segment.storage;
    width_ = std::max(width_, segment.slots);
    return spend(first_product, 0, budget);
}

void TapeRecorder::file(TapeMemory::Segment& segment, std::span<const std::uint32_t> box_ids,
                        const Ends& before) const {
    const auto shift = static_cast<std::uint32_t>(before.rows) - 1;
    segment.key.assign(key_.begin(), key_.end());
    segment.rows.assign(tape_.rows_.begin() + static_cast<std::ptrdiff_t>(before.rows), tape_.rows_.end());
    for (Row& row : segment.rows) row.offset -= before.storage;
    segment.steps.assign(tape_.steps_.begin() + static_cast<std::ptrdiff_t>(before.steps), tape_.steps_.end());
    segment.products.assign(tape_.products_.begin() + static_cast<std::ptrdiff_t>(before.products),
                            tape_.products_.end());
    for (Step& step : segment.steps) {
        const bool is_box = step.box != Step::kNoBox;
        if (is_box) step.box = static_cast<std::uint32_t>(std::ranges::find(box_ids, step.box) - box_ids.begin());
        step.first_row -= shift;
        step.end_row -= shift;
        step.first_product -= before.products;
        step.end_product -= before.products;
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            Product& product = segment.products[i];
            if (product.left != 0) product.left -= shift;
            if (!is_box && product.right != 0) product.right -= shift;
            product.out -= shift;
        }
    }
    segment.root = tape_.roots_.back() - shift;
    segment.slots = elimination_.slots;
    segment.storage = tape_.storage_ - before.storage;
}

// A component of one box, hence of one constraint: what half of the components of a real game come down to.
void TapeRecorder::record_box(std::uint32_t box, std::uint32_t mines) {
    const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
    tape_.rows_.push_back(Row{0, tape_.tracks_mines_ ? mines : 0, 1});
    tape_.products_.push_back(Product{0, mines, row});
    close_rows(row);
    tape_.steps_.push_back(Step{box, row, row + 1, tape_.products_.size() - 1, tape_.products_.size()});
    tape_.roots_.push_back(row);
}

TapeRecorder::Outcome TapeRecorder::eliminate(const Reduction& reduction, Budget& budget) {
    const int words = (static_cast<int>(elimination_.slots) + kSlotsPerWord - 1) / kSlotsPerWord;
    if (words == 1) return eliminate_with<1>(reduction, budget);
    if (words == 2) return eliminate_with<2>(reduction, budget);
    return eliminate_with<kMostWords>(reduction, budget);
}

template <int Words>
TapeRecorder::Outcome TapeRecorder::eliminate_with(const Reduction& reduction, Budget& budget) {
    key_base_ = static_cast<std::uint32_t>(tape_.rows_.size());
    keys_.clear();
    for (std::uint32_t step = 0; step < bucket_.size(); ++step) {
        waiting_.clear();
        for (std::uint32_t i = bucket_[step]; i != ~std::uint32_t{0}; i = factors_[i].next) waiting_.push_back(i);
        sort_waiting();
        Factor current{0, Step::kNoBox, 0, 1, 0, 0};  // the unit row
        std::size_t at = 0;
        if (!waiting_.empty() && factors_[waiting_[0]].box == Step::kNoBox) current = factors_[waiting_[at++]];
        for (; at < waiting_.size(); ++at) {
            const Factor& next = factors_[waiting_[at]];
            merge_scope(reduction, current, next);
            const auto bounds = bound_join<Words>(reduction);
            if (!join<Words>(current, next, bounds, budget)) return Outcome::over_budget;
            const auto begin = static_cast<std::uint32_t>(scopes_.size());
            scopes_.insert(scopes_.end(), merged_.begin(), merged_.end());
            const Step& made = tape_.steps_.back();
            current = Factor{
                0, Step::kNoBox, made.first_row, made.end_row, begin, static_cast<std::uint32_t>(scopes_.size())};
            if (current.first_row == current.end_row) return Outcome::conflict;
        }
        if (current.scope_begin == current.scope_end) {
            if (current.first_row != 0) tape_.roots_.push_back(current.first_row);
            continue;  // either the component is done or this constraint was finished on the way
        }
        factors_.push_back(current);
        put(static_cast<std::uint32_t>(factors_.size() - 1));
    }
    return Outcome::done;
}

// Tables first, then boxes from the widest down: the narrowest factor closes the sum.
void TapeRecorder::sort_waiting() {
    std::sort(waiting_.begin(), waiting_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Factor &left = factors_[a], &right = factors_[b];
        const bool left_box = left.box != Step::kNoBox, right_box = right.box != Step::kNoBox;
        if (left_box != right_box) return right_box;
        const std::uint32_t left_size = left_box ? left.scope_end - left.scope_begin : left.end_row - left.first_row;
        const std::uint32_t right_size =
            right_box ? right.scope_end - right.scope_begin : right.end_row - right.first_row;
        return left_size != right_size ? left_size > right_size : a < b;
    });
}

// What the keys of a join with the merged scope must satisfy. Constraints that it finishes leave the scope.
template <int Words>
TapeRecorder::Bounds<Words> TapeRecorder::bound_join(const Reduction& reduction) {
    const auto constraints = reduction.constraints();
    Bounds<Words> bounds;
    for (const ScopeEntry& entry : merged_) {
        const Constraint& constraint = constraints[local_constraints_[entry.constraint]];
        const std::size_t slot = elimination_.slot[entry.constraint];
        const int outside = constraint.size - static_cast<int>(entry.included);
        bounds.set(slot, constraint.need, std::max(0, constraint.need - outside));
        if (outside == 0) bounds.finish(slot, constraint.need);
    }
    std::erase_if(merged_, [&](const ScopeEntry& entry) {
        return entry.included == constraints[local_constraints_[entry.constraint]].size;
    });
    return bounds;
}

// Files a table under the first of its constraints to be finished.
void TapeRecorder::put(std::uint32_t factor) {
    std::uint32_t earliest = ~std::uint32_t{0};
    for (std::uint32_t i = factors_[factor].scope_begin; i < factors_[factor].scope_end; ++i)
        earliest = std::min(earliest, elimination_.place[scopes_[i].constraint]);
    factors_[factor].next = bucket_[earliest];
    bucket_[earliest] = factor;
}

// The constraints of a join, and how much of each it has seen.
void TapeRecorder::merge_scope(const Reduction& reduction, const Factor& left, const Factor& right) {
    merged_.assign(scopes_.begin() + left.scope_begin, scopes_.begin() + left.scope_end);
    const auto add = [&](std::uint32_t constraint, std::uint32_t cells) {
        for (ScopeEntry& entry : merged_) {
            if (entry.constraint != constraint) continue;
            entry.included += cells;
            return;
        }
        merged_.push_back(ScopeEntry{constraint, cells});
    };
    if (right.box == Step::kNoBox) {
        for (std::uint32_t i = right.scope_begin; i < right.scope_end; ++i)
            add(scopes_[i].constraint, scopes_[i].included);
    } else {
        const std::uint32_t size = reduction.boxes()[right.box].size;
        box_size_ = size;
        for (std::uint32_t i = right.scope_begin; i < right.scope_end; ++i) add(members_[i], size);
    }
}

template <int Words>
bool TapeRecorder::join(const Factor& left, const Factor& right, const Bounds<Words>& bounds, Budget& budget) {
    const auto first_row = static_cast<std::uint32_t>(tape_.rows_.size());
    const std::uint64_t first_product = tape_.products_.size();
    out_first_ = first_row;
    index_bits_ = 4;
    index_.assign(std::size_t{1} << index_bits_, 0);
    const bool is_box = right.box != Step::kNoBox;
    if (!(is_box ? join_box<Words>(left, right, bounds, budget) : join_table<Words>(left, right, bounds, budget)))
        return false;
    close_rows(first_row);
    tape_.steps_.push_back(Step{right.box, first_row, static_cast<std::uint32_t>(tape_.rows_.size()), first_product,
                                tape_.products_.size()});
    return true;
}

// A table with a box: each row with each number of mines in the box.
template <int Words>
bool TapeRecorder::join_box(const Factor& left, const Factor& box, const Bounds<Words>& bounds, Budget& budget) {
    std::array<std::uint64_t, Words> a, sum, unit{};
    for (std::uint32_t i = box.scope_begin; i < box.scope_end; ++i) {
        const std::size_t slot = elimination_.slot[members_[i]];
        unit[Bounds<Words>::word(slot)] |= std::uint64_t{1} << Bounds<Words>::shift(slot);
    }
    const int size = static_cast<int>(box_size_);
    for (std::uint32_t row = left.first_row; row < left.end_row; ++row) {
        read_key<Words>(row, a.data());
        int from = 0, to = size;
        if (bounds.closes()) {  // the sum being finished leaves no choice
            from = to = bounds.closing_rest(a.data());
            if (from < 0 || from > size) continue;
        }
        const std::size_t before = tape_.products_.size();
        for (int mines = from; mines <= to; ++mines) {
            for (std::size_t i = 0; i < Words; ++i) sum[i] = a[i] + unit[i] * static_cast<std::uint64_t>(mines);
            if (!bounds.fits(sum.data())) continue;
            const Row& made_from = tape_.rows_[row];
            const std::uint32_t lo = tape_.tracks_mines_ ? made_from.lo + static_cast<std::uint32_t>(mines) : 0;
            emit<Words>(sum.data(), bounds, row, static_cast<std::uint32_t>(mines), lo, lo + made_from.len);
        }
        if (!spend(before, 4, budget)) return false;
    }
    return true;
}

// A table with a table. Right rows are put in groups of equal partial sum, so that a join that closes a sum looks only
// at those that match.
template <int Words>
bool TapeRecorder::join_table(const Factor& left, const Factor& right, const Bounds<Words>& bounds, Budget& budget) {
    std::array<std::uint64_t, Words> a, b, sum;
    std::array<std::uint32_t, kSlotMask + 3> starts{};
    by_value_.resize(right.end_row - right.first_row);
    const auto value = [&](std::uint32_t row) {
        return bounds.closes() ? bounds.closing_sum(&keys_[std::size_t{row - key_base_} * Words]) : 0;
    };
    for (std::uint32_t row = right.first_row; row < right.end_row; ++row) ++starts[value(row) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    auto places = starts;
    for (std::uint32_t row = right.first_row; row < right.end_row; ++row) by_value_[places[value(row)]++] = row;
    for (std::uint32_t row = left.first_row; row < left.end_row; ++row) {
        read_key<Words>(row, a.data());
        std::uint64_t group = 0;
        if (bounds.closes()) {
            const int rest = bounds.closing_rest(a.data());
            if (rest < 0) continue;
            group = static_cast<std::uint64_t>(rest);
        }
        const std::size_t before = tape_.products_.size();
        for (std::uint32_t i = starts[group]; i < starts[group + 1]; ++i) {
            const std::uint32_t other = by_value_[i];
            read_key<Words>(other, b.data());
            for (std::size_t k = 0; k < Words; ++k) sum[k] = a[k] + b[k];
            if (!bounds.fits(sum.data())) continue;
            const Row &x = tape_.rows_[row], &y = tape_.rows_[other];
            emit<Words>(sum.data(), bounds, row, other, x.lo + y.lo, x.lo + y.lo + x.len + y.len - 1);
        }
        if (!spend(before, starts[group + 1] - starts[group], budget)) return false;
    }
    return true;
}

// Compares the memory with the budget.
bool TapeRecorder::weigh(Budget& budget) {
    next_weighing_ = tape_.products_.size() + std::max(tape_.products_.size() / kMore, kWeighed);
    return budget.fits(bytes());
}

// Adds a product; `end` is one past the most mines it can hold.
template <int Words>
void TapeRecorder::emit(const std::uint64_t* key, const Bounds<Words>& bounds, std::uint32_t left, std::uint32_t right,
                        std::uint32_t lo, std::uint32_t end) {
    std::array<std::uint64_t, Words> rest;
    for (std::size_t i = 0; i < Words; ++i) rest[i] = key[i] - bounds.finished[i];
    const std::uint32_t out = find_or_add<Words>(rest.data());
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

template <int Words>
std::uint64_t hash(const std::uint64_t* key) {
    std::uint64_t value = key[0] * 0x9E3779B97F4A7C15U;
    for (int i = 1; i < Words; ++i) value = (value ^ (value >> 32) ^ key[i]) * 0x9E3779B97F4A7C15U;
    return value;
}

}  // namespace

template <int Words>
std::uint32_t TapeRecorder::find_or_add(const std::uint64_t* key) {
    const std::uint32_t mask = (1U << index_bits_) - 1;
    std::uint32_t place = static_cast<std::uint32_t>(hash<Words>(key) >> (64 - index_bits_));
    for (;; place = (place + 1) & mask) {
        const std::uint32_t entry = index_[place];
        if (entry == 0) break;
        const std::uint64_t* other = &keys_[std::size_t{entry - 1 - key_base_} * Words];
        if (std::equal(key, key + Words, other)) return entry - 1;
    }
    const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
    tape_.rows_.push_back(Row{0, 0, 0});
    keys_.insert(keys_.end(), key, key + Words);
    index_[place] = row + 1;
    if ((row - out_first_ + 1) * 2 > mask) grow_index<Words>();
    return row;
}

template <int Words>
void TapeRecorder::grow_index() {
    index_bits_ += 2;
    const std::uint32_t mask = (1U << index_bits_) - 1;
    index_.assign(std::size_t{1} << index_bits_, 0);
    for (std::uint32_t row = out_first_; row < tape_.rows_.size(); ++row) {
        auto place =
            static_cast<std::uint32_t>(hash<Words>(&keys_[std::size_t{row - key_base_} * Words]) >> (64 - index_bits_));
        while (index_[place] != 0) place = (place + 1) & mask;
        index_[place] = row + 1;
    }
}

// Gives the rows of a finished step their places in a pass's storage.
void TapeRecorder::close_rows(std::uint32_t first_row) {
    for (std::size_t row = first_row; row < tape_.rows_.size(); ++row) {
        tape_.rows_[row].offset = tape_.storage_;
        tape_.storage_ += tape_.rows_[row].len;
    }
}

// Multiplies the components' counts together, two and two, so that long ones meet late.
bool TapeRecorder::join_roots(Budget& budget) {
    while (tape_.roots_.size() > 1) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < tape_.roots_.size(); i += 2) {
            const Row &a = tape_.rows_[tape_.roots_[i]], &b = tape_.rows_[tape_.roots_[i + 1]];
            const auto row = static_cast<std::uint32_t>(tape_.rows_.size());
            const Row joined{0, a.lo + b.lo, a.len + b.len - 1};
            tape_.products_.push_back(Product{tape_.roots_[i], tape_.roots_[i + 1], row});
            tape_.rows_.push_back(joined);
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

}  // namespace mineproof
