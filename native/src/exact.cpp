// Exact counts: the polynomial pass modulo primes of 62 bits.
//
// Residues for enough primes determine a count of any size, so the kernel needs no long integers; the
// caller puts them together. The tape is recorded once and walked once for each prime.

#include <algorithm>

#include "mineproof/binomial.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

Answer Solver::count_exactly(const Question& question, std::span<const PrimeWeights> primes, Budget& budget,
                             ExactCounts& counts) {
    Answer answer;
    if (!prepare(question, budget, answer)) return answer;
    const auto boxes = reduction_.boxes();
    const bool with_total = question.total != Question::kUnknown;
    counts.roots.clear();
    counts.places.clear();
    counts.root_count = tape().roots().size();
    counts.place_count = boxes.size() + (with_total ? 1 : 0);
    const std::uint64_t residues = primes.size() * (counts.root_count + counts.place_count);
    if (!may_hold(residues_.bytes(tape()) + sizeof(std::uint64_t) * (residues + 2 * reduction_.sea()), budget)) {
        answer.status = Status::over_budget;
        return answer;
    }
    counts.root_of_place.assign(counts.place_count, 0);
    if (!with_total) std::copy_n(tape().component_of_box().begin(), boxes.size(), counts.root_of_place.begin());
    const auto sea_place = with_total ? static_cast<std::uint32_t>(boxes.size()) : ExactCounts::kNowhere;
    counts.place_of_cell.resize(question.geometry.cells);
    for (Cell cell = 0; cell < question.geometry.cells; ++cell)
        counts.place_of_cell[cell] = reduction_.marks()[cell] == kUndecidedMark ? sea_place : ExactCounts::kNowhere;
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (std::size_t i = 0; i < boxes[id].size; ++i) counts.place_of_cell[boxes[id].cells[i]] = id;
    for (const PrimeWeights& weights : primes) {
        count_modulo(question, weights, budget, counts, answer);
        if (answer.status != Status::answered) return answer;
    }
    return answer;
}

namespace {

// What k mines in a box of s cells count for: C(s, k) ways, each with the weights of its cells.
PolynomialPass<Residues>::Weights box_weights(const Residues& ring, const PrimeWeights& prime) {
    const auto mined = ring.of(prime.mined), free = ring.of(prime.free);
    PolynomialPass<Residues>::Weights weights{};
    for (std::size_t size = 0; size <= kReach; ++size)
        for (std::size_t mines = 0; mines <= size; ++mines)
            weights[size][mines] = ring.multiply(
                ring.of(kChoose[size][mines]), ring.multiply(ring.power(mined, mines), ring.power(free, size - mines)));
    return weights;
}

}  // namespace

void Solver::count_modulo(const Question& question, const PrimeWeights& prime, Budget& budget, ExactCounts& counts,
                          Answer& answer) {
    using Value = Residues::Value;
    const Residues ring(prime.prime);
    const auto boxes = reduction_.boxes();
    const auto weights = box_weights(ring, prime);
    const bool with_total = question.total != Question::kUnknown;
    answer.status = Status::over_budget;
    if (!residues_.forward(ring, tape(), boxes, weights, budget)) return;
    Value sea_sum = ring.of(0);
    if (with_total) {
        if (!budget.work(reduction_.sea())) return;
        sea_sum = share_with_total(ring, mines_left(question.total), counts);
    } else {
        for (const std::uint32_t root : tape().roots()) {
            const Row& row = tape().rows()[root];
            residues_.share(row)[0] = ring.of(1);
            counts.roots.push_back(ring.value(residues_.polynomial(row)[0]));
        }
    }
    if (!residues_.backward(ring, tape(), boxes, weights, budget)) return;
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        Value sum = ring.of(0);
        for (int k = 1; k <= boxes[id].size; ++k)
            sum = ring.add(sum, ring.multiply(residues_.tally(id, k), ring.of(static_cast<std::uint64_t>(k))));
        counts.places.push_back(ring.value(ring.multiply(sum, ring.invert(ring.of(boxes[id].size)))));
    }
    if (with_total) counts.places.push_back(ring.value(sea_sum));
    answer.status = Status::answered;
}

// Sets the shares of the root: the sea takes the mines that the boxes leave. Adds the count of all layouts, and returns
// that of layouts with a mine in one given cell of the sea.
Residues::Value Solver::share_with_total(const Residues& ring, std::int64_t left, ExactCounts& counts) {
    using Value = Residues::Value;
    const std::uint64_t sea = reduction_.sea();
    list_factorials(ring, sea);
    const Row& row = tape().rows()[tape().roots()[0]];
    const auto polynomial = residues_.polynomial(row);
    const auto share = residues_.share(row);
    Value sum = ring.of(0), sea_sum = ring.of(0);
    for (std::uint32_t k = 0; k < row.len; ++k) {
        const std::int64_t in_sea = left - row.lo - k;
        if (in_sea < 0 || in_sea > static_cast<std::int64_t>(sea)) continue;
        const auto r = static_cast<std::uint64_t>(in_sea);
        share[k] = ring.multiply(factorials_[sea], ring.multiply(inverse_factorials_[r], inverse_factorials_[sea - r]));
        const Value ways = ring.multiply(polynomial[k], share[k]);
        sum = ring.add(sum, ways);
        sea_sum = ring.add(sea_sum, ring.multiply(ways, ring.of(r)));
    }
    counts.roots.push_back(ring.value(sum));
    return sea > 0 ? ring.multiply(sea_sum, ring.invert(ring.of(sea))) : sea_sum;
}

// Factorials up to `most`, and their inverses.
void Solver::list_factorials(const Residues& ring, std::uint64_t most) {
    factorials_.resize(most + 1);
    inverse_factorials_.resize(most + 1);
    factorials_[0] = ring.of(1);
    for (std::uint64_t i = 1; i <= most; ++i) factorials_[i] = ring.multiply(factorials_[i - 1], ring.of(i));
    inverse_factorials_[most] = ring.invert(factorials_[most]);
    for (std::uint64_t i = most; i > 0; --i)
        inverse_factorials_[i - 1] = ring.multiply(inverse_factorials_[i], ring.of(i));
}

}  // namespace mineproof
