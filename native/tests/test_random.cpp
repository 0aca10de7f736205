// Random numbers: Philox equals the paper's, and numbers in a range are not biased.

#include "mineproof/random.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

namespace mineproof::testing {
namespace {

using Block = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

// Philox4x32-10 written down from the paper.
Block philox(Block counter, Key key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = 0xD2511F53ULL * counter[0], p1 = 0xCD9E8D57ULL * counter[2];
        const auto high = [](std::uint64_t p) { return static_cast<std::uint32_t>(p >> 32); };
        const auto low = [](std::uint64_t p) { return static_cast<std::uint32_t>(p); };
        counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
        key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
    }
    return counter;
}

// kat_vectors of the Random123 distribution.
TEST(philox_known_answers) {
    constexpr std::uint32_t kOnes = 0xffffffff;
    CHECK_EQUAL(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    CHECK_EQUAL(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
                (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    CHECK_EQUAL(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
                (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

    Random zero(0, 0);
    CHECK_EQUAL(zero.next(), 0x6627e8d5e169c58dU);
    CHECK_EQUAL(zero.next(), 0xbc57ac4c9b00dbd8U);
}

TEST(random_is_philox_of_seed_stream_and_position) {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0};
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1} << 32, kOnes, std::uint64_t{0x123456789abcdef}})
        for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{1} << 40, kOnes}) {
            Random random(seed, stream);
            for (std::uint32_t position = 0; position < 20; ++position) {
                const Block block = philox({position, 0, low(stream), high(stream)}, {low(seed), high(seed)});
                CHECK_EQUAL(random.next(), std::uint64_t{block[0]} << 32 | block[1]);
                CHECK_EQUAL(random.next(), std::uint64_t{block[2]} << 32 | block[3]);
            }
        }
}

// Pearson's statistic of `counts` against equal shares.
double chi_square(const std::vector<int>& counts) {
    double all = 0, sum = 0;
    for (const int count : counts) all += count;
    const double share = all / static_cast<double>(counts.size());
    for (const int count : counts) sum += (count - share) * (count - share) / share;
    return sum;
}

TEST(below_is_unbiased) {
    Random random(42, 0);
    for (const std::uint64_t bound : {1U, 2U, 3U, 7U, 10U, 64U}) {
        std::vector<int> counts(bound, 0);
        for (std::uint64_t i = 0; i < 2000 * bound; ++i) {
            const std::uint64_t value = random.below(bound);
            REQUIRE(value < bound);
            ++counts[value];
        }
        const auto freedom = static_cast<double>(bound - 1);
        CHECK(chi_square(counts) < freedom + 5 * std::sqrt(2 * freedom + 1));
    }
    // With a bound of 3/4 · 2^64 a plain product would hit the values 0 mod 3 twice as often as the others.
    std::vector<int> thirds(3, 0);
    for (int i = 0; i < 30000; ++i) ++thirds[random.below(std::uint64_t{3} << 62) % 3];
    CHECK(chi_square(thirds) < 20);
    for (int i = 0; i < 100; ++i) CHECK(random.below(~std::uint64_t{0}) < ~std::uint64_t{0});
}

TEST(uniform_lies_in_the_unit_interval) {
    Random random(7, 1);
    std::vector<int> counts(16, 0);
    for (int i = 0; i < 32000; ++i) {
        const double value = random.uniform();
        REQUIRE(value >= 0 && value < 1);
        ++counts[static_cast<std::size_t>(value * 16)];
    }
    CHECK(chi_square(counts) < 15 + 5 * std::sqrt(31.0));
}

}  // namespace
}  // namespace mineproof::testing
