// The contour pass: at any point it is the value of the polynomial, whatever powers of two were taken out.

#include "mineproof/contour.hpp"
#include "mineproof/tape_recorder.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/polynomial.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

using Complex = ContourPass::Complex;

// Layouts by mines in undecided cells, and for one box by its own mines as well.
std::vector<double> counts_by_mines(const Layouts& layouts, const Reduction& reduction, const Box* box, int inside) {
    std::vector<double> counts(layouts.covered.size() + 1, 0);
    for (const std::uint32_t layout : layouts.all) {
        int mines = 0;
        for (std::size_t i = 0; box != nullptr && i < box->size; ++i) mines += layouts.mined(layout, box->cells[i]);
        if (box == nullptr || mines == inside)
            ++counts[static_cast<std::size_t>(std::popcount(layout)) - reduction.decided_mines()];
    }
    return counts;
}

Complex evaluate(const std::vector<double>& counts, Complex at) {
    Complex sum = 0;
    for (std::size_t k = counts.size(); k-- > 0;) sum = sum * at + counts[k];
    return sum;
}

TEST(contour_agrees_with_the_polynomial) {
    Rng rng(40);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    ContourPass pass;
    int seen = 0;
    for (int i = 0; i < 800; ++i) {
        const Board board =
            without_sea(i % 20 == 0 ? wide_board(rng, 13, between(rng, 3, 40)) : small_position(rng, 11).board);
        const double lambda = std::exp(between(rng, -60, 60) / 10.0);
        const Note note([&] { return picture(board) + " at " + show(lambda); });
        Budget budget = endless();
        if (!reduction.run(board.geometry, board.codes)) continue;
        if (recorder.record(reduction, true, budget) != TapeRecorder::Outcome::done) continue;
        ++seen;
        const auto boxes = reduction.boxes();
        const Layouts layouts = all_layouts(board);
        const std::vector<double> counts = counts_by_mines(layouts, reduction, nullptr, 0);
        const std::uint32_t root = tape.roots()[0];

        REQUIRE(pass.scale(tape, boxes, lambda, budget));
        const double expected = evaluate(counts, lambda).real();
        CHECK_CLOSE(std::ldexp(pass.row_value(root), static_cast<int>(pass.root_exponent(root))), expected,
                    1e-12 * expected);
        double mean = 0;
        for (std::size_t k = 0; k < counts.size(); ++k)
            mean += static_cast<double>(k) * counts[k] * std::pow(lambda, static_cast<double>(k)) / expected;
        CHECK_CLOSE(pass.root_mean(root), mean, 1e-11);

        REQUIRE(pass.spread(tape, boxes, budget));
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            for (int k = 0; k <= boxes[id].size; ++k) {
                const auto part = counts_by_mines(layouts, reduction, &boxes[id], k);
                CHECK_CLOSE(pass.tally(id, k), evaluate(part, lambda).real() / expected, 1e-12);
            }

        std::array<Complex, ContourPass::kBlock> points, factors;
        for (std::size_t p = 0; p < points.size(); ++p) {
            points[p] = std::polar(lambda, 2 * std::numbers::pi * static_cast<double>(p) / 11);
            factors[p] = Complex(between(rng, -5, 5), between(rng, -5, 5));
        }
        const double unit = std::ldexp(1.0, static_cast<int>(-pass.root_exponent(root)));
        pass.clear_tallies(boxes.size());
        const auto factor = [&](const std::array<Complex, ContourPass::kBlock>& at_root) {
            for (std::size_t p = 0; p < points.size(); ++p)
                CHECK_CLOSE(std::abs(at_root[p] - evaluate(counts, points[p]) * unit), 0, 1e-11);
            return factors;
        };
        REQUIRE(pass.block(tape, boxes, points, factor, budget));
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            for (int k = 0; k <= boxes[id].size; ++k) {
                const auto part = counts_by_mines(layouts, reduction, &boxes[id], k);
                Complex sum = 0;
                for (std::size_t p = 0; p < points.size(); ++p) sum += factors[p] * evaluate(part, points[p]) * unit;
                CHECK_CLOSE(pass.tally(id, k), sum.real(), 1e-10);
            }
    }
    CHECK(seen > 400);
}

// Every row on the way, not only the root.
TEST(contour_rows_are_scaled_polynomials) {
    Rng rng(41);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    ContourPass pass;
    PolynomialPass<Reals> polynomials;
    PolynomialPass<Reals>::Weights weights{};
    for (std::size_t size = 0; size <= kReach; ++size)
        for (std::size_t mines = 0; mines <= size; ++mines) weights[size][mines] = kChoose[size][mines];
    for (int i = 0; i < 200; ++i) {
        const Board board = small_position(rng, 14).board;
        const Note note([&] { return picture(board); });
        Budget budget = endless();
        if (!reduction.run(board.geometry, board.codes)) continue;
        if (recorder.record(reduction, true, budget) != TapeRecorder::Outcome::done) continue;
        const double lambda = 0.3;
        REQUIRE(pass.scale(tape, reduction.boxes(), lambda, budget));
        REQUIRE(polynomials.forward(Reals{}, tape, reduction.boxes(), weights, budget));
        for (std::uint32_t id = 0; id < tape.rows().size(); ++id) {
            const Row& row = tape.rows()[id];
            double expected = 0;
            for (std::uint32_t k = 0; k < row.len; ++k)
                expected += polynomials.polynomial(row)[k] * std::pow(lambda, row.lo + k);
            CHECK_CLOSE(std::ldexp(pass.row_value(id), static_cast<int>(pass.root_exponent(id))), expected,
                        1e-12 * expected);
        }
        for (std::size_t at = 0; at < tape.steps().size(); ++at) {
            int exponent = 0;
            CHECK_EQUAL(std::frexp(pass.step_scale(at), &exponent), 0.5);  // a power of two: it rounds nothing
        }
    }
}

// Thousands of cells: the value itself would overflow, its logarithm and its mean do not.
TEST(contour_stays_in_range) {
    const Board pair = read_board("#1#");
    const std::size_t copies = 3000;
    const Board board = side_by_side(std::vector<Board>(copies, pair), 0);
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    Budget budget = endless();
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    REQUIRE(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::done);
    ContourPass pass;
    for (const double lambda : {1e-3, 1.0, 1e3}) {
        REQUIRE(pass.scale(tape, reduction.boxes(), lambda, budget));
        const std::uint32_t root = tape.roots()[0];
        const double log2 = std::log2(pass.row_value(root)) + static_cast<double>(pass.root_exponent(root));
        CHECK_CLOSE(log2, static_cast<double>(copies) * std::log2(2 * lambda), 1e-8);
        CHECK_CLOSE(pass.root_mean(root), static_cast<double>(copies), 1e-8);
    }
}

}  // namespace
}  // namespace mineproof::testing
