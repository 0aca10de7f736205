// Survival-weighted games.
//
// A game that is won or lost gives one bit. Here a guess is never lost: its chance p to be free multiplies the weight
// of the game and, if there was a mine, the game continues with another layout that fits and has none (CoupledDraw).
// The game always ends with all safe cells open, and its weight is its result.
//
// Why the mean weight is the win rate: before a guess, the layout is uniform over all that fit the visible board. After
// it, mine or not, it is uniform over those with the cell free. A plain game has the same distribution if it survives,
// which has chance p. So at each guess the expected weight is the chance to win of a plain game. This needs exact odds
// of each guess, a first click after which all layouts that fit are equally likely (true for each of the three rules),
// and a strategy whose own random numbers are independent of the layout. If the odds are unknown, the layout decides,
// as in a plain game: that is correct too, with more noise.
//
// Two strategies play the same game: while they choose the same cells, everything is the same. After that, a redraw at
// a cell has random numbers of its own, the same for both, and keeps what it can of the layout. So most of what makes
// one game easier than another cancels in the difference of their weights.

#include "mineproof/survival.hpp"

#include <cmath>
#include <limits>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kSurvival = 7;  // a purpose, as in src/mineproof/base/rng.py
// For one position; the strategies' own limit. Drawing from a position with one cell fewer takes no more than some
// times as much, and must not fail: by then the odds have counted.
constexpr std::uint64_t kStates = 1 << 20, kDrawStates = kStates << 6;
// In the measure of Budget::work: the clock is looked at after every game.
constexpr std::uint64_t kWorkOfAGame = 1 << 14, kWorkOfAMove = 1 << 8;

}  // namespace

double Sparing::chance(const Question& position, Cell cell, Budget& budget) {
    Budget step = budget.part(kStates);
    verdicts_.resize(position.geometry.cells);
    odds_.resize(position.geometry.cells);
    const Counted counted = solver_.analyze(position, step, verdicts_, odds_);
    return counted.status == Status::answered ? 1 - odds_[cell] : std::numeric_limits<double>::quiet_NaN();
}

bool Sparing::spare(const Question& position, Cell cell, std::uint64_t seed, Budget& budget, Field& field) {
    Budget step = budget.part(kDrawStates);
    return draw_.free(position, cell, seed, cell, step, field);
}

void SurvivalGame::begin(const Series& series, std::uint64_t number, Sparing& sparing, Budget& budget) {
    geometry_ = &series.match.geometry;
    mines_ = series.match.mines;
    safe_ = series.safe_cells();
    redraws_ = Random(derive(series.seed, kSurvival), number).next();
    weight_ = 1;
    blind_ = 0;
    is_mistaken_ = false;
    Random random(series.seed, number);
    field_.mines().deal(*geometry_, series.allowed, mines_, random);
    field_.cover(*geometry_, series.match.codes);
    const Cell start = series.start_of(number);
    open({start, series.allowed[start] == 0}, sparing, budget);
}

void SurvivalGame::open(const Choice& choice, Sparing& sparing, Budget& budget) {
    MINEPROOF_REQUIRE(!is_over() && field_.codes()[choice.cell] == kCovered);
    opened_ = {};
    if (!choice.certain) survive(choice, sparing, budget);
    if (field_.mines().mined(choice.cell)) {
        is_mistaken_ |= choice.certain;
        weight_ = 0;
    }
    if (weight_ > 0) opened_ = field_.open(choice.cell);
}

void SurvivalGame::survive(const Choice& choice, Sparing& sparing, Budget& budget) {
    const double stated = choice.mine_probability;
    const double chance = std::isnan(stated) ? sparing.chance(position(), choice.cell, budget) : 1 - stated;
    if (std::isnan(chance)) {
        ++blind_;
        return;
    }
    weight_ *= chance;
    if (weight_ > 0 && field_.mines().mined(choice.cell))
        is_mistaken_ = !sparing.spare(position(), choice.cell, redraws_, budget, field_.mines());
}

bool SurvivalPlayer::play_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy,
                                Budget& budget, SurvivalTally& tally) {
    const Heeding heeding(strategy, budget);
    for (std::uint64_t number = first; number < first + count; ++number) {
        if (!play(series, number, strategy, budget)) return false;
        tally.weights.push_back(game_.weight());
        tally.blind += game_.blind();
        tally.mistakes += game_.is_mistaken();
        if (!budget.work(kWorkOfAGame)) return number + 1 == first + count;
    }
    return true;
}

bool SurvivalPlayer::play(const Series& series, std::uint64_t number, Strategy& strategy, Budget& budget) {
    game_.begin(series, number, sparing_, budget);
    strategy.start(series.match, series.lots_of(number));
    for (show(strategy); !game_.is_over() && !budget.stopped(); show(strategy)) {
        const Choice choice = strategy.choose();
        if (!budget.work(kWorkOfAMove) || budget.stopped()) return false;
        game_.open(choice, sparing_, budget);
    }
    return !budget.stopped();
}

void SurvivalPlayer::show(Strategy& strategy) const {
    for (const Cell cell : game_.opened()) strategy.see(cell, game_.codes()[cell]);
}

}  // namespace mineproof
