// The polynomial pass: arithmetic modulo primes by the definition, counts and shares against all layouts.

#include "mineproof/polynomial.hpp"
#include "mineproof/tape_recorder.hpp"

#include <algorithm>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/primes.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

std::vector<std::uint64_t> some_primes() {
    std::vector<std::uint64_t> primes = largest_primes(3);
    primes.insert(primes.end(), {3, 11, 10007, 4294967291, 4294967311, (std::uint64_t{1} << 61) - 1});
    return primes;
}

TEST(residues_are_residues) {
    Rng rng(30);
    for (const std::uint64_t prime : some_primes()) {
        const Note note([&] { return "modulo " + show(prime); });
        const Residues ring(prime);
        std::vector<std::uint64_t> values = {0, 1, 2, prime - 1, prime, prime + 1, ~std::uint64_t{0}, prime / 2};
        while (values.size() < 40) values.push_back(rng() >> roll(rng, 64));
        for (const std::uint64_t a : values) {
            CHECK_EQUAL(ring.value(ring.of(a)), a % prime);
            for (const std::uint64_t b : values) {
                const auto sum = static_cast<unsigned __int128>(a % prime) + b % prime;
                CHECK_EQUAL(ring.value(ring.add(ring.of(a), ring.of(b))), static_cast<std::uint64_t>(sum % prime));
                CHECK_EQUAL(ring.value(ring.multiply(ring.of(a), ring.of(b))), multiply_mod(a % prime, b, prime));
            }
            const std::uint64_t exponent = rng() >> roll(rng, 64);
            CHECK_EQUAL(ring.value(ring.power(ring.of(a), exponent)), power_mod(a, exponent, prime));
            CHECK_EQUAL(ring.value(ring.power(ring.of(a), 0)), 1U);
            if (a % prime != 0) CHECK_EQUAL(ring.value(ring.multiply(ring.of(a), ring.invert(ring.of(a)))), 1U);
        }
    }
}

// A ring as both passes use it, with what a layout of some cells and mines counts for.
struct RealCase {
    Reals ring;
    double value(double each) const { return each; }
    double worth(int, int) const { return 1; }
    double expected(std::uint64_t sum) const { return static_cast<double>(sum); }
};

struct ResidueCase {
    std::uint64_t prime, mined, free;
    Residues ring{prime};
    std::uint64_t value(std::uint64_t each) const { return ring.value(each); }
    std::uint64_t worth(int cells, int mines) const {
        return multiply_mod(power_mod(mined, static_cast<std::uint64_t>(mines), prime),
                            power_mod(free, static_cast<std::uint64_t>(cells - mines), prime), prime);
    }
    std::uint64_t expected(std::uint64_t sum) const { return sum % prime; }
};

std::uint64_t add_up(const RealCase&, std::uint64_t sum, double worth) {
    return sum + static_cast<std::uint64_t>(worth);
}
std::uint64_t add_up(const ResidueCase& ring, std::uint64_t sum, std::uint64_t worth) {
    return (sum + worth) % ring.prime;
}

// Forward and backward on a board without sea, against all its layouts.
template <class Case>
void check_pass(const Case& ring_case, PolynomialPass<decltype(Case::ring)>& pass, const Reduction& reduction,
                const Tape& tape, const Layouts& layouts) {
    const auto boxes = reduction.boxes();
    const auto& ring = ring_case.ring;
    typename PolynomialPass<decltype(Case::ring)>::Weights weights{};
    for (std::size_t size = 0; size <= kReach; ++size)
        for (std::size_t mines = 0; mines <= size; ++mines) {
            const auto worth = ring_case.worth(static_cast<int>(size), static_cast<int>(mines));
            weights[size][mines] =
                ring.multiply(ring.of(kChoose[size][mines]), ring.of(static_cast<std::uint64_t>(worth)));
        }
    Budget budget = endless();
    REQUIRE(pass.forward(ring, tape, boxes, weights, budget));
    const Row& root = tape.rows()[tape.roots()[0]];
    // Layouts with k mines are worth k + 1 to the rest of the board.
    for (std::uint32_t k = 0; k < root.len; ++k) pass.share(root)[k] = ring.of(k + 1);
    REQUIRE(pass.backward(ring, tape, boxes, weights, budget));

    const int cells = static_cast<int>(reduction.undecided());
    std::vector<std::uint64_t> sums(root.len, 0), tallies(boxes.size() * (kReach + 1), 0);
    for (const std::uint32_t layout : layouts.all) {
        const int mines = std::popcount(layout) - static_cast<int>(reduction.decided_mines());
        const std::uint32_t place = static_cast<std::uint32_t>(mines) - root.lo;
        REQUIRE(place < root.len);
        sums[place] = add_up(ring_case, sums[place], ring_case.worth(cells, mines));
        for (std::uint32_t id = 0; id < boxes.size(); ++id) {
            std::size_t inside = std::size_t{id} * (kReach + 1);
            for (std::size_t i = 0; i < boxes[id].size; ++i) inside += layouts.mined(layout, boxes[id].cells[i]);
            for (std::uint32_t k = 0; k <= place; ++k)
                tallies[inside] = add_up(ring_case, tallies[inside], ring_case.worth(cells, mines));
        }
    }
    for (std::uint32_t k = 0; k < root.len; ++k)
        CHECK_EQUAL(ring_case.value(pass.polynomial(root)[k]), ring_case.expected(sums[k]));
    for (std::uint32_t id = 0; id < boxes.size(); ++id)
        for (int k = 0; k <= boxes[id].size; ++k)
            CHECK_EQUAL(ring_case.value(pass.tally(id, k)),
                        ring_case.expected(tallies[std::size_t{id} * (kReach + 1) + static_cast<std::size_t>(k)]));
}

TEST(polynomials_count_layouts_and_tallies_share_them) {
    Rng rng(31);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    PolynomialPass<Reals> reals;
    PolynomialPass<Residues> residues;
    const auto primes = some_primes();
    int counted = 0;
    for (int i = 0; i < 1200; ++i) {
        const Board board =
            without_sea(i % 20 == 0 ? wide_board(rng, 14, between(rng, 3, 40)) : small_position(rng, 12).board);
        const Note note([&] { return picture(board); });
        Budget budget = endless();
        if (!reduction.run(board.geometry, board.codes)) continue;
        if (recorder.record(reduction, true, budget) != TapeRecorder::Outcome::done) continue;
        ++counted;
        const Layouts layouts = all_layouts(board);
        check_pass(RealCase{}, reals, reduction, tape, layouts);
        const std::uint64_t prime = primes[roll(rng, primes.size())];
        check_pass(ResidueCase{prime, 1, 1}, residues, reduction, tape, layouts);
        check_pass(ResidueCase{prime, rng() % prime, rng() % prime}, residues, reduction, tape, layouts);
    }
    CHECK(counted > 600);
}

// Without mine counts each component has its own root; together they make all layouts.
TEST(untracked_roots_multiply_to_all_layouts) {
    Rng rng(32);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    PolynomialPass<Reals> pass;
    PolynomialPass<Reals>::Weights weights{};
    for (std::size_t size = 0; size <= kReach; ++size)
        for (std::size_t mines = 0; mines <= size; ++mines) weights[size][mines] = kChoose[size][mines];
    for (int i = 0; i < 600; ++i) {
        const Board board = without_sea(small_position(rng, 12).board);
        const Note note([&] { return picture(board); });
        Budget budget = endless();
        if (!reduction.run(board.geometry, board.codes)) continue;
        if (recorder.record(reduction, false, budget) != TapeRecorder::Outcome::done) continue;
        REQUIRE(pass.forward(Reals{}, tape, reduction.boxes(), weights, budget));
        double all = 1;
        for (const std::uint32_t root : tape.roots()) {
            all *= pass.polynomial(tape.rows()[root])[0];
            pass.share(tape.rows()[root])[0] = 1;
        }
        const Layouts layouts = all_layouts(board);
        CHECK_EQUAL(all, static_cast<double>(layouts.all.size()));
        REQUIRE(pass.backward(Reals{}, tape, reduction.boxes(), weights, budget));
        for (std::uint32_t id = 0; id < reduction.boxes().size(); ++id) {
            // A tally counts the component alone: the others multiply both sides.
            double sum = 0;
            for (int k = 0; k <= reduction.boxes()[id].size; ++k) sum += pass.tally(id, k);
            CHECK_EQUAL(sum, pass.polynomial(tape.rows()[tape.roots()[tape.component_of_box()[id]]])[0]);
        }
    }
}

}  // namespace
}  // namespace mineproof::testing
