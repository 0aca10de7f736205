// Polynomial pass: the counting itself, and its reverse.
//
// Forward, a row is the sum of its products; a box step multiplies by C(s, k)·z^k, a shift. Backward is
// reverse-mode differentiation: the share of a row is the derivative of the final count by that row, so
// share × value summed over a box's steps is the weight of the layouts with k mines in that box. Each
// box is joined in one step only, hence its tally is complete when that step has been walked.
//
// Cost: one multiply-add per pair of coefficients forward, two backward.

#include "mineproof/polynomial.hpp"

#include <algorithm>

#include "mineproof/require.hpp"

namespace mineproof {

// Boxes of boards: what k mines count for depends on the size of the box alone.
template <class Ring>
struct PolynomialPass<Ring>::BoardFactors {
    std::span<const Box> boxes;
    const Weights& weights;

    Value operator()(std::uint32_t box, std::uint32_t mines) const { return weights[boxes[box].size][mines]; }
    static std::size_t place(std::uint32_t box) { return std::size_t{box} * (kReach + 1); }
};

template <class Ring>
bool PolynomialPass<Ring>::forward(const Ring& ring, const Tape& tape, std::span<const Box> boxes,
                                   const Weights& weights, Budget& budget) {
    return walk_forward(ring, tape, BoardFactors{boxes, weights}, budget);
}

template <class Ring>
template <class Factors>
bool PolynomialPass<Ring>::walk_forward(const Ring& ring, const Tape& tape, const Factors& factors, Budget& budget) {
    const auto rows = tape.rows();
    values_.assign(tape.storage(), Value{});
    shares_.assign(tape.storage(), Value{});
    values_[0] = ring.of(1);
    Value* const values = values_.data();
    for (const Step& step : tape.steps()) {
        const auto join_box = [&](const Product& product) {
            const Row &left = rows[product.left], &out = rows[product.out];
            const Value factor = factors(step.box, product.right);
            const Value* from = values + left.offset;
            Value* into = values + out.offset + (tape.tracks_mines() ? left.lo + product.right - out.lo : 0);
            for (std::uint32_t k = 0; k < left.len; ++k) into[k] = ring.add(into[k], ring.multiply(factor, from[k]));
            return std::uint64_t{left.len};
        };
        const auto join_rows = [&](const Product& product) {
            const Row &left = rows[product.left], &right = rows[product.right], &out = rows[product.out];
            const Value *a = values + left.offset, *b = values + right.offset;
            Value* into = values + out.offset + (left.lo + right.lo - out.lo);
            for (std::uint32_t j = 0; j < left.len; ++j)
                for (std::uint32_t k = 0; k < right.len; ++k)
                    into[j + k] = ring.add(into[j + k], ring.multiply(a[j], b[k]));
            return std::uint64_t{left.len} * right.len;
        };
        const bool done = step.box != Step::kNoBox ? each_product(step, tape.products(), budget, join_box)
                                                   : each_product(step, tape.products(), budget, join_rows);
        if (!done) return false;
    }
    return true;
}

template <class Ring>
bool PolynomialPass<Ring>::backward(const Ring& ring, const Tape& tape, std::span<const Box> boxes,
                                    const Weights& weights, Budget& budget) {
    tallies_.assign(boxes.size() * (kReach + 1), Value{});
    return backward(ring, tape, boxes, weights, 0, tape.steps().size(), budget);
}

template <class Ring>
void PolynomialPass<Ring>::clear(const Tape& tape, std::span<const Box> boxes, std::size_t first_step,
                                 std::size_t end_step) {
    tallies_.resize(boxes.size() * (kReach + 1));
    for (const Step& step : tape.steps().subspan(first_step, end_step - first_step)) {
        for (const Row& row : tape.rows().subspan(step.first_row, step.end_row - step.first_row))
            std::ranges::fill(share(row), Value{});
        if (step.box != Step::kNoBox) std::fill_n(tallies_.begin() + step.box * (kReach + 1), kReach + 1, Value{});
    }
}

template <class Ring>
bool PolynomialPass<Ring>::backward(const Ring& ring, const Tape& tape, std::span<const Box> boxes,
                                    const Weights& weights, std::size_t first_step, std::size_t end_step,
                                    Budget& budget) {
    return walk_backward(ring, tape, BoardFactors{boxes, weights}, first_step, end_step, budget);
}

template <class Ring>
template <class Factors>
bool PolynomialPass<Ring>::walk_backward(const Ring& ring, const Tape& tape, const Factors& factors,
                                         std::size_t first_step, std::size_t end_step, Budget& budget) {
    MINEPROOF_REQUIRE(values_.size() == shares_.size() && values_.size() >= tape.storage());
    const auto rows = tape.rows();
    const auto steps = tape.steps();
    const Value* const values = values_.data();
    Value* const shares = shares_.data();
    for (std::size_t at = end_step; at-- > first_step;) {
        const Step& step = steps[at];
        const auto part_box = [&](const Product& product) {
            const Row &left = rows[product.left], &out = rows[product.out];
            const Value factor = factors(step.box, product.right);
            const Value* from = values + left.offset;
            const Value* share = shares + out.offset + (tape.tracks_mines() ? left.lo + product.right - out.lo : 0);
            Value* back = shares + left.offset;
            Value sum{};
            for (std::uint32_t k = 0; k < left.len; ++k) {
                const Value worth = ring.multiply(factor, share[k]);
                sum = ring.add(sum, ring.multiply(worth, from[k]));
                back[k] = ring.add(back[k], worth);
            }
            Value& tally = tallies_[factors.place(step.box) + product.right];
            tally = ring.add(tally, sum);
            return std::uint64_t{left.len} * 2;
        };
        const auto part_rows = [&](const Product& product) {
            const Row &left = rows[product.left], &right = rows[product.right], &out = rows[product.out];
            const Value *a = values + left.offset, *b = values + right.offset;
            const Value* share = shares + out.offset + (left.lo + right.lo - out.lo);
            Value *a_back = shares + left.offset, *b_back = shares + right.offset;
            for (std::uint32_t j = 0; j < left.len; ++j) {
                Value sum{};
                for (std::uint32_t k = 0; k < right.len; ++k) {
                    sum = ring.add(sum, ring.multiply(share[j + k], b[k]));
                    b_back[k] = ring.add(b_back[k], ring.multiply(share[j + k], a[j]));
                }
                a_back[j] = ring.add(a_back[j], sum);
            }
            return std::uint64_t{left.len} * right.len * 2;
        };
        const bool done = step.box != Step::kNoBox ? each_product(step, tape.products(), budget, part_box)
                                                   : each_product(step, tape.products(), budget, part_rows);
        if (!done) return false;
    }
    return true;
}

template class PolynomialPass<Reals>;
template class PolynomialPass<Floats>;
template class PolynomialPass<Residues>;

}  // namespace mineproof
