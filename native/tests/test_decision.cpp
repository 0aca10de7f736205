// The guess: what a cell is worth and why it was chosen, by looking ahead and by playing on from what looks best.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/advice.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/thinker.hpp"
#include "mineproof/what_if.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

// Looks ahead whenever there is a choice.
constexpr DeciderOptions kAheadOnly{1, 100'000'000, 0.725, 0.005, 0.90, 0.95};

// Plays on wherever several candidates come close.
ThinkingOptions thinking(DeciderOptions ahead, std::uint32_t fast, std::uint32_t strong) {
    ahead.rival_share = 0.06;
    ahead.rivals_in_opening = true;
    return {ahead, fast, strong, 0.0001};
}

// A position where a guess is due, with its certain mines flagged in the board.
struct Guess {
    Board board;
    std::int64_t mines;
    Solver solver;
    CountedPosition position;

    Question question() const { return {board.geometry, board.codes, mines}; }
    double odds(Cell cell) const { return position.odds()[cell]; }
    template <class Decides>
    Cell decide(Decides& decider, bool complete) {
        Budget budget = endless();
        return decider.decide(position, budget, complete);
    }
};

std::unique_ptr<Guess> guess_at(const Board& board, std::int64_t mines) {
    auto guess = std::make_unique<Guess>(Guess{board, mines, {}, {}});
    Budget budget = endless();
    if (!guess->position.count(guess->question(), guess->solver, budget) || !guess->position.is_stuck()) return nullptr;
    const auto codes = guess->position.question().codes;
    guess->board.codes.assign(codes.begin(), codes.end());
    return guess;
}

// What a decider said last.
struct Weighing {
    Cell cell;
    Reason reason;
    std::vector<WeighedCandidate> candidates;
};

template <class Decides>
Weighing decide(Guess& guess, Decides& decider, bool complete) {
    Weighing decision{guess.decide(decider, complete), decider.reason(), {}};
    for (const Candidate& each : decider.candidates())
        decision.candidates.push_back({each, {decider.outlooks(each).begin(), decider.outlooks(each).end()}});
    return decision;
}

void add_bits(std::vector<std::uint64_t>& bits, const WeighedCandidate& each) {
    const auto add = [&](double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); };
    bits.push_back(each.cell);
    for (const double value : {each.mine_probability, each.score, each.fate, each.progress}) add(value);
    bits.push_back(std::isnan(each.win_probability) ? ~std::uint64_t{0} : 0);
    if (!std::isnan(each.win_probability)) add(each.win_probability);
    for (const Outlook& outlook : each.outlooks) {
        bits.insert(bits.end(), {static_cast<std::uint64_t>(outlook.number), outlook.safe});
        for (const double value : {outlook.chance, outlook.safety, outlook.second}) add(value);
    }
}

std::vector<std::uint64_t> in_bits(const Weighing& decision) {
    std::vector<std::uint64_t> bits = {decision.cell, static_cast<std::uint64_t>(decision.reason)};
    for (const WeighedCandidate& each : decision.candidates) add_bits(bits, each);
    return bits;
}

// What holds of every decision.
void check_choice(const Guess& guess, const Weighing& decision, const Census& census, const Layouts& layouts) {
    REQUIRE(!decision.candidates.empty());
    CHECK_EQUAL(decision.candidates[0].cell, decision.cell);
    CHECK(std::ranges::count(guess.position.undecided(), decision.cell) == 1);
    std::vector<Cell> cells;
    for (const Candidate& candidate : decision.candidates) {
        cells.push_back(candidate.cell);
        const auto place = std::ranges::lower_bound(layouts.covered, candidate.cell) - layouts.covered.begin();
        const auto mined = static_cast<double>(census.mined[static_cast<std::size_t>(place)]);
        CHECK_CLOSE(candidate.mine_probability, mined / static_cast<double>(census.layouts), 1e-12);
        CHECK(candidate.mine_probability > 0 && candidate.mine_probability < 1);
        CHECK(candidate.fate >= 0 && candidate.fate <= candidate.mine_probability * (1 + 1e-9));
        CHECK(candidate.progress >= 0 && candidate.progress <= 1 - candidate.mine_probability + 1e-9);
    }
    std::sort(cells.begin(), cells.end());
    CHECK(std::adjacent_find(cells.begin(), cells.end()) == cells.end());
}

TEST(few_layouts_are_played_optimally) {
    Rng rng(121);
    Decider strong(kStrong), best(kBestThought.ahead);
    int decisions = 0, daring = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 10);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const auto guess = guess_at(position.board, position.mines);
        if (guess == nullptr) continue;
        const Layouts layouts = layouts_with(guess->board, guess->mines);
        const Census census = take_census(layouts, guess->mines);
        const Worth worth = worth_of(guess->board, layouts);
        const double all = static_cast<double>(layouts.all.size()), won = static_cast<double>(worth.won);

        const Weighing quick = decide(*guess, round % 2 == 0 ? strong : best, false);
        CHECK_EQUAL(quick.reason, Reason::optimal);
        check_choice(*guess, quick, census, layouts);
        CHECK_CLOSE(quick.candidates[0].win_probability, won / all, 1e-12);

        const Weighing complete = decide(*guess, round % 2 == 0 ? strong : best, true);
        CHECK_EQUAL(complete.reason, Reason::optimal);
        check_choice(*guess, complete, census, layouts);
        REQUIRE(complete.candidates.size() == layouts.covered.size());
        double last = 1, least = 1;
        for (const Candidate& candidate : complete.candidates) {
            const auto place = static_cast<std::size_t>(std::ranges::lower_bound(layouts.covered, candidate.cell) -
                                                        layouts.covered.begin());
            CHECK_CLOSE(candidate.win_probability, static_cast<double>(worth.by_cell[place]) / all, 1e-12);
            CHECK(candidate.win_probability <= 1 - candidate.mine_probability + 1e-12);
            CHECK(candidate.win_probability <= last);
            last = candidate.win_probability;
            least = std::min(least, candidate.mine_probability);
            if (candidate.cell == quick.cell) CHECK_CLOSE(candidate.win_probability, won / all, 1e-12);
        }
        ++decisions;
        daring += complete.candidates[0].mine_probability > least + 1e-9;
    }
    CHECK(decisions > 200 && daring > 3);
}

double worth_of(const Outlook& outlook, bool opening) {
    if (outlook.safe == 0) return std::max(-0.567 + 0.9 * outlook.safety + 0.73 * outlook.second, 0.05);
    return 1 + (outlook.safe > 1 ? 0.046 : 0) + (outlook.safe > 2 ? 0.024 : 0) + (outlook.safe > 4 ? 0.013 : 0) +
           (opening && outlook.number == 0 ? 0.063 : 0);
}

// The score of a candidate and what stands behind it, from the layouts.
void check_outlooks(const Guess& guess, const Weighing& decision, const WeighedCandidate& candidate,
                    const Layouts& layouts) {
    std::map<int, std::uint64_t> shown;
    for (const std::uint32_t layout : layouts.all)
        if (!layouts.mined(layout, candidate.cell)) ++shown[number_at(guess.board, layouts, layout, candidate.cell)];
    const auto& outlooks = candidate.outlooks;
    REQUIRE(outlooks.size() == shown.size());
    const auto open = std::ranges::count_if(guess.board.codes, [](std::int8_t code) { return code >= 0; });
    const auto all = std::ranges::count_if(guess.board.codes, [](std::int8_t code) { return code > kAbsent; });
    const bool opening = 8 * open < all;
    double sum = 0, score = 0, progress = 0;
    WhatIf what_if;
    what_if.begin(guess.question());
    for (const Outlook& outlook : outlooks) {
        REQUIRE(shown.contains(outlook.number));
        const auto ways = static_cast<double>(shown[outlook.number]);
        CHECK_CLOSE(outlook.chance, ways / static_cast<double>(layouts.all.size()), 1e-9);
        const Supposed supposed{candidate.cell, outlook.number};
        Budget budget = endless();
        const Glance glance = what_if.glance({&supposed, 1}, budget);
        CHECK_EQUAL(outlook.safe, glance.safe);
        CHECK_CLOSE(outlook.safety, glance.best, 1e-12);
        CHECK_CLOSE(outlook.second, glance.second, 1e-12);
        CHECK(outlook.safety >= outlook.second &&
              (outlook.safe == 0) == (outlook.safety < 1 - 1e-12 || glance.safe == 0));
        sum += outlook.chance;
        score += outlook.chance * worth_of(outlook, opening);
        CHECK_EQUAL(glance.solved, shown[outlook.number] == 1);
        progress += outlook.safe > 0 || shown[outlook.number] == 1 ? outlook.chance : 0;
    }
    CHECK_CLOSE(sum, 1 - candidate.mine_probability, 1e-9);
    CHECK_CLOSE(candidate.progress, progress, 1e-12);
    score =
        outlooks.size() == 1 ? 0 : score + kAheadOnly.shared_fate * candidate.fate;  // one that tells nothing can wait
    if (decision.reason != Reason::fate || candidate.cell != decision.cell) CHECK_CLOSE(candidate.score, score, 1e-9);
}

TEST(looking_ahead_sees_what_layouts_hold) {
    Rng rng(122);
    Decider decider(kAheadOnly);
    int decisions = 0, many = 0, walled = 0;
    for (int round = 0; round < 1500; ++round) {
        const Position position = small_position(rng, 11);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const auto guess = guess_at(position.board, position.mines);
        if (guess == nullptr) continue;
        const Layouts layouts = layouts_with(guess->board, guess->mines);
        const Census census = take_census(layouts, guess->mines);
        const Weighing complete = decide(*guess, decider, true);
        CHECK(complete.reason != Reason::optimal);
        check_choice(*guess, complete, census, layouts);
        for (const WeighedCandidate& candidate : complete.candidates) {
            CHECK(std::isnan(candidate.win_probability));
            check_outlooks(*guess, complete, candidate, layouts);
            walled += candidate.fate > 0;
        }
        const auto first = complete.candidates.begin() + (complete.reason == Reason::fate);
        for (auto each = first; each != complete.candidates.end(); ++each)
            CHECK(each->score <= first->score * (1 + 1e-8));
        // Cutting the search short does not change the choice.
        const Weighing quick = decide(*guess, decider, false);
        check_choice(*guess, quick, census, layouts);
        CHECK_EQUAL(quick.cell, complete.cell);
        ++decisions;
        many += complete.candidates.size() > 2;
    }
    CHECK(decisions > 250 && many > 100 && walled > 50);
}

// A cell that is a mine only where it is half of a fifty-fifty is opened at once, and nothing else is better.
TEST(what_is_fated_is_as_good_as_anything) {
    Rng rng(123);
    Decider decider(kAheadOnly);
    int fated = 0, tempting = 0;
    for (int round = 0; round < 3000; ++round) {
        const Position position = small_position(rng, 10);
        const auto guess = guess_at(position.board, position.mines);
        if (guess == nullptr) continue;
        const Weighing decision = decide(*guess, decider, false);
        if (decision.reason != Reason::fate) continue;
        const Note note([&] { return picture(guess->board) + ", mines " + show(position.mines); });
        const Layouts layouts = layouts_with(guess->board, guess->mines);
        const Worth worth = worth_of(guess->board, layouts);
        const auto place = std::ranges::lower_bound(layouts.covered, decision.cell) - layouts.covered.begin();
        CHECK_EQUAL(worth.by_cell[static_cast<std::size_t>(place)], worth.won);
        ++fated;
        for (const Cell cell : guess->position.undecided())
            if (guess->odds(cell) < guess->odds(decision.cell) - 1e-9) {
                ++tempting;
                break;
            }
    }
    const Note note([&] { return show(fated) + " fated, " + show(tempting) + " tempting"; });
    CHECK(fated > 80 && tempting > 5);
}

// Beside a sea that is far safer: a pair between missing cells, one between mines, and a block of two diagonals.
TEST(a_fifty_fifty_is_not_put_off) {
    struct Walled {
        const char* picture;
        std::int64_t mines;
    };
    constexpr Walled kWalled[] = {
        {"##~~~#####/11~~~#####/~~~~~#####/~~~~~#####/~~~~~#####", 8},
        {"##F~~#####/13F~~#####/~~~~~#####/~~~~~#####/~~~~~#####", 10},
        {"~11~~#####/1##1~#####/1##1~#####/~11~~#####/~~~~~#####", 9},
    };
    for (const Walled& walled : kWalled) {
        const Board board = read_board(walled.picture);
        const Note note([&] { return picture(board); });
        const auto is_fated = [&](Cell cell) { return cell % board.columns < 5; };
        const auto guess = guess_at(board, walled.mines);
        REQUIRE(guess != nullptr && guess->position.log2_layouts() > std::log2(kBestThought.ahead.layouts));
        for (const DeciderOptions& options : {kStrong, kBestThought.ahead}) {
            Decider decider(options);
            for (const bool complete : {false, true}) {
                const Weighing decision = decide(*guess, decider, complete);
                CHECK_EQUAL(decision.reason, Reason::fate);
                CHECK(is_fated(decision.cell));
                CHECK_CLOSE(decision.candidates[0].mine_probability, 0.5, 1e-9);
                CHECK_CLOSE(decision.candidates[0].fate, 0.5, 1e-9);
            }
            DeciderOptions blind = options;
            blind.shared_fate = 0;
            Decider careless(blind);
            const Weighing decision = decide(*guess, careless, false);
            CHECK(decision.reason != Reason::fate && !is_fated(decision.cell));
        }
    }
}

// As the block above, but a number off its corner sees the diagonals differently: it is worth waiting for.
TEST(a_block_that_a_number_tells_apart_is_not_fated) {
    const Board board = read_board("#~~~~~#####/~111~~#####/~1##1~#####/~1##1~#####/~~11~~#####");
    const auto guess = guess_at(board, 9);
    REQUIRE(guess != nullptr);
    Decider decider(kAheadOnly);
    CHECK(decide(*guess, decider, false).reason != Reason::fate);
}

TEST(a_decision_does_not_depend_on_what_was_decided_before) {
    Rng rng(124);
    TapeMemory memory;
    for (const ThinkingOptions& options :
         {kStrongThought, kBestThought, ThinkingOptions{kAheadOnly}, thinking(kAheadOnly, 32, 16)}) {
        Thinker used(options);
        used.remember_in(&memory);
        for (int round = 0; round < 150; ++round) {
            const bool large = round % 15 == 0;
            const Position position =
                large ? cut_out(rng, {9, 9, kShapes[roll(rng, 3)], 0.15, 0.1, 0, 0.1}) : small_position(rng, 11);
            const auto guess = guess_at(position.board, position.mines);
            if (guess == nullptr) continue;
            const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
            const bool complete = chance(rng, 0.5);
            Thinker fresh(options);
            const Weighing expected = decide(*guess, fresh, complete);
            CHECK_EQUAL(in_bits(decide(*guess, used, complete)), in_bits(expected));
            CHECK_EQUAL(in_bits(decide(*guess, used, complete)), in_bits(expected));
        }
    }
}

// Plays on -----------------------------------------------------------------------------------------

// A candidate that is a rival after full evaluations is also one after evaluations that are cut short.
TEST(cutting_short_leaves_every_rival) {
    Rng rng(126);
    DeciderOptions options = kAheadOnly;
    options.frontier_share = 0.8;
    Thinker playing(thinking(options, 32, 0));
    int decisions = 0, played = 0;
    for (int round = 0; round < 6000; ++round) {
        const Position position = small_position(rng, 12);
        const auto guess = guess_at(position.board, position.mines);
        if (guess == nullptr) continue;
        const Note note([&] { return picture(guess->board) + ", mines " + show(guess->mines); });
        const Cell complete = guess->decide(playing, true);
        const auto best = std::ranges::max_element(playing.candidates(), {}, &Candidate::score);
        played += complete != best->cell;
        CHECK_EQUAL(guess->decide(playing, false), complete);
        ++decisions;
    }
    const Note note([&] { return show(decisions) + " decisions, " + show(played) + " not by score"; });
    CHECK(decisions > 100 && played > 10);
}

// On boards small enough to solve: what is chosen by playing on wins more than what is chosen by score alone.
THOROUGH_TEST(playing_on_chooses_better) {
    Rng rng(127);
    Decider looking(kAheadOnly);
    Thinker playing(thinking(kAheadOnly, 128, 0));
    double by_score = 0, by_playing = 0, best = 0;
    int other = 0;
    for (int round = 0; round < 6000; ++round) {
        const Position position = small_position(rng, 12);
        const auto guess = guess_at(position.board, position.mines);
        if (guess == nullptr) continue;
        const Layouts layouts = layouts_with(guess->board, guess->mines);
        if (layouts.all.size() < 20) continue;
        const Worth worth = worth_of(guess->board, layouts);
        const auto won = [&](Cell cell) {
            const auto place = std::ranges::lower_bound(layouts.covered, cell) - layouts.covered.begin();
            return static_cast<double>(worth.by_cell[static_cast<std::size_t>(place)]);
        };
        const Cell scored = guess->decide(looking, false), played = guess->decide(playing, false);
        other += scored != played;
        const auto all = static_cast<double>(worth.won);
        by_score += won(scored) / all;
        by_playing += won(played) / all;
        ++best;
    }
    const Note note([&] {
        return show(by_score / best) + " by score, " + show(by_playing / best) + " by playing, " + show(other) +
               " differ of " + show(best);
    });
    CHECK(best > 500 && other > 10);
    CHECK(by_playing > by_score);
}

}  // namespace
}  // namespace mineproof::testing
