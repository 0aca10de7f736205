// What if.
//
// The layouts of a position are those of its components and of the sea, put together by their numbers of mines. What is
// supposed of a cell, and a number that it shows, touch one component or a few; these are reduced on from what the
// position's own reduction left (Reduction::branch) and counted again, and the other components are as they were: their
// ways by number of mines, and what of these is in which box, are worked out once for the position.
//
// Terms are as in Solver: whole numbers and weights of the sea that are never too small, so that a sum is zero only
// where nothing fits.
//
// Cost    The position once, and a backward pass for each number of mines of a component that stays as it was. Then a
//         count of the touched components for each supposition: 0.6 of the instructions of counting the whole position
//         on an expert board, and most of that is recording their tape.

#include "mineproof/what_if.hpp"

#include <algorithm>
#include <numeric>

#include "mineproof/direct.hpp"
#include "mineproof/require.hpp"

namespace mineproof {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
// Beyond these it does not pay to keep components apart: how many there are, and the products that are walked to spread
// them. On an expert board it is some ten, and thousands.
constexpr std::size_t kMostComponents = 24;
constexpr std::uint64_t kMostSpread = 1 << 18;

double dot(std::span<const double> a, const double* b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

void WhatIf::remember_in(TapeMemory* memory) {
    parent_recorder_.remember_in(memory);
    recorder_.remember_in(memory);
    solver_.remember_in(memory);
}

void WhatIf::begin(const Question& question) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    question_.emplace(question);
    is_counted_ = false;
}

// False where the whole position has to be counted for each supposition: on large boards, where something is certain
// that is not marked, and where the position itself cannot be counted.
bool WhatIf::count_parent(Budget& budget) {
    if (!parent_.run_on(question_->geometry, question_->codes) || !parent_.decided().empty()) return false;
    if (parent_.undecided() + kReach > kDirectComponent) return false;
    parent_.condense();
    if (parent_recorder_.record(parent_, true, budget) != TapeRecorder::Outcome::done) return false;
    const Tape& tape = parent_recorder_.tape();
    if (!budget.fits(parent_recorder_.bytes() + parent_reals_.bytes(tape))) return false;
    if (!parent_reals_.forward(Reals{}, tape, parent_.boxes(), plain_weights(), budget)) return false;
    list_components();
    std::uint64_t effort = 0;
    for (const Component& component : components()) effort += component.ways.counts.size() * component.products;
    return component_count_ <= kMostComponents && effort <= kMostSpread;
}

void WhatIf::list_components() {
    const Tape& tape = parent_recorder_.tape();
    const auto boxes = parent_.boxes();
    const auto parts = tape.parts();
    component_count_ = parts.size();
    if (components_.size() < component_count_) components_.resize(component_count_);
    for (std::size_t id = 0; id < component_count_; ++id) {
        Component& component = components_[id];
        const Row& root = tape.rows()[parts[id].root];
        const auto ways = parent_reals_.polynomial(root);
        component.root = parts[id].root;
        component.ways.lo = root.lo;
        component.ways.counts.assign(ways.begin(), ways.end());
        component.first_step = id == 0 ? 0 : parts[id - 1].end_step;
        component.end_step = parts[id].end_step;
        component.products =
            tape.steps()[component.end_step - 1].end_product - tape.steps()[component.first_step].first_product;
        component.is_spread = component.has_others = false;
        component.boxes.clear();
    }
    component_of_cell_.assign(question_->geometry.cells, kNowhere);
    component_of_constraint_.assign(parent_.constraints().size(), kNowhere);
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        const std::uint32_t component = tape.component_of_box()[id];
        components_[component].boxes.push_back(id);
        for (std::size_t i = 0; i < boxes[id].size; ++i) component_of_cell_[boxes[id].cells[i]] = component;
        for (std::size_t i = 0; i < boxes[id].degree; ++i)
            component_of_constraint_[boxes[id].constraints[i]] = component;
    }
    knows_touched_ = false;
}

// Fills in what is known of the boxes of a component.
bool WhatIf::spread(Component& component, Budget& budget) {
    const Tape& tape = parent_recorder_.tape();
    const auto boxes = parent_.boxes();
    const Row& root = tape.rows()[component.root];
    const std::size_t counts = component.ways.counts.size();
    component.sums.assign(2 * counts * component.boxes.size(), 0);
    component.safest = 0;
    for (std::size_t mines = 0; mines < counts; ++mines) {
        if (component.ways.counts[mines] == 0) continue;
        parent_reals_.clear(tape, boxes, component.first_step, component.end_step);
        parent_reals_.share(root)[mines] = 1;
        if (!parent_reals_.backward(Reals{}, tape, boxes, plain_weights(), component.first_step, component.end_step,
                                    budget))
            return false;
        for (std::size_t i = 0; i < component.boxes.size(); ++i) {
            double &mined = component.sums[2 * counts * i + mines],
                   &free = component.sums[2 * counts * i + counts + mines];
            const int size = boxes[component.boxes[i]].size;
            for (int k = 0; k <= size; ++k) {
                const double tally = parent_reals_.tally(component.boxes[i], k);
                mined += tally * k;
                free += tally * (size - k);
            }
            component.safest = std::max(component.safest, mined == 0 ? 1 : free / (mined + free));
        }
    }
    component.is_spread = true;
    return true;
}

Glance WhatIf::count(std::span<const Supposed> supposed, Budget& budget) {
    Glance glance;
    glance.status = count_branch(supposed, budget, glance.log2_layouts);
    return glance.status == Status::imprecise ? solver_.glance(suppose(supposed), budget) : glance;
}

Glance WhatIf::glance(std::span<const Supposed> supposed, Budget& budget) {
    Glance glance;
    glance.status = count_branch(supposed, budget, glance.log2_layouts);
    if (glance.status == Status::imprecise) return solver_.glance(suppose(supposed), budget);
    if (glance.status == Status::answered && !sum_up(glance, budget)) glance.status = Status::over_budget;
    return glance;
}

// For the slow way: the whole position, with what is supposed.
Question WhatIf::suppose(std::span<const Supposed> supposed) {
    codes_.assign(question_->codes.begin(), question_->codes.end());
    for (const Supposed& each : supposed) codes_[each.cell] = each.code;
    return {question_->geometry, codes_, question_->total};
}

// Counts the touched components, and all layouts. `imprecise` where the whole position has to be counted.
Status WhatIf::count_branch(std::span<const Supposed> supposed, Budget& budget, double& log2_layouts) {
    MINEPROOF_REQUIRE(question_.has_value());
    if (!is_counted_) is_quick_ = count_parent(budget);
    is_counted_ = true;
    if (!is_quick_) return Status::imprecise;
    find_touched(supposed);
    if (!branch_.branch(parent_, question_->geometry, supposed, asleep_)) return Status::numbers_conflict;
    branch_.condense();
    const auto outcome = recorder_.record(branch_, true, budget);
    if (outcome == TapeRecorder::Outcome::conflict) return Status::numbers_conflict;
    if (outcome == TapeRecorder::Outcome::over_budget ||
        !budget.fits(recorder_.bytes() + reals_.bytes(recorder_.tape())) ||
        !reals_.forward(Reals{}, recorder_.tape(), branch_.boxes(), plain_weights(), budget))
        return Status::over_budget;
    return add_up(log2_layouts);
}

// Numbers of one cell touch the same components: what depends on these alone is kept.
void WhatIf::find_touched(std::span<const Supposed> supposed) {
    touched_.assign(component_count_, 0);
    const auto touch = [&](Cell cell) {
        if (component_of_cell_[cell] != kNowhere) touched_[component_of_cell_[cell]] = 1;
    };
    for (const Supposed& each : supposed) {
        touch(each.cell);
        if (each.code < 0) continue;
        for (const Cell other : question_->geometry.around(each.cell))
            if (other < component_of_cell_.size()) touch(other);
    }
    if (knows_touched_ && touched_ == touched_before_) return;
    knows_touched_ = true;
    touched_before_ = touched_;
    asleep_.assign(component_of_constraint_.size(), 0);
    for (std::size_t id = 0; id < asleep_.size(); ++id) {
        const std::uint32_t component = component_of_constraint_[id];
        asleep_[id] = component != kNowhere && !touched_[component];
    }
    for (Component& component : components()) component.has_others = false;
    multiply_untouched(component_count_, untouched_);
}

// The ways of the components that are not touched, but one.
void WhatIf::multiply_untouched(std::size_t but, Ways& product) {
    product.lo = 0;
    product.counts.assign(1, 1);
    for (std::size_t id = 0; id < component_count_; ++id) {
        if (touched_[id] || id == but) continue;
        const Ways& ways = components_[id].ways;
        product.lo += ways.lo;
        if (ways.counts.size() == 1) {
            for (double& each : product.counts) each *= ways.counts[0];
            continue;
        }
        scratch_.assign(product.counts.size() + ways.counts.size() - 1, 0);
        for (std::size_t i = 0; i < product.counts.size(); ++i)
            for (std::size_t j = 0; j < ways.counts.size(); ++j) scratch_[i + j] += product.counts[i] * ways.counts[j];
        product.counts.swap(scratch_);
    }
}

// All layouts; and what an arrangement of the branch is worth to the rest of the board.
Status WhatIf::add_up(double& log2_layouts) {
    const Row& root = this->root();
    const auto ways = reals_.polynomial(root);
    const auto shares = reals_.share(root);
    const auto& others = untouched_.counts;
    const std::int64_t fewest = std::int64_t{root.lo} + untouched_.lo, sea = branch_.sea();
    left_ = question_->total - branch_.flags() - branch_.decided_mines();
    sea_ways_.assign(ways.size() + others.size() - 1, 0);
    const std::int64_t most = fewest + static_cast<std::int64_t>(sea_ways_.size()) - 1;
    const std::int64_t lowest = std::max<std::int64_t>(0, left_ - most), highest = std::min(sea, left_ - fewest);
    if (lowest > highest) return Status::total_conflict;
    const std::int64_t peak = weigh_sea(sea, lowest, highest, [&](std::int64_t mines, double weight) {
        sea_ways_[static_cast<std::size_t>(left_ - mines - fewest)] = weight;
    });
    total_ = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        shares[i] = dot(others, sea_ways_.data() + i);
        total_ += ways[i] * shares[i];
    }
    if (total_ == 0) return Status::total_conflict;
    const double all =
        std::accumulate(ways.begin(), ways.end(), 0.0) * std::accumulate(others.begin(), others.end(), 0.0);
    if (!is_precise(all, total_)) return Status::imprecise;
    log2_layouts = std::log2(total_) + log2_choose(static_cast<double>(sea), static_cast<double>(peak));
    return Status::answered;
}

bool WhatIf::sum_up(Glance& glance, Budget& budget) {
    if (!reals_.backward(Reals{}, recorder_.tape(), branch_.boxes(), plain_weights(), budget)) return false;
    glance.solved = true;
    for (const Cell cell : branch_.decided())
        if (branch_.verdicts()[cell] == Verdict::safe && lives(cell)) glance.add(1, true);
    const auto boxes = branch_.boxes();
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        double mined = 0, free = 0;
        for (int k = 0; k <= boxes[id].size; ++k) {
            const double tally = reals_.tally(id, k);
            mined += tally * k;
            free += tally * (boxes[id].size - k);
        }
        sum_up_box(boxes[id], mined, free, glance);
    }
    sum_up_sea(glance);
    if (!sum_up_untouched(glance, budget)) return false;
    glance.finish();
    return true;
}

// A box, with its mines and its free cells summed over all layouts.
void WhatIf::sum_up_box(const Box& box, double mined, double free, Glance& glance) const {
    const Verdict verdict = verdict_of(mined == 0, free == 0);
    const double safety = 1 - bounded(mined / total_ / box.size, verdict);
    const bool safe = verdict == Verdict::safe;
    glance.solved &= verdict != Verdict::undecided;
    for (std::size_t i = 0; i < box.size && (safe || safety > glance.second); ++i)
        if (lives(box.cells[i])) glance.add(safety, safe);
}

void WhatIf::sum_up_sea(Glance& glance) const {
    const std::uint32_t sea = branch_.sea();
    if (sea == 0) return;
    const Row& root = this->root();
    const auto ways = reals_.polynomial(root);
    const std::int64_t most = left_ - root.lo - untouched_.lo;  // mines in the sea, with the fewest elsewhere
    double mined = 0, free = 0;
    for (std::size_t i = 0; i < ways.size(); ++i)
        for (std::size_t j = 0; j < untouched_.counts.size(); ++j) {
            const double layouts = ways[i] * untouched_.counts[j] * sea_ways_[i + j];
            const auto mines = static_cast<double>(most - static_cast<std::int64_t>(i + j));
            mined += layouts * mines;
            free += layouts * (sea - mines);
        }
    const Verdict verdict = verdict_of(mined == 0, free == 0);
    glance.add_sea(sea, 1 - bounded(mined / total_ / sea, verdict), verdict);
}

// Components that are as they were: only those matter that may have a safe cell, or one safer than the second found so
// far. `safest` bounds the safety of each cell, which is a mean over numbers of mines. Below 1 every box has mines at
// any number of them, and as every constraint has a free cell, something is undecided.
bool WhatIf::sum_up_untouched(Glance& glance, Budget& budget) {
    bool has_rest = false;
    for (std::size_t id = 0; id < component_count_; ++id) {
        Component& component = components_[id];
        if (touched_[id]) continue;
        if (!component.is_spread && !spread(component, budget)) return false;
        if (component.safest < 1) {
            glance.solved = false;
            if (component.safest <= glance.second) continue;
        }
        if (!has_rest) weigh_rest();
        has_rest = true;
        if (!component.has_others) multiply_untouched(id, component.others);
        component.has_others = true;
        sum_up_component(component, glance);
    }
    return true;
}

void WhatIf::weigh_rest() {
    const auto ways = reals_.polynomial(root());
    rest_.resize(untouched_.counts.size());
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = dot(ways, sea_ways_.data() + i);
}

void WhatIf::sum_up_component(const Component& component, Glance& glance) {
    const std::size_t counts = component.ways.counts.size();
    weights_.resize(counts);
    for (std::size_t mines = 0; mines < counts; ++mines)
        weights_[mines] = dot(component.others.counts, rest_.data() + mines);
    for (std::size_t i = 0; i < component.boxes.size(); ++i) {
        const double* const sums = component.sums.data() + 2 * counts * i;
        sum_up_box(parent_.boxes()[component.boxes[i]], dot(weights_, sums), dot(weights_, sums + counts), glance);
    }
}

}  // namespace mineproof
