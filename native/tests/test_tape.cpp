// The tape: a straight-line program in which everything is made before it is used, and used once.

#include "mineproof/tape_recorder.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

// The shape any tape has.
void check_form(const Tape& tape, const Reduction& reduction) {
    const auto rows = tape.rows();
    const auto products = tape.products();
    std::vector<int> joined(reduction.boxes().size(), 0), used(rows.size(), 0);
    std::vector<std::size_t> made_by(rows.size(), 0);
    std::uint32_t next_row = 1;
    std::uint64_t next_product = 0, storage = 1;
    CHECK_EQUAL(rows[0].len, 1U);
    CHECK_EQUAL(rows[0].lo, 0U);
    for (std::size_t at = 0; at < tape.steps().size(); ++at) {
        const Step& step = tape.steps()[at];
        CHECK_EQUAL(step.first_row, next_row);
        CHECK_EQUAL(step.first_product, next_product);
        CHECK(step.end_row > step.first_row);
        CHECK(step.end_product > step.first_product);
        if (step.box != Step::kNoBox) ++joined[step.box];
        std::set<std::size_t> left_steps, right_steps;  // a join takes all rows of one table and one other
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = products[i];
            CHECK(product.out >= step.first_row && product.out < step.end_row);
            CHECK(product.left < step.first_row);
            left_steps.insert(made_by[product.left]);
            ++used[product.out];
            if (step.box != Step::kNoBox) {
                CHECK(product.right <= reduction.boxes()[step.box].size);
            } else {
                CHECK(product.right < step.first_row);
                right_steps.insert(made_by[product.right]);
            }
        }
        CHECK_EQUAL(left_steps.size(), 1U);
        CHECK_EQUAL(right_steps.size(), step.box == Step::kNoBox ? 1U : 0U);
        for (std::uint32_t row = step.first_row; row < step.end_row; ++row) {
            CHECK(used[row] > 0);
            made_by[row] = at + 1;
            CHECK_EQUAL(rows[row].offset, storage);
            storage += rows[row].len;
        }
        next_row = step.end_row;
        next_product = step.end_product;
    }
    CHECK_EQUAL(next_row, rows.size());
    CHECK_EQUAL(next_product, products.size());
    CHECK_EQUAL(storage, tape.storage());
    CHECK(std::all_of(joined.begin(), joined.end(), [](int times) { return times == 1; }));
}

// Every mine count each row can have, found by walking the tape.
std::vector<std::set<std::uint32_t>> counts_of(const Tape& tape) {
    std::vector<std::set<std::uint32_t>> counts(tape.rows().size());
    counts[0].insert(0);
    for (const Step& step : tape.steps())
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = tape.products()[i];
            for (const std::uint32_t a : counts[product.left]) {
                if (step.box != Step::kNoBox) {
                    counts[product.out].insert(a + product.right);
                    continue;
                }
                for (const std::uint32_t b : counts[product.right]) counts[product.out].insert(a + b);
            }
        }
    return counts;
}

TEST(tape_of_nothing_is_the_unit) {
    const Board board = read_board("##/##");
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    Budget budget = endless();
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    CHECK(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::done);
    CHECK_EQUAL(tape.roots(), (std::vector<std::uint32_t>{0}));
    CHECK(recorder.record(reduction, false, budget) == TapeRecorder::Outcome::done);
    CHECK(tape.roots().empty());
    CHECK(tape.steps().empty());
}

TEST(tape_is_well_formed_and_its_windows_are_tight) {
    Rng rng(20);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    int recorded = 0, apart = 0;
    for (int i = 0; i < 2000; ++i) {
        const Board board = without_sea(small_position(rng, 13).board);
        const Note note([&] { return picture(board); });
        if (!reduction.run(board.geometry, board.codes)) continue;
        const Layouts layouts = all_layouts(board);
        Budget budget = endless();
        const auto outcome = recorder.record(reduction, true, budget);
        CHECK(outcome == (layouts.all.empty() ? TapeRecorder::Outcome::conflict : TapeRecorder::Outcome::done));
        if (outcome != TapeRecorder::Outcome::done) continue;
        ++recorded;
        check_form(tape, reduction);
        const auto counts = counts_of(tape);
        for (std::size_t row = 0; row < counts.size(); ++row) {
            REQUIRE(!counts[row].empty());
            CHECK_EQUAL(tape.rows()[row].lo, *counts[row].begin());
            CHECK_EQUAL(tape.rows()[row].lo + tape.rows()[row].len - 1, *counts[row].rbegin());
        }
        std::set<std::uint32_t> totals;
        for (const std::uint32_t layout : layouts.all)
            totals.insert(static_cast<std::uint32_t>(std::popcount(layout)) - reduction.decided_mines());
        REQUIRE(tape.roots().size() == 1);
        CHECK_EQUAL(counts[tape.roots()[0]], totals);

        Budget again = endless();
        REQUIRE(recorder.record(reduction, false, again) == TapeRecorder::Outcome::done);
        check_form(tape, reduction);
        // A component of one box takes one product and no search.
        std::map<std::uint32_t, int> boxes;
        for (const std::uint32_t component : tape.component_of_box()) ++boxes[component];
        const auto single =
            std::count_if(boxes.begin(), boxes.end(), [](const auto& each) { return each.second == 1; });
        CHECK_EQUAL(again.states_spent() + static_cast<std::uint64_t>(single), tape.products().size());
        for (const Row& row : tape.rows()) {
            CHECK_EQUAL(row.lo, 0U);
            CHECK_EQUAL(row.len, 1U);
        }
        apart += tape.roots().size() > 1;
    }
    CHECK(recorded > 500);
    CHECK(apart > 50);
}

TEST(components_are_told_apart) {
    // Three pairs that share nothing, and one larger component of five cells.
    const Board pair = read_board("#1#");
    const Board board = side_by_side({pair, pair, read_board("#1#1#1#1#"), pair}, 7);
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    Budget budget = endless();
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    REQUIRE(recorder.record(reduction, false, budget) == TapeRecorder::Outcome::done);
    CHECK_EQUAL(tape.roots().size(), 4U);
    CHECK_EQUAL(tape.largest_component(), 5U);
    std::map<std::uint32_t, int> cells;
    for (std::uint32_t id = 0; id < reduction.boxes().size(); ++id)
        cells[tape.component_of_box()[id]] += reduction.boxes()[id].size;
    CHECK_EQUAL(cells[0], 2);
    CHECK_EQUAL(cells[1], 2);
    CHECK_EQUAL(cells[2], 5);
    CHECK_EQUAL(cells[3], 2);
    REQUIRE(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::done);
    CHECK_EQUAL(tape.roots().size(), 1U);
}

// Tables of more than 12 and of more than 24 constraints have keys of two and of six words.
TEST(wide_tapes_count_every_arrangement) {
    Rng rng(21);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    int two_words = 0, six_words = 0;
    for (int i = 0; i < 40; ++i) {
        const Board board = without_sea(i % 2 == 0 ? wide_board(rng, 15, 24) : wide_board(rng, 18, 50));
        const Note note([&] { return picture(board); });
        REQUIRE(reduction.run(board.geometry, board.codes));
        Budget budget = endless();
        REQUIRE(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::done);
        two_words += recorder.width() > 12 && recorder.width() <= 24;
        six_words += recorder.width() > 24;
        check_form(tape, reduction);
        std::set<std::uint32_t> totals;
        for (const std::uint32_t layout : all_layouts(board).all)
            totals.insert(static_cast<std::uint32_t>(std::popcount(layout)) - reduction.decided_mines());
        CHECK_EQUAL(counts_of(tape)[tape.roots()[0]], totals);
    }
    CHECK(two_words >= 10);
    CHECK(six_words >= 3);
}

TEST(a_component_without_arrangement_is_a_conflict) {
    // A ring of three cells, any two of which hold one mine: every number can be had, all three cannot.
    const Board ring{from_edges(6, {{3, 0}, {3, 1}, {4, 1}, {4, 2}, {5, 2}, {5, 0}}),
                     {kCovered, kCovered, kCovered, 1, 1, 1},
                     6,
                     "ring"};
    const Board board = side_by_side({read_board("#1#"), ring}, 0);
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    Budget budget = endless();
    TapeRecorder recorder;
    CHECK(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::conflict);
    CHECK(recorder.conflict() >= 6 && recorder.conflict() <= 8);
    CHECK(recorder.record(reduction, false, budget) == TapeRecorder::Outcome::conflict);
    CHECK(recorder.conflict() >= 6 && recorder.conflict() <= 8);
}

}  // namespace
}  // namespace mineproof::testing
