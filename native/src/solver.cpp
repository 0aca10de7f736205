// Solver: reduce, record, pass, read off.
//
// With a total, polynomials in doubles as long as the counts fit: fastest on real boards, and every term is a
// whole number, so certainty is read off the same pass. Beyond that, the contour for odds and the feasibility
// pass for certainty. Without a total the components are independent, and one real
// point is enough.

#include "mineproof/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>

#include "mineproof/direct.hpp"
#include "mineproof/require.hpp"

namespace mineproof {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Polynomials are tried first. Above this number of cells, long ones cost more than a contour.
constexpr std::uint32_t kDirectCells = 3000;
// Odds beyond these, or an integral whose terms cancel to less than this share of their size, are left to exact
// counting.
constexpr double kLongestOdds = 1e12, kLeastShare = 0.05;

}  // namespace

bool Solver::prepare(const Question& question, Budget& budget, Answer& answer) {
    ++turn_;
    listable_ = false;
    return check(reduction_.run(question.geometry, question.codes), question, budget, answer) &&
           record(question, budget, answer);
}

// For questions that come one after the other from a game: leaves out the boxes.
bool Solver::reduce_on(const Question& question, const Around* around, Budget& budget, Answer& answer) {
    ++turn_;
    listable_ = false;
    const bool reduced = around != nullptr ? reduction_.run_counted(question.geometry, question.codes, *around)
                                           : reduction_.run_on(question.geometry, question.codes);
    return check(reduced, question, budget, answer);
}

// Says what came of a reduction; false if there is no more to be done.
bool Solver::check(bool reduced, const Question& question, Budget& budget, Answer& answer) {
    if (!reduced) {
        answer.status = Status::numbers_conflict;
        answer.conflict = reduction_.conflict();
        return false;
    }
    if (!budget.work(question.geometry.cells)) {
        answer.status = Status::over_budget;
        return false;
    }
    return true;
}

bool Solver::record(const Question& question, Budget& budget, Answer& answer) {
    const auto outcome = recorder_.record(reduction_, question.total != Question::kUnknown, budget);
    if (outcome == TapeRecorder::Outcome::done) return true;
    const bool conflict = outcome == TapeRecorder::Outcome::conflict;
    answer.status = conflict ? Status::numbers_conflict : Status::over_budget;
    answer.conflict = recorder_.conflict();
    answer.width = recorder_.width();
    return false;
}

Counted Solver::analyze(const Question& question, Budget& budget, std::span<Verdict> verdicts,
                        std::span<double> probabilities) {
    MINEPROOF_REQUIRE(verdicts.size() == question.geometry.cells && probabilities.size() == question.geometry.cells);
    Counted counted(*this, question);
    if (prepare(question, budget, counted)) count(question, budget, counted);
    counted.turn_ = turn_;
    counted.is_counted_ = counted.status == Status::answered || counted.status == Status::imprecise;
    if (counted.is_counted_) write(verdicts, probabilities);
    return counted;
}

// Fills in the answers of boxes and sea.
void Solver::count(const Question& question, Budget& budget, Answer& answer) {
    box_answers_.resize(reduction_.boxes().size());
    answer.largest_component = tape().largest_component();
    answer.status = question.total == Question::kUnknown ? solve_without_total(question.odds, budget, answer)
                                                         : solve_with_total(mines_left(question.total), budget, answer);
    if (answer.status == Status::total_conflict) total_conflict(question.total, answer);
    if (answer.status == Status::over_budget) answer.width = recorder_.width();
}

Counted Solver::find_certain(const Question& question, Budget& budget, Certain& certain) {
    return find_certain(question, nullptr, budget, certain);
}

Counted Solver::find_certain(const Question& question, const Around& around, Budget& budget, Certain& certain) {
    return find_certain(question, &around, budget, certain);
}

Counted Solver::find_certain(const Question& question, const Around* around, Budget& budget, Certain& certain) {
    certain.safe.clear();
    certain.mines.clear();
    Counted counted(*this, question);
    const bool reduced = reduce_on(question, around, budget, counted);
    counted.turn_ = turn_;
    if (!reduced) return counted;
    for (const Cell cell : reduction_.decided())
        (reduction_.verdicts()[cell] == Verdict::mine ? certain.mines : certain.safe).push_back(cell);
    if (!certain.safe.empty()) return counted;
    reduction_.condense();
    if (!record(question, budget, counted)) return counted;
    count(question, budget, counted);
    counted.is_counted_ = counted.status == Status::answered || counted.status == Status::imprecise;
    if (!counted.is_counted_) return counted;
    const auto add = [&](Verdict verdict, Cell cell) {
        if (verdict == Verdict::safe) certain.safe.push_back(cell);
        if (verdict == Verdict::mine) certain.mines.push_back(cell);
    };
    const auto boxes = reduction_.boxes();
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (std::size_t i = 0; i < boxes[id].size; ++i) add(box_answers_[id].verdict, boxes[id].cells[i]);
    if (sea_.verdict != Verdict::undecided) append_sea(sea_.verdict == Verdict::safe ? certain.safe : certain.mines);
    return counted;
}

void Solver::append_sea(std::vector<Cell>& cells) const {
    reduction_.each_at_sea([&](Cell cell) { cells.push_back(cell); });
}

Glance Solver::glance(const Question& question, Budget& budget) {
    MINEPROOF_REQUIRE(question.total != Question::kUnknown);
    Answer answer;
    Glance glance;
    if (reduce_on(question, nullptr, budget, answer)) {
        reduction_.condense();
        if (record(question, budget, answer)) count(question, budget, answer);
    }
    glance.status = answer.status;
    if (answer.status != Status::answered) return glance;
    glance.log2_layouts = answer.log2_layouts;
    glance.solved = true;
    const auto lives = [&](Cell cell) { return !reduction_.shows_one_number(question.geometry, cell); };
    for (const Cell cell : reduction_.decided())
        if (reduction_.verdicts()[cell] == Verdict::safe && lives(cell)) glance.add(1, true);
    const auto boxes = reduction_.boxes();
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        const double safety = 1 - box_answers_[id].probability;
        const bool safe = box_answers_[id].verdict == Verdict::safe;
        glance.solved &= box_answers_[id].verdict != Verdict::undecided;
        for (std::size_t i = 0; i < boxes[id].size && (safe || safety > glance.second); ++i)
            if (lives(boxes[id].cells[i])) glance.add(safety, safe);
    }
    glance.add_sea(reduction_.sea(), 1 - sea_.probability, sea_.verdict);
    glance.finish();
    return glance;
}

bool Solver::fits_directly() const {
    return tape().largest_component() <= kDirectComponent && reduction_.undecided() <= kDirectCells;
}

Status Solver::solve_with_total(std::int64_t left, Budget& budget, Answer& answer) {
    if (fits_directly()) {
        const Status status = solve_directly(left, budget, answer);
        listable_ = status == Status::answered;
        if (status != Status::imprecise) return status;  // else some count does not fit a double
    }
    return solve_on_contour(left, budget, answer);
}

void Solver::total_conflict(std::int64_t total, Answer& answer) const {
    const Row& root = tape().rows()[tape().roots()[0]];
    const std::int64_t known = total - mines_left(total);
    answer.fewest = known + root.lo;
    answer.most = known + root.lo + root.len - 1 + reduction_.sea();
}

Status Solver::solve_directly(std::int64_t left, Budget& budget, Answer& answer) {
    const auto& weights = plain_weights();
    const Reals ring;
    const auto boxes = reduction_.boxes();
    if (!may_hold(reals_.bytes(tape()), budget)) return Status::over_budget;
    if (!reals_.forward(ring, tape(), boxes, weights, budget)) return Status::over_budget;
    const Row& root = tape().rows()[tape().roots()[0]];
    const auto counts = reals_.polynomial(root);
    const auto shares = reals_.share(root);
    const std::int64_t sea = reduction_.sea();
    const std::int64_t lowest = std::max<std::int64_t>(0, left - root.lo - (root.len - 1));
    const std::int64_t highest = std::min(sea, left - root.lo);
    if (lowest > highest) return Status::total_conflict;
    double total = 0, sea_mines = 0;
    bool sea_safe = true, sea_mine = true;
    const std::int64_t peak = weigh_sea(sea, lowest, highest, [&](std::int64_t in_sea, double weight) {
        const auto k = static_cast<std::size_t>(left - in_sea - root.lo);
        shares[k] = weight;
        const double ways = counts[k] * weight;
        total += ways;
        sea_mines += ways * static_cast<double>(in_sea);
        if (counts[k] > 0) sea_safe &= in_sea == 0, sea_mine &= in_sea == sea;
    });
    if (total == 0) return Status::total_conflict;
    if (!is_precise(std::accumulate(counts.begin(), counts.end(), 0.0), total)) return Status::imprecise;
    if (!reals_.backward(ring, tape(), boxes, weights, budget)) return Status::over_budget;

    answer.log2_layouts = std::log2(total) + log2_choose(static_cast<double>(sea), static_cast<double>(peak));
    answer.exact_bits = answer.log2_layouts;
    const Verdict sea_verdict = verdict_of(sea_safe, sea_mine);
    sea_ = BoxAnswer{bounded(sea_mines / total / static_cast<double>(sea), sea_verdict), sea_verdict};
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        const int size = boxes[id].size;
        double mines = 0;
        bool safe = true, mine = true;
        for (int k = 0; k <= size; ++k) {
            const double tally = reals_.tally(id, k);
            mines += tally * k;
            if (tally > 0) safe &= k == 0, mine &= k == size;
        }
        const Verdict verdict = verdict_of(safe, mine);
        box_answers_[id] = BoxAnswer{bounded(mines / total / size, verdict), verdict};
    }
    return Status::answered;
}

Status Solver::solve_without_total(double odds, Budget& budget, Answer& answer) {
    const auto boxes = reduction_.boxes();
    const double sea = reduction_.sea();
    if (!may_hold(contour_.bytes(tape(), false), budget)) return Status::over_budget;
    if (!contour_.scale(tape(), boxes, 1, budget)) return Status::over_budget;
    answer.log2_layouts = sea;
    for (const std::uint32_t root : tape().roots()) {
        const double bits = std::log2(contour_.row_value(root)) + static_cast<double>(contour_.root_exponent(root));
        answer.log2_layouts += bits;
        answer.exact_bits = std::max(answer.exact_bits, bits);
    }
    feasibility_.any_total(tape(), boxes);
    sea_ = BoxAnswer{odds > 0 ? odds / (1 + odds) : kNaN, Verdict::undecided};
    if (odds > 0 && !(contour_.scale(tape(), boxes, odds, budget) && contour_.spread(tape(), boxes, budget)))
        return Status::over_budget;
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        const int size = boxes[id].size;
        double mines = 0;
        bool safe = true, mine = true;
        for (int k = 0; k <= size; ++k) {
            if (!feasibility_.possible(id, k)) continue;
            if (odds > 0) mines += contour_.tally(id, k) * k;
            safe &= k == 0, mine &= k == size;
        }
        const Verdict verdict = verdict_of(safe, mine);
        const bool known = odds > 0 || verdict != Verdict::undecided;
        box_answers_[id] = BoxAnswer{known ? bounded(mines / size, verdict) : kNaN, verdict};
    }
    const bool extreme = odds > 0 && (odds > kLongestOdds || odds < 1 / kLongestOdds);
    return extreme ? Status::imprecise : Status::answered;
}

Status Solver::solve_on_contour(std::int64_t left, Budget& budget, Answer& answer) {
    const auto boxes = reduction_.boxes();
    const std::int64_t sea = reduction_.sea();
    const std::uint64_t before = fits_directly() ? reals_.bytes(tape()) : 0;
    if (!may_hold(before + feasibility_.bytes(tape()) + contour_.bytes(tape(), true), budget))
        return Status::over_budget;
    if (!feasibility_.within(tape(), boxes, left - sea, left, budget)) return Status::over_budget;
    if (feasibility_.first_total() > feasibility_.last_total()) return Status::total_conflict;
    const Verdict sea_verdict = verdict_of(feasibility_.first_total() == left, left - feasibility_.last_total() == sea);

    double lambda = 1;
    const double deviation = find_saddle(left, lambda, budget);
    if (deviation < 0) return Status::over_budget;
    // Sampling the circle at `period` points is exact when no two counts are that far apart; counts
    // twenty deviations apart never matter.
    const std::int64_t all = tape().rows()[tape().roots()[0]].len + sea;
    const auto enough = static_cast<std::int64_t>(std::ceil(20 * deviation)) + 9;
    if (!integrate(left, lambda, std::min(all, enough) | 1, true, budget, answer)) return Status::over_budget;
    if (!adds_up(left) && all > enough && !integrate(left, lambda, all | 1, false, budget, answer))
        return Status::over_budget;
    sea_ = BoxAnswer{bounded(sea_.probability, sea_verdict), sea_verdict};
    const bool precise = adds_up(left);
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        bool safe = true, mine = true;
        for (int k = 0; k <= boxes[id].size; ++k)
            if (feasibility_.possible(id, k)) safe &= k == 0, mine &= k == boxes[id].size;
        const Verdict verdict = verdict_of(safe, mine);
        box_answers_[id] = BoxAnswer{bounded(box_answers_[id].probability, verdict), verdict};
    }
    return precise ? Status::answered : Status::imprecise;
}

// Newton's method in log λ with the slope, which is the variance, taken from the last two points.
double Solver::find_saddle(std::int64_t left, double& lambda, Budget& budget) {
    const std::uint32_t root = tape().roots()[0];
    const double sea = reduction_.sea(), lo = tape().rows()[root].lo, hi = lo + tape().rows()[root].len - 1 + sea;
    const double target = hi - lo < 1 ? lo : std::clamp(static_cast<double>(left), lo + 0.25, hi - 0.25);
    if (hi == 0) return 0;  // nothing to place anywhere
    const double cells = reduction_.undecided() + sea,
                 share = std::clamp(static_cast<double>(left) / cells, 0.01, 0.99);
    constexpr double kSteepest = 14;  // |log λ| beyond this only under- or overflows
    double at = std::log(share / (1 - share)), variance = cells * share * (1 - share) / 2;
    double before = 0, mean_before = 0;
    for (int round = 0; round < 40; ++round) {
        lambda = std::exp(at);
        if (!contour_.scale(tape(), reduction_.boxes(), lambda, budget)) return -1;
        const double mean = contour_.root_mean(root) + sea * lambda / (1 + lambda);
        if (round > 0 && at != before) variance = std::max((mean - mean_before) / (at - before), 1e-3);
        const double miss = target - mean;
        if (round > 0 && std::abs(miss) < 0.05 * std::sqrt(variance) + 1e-3) break;
        before = at;
        mean_before = mean;
        // Steps are limited: far from the saddle the variance is a poor slope.
        at = std::clamp(at + std::clamp(miss / variance, -1.0, 1.0), -kSteepest, kSteepest);
        if (at == before) at += at > 0 ? -1e-3 : 1e-3;
    }
    return std::sqrt(variance);
}

// Sums over the points of the circle; conjugate points are counted once, twice. With `cut`, points where the
// sea alone has damped everything below 1e-18 are left out; no count can exceed its value at θ = 0.
bool Solver::integrate(std::int64_t left, double lambda, std::int64_t period, bool cut, Budget& budget,
                       Answer& answer) {
    using Complex = ContourPass::Complex;
    constexpr int kBlock = ContourPass::kBlock;
    const auto boxes = reduction_.boxes();
    const double sea = reduction_.sea(), step = 2 * std::numbers::pi / static_cast<double>(period);
    std::int64_t points = (period + 1) / 2;
    if (cut && sea > 0) {
        const auto damped = [&](std::int64_t j) {
            return sea * std::log(std::abs(1.0 + std::polar(lambda, step * static_cast<double>(j))) / (1 + lambda)) <
                   -42;
        };
        std::int64_t low = 0, high = points;  // the first damped point lies in (low, high]
        while (high - low > 1) (damped((low + high) / 2) ? high : low) = (low + high) / 2;
        points = high;
    }
    const double log2_scale = static_cast<double>(contour_.root_exponent(tape().roots()[0])) +
                              sea * std::log2(1 + lambda) - static_cast<double>(left) * std::log2(lambda);
    contour_.clear_tallies(boxes.size());
    double total = 0, size = 0, sea_mines = 0, at_lambda = 0;
    for (std::int64_t first = 0; first < points; first += kBlock) {
        std::array<Complex, kBlock> at;
        for (std::size_t i = 0; i < kBlock; ++i)
            at[i] = std::polar(lambda, step * static_cast<double>(first + static_cast<std::int64_t>(i)));
        const auto factor = [&](const std::array<Complex, kBlock>& root) {
            std::array<Complex, kBlock> factors;
            for (std::size_t i = 0; i < kBlock; ++i) {
                const std::int64_t j = first + static_cast<std::int64_t>(i);
                const double weight = j >= points ? 0 : j == 0 ? 1 : 2;
                if (j == 0) at_lambda = root[i].real();
                const double turn = -step * static_cast<double>(j * left % period);
                factors[i] = weight * std::exp(sea * std::log((1.0 + at[i]) / (1 + lambda)) + Complex(0, turn));
                const Complex term = factors[i] * root[i];
                total += term.real();
                size += std::abs(term);
                sea_mines += (term * at[i] / (1.0 + at[i])).real() * sea;
            }
            return factors;
        };
        if (!contour_.block(tape(), boxes, at, factor, budget)) return false;
    }
    integral_share_ = total / size;
    answer.log2_layouts = std::log2(total / static_cast<double>(period)) + log2_scale;
    // No coefficient exceeds the whole polynomial at a positive point: a bound that holds even if the integral does
    // not.
    answer.exact_bits = std::log2(at_lambda) + log2_scale;
    sea_.probability = sea > 0 ? sea_mines / total / sea : 0;
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        double mines = 0;
        for (int k = 1; k <= boxes[id].size; ++k) mines += contour_.tally(id, k) * k;
        box_answers_[id].probability = mines / total / boxes[id].size;
    }
    return true;
}

// Checks the integral, at no cost: expected mines must add up to what is left, and terms must not have cancelled.
bool Solver::adds_up(std::int64_t left) const {
    if (!(integral_share_ > kLeastShare)) return false;
    double sum = sea_.probability * reduction_.sea();
    bool sane = sea_.probability > -1e-9 && sea_.probability < 1 + 1e-9;
    for (std::uint32_t id = 0; id < box_answers_.size(); ++id) {
        const double probability = box_answers_[id].probability;
        sane &= probability > -1e-9 && probability < 1 + 1e-9;
        sum += probability * reduction_.boxes()[id].size;
    }
    const auto target = static_cast<double>(left);
    return sane && std::abs(sum - target) <= 1e-9 * std::max(1.0, target);
}

// Spreads the answers of boxes and sea over the cells.
void Solver::write(std::span<Verdict> verdicts, std::span<double> probabilities) const {
    const auto marks = reduction_.marks();
    const std::size_t cells = verdicts.size();
    const auto sea_verdict = static_cast<std::uint8_t>(sea_.verdict);
    for (std::size_t cell = 0; cell < cells; ++cell)
        verdicts[cell] = static_cast<Verdict>(-(marks[cell] == kUndecidedMark) & sea_verdict);
    std::array<double, kFlagMark + 1> probability_of{};  // by mark
    probability_of[0] = kNaN;
    probability_of[kUndecidedMark] = sea_.probability;
    probability_of[kFlagMark] = 1;
    std::size_t first = 0;
    for (; first + 8 <= cells; first += 8) {  // eight cells that are not in question are common
        std::uint64_t word;
        std::memcpy(&word, marks.data() + first, sizeof word);
        if (word == 0)
            std::fill_n(probabilities.begin() + first, 8, kNaN);
        else
            for (std::size_t cell = first; cell < first + 8; ++cell) probabilities[cell] = probability_of[marks[cell]];
    }
    for (std::size_t cell = first; cell < cells; ++cell) probabilities[cell] = probability_of[marks[cell]];
    const auto decided = reduction_.verdicts();
    for (const Cell cell : reduction_.decided()) {
        verdicts[cell] = decided[cell];
        probabilities[cell] = decided[cell] == Verdict::mine ? 1 : 0;
    }
    for (std::uint32_t id = 0; id < box_answers_.size(); ++id) {
        const Box& box = reduction_.boxes()[id];
        for (std::size_t i = 0; i < box.size; ++i) {
            verdicts[box.cells[i]] = box_answers_[id].verdict;
            probabilities[box.cells[i]] = box_answers_[id].probability;
        }
    }
}

double Solver::probability(Cell cell) const {
    if (reduction_.marks()[cell] != kUndecidedMark) return reduction_.verdicts()[cell] == Verdict::mine ? 1 : 0;
    for (std::uint32_t id = 0; id < box_answers_.size(); ++id) {
        const Box& box = reduction_.boxes()[id];
        if (std::find(box.cells.begin(), box.cells.begin() + box.size, cell) != box.cells.begin() + box.size)
            return box_answers_[id].probability;
    }
    return sea_.probability;
}

double Counted::probability(Cell cell) const {
    MINEPROOF_REQUIRE(is_counted_ && solver_->turn_ == turn_ && cell < cells_);
    return solver_->probability(cell);
}

void Counted::write(std::span<Verdict> verdicts, std::span<double> probabilities) const {
    MINEPROOF_REQUIRE(is_counted_ && solver_->turn_ == turn_);
    MINEPROOF_REQUIRE(verdicts.size() == cells_ && probabilities.size() == cells_);
    solver_->write(verdicts, probabilities);
}

}  // namespace mineproof
