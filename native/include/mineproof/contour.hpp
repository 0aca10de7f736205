// A pass along the tape with values of the counting polynomials at points of the complex plane.
//
// A component of thousands of cells has polynomials too long to multiply and counts too large for a
// double. But the number of layouts with exactly M mines is a contour integral of the generating
// function, a sum over a few dozen points z = λ·e^(iθ), and at a point a table entry is one number.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/tape.hpp"

namespace mineproof {

class ContourPass {
  public:
    using Complex = std::complex<double>;

    // How many points one sweep along the tape carries.
    static constexpr int kBlock = 8;

    // What passes along a tape hold: at the real point alone, or at a block of points too.
    static std::uint64_t bytes(const Tape& tape, bool with_blocks) {
        const std::uint64_t values = 2 * sizeof(double) * (with_blocks ? kBlock : 1);
        return tape.rows().size() * (2 * values + sizeof(std::int64_t));
    }

    // Counts at the real point λ, and how much each step must be scaled to stay in range.
    //   ensure: the real value of a root is count·2^-exponent; `mean` is its expected number of mines
    bool scale(const Tape& tape, std::span<const Box> boxes, double lambda, Budget& budget);
    // After `scale`, before any `block`: the scaled count of a row, and what a step's rows were multiplied with.
    double row_value(std::uint32_t row) const { return values_[2 * std::size_t{row}]; }
    double step_scale(std::size_t step) const { return scales_[step]; }
    std::int64_t root_exponent(std::uint32_t root) const { return exponents_[root]; }
    double root_mean(std::uint32_t root) const;

    // Shares at the real point, all roots at once: afterwards tallies are fractions of each root's count.
    //   require: `scale` was called for this tape, and no `block` since; only the number of steps is checked
    bool spread(const Tape& tape, std::span<const Box> boxes, Budget& budget);

    // Counts at kBlock points with modulus λ, scaled as `scale` found. `factor` receives the root's values
    // and returns what each point's root value is to be multiplied with in the final sum; its products with
    // the shares of all boxes are added to the tallies.
    template <class Factor>
    bool block(const Tape& tape, std::span<const Box> boxes, const std::array<Complex, kBlock>& points, Factor factor,
               Budget& budget) {
        if (!forward<kBlock>(tape, boxes, points, false, budget)) return false;
        const std::uint32_t root = tape.roots()[0];
        std::array<Complex, kBlock> at_root;
        for (std::size_t i = 0; i < kBlock; ++i) at_root[i] = value<kBlock>(root, i);
        begin_shares<kBlock>(tape);
        const std::array<Complex, kBlock> factors = factor(at_root);
        for (std::size_t i = 0; i < kBlock; ++i) set_share<kBlock>(root, i, factors[i]);
        return backward<kBlock>(tape, boxes, points, budget);
    }
    void clear_tallies(std::size_t boxes) { tallies_.assign(boxes * (kReach + 1), 0.0); }
    double tally(std::uint32_t box, int mines) const {
        return tallies_[std::size_t{box} * (kReach + 1) + static_cast<std::size_t>(mines)];
    }

  private:
    template <int Points>
    bool forward(const Tape& tape, std::span<const Box> boxes, const std::array<Complex, Points>& points,
                 bool find_scale, Budget& budget);
    template <int Points>
    bool backward(const Tape& tape, std::span<const Box> boxes, const std::array<Complex, Points>& points,
                  Budget& budget);
    template <int Points>
    void begin_shares(const Tape& tape) {
        shares_.assign(tape.rows().size() * 2 * Points, 0.0);
    }
    template <int Points>
    Complex value(std::uint32_t row, std::size_t point) const {
        const double* at = &values_[std::size_t{row} * 2 * Points];
        return {at[point], at[Points + point]};
    }
    template <int Points>
    void set_share(std::uint32_t row, std::size_t point, Complex share) {
        double* at = &shares_[std::size_t{row} * 2 * Points];
        at[point] = share.real();
        at[Points + point] = share.imag();
    }

    // By row: real parts of all points, then imaginary parts.
    std::vector<double> values_, shares_;
    std::vector<double> tallies_;
    std::vector<double> scales_;           // by step: the power of two its rows were multiplied with
    std::vector<std::int64_t> exponents_;  // by row
    double lambda_ = 1;
};

}  // namespace mineproof
