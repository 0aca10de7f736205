// ProblemSolver: reduce, record, pass, read off, as for boards.
//
// Weights are whole numbers, so every term of a count is one too. Plain doubles serve while no count can overflow them;
// beyond that, doubles with exponents of their own. In both a value is zero exactly when it has no solution, so
// certainty is read off the same pass. Exact counts are residues modulo primes.

#include "mineproof/problem_solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mineproof {
namespace {

constexpr double kMostBits = 1000;  // of a count in plain doubles

double ratio(const Reals&, double a, double b) { return a / b; }
double ratio(const Floats&, Floats::Value a, Floats::Value b) { return Floats::ratio(a, b); }
double log2_of(const Reals&, double a) { return std::log2(a); }
double log2_of(const Floats&, Floats::Value a) { return Floats::log2(a); }
bool is_zero(double a) { return a == 0; }
bool is_zero(Floats::Value a) { return a.mantissa == 0; }

double divide(const Reals&, double a, std::uint64_t b) { return a / static_cast<double>(b); }
Floats::Value divide(const Floats& ring, Floats::Value a, std::uint64_t b) {
    return ring.multiply(a, {1 / static_cast<double>(b), 0});
}
Residues::Value divide(const Residues& ring, Residues::Value a, std::uint64_t b) {
    return ring.multiply(a, ring.invert(ring.of(b)));
}

// A chance that is neither 0 nor 1, as rounding may not leave it.
double between(double chance) { return std::clamp(chance, std::numeric_limits<double>::denorm_min(), 1 - 0x1p-53); }

}  // namespace

bool ProblemSolver::prepare(const Problem& problem, Budget& budget, Answer& answer) {
    const auto reduced = reduction_.run(problem, budget);
    if (reduced == ProblemReduction::Outcome::done) {
        starts_.clear();
        factor_count_ = 0;
        for (const ProblemBox& box : reduction_.boxes()) {
            starts_.push_back(factor_count_);
            factor_count_ += box.value_count();
        }
        const auto recorded = recorder_.record(reduction_, problem.has_total, budget);
        if (recorded == ProblemRecorder::Outcome::done) return true;
        answer.conflict = recorder_.conflict();
        answer.status = recorded == ProblemRecorder::Outcome::conflict ? Status::numbers_conflict : Status::over_budget;
        answer.width = recorder_.width();
        return false;
    }
    answer.conflict = reduction_.conflict();
    answer.status = reduced == ProblemReduction::Outcome::conflict ? Status::numbers_conflict : Status::over_budget;
    return false;
}

// Can no count overflow a double?
bool ProblemSolver::fits_doubles(const Problem& problem) const {
    double bits = 0;
    for (std::uint32_t variable = 0; variable < problem.variable_count(); ++variable) {
        if (reduction_.is_decided(variable)) continue;
        double sum = 0;
        for (const std::uint64_t weight : problem.weights_of(variable)) sum += static_cast<double>(weight);
        bits += std::log2(sum);
    }
    return bits < kMostBits;
}

template <class Ring>
void ProblemSolver::list_factors(const Ring& ring, const Problem& problem, bool weighted, Count<Ring>& count) const {
    using Value = typename Ring::Value;
    count.factors.assign(factor_count_, Value{});
    const auto boxes = reduction_.boxes();
    for (std::size_t id = 0; id < boxes.size(); ++id) {
        const ProblemBox& box = boxes[id];
        const auto weights = problem.weights_of(box.variables[0]);
        const auto weight = [&](std::size_t value) { return ring.of(weighted ? weights[value] : 1); };
        Value* const factors = &count.factors[starts_[id]];
        if (!box.grouped) {
            for (std::uint32_t value = 0; value < box.value_count(); ++value)
                if (box.allows(value)) factors[value] = weight(value);
            continue;
        }
        const std::size_t size = box.variables.size();
        Value ways = ring.of(1), power = ring.of(1);
        for (std::size_t ones = 0; ones <= size; ++ones) {
            factors[ones] = ring.multiply(ways, power);
            ways = divide(ring, ring.multiply(ways, ring.of(size - ones)), ones + 1);
            power = ring.multiply(power, weight(1));
        }
        power = ring.of(1);
        for (std::size_t ones = size + 1; ones-- > 0; power = ring.multiply(power, weight(0)))
            factors[ones] = ring.multiply(factors[ones], power);
    }
}

template <class Ring>
bool ProblemSolver::forward(const Ring& ring, const Problem& problem, bool weighted, Count<Ring>& count,
                            Budget& budget) {
    if (!budget.fits(recorder_.tape().bytes() + PolynomialPass<Ring>::bytes(recorder_.tape()))) return false;
    list_factors(ring, problem, weighted, count);
    return count.pass.forward(ring, recorder_.tape(), BoxFactors<typename Ring::Value>{starts_, count.factors}, budget);
}

// Sets the shares of the roots, and lists their counts: with a total, of the totals in question.
template <class Ring>
void ProblemSolver::share_roots(const Ring& ring, const Problem& problem, Count<Ring>& count,
                                std::vector<typename Ring::Value>& roots) const {
    const Tape& tape = recorder_.tape();
    roots.clear();
    for (const std::uint32_t root : tape.roots()) {
        const Row& row = tape.rows()[root];
        const auto polynomial = count.pass.polynomial(row);
        auto sum = ring.of(0);
        for (std::uint32_t k = 0; k < row.len; ++k) {
            const std::int64_t total = reduction_.decided_total() + row.lo + k;
            if (problem.has_total && (total < problem.fewest || total > problem.most)) continue;
            count.pass.share(row)[k] = ring.of(1);
            sum = ring.add(sum, polynomial[k]);
        }
        roots.push_back(sum);
    }
}

ProblemAnswer ProblemSolver::analyze(const Problem& problem, Budget& budget) {
    ProblemAnswer answer;
    if (!prepare(problem, budget, answer)) return answer;
    answer.width = recorder_.width();
    answer.largest_component = recorder_.tape().largest_component();
    if (fits_doubles(problem))
        answer_with(Reals{}, problem, reals_, budget, answer);
    else
        answer_with(Floats{}, problem, floats_, budget, answer);
    return answer;
}

template <class Ring>
void ProblemSolver::answer_with(const Ring& ring, const Problem& problem, Count<Ring>& count, Budget& budget,
                                ProblemAnswer& answer) {
    answer.status = Status::over_budget;
    if (!forward(ring, problem, true, count, budget)) return;
    std::vector<typename Ring::Value> roots;
    share_roots(ring, problem, count, roots);
    if (std::ranges::any_of(roots, [](const auto& root) { return is_zero(root); })) {
        set_total_conflict(answer);
        return;
    }
    if (!count.pass.backward(ring, recorder_.tape(), BoxFactors<typename Ring::Value>{starts_, count.factors}, budget))
        return;
    answer.status = Status::answered;
    read_off(ring, problem, count, roots, answer);
}

void ProblemSolver::set_total_conflict(Answer& answer) const {
    const Row& root = recorder_.tape().rows()[recorder_.tape().roots()[0]];
    answer.status = Status::total_conflict;
    answer.fewest = reduction_.decided_total() + root.lo;
    answer.most = answer.fewest + root.len - 1;
}

// Probabilities and possibilities of values from the tallies of boxes.
template <class Ring>
void ProblemSolver::read_off(const Ring& ring, const Problem& problem, const Count<Ring>& count,
                             std::span<const typename Ring::Value> roots, ProblemAnswer& answer) const {
    answer.probabilities.assign(problem.weights.size(), 0);
    answer.possible.assign(problem.weights.size(), 0);
    answer.roots.assign(problem.variable_count(), ProblemCounts::kNowhere);
    answer.log2_layouts = 0;
    for (const auto& root : roots) {
        answer.log2_roots.push_back(log2_of(ring, root));
        answer.log2_layouts += answer.log2_roots.back();
    }
    const auto place_of = [&](std::uint32_t variable) { return variable == 0 ? 0 : problem.value_ends[variable - 1]; };
    for (std::uint32_t variable = 0; variable < problem.variable_count(); ++variable) {
        if (!reduction_.is_decided(variable)) continue;
        const std::uint32_t value = reduction_.value_of(variable);
        answer.probabilities[place_of(variable) + value] = 1;
        answer.possible[place_of(variable) + value] = 1;
        answer.log2_layouts += std::log2(static_cast<double>(problem.weights_of(variable)[value]));
    }
    const auto boxes = reduction_.boxes();
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        const ProblemBox& box = boxes[id];
        const std::uint32_t root = problem.has_total ? 0 : recorder_.tape().component_of_box()[id];
        const auto size = static_cast<std::uint32_t>(box.variables.size());
        std::vector<typename Ring::Value> sums(box.grouped ? 2 : box.value_count(), ring.of(0));
        for (std::uint32_t value = 0; value < box.value_count(); ++value) {
            const auto tally = count.pass.tally_at(starts_[id] + value);
            if (!box.grouped) {
                sums[value] = tally;
                continue;
            }
            sums[0] = ring.add(sums[0], ring.multiply(ring.of(size - value), tally));
            sums[1] = ring.add(sums[1], ring.multiply(ring.of(value), tally));
        }
        const auto kinds = std::ranges::count_if(sums, [](const auto& sum) { return !is_zero(sum); });
        for (const std::uint32_t variable : box.variables) {
            answer.roots[variable] = root;
            for (std::uint32_t value = 0; value < sums.size(); ++value) {
                if (is_zero(sums[value])) continue;
                const double chance = ratio(ring, sums[value], roots[root]) / (box.grouped ? size : 1);
                answer.possible[place_of(variable) + value] = 1;
                answer.probabilities[place_of(variable) + value] = kinds == 1 ? 1 : between(chance);
            }
        }
    }
}

Answer ProblemSolver::count_exactly(const Problem& problem, std::span<const std::uint64_t> primes, bool weighted,
                                    Budget& budget, ProblemCounts& counts) {
    Answer answer;
    if (!prepare(problem, budget, answer)) return answer;
    counts.root_count = recorder_.tape().roots().size();
    counts.roots.clear();
    counts.values.clear();
    answer.status = Status::over_budget;
    const auto boxes = reduction_.boxes();
    for (const std::uint64_t prime : primes) {
        const Residues ring(prime);
        if (!forward(ring, problem, weighted, residues_, budget)) return answer;
        std::vector<Residues::Value> roots;
        share_roots(ring, problem, residues_, roots);
        for (const auto root : roots) counts.roots.push_back(ring.value(root));
        if (!residues_.pass.backward(ring, recorder_.tape(), BoxFactors<Residues::Value>{starts_, residues_.factors},
                                     budget))
            return answer;
        const std::size_t first = counts.values.size();
        counts.values.resize(first + problem.weights.size(), 0);
        for (std::uint32_t id = 0; id < boxes.size(); ++id) {
            const ProblemBox& box = boxes[id];
            const std::uint64_t size = box.variables.size();
            Residues::Value zeros = ring.of(0), ones = ring.of(0);
            for (std::uint32_t value = 0; value < box.value_count(); ++value) {
                const auto tally = residues_.pass.tally_at(starts_[id] + value);
                if (!box.grouped) {
                    const std::uint32_t variable = box.variables[0];
                    const std::size_t begin = variable == 0 ? 0 : problem.value_ends[variable - 1];
                    counts.values[first + begin + value] = ring.value(tally);
                    continue;
                }
                zeros = ring.add(zeros, ring.multiply(ring.of(size - value), tally));
                ones = ring.add(ones, ring.multiply(ring.of(value), tally));
            }
            if (!box.grouped) continue;
            for (const std::uint32_t variable : box.variables) {
                const std::size_t begin = variable == 0 ? 0 : problem.value_ends[variable - 1];
                counts.values[first + begin] = ring.value(divide(ring, zeros, size));
                counts.values[first + begin + 1] = ring.value(divide(ring, ones, size));
            }
        }
    }
    answer.status = Status::answered;
    return answer;
}

// Walks down the tape: which product made a row, and which total each of its two sides has.
class ProblemSolver::Drawing {
  public:
    Drawing(const ProblemSolver& solver, const Problem& problem) : solver_(solver), problem_(problem) {
        const Tape& tape = solver.recorder_.tape();
        step_of_.assign(tape.rows().size(), 0);
        for (std::uint32_t step = 0; step < tape.steps().size(); ++step)
            std::fill(step_of_.begin() + tape.steps()[step].first_row, step_of_.begin() + tape.steps()[step].end_row,
                      step);
        // The products of each row, by counting them.
        first_.assign(tape.rows().size() + 1, 0);
        for (const Product& product : tape.products()) ++first_[product.out + 1];
        for (std::size_t row = 1; row < first_.size(); ++row) first_[row] += first_[row - 1];
        products_.resize(tape.products().size());
        auto places = first_;
        for (std::uint32_t i = 0; i < products_.size(); ++i) products_[places[tape.products()[i].out]++] = i;
    }

    bool draw(Random& random, std::span<std::uint8_t> values, Budget& budget) {
        const Tape& tape = solver_.recorder_.tape();
        const ProblemReduction& reduction = solver_.reduction_;
        for (std::uint32_t variable = 0; variable < values.size(); ++variable)
            if (reduction.is_decided(variable))
                values[variable] = static_cast<std::uint8_t>(reduction.value_of(variable));
        todo_.clear();
        for (const std::uint32_t root : tape.roots()) todo_.push_back({root, draw_total(root, random)});
        while (!todo_.empty()) {
            const Part part = todo_.back();
            todo_.pop_back();
            if (part.row != 0 && !draw_product(part, random, values, budget)) return false;
        }
        return true;
    }

  private:
    using Value = Floats::Value;
    struct Part {
        std::uint32_t row, total;  // the total counts from the row's lowest
    };

    Value value(std::uint32_t row, std::int64_t total) const {
        const Row& at = solver_.recorder_.tape().rows()[row];
        if (total < 0 || total >= at.len) return {};
        return solver_.floats_.pass.polynomial(at)[static_cast<std::size_t>(total)];
    }

    std::uint32_t draw_total(std::uint32_t root, Random& random) {
        const Row& row = solver_.recorder_.tape().rows()[root];
        const auto allowed = [&](std::uint32_t k) {
            const std::int64_t total = solver_.reduction_.decided_total() + row.lo + k;
            return !problem_.has_total || (total >= problem_.fewest && total <= problem_.most);
        };
        Value sum{};
        for (std::uint32_t k = 0; k < row.len; ++k)
            if (allowed(k)) sum = ring_.add(sum, value(root, k));
        double left = random.uniform();
        std::uint32_t last = 0;
        for (std::uint32_t k = 0; k < row.len; ++k) {
            if (!allowed(k) || is_zero(value(root, k))) continue;
            last = k;
            left -= Floats::ratio(value(root, k), sum);
            if (left < 0) break;
        }
        return last;
    }

    bool draw_product(Part part, Random& random, std::span<std::uint8_t> values, Budget& budget) {
        const Tape& tape = solver_.recorder_.tape();
        const auto rows = tape.rows();
        const Step& step = tape.steps()[step_of_[part.row]];
        const bool is_box = step.box != Step::kNoBox, tracks = tape.tracks_mines();
        const std::int64_t total = std::int64_t{rows[part.row].lo} + part.total;
        const Value whole = value(part.row, part.total);
        double left = random.uniform();
        Product chosen{};
        std::int64_t chosen_left = 0;
        for (std::uint32_t i = first_[part.row]; i < first_[part.row + 1] && left >= 0; ++i) {
            const Product& product = tape.products()[products_[i]];
            const std::int64_t rest = total - rows[product.left].lo;  // for the right side and what is over
            if (!budget.work(1)) return false;
            if (is_box) {
                const std::int64_t at = tracks ? rest - product.right : 0;
                const Value factor = solver_.floats_.factors[solver_.starts_[step.box] + product.right];
                take(ring_.multiply(factor, value(product.left, at)), whole, product, at, left, chosen, chosen_left);
                continue;
            }
            for (std::int64_t at = 0; at < rows[product.left].len && left >= 0; ++at) {
                const Value other = value(product.right, rest - at - rows[product.right].lo);
                take(ring_.multiply(value(product.left, at), other), whole, product, at, left, chosen, chosen_left);
            }
        }
        todo_.push_back({chosen.left, static_cast<std::uint32_t>(chosen_left)});
        if (is_box) {
            set_box(step.box, chosen.right, random, values);
        } else {
            const std::int64_t other = total - rows[chosen.left].lo - chosen_left - rows[chosen.right].lo;
            todo_.push_back({chosen.right, static_cast<std::uint32_t>(other)});
        }
        return true;
    }

    // Chooses a product unless it weighs nothing or the draw is beyond it.
    static void take(Value weight, Value whole, const Product& product, std::int64_t at, double& left, Product& chosen,
                     std::int64_t& chosen_left) {
        if (is_zero(weight)) return;
        chosen = product;
        chosen_left = at;
        left -= Floats::ratio(weight, whole);
    }

    void set_box(std::uint32_t id, std::uint32_t value, Random& random, std::span<std::uint8_t> values) const {
        const ProblemBox& box = solver_.reduction_.boxes()[id];
        if (!box.grouped) {
            values[box.variables[0]] = static_cast<std::uint8_t>(value);
            return;
        }
        std::uint64_t ones = value, rest = box.variables.size();
        for (const std::uint32_t variable : box.variables) {
            const bool one = random.below(rest--) < ones;
            values[variable] = one;
            ones -= one;
        }
    }

    const ProblemSolver& solver_;
    const Problem& problem_;
    Floats ring_;
    std::vector<std::uint32_t> step_of_, first_, products_;
    std::vector<Part> todo_;
};

Answer ProblemSolver::sample(const Problem& problem, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                             Budget& budget, std::vector<std::uint8_t>& values) {
    Answer answer;
    if (!prepare(problem, budget, answer)) return answer;
    answer.status = Status::over_budget;
    if (!forward(Floats{}, problem, true, floats_, budget)) return answer;
    std::vector<Floats::Value> roots;
    share_roots(Floats{}, problem, floats_, roots);
    if (std::ranges::any_of(roots, [](const auto& root) { return is_zero(root); })) {
        set_total_conflict(answer);
        return answer;
    }
    const std::size_t size = problem.variable_count();
    values.assign(size * count, 0);
    Drawing drawing(*this, problem);
    for (std::uint64_t i = 0; i < count; ++i) {
        Random random(seed, first + i);
        if (!drawing.draw(random, std::span(values).subspan(i * size, size), budget)) return answer;
    }
    answer.status = Status::answered;
    return answer;
}

}  // namespace mineproof
