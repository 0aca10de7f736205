// A board with far too many layouts to try them all, on which a sweep from left to right still counts them: two covered
// rows with numbers between them, sea below. In any ring, by its own arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "boards.hpp"
#include "oracle.hpp"

namespace mineproof::testing {

struct Strip {
    Board board;               // row 1 shows numbers or nothing, all others are covered
    std::vector<int> numbers;  // by column; -1 where nothing is shown
    std::uint64_t sea;         // cells of the rows from the fourth on
    std::int64_t mines;        // of the layout it was made from
};

// A `whole` one is a single component from end to end, which nothing reduces.
Strip make_strip(Rng& rng, int columns, int sea_rows, double density, double shown, bool whole);

struct LongDoubles {
    using Value = long double;
    Value of(std::uint64_t value) const { return static_cast<long double>(value); }
    Value add(Value a, Value b) const { return a + b; }
    Value multiply(Value a, Value b) const { return a * b; }
    Value half(Value a) const { return a / 2; }
};

struct Modulo {
    std::uint64_t prime;

    using Value = std::uint64_t;
    Value of(std::uint64_t value) const { return value % prime; }
    Value add(Value a, Value b) const { return (a + b) % prime; }
    Value multiply(Value a, Value b) const { return multiply_mod(a, b, prime); }
    Value half(Value a) const { return multiply(a, power_mod(2, prime - 2, prime)); }
};

template <class Ring>
struct StripCounts {
    using Value = typename Ring::Value;
    Value layouts{};
    std::vector<Value> mined;                  // by column: layouts with a mine in a given cell of it
    std::vector<std::array<bool, 3>> present;  // by column: whether it can have that many mines (not modulo)
    Value sea_mined{};                         // layouts with a mine in a given cell of the sea
};

template <class Ring>
class StripSweep {
  public:
    using Value = typename Ring::Value;
    using Polynomial = std::vector<Value>;

    explicit StripSweep(const Strip& strip, Ring ring = {}) : strip_(strip), ring_(ring) {
        const std::size_t columns = strip.numbers.size();
        forward_.resize(columns);
        for (std::size_t column = 0; column < columns; ++column)
            for (std::size_t state = 0; state < 9; ++state) forward_[column][state].assign(2 * column + 3, Value{});
        for (std::size_t now = 0; now < 3; ++now) forward_[0][now][now] = ring_.of(now == 1 ? 2 : 1);
        for (std::size_t column = 0; column + 1 < columns; ++column)
            for (std::size_t state = 0; state < 9; ++state)
                for (std::size_t next = 0; next < 3; ++next)
                    if (fits(column, state, next))
                        add(forward_[column + 1][state % 3 * 3 + next], forward_[column][state], next);
    }

    // Layouts of the two rows by mines in them.
    Polynomial by_mines() const {
        Polynomial sum(2 * strip_.numbers.size() + 1, Value{});
        for (std::size_t state = 0; state < 9; ++state)
            for (std::size_t k = 0; fits(last(), state, 0) && k < sum.size(); ++k)
                sum[k] = ring_.add(sum[k], forward_[last()][state][k]);
        return sum;
    }

    StripCounts<Ring> count(std::size_t total) const {
        StripCounts<Ring> counts;
        counts.mined.resize(strip_.numbers.size());
        counts.present.resize(strip_.numbers.size());
        const Polynomial sea = choose(strip_.sea, total),
                         sea_less = strip_.sea > 0 ? choose(strip_.sea - 1, total) : sea;
        std::array<Polynomial, 9> backward;
        for (std::size_t state = 0; state < 9; ++state)
            backward[state] = fits(last(), state, 0) ? sea : Polynomial(total + 1, Value{});
        for (std::size_t column = last() + 1; column-- > 0;) {
            std::array<Value, 3> by_mines{};
            for (std::size_t state = 0; state < 9; ++state) {
                Value& sum = by_mines[state % 3];
                const Polynomial& before = forward_[column][state];
                for (std::size_t k = 0; k < before.size() && k <= total; ++k)
                    sum = ring_.add(sum, ring_.multiply(before[k], backward[state][total - k]));
            }
            counts.mined[column] = ring_.add(ring_.half(by_mines[1]), by_mines[2]);
            for (std::size_t k = 0; k < 3; ++k) counts.present[column][k] = by_mines[k] != Value{};
            counts.layouts = ring_.add(ring_.add(by_mines[0], by_mines[1]), by_mines[2]);
            if (column == 0) break;
            std::array<Polynomial, 9> earlier;
            for (std::size_t state = 0; state < 9; ++state) {
                earlier[state].assign(total + 1, Value{});
                for (std::size_t next = 0; next < 3; ++next)
                    if (fits(column - 1, state, next)) add(earlier[state], backward[state % 3 * 3 + next], next);
            }
            backward = std::move(earlier);
        }
        const Polynomial rows = by_mines();
        for (std::size_t k = 0; strip_.sea > 0 && k < rows.size() && k < total; ++k)
            counts.sea_mined = ring_.add(counts.sea_mined, ring_.multiply(rows[k], sea_less[total - k - 1]));
        return counts;
    }

  private:
    std::size_t last() const { return strip_.numbers.size() - 1; }

    // A state is mines in the column before times three plus mines in this one.
    bool fits(std::size_t column, std::size_t state, std::size_t next) const {
        const int number = strip_.numbers[column];
        return number < 0 || state / 3 + state % 3 + next == static_cast<std::size_t>(number);
    }
    // into += from · (ways to put `mines` into a column) · z^mines, as far as `into` reaches.
    void add(Polynomial& into, const Polynomial& from, std::size_t mines) const {
        const Value ways = ring_.of(mines == 1 ? 2 : 1);
        for (std::size_t k = 0; k < from.size() && k + mines < into.size(); ++k)
            into[k + mines] = ring_.add(into[k + mines], ring_.multiply(ways, from[k]));
    }
    // C(cells, k) for k = 0 .. most, by Pascal's triangle.
    Polynomial choose(std::uint64_t cells, std::size_t most) const {
        Polynomial row(most + 1, Value{});
        row[0] = ring_.of(1);
        for (std::uint64_t n = 0; n < cells; ++n)
            for (std::size_t k = most; k > 0; --k) row[k] = ring_.add(row[k], row[k - 1]);
        return row;
    }

    const Strip& strip_;
    Ring ring_;
    std::vector<std::array<Polynomial, 9>> forward_;
};

}  // namespace mineproof::testing
