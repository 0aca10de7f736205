// Contour pass: the counting at complex points.
//
// Every value is a sum of non-negative terms times powers of z, so at modulus λ no point exceeds the
// real one: scaling found at θ = 0 keeps all points in range. A step's rows are scaled together by a
// power of two, which rounds nothing. The expected number of mines comes from a complex step: at
// z = λ·(1 + iε) the imaginary part of a count is ε times its derivative, without cancellation.
//
// Cost: four multiplications per product and point forward, eight backward, laid out for SIMD.

#include "mineproof/contour.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/binomial.hpp"

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

constexpr double kTiny = 1e-60;  // ε of the complex step: its square vanishes

// weight · z^k for one box, real parts then imaginary parts.
template <int Points>
struct BoxValues {
    std::array<std::array<double, 2 * Points>, kReach + 1> at;

    BoxValues(std::size_t size, const std::array<std::complex<double>, Points>& points) {
        for (std::size_t i = 0; i < Points; ++i) {
            std::complex<double> power = 1;
            for (std::size_t mines = 0; mines <= size; ++mines, power *= points[i]) {
                const std::complex<double> value = power * static_cast<double>(kChoose[size][mines]);
                at[mines][i] = value.real();
                at[mines][Points + i] = value.imag();
            }
        }
    }
};

// out += a · b, point by point.
template <int Points>
inline void add_product(double* out, const double* a, const double* b) {
    for (int i = 0; i < Points; ++i) {
        const double real = a[i] * b[i] - a[Points + i] * b[Points + i];
        const double imaginary = a[i] * b[Points + i] + a[Points + i] * b[i];
        out[i] += real;
        out[Points + i] += imaginary;
    }
}

}  // namespace

template <int Points>
bool ContourPass::forward(const Tape& tape, std::span<const Box> boxes, const std::array<Complex, Points>& points,
                          bool find_scale, Budget& budget) {
    constexpr std::size_t kStride = 2 * Points;
    const auto products = tape.products();
    const auto steps = tape.steps();
    values_.assign(tape.rows().size() * kStride, 0.0);
    if (!budget.work(tape.rows().size() * Points)) return false;  // clearing that much takes its time too
    for (std::size_t i = 0; i < Points; ++i) values_[i] = 1;
    if (find_scale) {
        scales_.assign(steps.size(), 1.0);
        exponents_.assign(tape.rows().size(), 0);
    }
    std::vector<BoxValues<Points>> by_size;
    for (std::size_t size = 0; size <= kReach; ++size) by_size.emplace_back(size, points);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const Step& step = steps[at];
        const bool is_box = step.box != Step::kNoBox;
        const BoxValues<Points>* box = is_box ? &by_size[boxes[step.box].size] : nullptr;
        const auto join = [&](const Product& product) {
            const double* right = is_box ? box->at[product.right].data() : &values_[product.right * kStride];
            add_product<Points>(&values_[product.out * kStride], &values_[product.left * kStride], right);
            return std::uint64_t{Points};
        };
        if (!each_product(step, products, budget, join)) return false;
        double* const begin = &values_[step.first_row * kStride];
        double* const end = &values_[step.end_row * kStride - 1] + 1;
        if (find_scale) {
            double largest = 0;
            for (const double* row = begin; row < end; row += kStride) largest = std::max(largest, *row);
            int exponent = 0;
            std::frexp(largest, &exponent);
            scales_[at] = std::ldexp(1.0, -exponent);
            const Product& any = products[step.first_product];
            const std::int64_t sum = exponents_[any.left] + (is_box ? 0 : exponents_[any.right]) + exponent;
            for (std::uint32_t row = step.first_row; row < step.end_row; ++row) exponents_[row] = sum;
        }
        const double scale = scales_[at];
        for (double* value = begin; value < end; ++value) *value *= scale;
    }
    return true;
}

template <int Points>
bool ContourPass::backward(const Tape& tape, std::span<const Box> boxes, const std::array<Complex, Points>& points,
                           Budget& budget) {
    constexpr std::size_t kStride = 2 * Points;
    const auto products = tape.products();
    const auto steps = tape.steps();
    std::vector<BoxValues<Points>> by_size;
    for (std::size_t size = 0; size <= kReach; ++size) by_size.emplace_back(size, points);
    for (std::size_t at = steps.size(); at-- > 0;) {
        const Step& step = steps[at];
        for (std::size_t i = step.first_row * kStride; i < step.end_row * kStride; ++i) shares_[i] *= scales_[at];
        const auto part_box = [&](const Product& product) {
            std::array<double, kStride> worth{};
            const double* factor = by_size[boxes[step.box].size].at[product.right].data();
            add_product<Points>(worth.data(), &shares_[product.out * kStride], factor);
            const double* left = &values_[product.left * kStride];
            double* back = &shares_[product.left * kStride];
            double sum = 0;
            for (std::size_t k = 0; k < Points; ++k) sum += worth[k] * left[k] - worth[Points + k] * left[Points + k];
            for (std::size_t k = 0; k < kStride; ++k) back[k] += worth[k];
            tallies_[std::size_t{step.box} * (kReach + 1) + product.right] += sum;
            return std::uint64_t{2 * Points};
        };
        const auto part_rows = [&](const Product& product) {
            const double* share = &shares_[product.out * kStride];
            add_product<Points>(&shares_[product.left * kStride], share, &values_[product.right * kStride]);
            add_product<Points>(&shares_[product.right * kStride], share, &values_[product.left * kStride]);
            return std::uint64_t{2 * Points};
        };
        const bool done = step.box != Step::kNoBox ? each_product(step, products, budget, part_box)
                                                   : each_product(step, products, budget, part_rows);
        if (!done) return false;
    }
    return true;
}

bool ContourPass::scale(const Tape& tape, std::span<const Box> boxes, double lambda, Budget& budget) {
    lambda_ = lambda;
    const std::array<Complex, 1> point{Complex(lambda, lambda * kTiny)};
    return forward<1>(tape, boxes, point, true, budget);
}

double ContourPass::root_mean(std::uint32_t root) const {
    const Complex at = value<1>(root, 0);
    return at.imag() / kTiny / at.real();
}

bool ContourPass::spread(const Tape& tape, std::span<const Box> boxes, Budget& budget) {
    MINEPROOF_REQUIRE(scales_.size() == tape.steps().size());
    const std::array<Complex, 1> point{Complex(lambda_, 0)};
    clear_tallies(boxes.size());
    begin_shares<1>(tape);
    for (const std::uint32_t root : tape.roots()) set_share<1>(root, 0, 1 / row_value(root));
    return backward<1>(tape, boxes, point, budget);
}

template bool ContourPass::forward<ContourPass::kBlock>(const Tape&, std::span<const Box>,
                                                        const std::array<Complex, kBlock>&, bool, Budget&);
template bool ContourPass::backward<ContourPass::kBlock>(const Tape&, std::span<const Box>,
                                                         const std::array<Complex, kBlock>&, Budget&);

}  // namespace mineproof
