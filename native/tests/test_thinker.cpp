// Thinking: what is believed of rivals, and what is chosen by it.

#include <algorithm>
#include <cmath>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/advice.hpp"
#include "mineproof/beliefs.hpp"

namespace mineproof::testing {
namespace {

// Two worths with errors of 0.1, of which one was measured to be higher by 0.3 with an error of 0.1 for each: half is
// believed, as the errors are the same, and the variance of the difference is halved.
TEST(beliefs_average_by_errors) {
    Beliefs beliefs;
    const double means[] = {1, 1.1};
    beliefs.begin(means, 0.1);
    CHECK_CLOSE(beliefs.error(0, 1), std::sqrt(0.02), 1e-9);
    const double measured[] = {5.3, 5}, covariance[] = {0.01, 0, 0, 0.01};
    beliefs.learn(measured, covariance);
    CHECK_CLOSE(beliefs.means()[0] - beliefs.means()[1], 0.1, 1e-9);
    CHECK_CLOSE(beliefs.error(0, 1), 0.1, 1e-9);
    // The mean of the positive part of a normal distribution: 0.1 · φ(1) + 0.1 · Φ(1), and the other way round.
    CHECK_CLOSE(beliefs.gain(0, 1), 0.1 * (0.24197072451914337 + 0.8413447460685429), 1e-8);
    CHECK_CLOSE(beliefs.gain(1, 0), 0.1 * (0.24197072451914337 - 0.15865525393145707), 1e-8);
}

// What rivals have in common tells nothing of their difference.
TEST(beliefs_see_through_common_noise) {
    Beliefs beliefs;
    const double means[] = {1, 1, 1};
    beliefs.begin(means, 0.02);
    const double measured[] = {0.4, 0.41, 0.4};
    std::vector<double> covariance(9, 0.25);
    for (const std::size_t i : {0, 4, 8}) covariance[i] += 1e-8;
    beliefs.learn(measured, covariance);
    CHECK_CLOSE(beliefs.means()[1] - beliefs.means()[0], 0.01, 1e-5);
    CHECK(beliefs.error(0, 1) < 2e-4);
    CHECK(beliefs.gain(1, 0) > 0.0099 && beliefs.gain(0, 1) < 1e-9);
    const std::size_t kept[] = {1, 2};
    beliefs.keep(kept);
    CHECK_EQUAL(beliefs.count(), std::size_t{2});
    CHECK_CLOSE(beliefs.means()[0] - beliefs.means()[1], 0.01, 1e-5);
    beliefs.loosen(0.03);
    CHECK_CLOSE(beliefs.error(0, 1), std::sqrt(2) * 0.03, 1e-5);
}

TEST(threads_think_alike) {
    const Board board = read_board("1########/#########/#########/#########/#########/#########");
    const ThinkingOptions options{kDeepThought.ahead, 48, 16, 0};
    std::vector<Thought> thoughts;
    for (const std::size_t threads : {1, 2, 3}) {
        Budget budget = endless();
        std::size_t rounds = 0;
        thoughts.push_back(think({board.geometry, board.codes, 10}, options, threads, budget,
                                 [&](std::span<const Estimate> estimates) {
                                     CHECK(estimates.size() > 1);
                                     ++rounds;
                                 }));
        CHECK_EQUAL(rounds, std::size_t{4});
    }
    for (const Thought& each : thoughts) {
        REQUIRE(each.best.has_value() && each.estimates.size() == thoughts[0].estimates.size());
        CHECK_EQUAL(*each.best, *thoughts[0].best);
        CHECK_EQUAL(each.estimates[0].cell, *each.best);
        for (std::size_t i = 0; i < each.estimates.size(); ++i) {
            const Estimate &one = each.estimates[i], &first = thoughts[0].estimates[i];
            CHECK(one.cell == first.cell && one.win_probability == first.win_probability);
            CHECK(one.standard_error == first.standard_error && one.layouts == first.layouts);
            CHECK(one.win_probability > 0 && one.win_probability < 1);
        }
    }
}

// The last report before a stop has the final choice in the first place.
TEST(the_best_so_far_is_told_first) {
    const Board board = read_board("1########/#########/#########/#########/#########/#########");
    const ThinkingOptions options{kDeepThought.ahead, 48, 64, 0};
    for (std::size_t rounds = 1; rounds <= 6; ++rounds) {
        std::size_t left = rounds;
        Cell first = 0;
        Budget budget(1e9, 1'000'000'000, [](void* count) { return *static_cast<std::size_t*>(count) == 0; }, &left);
        const Thought thought = think({board.geometry, board.codes, 10}, options, 2, budget, [&](auto estimates) {
            first = estimates[0].cell;
            left -= left > 0;
            CHECK(!estimates[0].dropped && std::ranges::is_sorted(estimates, {}, &Estimate::dropped));
        });
        REQUIRE(thought.best.has_value() && !thought.estimates.empty());
        CHECK_EQUAL(*thought.best, first);
        CHECK_EQUAL(thought.estimates[0].cell, first);
    }
}

// Where rivals are not wanted, nothing is played on: with too many layouts, or in the opening.
TEST(rivals_are_played_on_from_only_where_they_are_wanted) {
    const Board opening = read_board("1########/#########/#########/#########/#########/#########");
    const Board later = read_board("0001#####/1111#####/2#112####/#432#####/#########/#########");
    const auto rivals = [](const Board& board, std::int64_t mines, double bits, bool in_opening) {
        ThinkingOptions options{kDeepThought.ahead, 16, 0, 0};
        options.ahead.layouts = 1;
        options.ahead.rival_share = 0.5;
        options.ahead.rival_bits = bits;
        options.ahead.rivals_in_opening = in_opening;
        Budget budget = endless();
        return think({board.geometry, board.codes, mines}, options, 1, budget).estimates.size();
    };
    CHECK(rivals(opening, 10, 100, true) > 1);
    CHECK_EQUAL(rivals(opening, 10, 100, false), std::size_t{0});
    CHECK_EQUAL(rivals(opening, 10, 20, true), std::size_t{0});
    CHECK(rivals(later, 12, 100, false) > 1);
    CHECK_EQUAL(rivals(later, 12, 19, false), std::size_t{0});
}

// Rivals that quick games drop for good, but for a bias that they may have, are kept where better games are to follow.
TEST(what_quick_games_may_be_wrong_about_is_left_to_better_ones) {
    const Board board = read_board("0001#####/1111#####/2#112####/#432#####/#########/#########");
    const auto kept = [&](std::uint32_t strong) {
        ThinkingOptions options{kDeepThought.ahead, 512, strong, 0.0003};
        options.ahead.layouts = 1;
        std::vector<Cell> cells;
        Budget budget = endless();
        think({board.geometry, board.codes, 12}, options, 1, budget, [&](std::span<const Estimate> estimates) {
            if (std::ranges::any_of(estimates, &Estimate::strong)) return;
            cells.clear();
            for (const Estimate& each : estimates)
                if (!each.dropped) cells.push_back(each.cell);
        });
        std::ranges::sort(cells);
        return cells;
    };
    const std::vector<Cell> alone = kept(0), with_better = kept(16);
    CHECK_EQUAL(alone.size(), std::size_t{1});
    CHECK(with_better.size() > 2);
    CHECK(std::ranges::includes(with_better, alone));
}

// Without a gain to be had nothing is played on; over budget the best by score is chosen.
TEST(thinking_ends) {
    const Board board = read_board("1########/#########/#########/#########/#########/#########");
    const Question question{board.geometry, board.codes, 10};
    ThinkingOptions options{kDeepThought.ahead, 48, 16, 1};
    Budget budget = endless();
    const Thought brief = think(question, options, 1, budget);
    CHECK(std::ranges::all_of(brief.estimates, [](const Estimate& each) { return each.layouts <= 16; }));
    CHECK_EQUAL(std::ranges::count(brief.estimates, true, &Estimate::dropped), std::ssize(brief.estimates) - 1);
    options.least_gain = 0;
    options.strong = 1'000'000;
    Budget impatient(1e9, 1'000'000'000, [](void*) { return true; });
    const Thought stopped = think(question, options, 2, impatient);
    CHECK(stopped.best.has_value() && impatient.limit() == Limit::cancelled);
    Budget endless_look = endless();
    const Decision scored = decide(question, ThinkingOptions{kBestThought.ahead}, endless_look);
    CHECK_EQUAL(*stopped.best, *scored.best);
}

}  // namespace
}  // namespace mineproof::testing
