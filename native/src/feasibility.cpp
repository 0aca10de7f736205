// Feasibility: the same recurrence as counting, with "is it possible" instead of "how many".
//
// Without a total every row of the tape can be had, so a walk backwards that marks the rows leading to a
// root decides everything. With a total a row carries the set of mine counts it can have, as bits: a join
// is a sum of two sets (one shifted copy for each member of the smaller), and backwards a set of the counts
// that can still be completed. Counts need not be consecutive, which is why bounds alone would not do.
//
// Cost: a word operation where the polynomials have 64 multiplications.

#include "mineproof/feasibility.hpp"

#include <algorithm>
#include <bit>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

std::size_t words_for(std::uint32_t bits) { return (bits + 63) / 64; }

// into |= from << shift; bits past `into_words` do not exist by construction.
void or_up(std::uint64_t* into, std::size_t into_words, const std::uint64_t* from, std::size_t from_words,
           std::size_t shift) {
    const std::size_t word = shift / 64, bit = shift % 64;
    for (std::size_t i = 0; i < from_words; ++i) {
        into[word + i] |= from[i] << bit;
        if (bit != 0 && word + i + 1 < into_words) into[word + i + 1] |= from[i] >> (64 - bit);
    }
}

// The word of `from >> shift` at place i.
std::uint64_t word_down(const std::uint64_t* from, std::size_t from_words, std::size_t shift, std::size_t i) {
    const std::size_t word = shift / 64 + i, bit = shift % 64;
    if (word >= from_words) return 0;
    const std::uint64_t low = from[word] >> bit;
    return bit == 0 || word + 1 >= from_words ? low : low | from[word + 1] << (64 - bit);
}

template <class Visit>
void each_bit(const std::uint64_t* set, std::size_t words, Visit visit) {
    for (std::size_t word = 0; word < words; ++word)
        for (std::uint64_t rest = set[word]; rest != 0; rest &= rest - 1)
            visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

std::uint64_t tail_mask(std::uint32_t bits) {
    return bits % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits % 64) - 1;
}

}  // namespace

void FeasibilityPass::any_total(const Tape& tape, std::span<const Box> boxes) {
    const auto steps = tape.steps();
    const auto products = tape.products();
    possible_.assign(boxes.size(), 0);
    alive_.assign(tape.rows().size(), 0);
    for (const std::uint32_t root : tape.roots()) alive_[root] = 1;
    for (std::size_t at = steps.size(); at-- > 0;) {
        const Step& step = steps[at];
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = products[i];
            if (!alive_[product.out]) continue;
            alive_[product.left] = 1;
            if (step.box == Step::kNoBox)
                alive_[product.right] = 1;
            else
                possible_[step.box] = static_cast<std::uint16_t>(possible_[step.box] | 1 << product.right);
        }
    }
}

bool FeasibilityPass::within(const Tape& tape, std::span<const Box> boxes, std::int64_t fewest, std::int64_t most,
                             Budget& budget) {
    MINEPROOF_REQUIRE(tape.tracks_mines());
    const Row& root = tape.rows()[tape.roots()[0]];
    first_total_ = root.lo;
    last_total_ = std::int64_t{root.lo} + root.len - 1;
    if (fewest <= first_total_ && last_total_ <= most) {
        any_total(tape, boxes);
        return true;
    }
    possible_.assign(boxes.size(), 0);
    if (!collect(tape, budget)) return false;
    want(tape, fewest, most);
    return complete(tape, budget);
}

// The mine counts each row can have.
bool FeasibilityPass::collect(const Tape& tape, Budget& budget) {
    const auto rows = tape.rows();
    starts_.resize(rows.size() + 1);
    starts_[0] = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) starts_[row + 1] = starts_[row] + words_for(rows[row].len);
    counts_.assign(starts_.back(), 0);
    counts_[0] = 1;
    for (const Step& step : tape.steps()) {
        const auto join_box = [&](const Product& product) {
            const Row &left = rows[product.left], &out = rows[product.out];
            or_up(counts_of(product.out), words_for(out.len), counts_of(product.left), words_for(left.len),
                  left.lo + product.right - out.lo);
            return std::uint64_t{words_for(left.len)};
        };
        const auto join_rows = [&](const Product& product) {
            const bool left_longer = rows[product.left].len > rows[product.right].len;
            const std::uint32_t few = left_longer ? product.right : product.left;
            const std::uint32_t many = left_longer ? product.left : product.right;
            const Row& out = rows[product.out];
            const std::size_t base = rows[few].lo + rows[many].lo - out.lo, words = words_for(rows[many].len);
            each_bit(counts_of(few), words_for(rows[few].len), [&](std::size_t bit) {
                or_up(counts_of(product.out), words_for(out.len), counts_of(many), words, base + bit);
            });
            return std::uint64_t{rows[few].len} * words;
        };
        const bool done = step.box != Step::kNoBox ? each_product(step, tape.products(), budget, join_box)
                                                   : each_product(step, tape.products(), budget, join_rows);
        if (!done) return false;
    }
    return true;
}

// Marks the totals in question that can be had.
void FeasibilityPass::want(const Tape& tape, std::int64_t fewest, std::int64_t most) {
    const std::uint32_t root = tape.roots()[0];
    const std::int64_t lo = first_total_, hi = last_total_;
    wanted_.assign(starts_.back(), 0);
    first_total_ = most + 1;
    last_total_ = fewest - 1;
    for (std::int64_t total = std::max(lo, fewest); total <= std::min(hi, most); ++total) {
        const auto bit = static_cast<std::size_t>(total - lo);
        if ((counts_of(root)[bit / 64] >> bit % 64 & 1) == 0) continue;
        wanted_of(root)[bit / 64] |= std::uint64_t{1} << bit % 64;
        first_total_ = std::min(first_total_, total);
        last_total_ = total;
    }
}

// The mine counts of each row that lead to a wanted total, and with them what each box can hold.
bool FeasibilityPass::complete(const Tape& tape, Budget& budget) {
    const auto rows = tape.rows();
    const auto steps = tape.steps();
    // into |= from >> shift, as far as the row goes.
    const auto pull = [&](std::uint32_t into, std::uint32_t from, std::size_t shift) {
        const std::size_t words = words_for(rows[into].len), from_words = words_for(rows[from].len);
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t mask = i + 1 == words ? tail_mask(rows[into].len) : ~std::uint64_t{0};
            wanted_of(into)[i] |= word_down(wanted_of(from), from_words, shift, i) & mask;
        }
    };
    for (std::size_t at = steps.size(); at-- > 0;) {
        const Step& step = steps[at];
        const auto part_box = [&](const Product& product) {
            const Row &left = rows[product.left], &out = rows[product.out];
            const std::size_t shift = left.lo + product.right - out.lo, words = words_for(left.len);
            bool any = false;
            for (std::size_t i = 0; i < words; ++i)
                any |=
                    (word_down(wanted_of(product.out), words_for(out.len), shift, i) & counts_of(product.left)[i]) != 0;
            if (any) possible_[step.box] = static_cast<std::uint16_t>(possible_[step.box] | 1 << product.right);
            pull(product.left, product.out, shift);
            return std::uint64_t{2 * words};
        };
        const auto part_rows = [&](const Product& product) {
            const Row &left = rows[product.left], &right = rows[product.right];
            const std::size_t base = left.lo + right.lo - rows[product.out].lo;
            each_bit(counts_of(product.right), words_for(right.len),
                     [&](std::size_t bit) { pull(product.left, product.out, base + bit); });
            each_bit(counts_of(product.left), words_for(left.len),
                     [&](std::size_t bit) { pull(product.right, product.out, base + bit); });
            return std::uint64_t{left.len} * words_for(right.len) + std::uint64_t{right.len} * words_for(left.len);
        };
        const bool done = step.box != Step::kNoBox ? each_product(step, tape.products(), budget, part_box)
                                                   : each_product(step, tape.products(), budget, part_rows);
        if (!done) return false;
    }
    return true;
}

}  // namespace mineproof
