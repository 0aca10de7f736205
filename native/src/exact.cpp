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
    counts.root_count = tape_.roots().size();
    counts.place_count = boxes.size() + (with_total ? 1 : 0);
    counts.root_of_place.assign(counts.place_count, 0);
    if (!with_total) std::copy_n(tape_.component_of_box().begin(), boxes.size(), counts.root_of_place.begin());
    const auto sea_place = with_total ? static_cast<std::uint32_t>(boxes.size()) : ExactCounts::kNowhere;
    counts.place_of_cell.resize(question.geometry.cells);
    for (Cell cell = 0; cell < question.geometry.cells; ++cell)
        counts.place_of_cell[cell] = reduction_.marks()[cell] == 1 ? sea_place : ExactCounts::kNowhere;
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (int i = 0; i < boxes[id].size; ++i) counts.place_of_cell[boxes[id].cells[i]] = id;
    for (const PrimeWeights& weights : primes) {
        count_modulo(question, weights, budget, counts, answer);
        if (answer.status != Status::answered) return answer;
    }
    return answer;
}

void Solver::count_modulo(const Question& question, const PrimeWeights& prime, Budget& budget, ExactCounts& counts,
                          Answer& answer) {
    using Value = Residues::Value;
    const Residues ring(prime.prime);
    const auto boxes = reduction_.boxes();
    PolynomialPass<Residues>::Weights weights{};
    for (int size = 0; size <= kReach; ++size)
        for (int mines = 0; mines <= size; ++mines)
            weights[size][mines] =
                ring.multiply(ring.of(kChoose[size][mines]),
                              ring.multiply(ring.power(ring.of(prime.mined), static_cast<std::uint64_t>(mines)),
                                            ring.power(ring.of(prime.free), static_cast<std::uint64_t>(size - mines))));
    if (!residues_.forward(ring, tape_, boxes, weights, budget)) {
        answer.status = Status::over_budget;
        return;
    }
    Value sea_sum = ring.of(0);
    if (question.total == Question::kUnknown) {
        for (const std::uint32_t root : tape_.roots()) {
            const Row& row = tape_.rows()[root];
            residues_.share(row)[0] = ring.of(1);
            counts.roots.push_back(ring.value(residues_.polynomial(row)[0]));
        }
    } else {
        const std::uint64_t sea = reduction_.sea();
        factorials_.resize(sea + 1);
        inverse_factorials_.resize(sea + 1);
        factorials_[0] = ring.of(1);
        for (std::uint64_t i = 1; i <= sea; ++i) factorials_[i] = ring.multiply(factorials_[i - 1], ring.of(i));
        inverse_factorials_[sea] = ring.invert(factorials_[sea]);
        for (std::uint64_t i = sea; i > 0; --i)
            inverse_factorials_[i - 1] = ring.multiply(inverse_factorials_[i], ring.of(i));
        if (!budget.work(sea)) {
            answer.status = Status::over_budget;
            return;
        }
        const Row& row = tape_.rows()[tape_.roots()[0]];
        const auto polynomial = residues_.polynomial(row);
        const auto share = residues_.share(row);
        const std::int64_t left = mines_left(question);
        Value sum = ring.of(0);
        for (std::uint32_t k = 0; k < row.len; ++k) {
            const std::int64_t in_sea = left - row.lo - k;
            if (in_sea < 0 || in_sea > static_cast<std::int64_t>(sea)) continue;
            const auto r = static_cast<std::uint64_t>(in_sea);
            share[k] =
                ring.multiply(factorials_[sea], ring.multiply(inverse_factorials_[r], inverse_factorials_[sea - r]));
            const Value ways = ring.multiply(polynomial[k], share[k]);
            sum = ring.add(sum, ways);
            sea_sum = ring.add(sea_sum, ring.multiply(ways, ring.of(r)));
        }
        if (sea > 0) sea_sum = ring.multiply(sea_sum, ring.invert(ring.of(sea)));
        counts.roots.push_back(ring.value(sum));
    }
    if (!residues_.backward(ring, tape_, boxes, weights, budget)) {
        answer.status = Status::over_budget;
        return;
    }
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        Value sum = ring.of(0);
        for (int k = 1; k <= boxes[id].size; ++k)
            sum = ring.add(sum, ring.multiply(residues_.tally(id, k), ring.of(static_cast<std::uint64_t>(k))));
        counts.places.push_back(ring.value(ring.multiply(sum, ring.invert(ring.of(boxes[id].size)))));
    }
    if (question.total != Question::kUnknown) counts.places.push_back(ring.value(sea_sum));
}

}  // namespace mineproof
