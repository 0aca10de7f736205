// Advice about a single position: the same as a Decider says, whatever is flagged.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/advice.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

std::vector<std::uint64_t> in_bits(const WeighedCandidate& each) {
    std::vector<std::uint64_t> bits{each.cell};
    const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
    for (const double value : {each.mine_probability, each.score, each.fate, each.progress}) add(value);
    for (const Outlook& outlook : each.outlooks) {
        bits.insert(bits.end(), {static_cast<std::uint64_t>(outlook.number), outlook.safe});
        for (const double value : {outlook.chance, outlook.safety, outlook.second}) add(value);
    }
    return bits;
}

// Positions whose true flags are covered again, so that mines may be certain and not flagged.
struct Asked {
    Board board;
    std::int64_t mines;
    Layouts layouts;
    Census census;

    Question question() const { return {board.geometry, board.codes, mines}; }
    bool is_stuck() const {
        return census.layouts > 0 && std::ranges::count(census.mined, 0) == 0 &&
               std::ranges::any_of(census.mined, [&](std::uint64_t mined) { return mined < census.layouts; });
    }
};

Asked small_question(Rng& rng) {
    Position position = small_position(rng, 11);
    const auto covered = std::ranges::count_if(position.board.codes, [](std::int8_t code) { return code < 0; });
    if (covered <= 13) std::ranges::replace(position.board.codes, kFlagged, kCovered);
    Asked asked{position.board, position.mines, layouts_with(position.board, position.mines), {}};
    asked.census = take_census(asked.layouts, asked.mines);
    return asked;
}

// Looks ahead whenever there is a choice, and weighs as kStrong does.
constexpr DeciderOptions kAheadOnly = [] {
    DeciderOptions options = kStrong;
    options.layouts = 1;
    return options;
}();

TEST(a_look_ahead_is_what_decided) {
    Rng rng(151);
    int compared = 0, unflagged = 0;
    for (int round = 0; round < 2500; ++round) {
        const Asked asked = small_question(rng);
        // Without a number `decide` compares the safest cells of all, without their fates.
        if (!asked.is_stuck() || std::ranges::none_of(asked.board.codes, is_number)) continue;
        const Note note([&] { return picture(asked.board) + ", mines " + show(asked.mines); });
        Budget budget = endless();
        const Decision decision = decide(asked.question(), ThinkingOptions{kAheadOnly}, budget);
        REQUIRE(decision.answer.status == Status::answered && decision.best.has_value());
        CHECK(decision.reason != Reason::optimal);
        REQUIRE(!decision.candidates.empty());
        CHECK_EQUAL(decision.candidates[0].cell, *decision.best);
        std::vector<Cell> cells;
        for (const WeighedCandidate& each : decision.candidates) cells.push_back(each.cell);
        const LookAhead look = look_ahead(asked.question(), cells, budget);
        REQUIRE(look.answer.status == Status::answered && look.candidates.size() == cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            // A cell chosen for its fate counts only the fifty-fifty that it is half of.
            if (decision.reason == Reason::fate && i == 0) continue;
            CHECK_EQUAL(in_bits(look.candidates[i]), in_bits(decision.candidates[i]));
            ++compared;
        }
        unflagged += std::ranges::count(asked.census.mined, asked.census.layouts) > 0;
    }
    const Note note([&] { return show(compared) + " compared, " + show(unflagged) + " with unflagged mines"; });
    CHECK(compared > 800 && unflagged > 30);
}

// Every undecided cell, whether `decide` would look at it or not, from the layouts themselves.
TEST(a_look_ahead_sees_every_number) {
    Rng rng(152);
    int looked = 0, solved = 0, stuck_after = 0;
    for (int round = 0; round < 800; ++round) {
        const Asked asked = small_question(rng);
        if (!asked.is_stuck()) continue;
        const Note note([&] { return picture(asked.board) + ", mines " + show(asked.mines); });
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < asked.layouts.covered.size(); ++i)
            if (asked.census.mined[i] < asked.census.layouts) cells.push_back(asked.layouts.covered[i]);
        Budget budget = endless();
        const LookAhead look = look_ahead(asked.question(), cells, budget);
        REQUIRE(look.answer.status == Status::answered && !look.refused && look.candidates.size() == cells.size());
        const auto all = static_cast<double>(asked.layouts.all.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const WeighedCandidate& each = look.candidates[i];
            CHECK_EQUAL(each.cell, cells[i]);
            CHECK(std::isnan(each.win_probability));
            std::map<int, std::uint64_t> shown;
            for (const std::uint32_t layout : asked.layouts.all)
                if (!asked.layouts.mined(layout, each.cell))
                    ++shown[number_at(asked.board, asked.layouts, layout, each.cell)];
            REQUIRE(each.outlooks.size() == shown.size());
            double progress = 0, free = 0;
            for (const Outlook& outlook : each.outlooks) {
                const std::uint64_t ways = shown[outlook.number];
                CHECK_CLOSE(outlook.chance, static_cast<double>(ways) / all, 1e-9);
                CHECK(ways > 1 || outlook.safety == 1);
                progress += outlook.safe > 0 || ways == 1 ? outlook.chance : 0;
                free += outlook.chance;
                solved += ways == 1 && outlook.safe == 0;
                stuck_after += ways > 1 && outlook.safe == 0;
            }
            CHECK_CLOSE(each.progress, progress, 1e-12);
            CHECK_CLOSE(free, 1 - each.mine_probability, 1e-9);
            CHECK_EQUAL(each.score == 0, each.outlooks.size() == 1);
            ++looked;
        }
    }
    CHECK(looked > 1000 && solved > 100 && stuck_after > 100);
}

TEST(advice_where_there_is_nothing_to_guess) {
    Budget budget = endless();
    const Board safe = read_board("#1#/#1#/###"), done = read_board("#1/11"), wrong = read_board("#3#");
    const Decision none = decide({safe.geometry, safe.codes, 1}, kStrongThought, budget);
    CHECK(none.answer.status == Status::answered && !none.best && none.candidates.empty());
    const Decision nothing = decide({done.geometry, done.codes, 1}, kBestThought, budget);
    CHECK(nothing.answer.status == Status::answered && !nothing.best && nothing.candidates.empty());
    CHECK_EQUAL(decide({wrong.geometry, wrong.codes, 1}, kBestThought, budget).answer.status, Status::numbers_conflict);
    CHECK(look_ahead({done.geometry, done.codes, 1}, {}, budget).answer.status == Status::answered);
    const Cell certain = 0;
    const LookAhead refused = look_ahead({done.geometry, done.codes, 1}, {&certain, 1}, budget);
    CHECK(refused.refused == certain && refused.candidates.empty());
}

TEST(a_look_ahead_ends_with_its_budget_and_has_what_is_finished) {
    const Board board = read_board("1########/#########/#########/#########/#########");
    const Question question{board.geometry, board.codes, 8};
    Budget hurried(0, ~std::uint64_t{0}), enough = endless();
    const std::vector<Cell> cells(200, 1);
    const LookAhead look = look_ahead(question, cells, hurried), whole = look_ahead(question, cells, enough);
    CHECK_EQUAL(hurried.limit(), Limit::seconds);
    CHECK_EQUAL(look.answer.status, Status::answered);
    CHECK(!look.is_complete && whole.is_complete);
    REQUIRE(look.candidates.size() < cells.size() && whole.candidates.size() == cells.size());
    for (std::size_t i = 0; i < look.candidates.size(); ++i) {
        CHECK_EQUAL(look.candidates[i].score, whole.candidates[i].score);
        CHECK_EQUAL(look.candidates[i].outlooks.size(), whole.candidates[i].outlooks.size());
    }
}

// The clock is first looked at after some work. Shifted by what is spent before, it stops in one place after another.
TEST(a_decision_out_of_time_is_the_best_so_far) {
    const Board board = read_board("1########/#########/#########/#########/#########");
    const Question question{board.geometry, board.codes, 8};
    Budget enough = endless();
    const Decision whole = decide(question, kBestThought, enough);
    REQUIRE(whole.is_complete && whole.best.has_value());
    std::size_t weighed = 0, unweighed = 0;
    for (std::uint64_t before = 0; before < 1 << 14; before += 250) {
        Budget hurried(0, ~std::uint64_t{0});
        hurried.work(before);
        const Decision decision = decide(question, kBestThought, hurried);
        if (decision.answer.status == Status::over_budget) continue;  // not even counted
        CHECK_EQUAL(decision.is_complete, !hurried.stopped());
        if (decision.is_complete) continue;  // the clock was not looked at
        REQUIRE(decision.best.has_value() && decision.candidates.size() == whole.candidates.size());
        CHECK_EQUAL(decision.candidates[0].cell, *decision.best);
        for (const WeighedCandidate& each : decision.candidates) {
            const auto same = std::ranges::find(whole.candidates, each.cell, &WeighedCandidate::cell);
            REQUIRE(same != whole.candidates.end());
            if (each.outlooks.empty()) {
                CHECK_EQUAL(each.score, 0.0);
                ++unweighed;
            } else {
                CHECK_EQUAL(each.score, same->score);
                ++weighed;
            }
        }
    }
    CHECK(weighed > 0 && unweighed > 0);
}

}  // namespace
}  // namespace mineproof::testing
