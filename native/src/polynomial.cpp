// Polynomial pass: the counting itself, and its reverse.
//
// Forward, a row is the sum of its products; a box step multiplies by C(s, k)·z^k, a shift. Backward is
// reverse-mode differentiation: the share of a row is the derivative of the final count by that row, so
// share × value summed over a box's steps is the weight of the layouts with k mines in that box. Each
// box is joined in one step only, hence its tally is complete when that step has been walked.
//
// Cost: one multiply-add per pair of coefficients forward, two backward.

#include "mineproof/polynomial.hpp"

namespace mineproof {

template <class Ring>
bool PolynomialPass<Ring>::forward(const Ring& ring, const Tape& tape, std::span<const Box> boxes,
                                   const Weights& weights, Budget& budget) {
    const auto rows = tape.rows();
    const auto products = tape.products();
    values_.assign(tape.storage(), Value{});
    values_[0] = ring.of(1);
    for (const Step& step : tape.steps()) {
        std::uint64_t effort = 0;
        if (step.box != Step::kNoBox) {
            const auto& weight = weights[boxes[step.box].size];
            const bool tracked = tape.tracks_mines();
            for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                const Product& product = products[i];
                const Row &left = rows[product.left], &out = rows[product.out];
                const Value factor = weight[product.right];
                const Value* from = &values_[left.offset];
                Value* into = &values_[out.offset + (tracked ? left.lo + product.right - out.lo : 0)];
                for (std::uint32_t k = 0; k < left.len; ++k)
                    into[k] = ring.add(into[k], ring.multiply(factor, from[k]));
                effort += left.len;
            }
        } else {
            for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                const Product& product = products[i];
                const Row &left = rows[product.left], &right = rows[product.right], &out = rows[product.out];
                const Value *a = &values_[left.offset], *b = &values_[right.offset];
                Value* into = &values_[out.offset + (left.lo + right.lo - out.lo)];
                for (std::uint32_t j = 0; j < left.len; ++j)
                    for (std::uint32_t k = 0; k < right.len; ++k)
                        into[j + k] = ring.add(into[j + k], ring.multiply(a[j], b[k]));
                effort += std::uint64_t{left.len} * right.len;
            }
        }
        if (!budget.work(effort / 4)) return false;
    }
    shares_.assign(tape.storage(), Value{});
    return true;
}

template <class Ring>
bool PolynomialPass<Ring>::backward(const Ring& ring, const Tape& tape, std::span<const Box> boxes,
                                    const Weights& weights, Budget& budget) {
    const auto rows = tape.rows();
    const auto products = tape.products();
    const auto steps = tape.steps();
    tallies_.assign(boxes.size() * (kReach + 1), Value{});
    for (std::size_t at = steps.size(); at-- > 0;) {
        const Step& step = steps[at];
        std::uint64_t effort = 0;
        if (step.box != Step::kNoBox) {
            const auto& weight = weights[boxes[step.box].size];
            Value* tally = &tallies_[std::size_t{step.box} * (kReach + 1)];
            for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                const Product& product = products[i];
                const Row &left = rows[product.left], &out = rows[product.out];
                const Value factor = weight[product.right];
                const Value* from = &values_[left.offset];
                Value* back = &shares_[left.offset];
                const Value* share =
                    &shares_[out.offset + (tape.tracks_mines() ? left.lo + product.right - out.lo : 0)];
                Value sum{};
                for (std::uint32_t k = 0; k < left.len; ++k) {
                    const Value worth = ring.multiply(factor, share[k]);
                    sum = ring.add(sum, ring.multiply(worth, from[k]));
                    back[k] = ring.add(back[k], worth);
                }
                tally[product.right] = ring.add(tally[product.right], sum);
                effort += 2 * left.len;
            }
        } else {
            for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                const Product& product = products[i];
                const Row &left = rows[product.left], &right = rows[product.right], &out = rows[product.out];
                const Value *a = &values_[left.offset], *b = &values_[right.offset];
                Value *a_back = &shares_[left.offset], *b_back = &shares_[right.offset];
                const Value* share = &shares_[out.offset + (left.lo + right.lo - out.lo)];
                for (std::uint32_t j = 0; j < left.len; ++j) {
                    Value sum{};
                    for (std::uint32_t k = 0; k < right.len; ++k) {
                        sum = ring.add(sum, ring.multiply(share[j + k], b[k]));
                        b_back[k] = ring.add(b_back[k], ring.multiply(share[j + k], a[j]));
                    }
                    a_back[j] = ring.add(a_back[j], sum);
                }
                effort += std::uint64_t{left.len} * right.len * 2;
            }
        }
        if (!budget.work(effort / 4)) return false;
    }
    return true;
}

template class PolynomialPass<Reals>;
template class PolynomialPass<Residues>;

}  // namespace mineproof
