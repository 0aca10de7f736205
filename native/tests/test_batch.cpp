// Many positions at once: the answers of `Solver::analyze`, whichever thread gives them.

#include <bit>
#include <cmath>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/batch.hpp"

namespace mineproof::testing {
namespace {

// A batch with room for its answers.
struct Room {
    explicit Room(const Geometry& shape) : geometry(shape) {}

    void add(std::span<const std::int8_t> position, std::int64_t total) {
        codes.insert(codes.end(), position.begin(), position.end());
        totals.push_back(total);
    }
    bool analyze(BatchSolver& solver, std::size_t threads, BatchLimits limits = {1e9, ~std::uint64_t{0}}) {
        const std::size_t count = totals.size();
        probabilities.assign(codes.size(), -1);
        verdicts.assign(codes.size(), Verdict::mine);
        log2_layouts.assign(count, -1);
        statuses.assign(count, BatchStatus::imprecise);
        limits_met.assign(count, Limit::width);
        return solver.analyze({geometry, codes, totals, odds, trust_flags}, limits, threads,
                              {probabilities, verdicts, log2_layouts, statuses, limits_met});
    }
    std::vector<std::uint64_t> bits() const {
        std::vector<std::uint64_t> all;
        for (const double value : probabilities) all.push_back(std::bit_cast<std::uint64_t>(value));
        for (const Verdict verdict : verdicts) all.push_back(static_cast<std::uint64_t>(verdict));
        for (const double value : log2_layouts) all.push_back(std::bit_cast<std::uint64_t>(value));
        for (const BatchStatus status : statuses) all.push_back(static_cast<std::uint64_t>(status));
        for (const Limit limit : limits_met) all.push_back(static_cast<std::uint64_t>(limit));
        return all;
    }

    const Geometry& geometry;
    std::vector<std::int8_t> codes;
    std::vector<std::int64_t> totals;
    double odds = 0.25;
    bool trust_flags = true;
    std::vector<double> probabilities, log2_layouts;
    std::vector<Verdict> verdicts;
    std::vector<BatchStatus> statuses;
    std::vector<Limit> limits_met;
};

// Real positions of one shape, some with a wrong number, an unknown or a wrong total.
Room room_of(const Geometry& geometry, Shape shape, int rows, int columns, int count, Rng& rng) {
    Room room(geometry);
    for (int i = 0; i < count; ++i) {
        Position position = cut_out(rng, {rows, columns, shape, 0.2, 0.4, 0.2, 0.05});
        if (chance(rng, 0.2)) position.board.codes[roll(rng, geometry.cells)] = 5;
        room.add(position.board.codes, chance(rng, 0.3) ? Batch::kNoTotal : position.mines + between(rng, 0, 1));
    }
    return room;
}

// What `Solver::analyze` says of each position.
void check_against_solver(const Room& room) {
    Solver solver;
    const std::size_t cells = room.geometry.cells;
    std::vector<Verdict> verdicts(cells);
    std::vector<double> probabilities(cells);
    for (std::size_t i = 0; i < room.totals.size(); ++i) {
        std::vector<std::int8_t> codes(room.codes.begin() + static_cast<std::ptrdiff_t>(i * cells),
                                       room.codes.begin() + static_cast<std::ptrdiff_t>((i + 1) * cells));
        if (!room.trust_flags) std::ranges::replace(codes, kFlagged, kCovered);
        const std::int64_t total = room.totals[i] == Batch::kNoTotal ? Question::kUnknown : room.totals[i];
        Budget budget = endless();
        const Answer answer = solver.analyze({room.geometry, codes, total, room.odds}, budget, verdicts, probabilities);
        if (answer.status != Status::answered) {
            CHECK_EQUAL(room.statuses[i], BatchStatus::contradiction);
            continue;
        }
        CHECK_EQUAL(room.statuses[i], BatchStatus::answered);
        CHECK_EQUAL(room.log2_layouts[i], answer.log2_layouts);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            CHECK_EQUAL(room.verdicts[i * cells + cell], verdicts[cell]);
            CHECK_EQUAL(std::bit_cast<std::uint64_t>(room.probabilities[i * cells + cell]),
                        std::bit_cast<std::uint64_t>(probabilities[cell]));
        }
    }
}

TEST(batch_answers_as_the_solver_does) {
    Rng rng(171);
    BatchSolver solver;
    for (const Shape shape : kShapes) {
        const Geometry geometry = make_geometry(shape, 7, 8);
        Room room = room_of(geometry, shape, 7, 8, 60, rng);
        for (const bool trust_flags : {true, false}) {
            room.trust_flags = trust_flags;
            CHECK(room.analyze(solver, 1));
            check_against_solver(room);
            CHECK(std::ranges::count(room.statuses, BatchStatus::answered) > 10);
            CHECK(std::ranges::count(room.statuses, BatchStatus::contradiction) > 5);
        }
    }
}

TEST(batch_is_the_same_for_any_number_of_threads) {
    Rng rng(172);
    const Geometry geometry = make_geometry(Shape::grid, 9, 9);
    Room room = room_of(geometry, Shape::grid, 9, 9, 400, rng);
    BatchSolver solver;
    CHECK(room.analyze(solver, 1));
    const auto expected = room.bits();
    for (const std::size_t threads : {2, 3, 8, 100, 1}) {
        CHECK(room.analyze(solver, threads));
        CHECK_EQUAL(room.bits(), expected);
    }
}

TEST(batch_says_what_is_malformed) {
    const Geometry geometry = make_geometry(Shape::grid, 1, 4);
    Room room(geometry);
    const std::vector<std::int8_t> good = {1, kCovered, kFlagged, kAbsent};
    for (const int code : {9, 127, -3, -8, -10, -128}) {
        std::vector<std::int8_t> wrong = good;
        wrong[3] = static_cast<std::int8_t>(code);
        room.add(wrong, 1);
    }
    for (const std::int64_t total : {std::int64_t{-2}, std::int64_t{4}, Question::kUnknown}) room.add(good, total);
    const std::size_t malformed = room.totals.size();
    for (const std::int64_t total : {1, 2, 3}) room.add(good, total);
    room.add(good, Batch::kNoTotal);
    BatchSolver solver;
    CHECK(room.analyze(solver, 1));
    for (std::size_t i = 0; i < malformed; ++i) {
        CHECK_EQUAL(room.statuses[i], BatchStatus::malformed);
        CHECK_EQUAL(room.limits_met[i], Limit::none);
        CHECK(std::isnan(room.log2_layouts[i]));
        for (std::size_t cell = 0; cell < 4; ++cell) {
            CHECK(std::isnan(room.probabilities[4 * i + cell]));
            CHECK_EQUAL(room.verdicts[4 * i + cell], Verdict::none);
        }
    }
    const std::vector<BatchStatus> rest(room.statuses.begin() + static_cast<std::ptrdiff_t>(malformed),
                                        room.statuses.end());
    CHECK_EQUAL(rest, std::vector({BatchStatus::contradiction, BatchStatus::answered, BatchStatus::contradiction,
                                   BatchStatus::answered}));
}

TEST(batch_spends_its_budget_on_each_position) {
    Rng rng(173);
    const Board wide = wide_board(rng, 60, 60);
    const std::vector<std::int8_t> sea(wide.codes.size(), kCovered);
    Room room(wide.geometry);
    for (const auto* codes : {&sea, &wide.codes, &sea, &wide.codes}) room.add(*codes, 20);
    BatchSolver solver;
    CHECK(room.analyze(solver, 2, {1e9, 500}));
    using enum BatchStatus;
    CHECK_EQUAL(room.statuses, std::vector({answered, over_budget, answered, over_budget}));
    for (const std::size_t i : {1, 3}) {
        CHECK(room.limits_met[i] != Limit::none);
        CHECK(std::isnan(room.probabilities[i * sea.size()]));
    }
}

TEST(batch_threads_stop_when_the_caller_says_so) {
    Rng rng(174);
    const Geometry geometry = make_geometry(Shape::grid, 9, 9);
    Room room = room_of(geometry, Shape::grid, 9, 9, 2000, rng);
    BatchSolver solver;
    for (const std::size_t threads : {1, 4}) {
        int asked = 0;
        const auto poll = [](void* count) { return ++*static_cast<int*>(count) > 0; };
        CHECK(!room.analyze(solver, threads, {1e9, ~std::uint64_t{0}, Budget::kNoLimit, poll, &asked}));
        CHECK_EQUAL(asked, 1);
    }
    CHECK(room.analyze(solver, 4));
    check_against_solver(room);
}

TEST(batch_of_nothing) {
    const Geometry geometry = make_geometry(Shape::grid, 2, 2);
    Room room(geometry);
    BatchSolver solver;
    CHECK(room.analyze(solver, 3));
}

}  // namespace
}  // namespace mineproof::testing
