// A pass along the tape with polynomials in the number of mines, over any ring.
//
// In doubles every term is a count of arrangements, a whole number, so nothing is ever subtracted and
// a term is zero exactly when it has no arrangement. Modulo a prime the same code gives residues of the exact integers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/binomial.hpp"
#include "mineproof/require.hpp"
#include "mineproof/tape.hpp"

namespace mineproof {

struct Reals {
    using Value = double;
    Value of(std::uint64_t value) const { return static_cast<double>(value); }
    Value add(Value a, Value b) const { return a + b; }
    Value multiply(Value a, Value b) const { return a * b; }
};

// Doubles with exponents of their own, for counts of any size: no value overflows, and none becomes zero.
class Floats {
  public:
    // mantissa · 2^(512·exponent), with the mantissa zero or from 2^-256 up to 2^256.
    struct Value {
        double mantissa = 0;
        std::int64_t exponent = 0;
    };
    Value of(std::uint64_t value) const { return {static_cast<double>(value), 0}; }
    Value add(Value a, Value b) const {
        if (a.exponent < b.exponent || a.mantissa == 0) std::swap(a, b);
        if (b.mantissa == 0 || a.exponent > b.exponent + 1) return a;
        return normal(a.mantissa + (a.exponent == b.exponent ? b.mantissa : b.mantissa * 0x1p-512), a.exponent);
    }
    Value multiply(Value a, Value b) const { return normal(a.mantissa * b.mantissa, a.exponent + b.exponent); }
    // The quotient of two values, the second not zero.
    static double ratio(Value a, Value b) {
        return std::ldexp(a.mantissa / b.mantissa, static_cast<int>(std::clamp<std::int64_t>(
                                                       512 * (a.exponent - b.exponent), -1 << 20, 1 << 20)));
    }
    static double log2(Value a) { return std::log2(a.mantissa) + 512 * static_cast<double>(a.exponent); }

  private:
    static Value normal(double mantissa, std::int64_t exponent) {
        if (mantissa >= 0x1p256) return {mantissa * 0x1p-512, exponent + 1};
        if (mantissa < 0x1p-256 && mantissa != 0) return {mantissa * 0x1p512, exponent - 1};
        return {mantissa, exponent};
    }
};

// Residues modulo an odd prime below 2^62, kept in Montgomery's form.
class Residues {
  public:
    using Value = std::uint64_t;
    //   require: an odd prime below 2^62; only that it is odd and in range is checked
    explicit Residues(std::uint64_t prime) : prime_(prime) {
        MINEPROOF_REQUIRE(prime % 2 == 1 && prime > 2 && prime >> 62 == 0);
        for (int i = 0; i < 6; ++i) inverse_ *= 2 - prime * inverse_;  // Newton: correct bits double
        square_ = static_cast<std::uint64_t>(-static_cast<unsigned __int128>(prime) % prime);
    }
    Value of(std::uint64_t value) const { return multiply(value % prime_, square_); }
    std::uint64_t value(Value residue) const { return reduce(residue); }
    Value add(Value a, Value b) const {
        const Value sum = a + b;
        return sum >= prime_ ? sum - prime_ : sum;
    }
    Value multiply(Value a, Value b) const { return reduce(static_cast<unsigned __int128>(a) * b); }
    Value power(Value base, std::uint64_t exponent) const {
        Value result = of(1);
        for (; exponent != 0; exponent >>= 1, base = multiply(base, base))
            if (exponent & 1) result = multiply(result, base);
        return result;
    }
    Value invert(Value value) const { return power(value, prime_ - 2); }

  private:
    std::uint64_t reduce(unsigned __int128 product) const {
        const std::uint64_t factor = static_cast<std::uint64_t>(product) * inverse_;
        const auto carry = static_cast<std::uint64_t>((static_cast<unsigned __int128>(factor) * prime_) >> 64);
        const auto high = static_cast<std::uint64_t>(product >> 64);
        return high >= carry ? high - carry : high - carry + prime_;
    }
    std::uint64_t prime_, inverse_ = 1, square_;
};

// What the values of any boxes count for: those of box i from `starts[i]` on.
template <class Value>
struct BoxFactors {
    std::span<const std::uint32_t> starts;
    std::span<const Value> values;

    Value operator()(std::uint32_t box, std::uint32_t value) const { return values[starts[box] + value]; }
    std::size_t place(std::uint32_t box) const { return starts[box]; }
};

template <class Ring>
class PolynomialPass {
  public:
    using Value = typename Ring::Value;
    using Weights = std::array<std::array<Value, kReach + 1>, kReach + 1>;

    // What a pass along a tape holds.
    static std::uint64_t bytes(const Tape& tape) { return 2 * sizeof(Value) * tape.storage(); }

    // `weights[s][k]`: what k mines in a box of s cells count for.
    bool forward(const Ring& ring, const Tape& tape, std::span<const Box> boxes, const Weights& weights,
                 Budget& budget);
    // Takes the shares set at the roots down to every box.
    //   require: `forward` was called for this tape; only the size is checked
    bool backward(const Ring& ring, const Tape& tape, std::span<const Box> boxes, const Weights& weights,
                  Budget& budget);

    // The same for the steps of one component: call `clear`, set the shares at its root, then this. Tallies of other
    // boxes are left as they are.
    bool backward(const Ring& ring, const Tape& tape, std::span<const Box> boxes, const Weights& weights,
                  std::size_t first_step, std::size_t end_step, Budget& budget);
    void clear(const Tape& tape, std::span<const Box> boxes, std::size_t first_step, std::size_t end_step);

    // The same for boxes of any kind, whose tallies are placed as their factors are.
    bool forward(const Ring& ring, const Tape& tape, const BoxFactors<Value>& factors, Budget& budget) {
        return walk_forward(ring, tape, factors, budget);
    }
    bool backward(const Ring& ring, const Tape& tape, const BoxFactors<Value>& factors, Budget& budget) {
        tallies_.assign(factors.values.size(), Value{});
        return walk_backward(ring, tape, factors, 0, tape.steps().size(), budget);
    }
    Value tally_at(std::size_t place) const { return tallies_[place]; }

    // The polynomial of a row after `forward`.
    std::span<const Value> polynomial(const Row& row) const { return {&values_[row.offset], row.len}; }
    // What an arrangement of a row is worth to the rest of the board; set at the roots before `backward`.
    std::span<Value> share(const Row& row) { return {&shares_[row.offset], row.len}; }
    // Weight of all layouts with k mines in a box, after `backward`.
    Value tally(std::uint32_t box, int mines) const {
        return tallies_[std::size_t{box} * (kReach + 1) + static_cast<std::size_t>(mines)];
    }

  private:
    struct BoardFactors;
    template <class Factors>
    bool walk_forward(const Ring& ring, const Tape& tape, const Factors& factors, Budget& budget);
    template <class Factors>
    bool walk_backward(const Ring& ring, const Tape& tape, const Factors& factors, std::size_t first_step,
                       std::size_t end_step, Budget& budget);

    std::vector<Value> values_, shares_, tallies_;
};

extern template class PolynomialPass<Reals>;
extern template class PolynomialPass<Floats>;
extern template class PolynomialPass<Residues>;

}  // namespace mineproof
