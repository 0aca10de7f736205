// Feasibility: the counting with "can be" instead of "how many".
//
// Without a total every row of the tape can be had, so a walk backwards that marks the rows leading to a
// root decides everything. With a total a row carries the set of mine counts it can have, as bits: a join
// is a sum of two sets (one shifted copy for each member of the smaller), and backwards a set of the counts
// that can still be completed. Counts need not be consecutive, which is why bounds alone would not do.
//
// Cost: a word operation where the polynomials have 64 multiplications.

#include "mineproof/feasibility.hpp"

#include <bit>

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
    const auto rows = tape.rows();
    const auto steps = tape.steps();
    const auto products = tape.products();
    const std::uint32_t root = tape.roots()[0];
    const std::int64_t lo = rows[root].lo, hi = lo + rows[root].len - 1;
    first_total_ = lo;
    last_total_ = hi;
    if (fewest <= lo && hi <= most) {
        any_total(tape, boxes);
        return true;
    }
    starts_.resize(rows.size() + 1);
    starts_[0] = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) starts_[row + 1] = starts_[row] + words_for(rows[row].len);
    counts_.assign(starts_.back(), 0);
    wanted_.assign(starts_.back(), 0);
    counts_[0] = 1;
    for (const Step& step : steps) {
        std::uint64_t effort = 0;
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = products[i];
            const Row &left = rows[product.left], &out = rows[product.out];
            const std::size_t out_words = words_for(out.len), left_words = words_for(left.len);
            if (step.box != Step::kNoBox) {
                or_up(counts_of(product.out), out_words, counts_of(product.left), left_words,
                      left.lo + product.right - out.lo);
                effort += left_words;
                continue;
            }
            const Row& right = rows[product.right];
            const bool swap = left.len > right.len;
            const std::uint32_t few = swap ? product.right : product.left, many = swap ? product.left : product.right;
            const std::size_t base = left.lo + right.lo - out.lo, many_words = words_for(rows[many].len);
            for (std::size_t word = 0; word < words_for(rows[few].len); ++word)
                for (std::uint64_t rest = counts_of(few)[word]; rest != 0; rest &= rest - 1)
                    or_up(counts_of(product.out), out_words, counts_of(many), many_words,
                          base + word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            effort += rows[few].len * many_words;
        }
        if (!budget.work(effort)) return false;
    }
    first_total_ = most + 1;
    last_total_ = fewest - 1;
    for (std::int64_t total = std::max(lo, fewest); total <= std::min(hi, most); ++total) {
        const auto bit = static_cast<std::size_t>(total - lo);
        if ((counts_of(root)[bit / 64] >> bit % 64 & 1) == 0) continue;
        wanted_of(root)[bit / 64] |= std::uint64_t{1} << bit % 64;
        if (first_total_ > most) first_total_ = total;
        last_total_ = total;
    }
    possible_.assign(boxes.size(), 0);
    const auto pull = [&](std::uint32_t into, const std::uint64_t* from, std::size_t from_words, std::size_t shift) {
        const std::size_t words = words_for(rows[into].len);
        for (std::size_t i = 0; i < words; ++i) {
            std::uint64_t bits = word_down(from, from_words, shift, i);
            if (i + 1 == words) bits &= tail_mask(rows[into].len);
            wanted_of(into)[i] |= bits;
        }
    };
    for (std::size_t at = steps.size(); at-- > 0;) {
        const Step& step = steps[at];
        std::uint64_t effort = 0;
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = products[i];
            const Row &left = rows[product.left], &out = rows[product.out];
            const std::size_t out_words = words_for(out.len);
            const std::uint64_t* wanted = wanted_of(product.out);
            if (step.box != Step::kNoBox) {
                const std::size_t shift = left.lo + product.right - out.lo, words = words_for(left.len);
                bool any = false;
                for (std::size_t k = 0; k < words; ++k)
                    any |= (word_down(wanted, out_words, shift, k) & counts_of(product.left)[k]) != 0;
                if (any) possible_[step.box] = static_cast<std::uint16_t>(possible_[step.box] | 1 << product.right);
                pull(product.left, wanted, out_words, shift);
                effort += words;
                continue;
            }
            const Row& right = rows[product.right];
            const std::size_t base = left.lo + right.lo - out.lo;
            const auto pull_each = [&](std::uint32_t into, std::uint32_t by) {
                for (std::size_t word = 0; word < words_for(rows[by].len); ++word)
                    for (std::uint64_t rest = counts_of(by)[word]; rest != 0; rest &= rest - 1)
                        pull(into, wanted, out_words,
                             base + word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            };
            pull_each(product.left, product.right);
            pull_each(product.right, product.left);
            effort += std::uint64_t{left.len} * words_for(right.len) + std::uint64_t{right.len} * words_for(left.len);
        }
        if (!budget.work(effort)) return false;
    }
    return true;
}

}  // namespace mineproof
