// Thinking.
//
// Scores of the look ahead are wrong by 1 to 3 % of the chance to win. Where several are that close, games are played
// on from each, on the same layouts, in rounds. What is believed of the rivals after a round is the normal distribution
// that combines scores and games by their errors (Beliefs). A rival is dropped when knowing its worth exactly would
// gain too little over the best: because it is clearly behind, or because both are worth the same. The rest of the
// rounds go to those left, until one is left or the layouts are used up.
//
// Quick games say how good a move is if `fast` plays on. That is biased a little, alike for all moves but not quite; so
// where rivals stay close, better games follow, and the quick ones are believed only up to that bias: a rival that it
// might bring to the front is kept for the better games.
//
// A round either counts whole or not at all, so that the choice depends on how many rounds there were, not on the clock
// or on threads.

#include "mineproof/thinker.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace mineproof {
namespace {

constexpr std::uint64_t kSeed = 0x706c61796f7574;
// Relative: scores this close are equal but for rounding.
constexpr double kClose = 1e-9;
constexpr std::size_t kMostRivals = 6;
// A difference in score times kByScore is the expected difference in worth. The error of each: in the opening, in the
// middle of a game, and with fewer than 2^kLate layouts.
constexpr double kByScore = 0.95, kOpeningError = 0.011, kMiddleError = 0.025, kLateError = 0.034;
constexpr double kLate = 60;
// How much the worth of a rival differs, relative to others, if `strong` plays on instead of `fast`; by the same times.
// Measured on 820 guesses (docs/benchmarks.md); benchmarks/fit_guess.py --strong finds the like with fewer games.
constexpr double kOpeningBias = 0.011, kMiddleBias = 0.015, kLateBias = 0.026;
// What is assumed of the variance of a game, relative to its mean, and of the share that rivals have in common, before
// it was measured; as many layouts as that is worth.
constexpr double kSpread = 0.2, kCommon = 0.79, kAssumed = 8;
// Layouts of a round: the first one, then a share of those before, up to the last.
constexpr std::uint32_t kRound = 16, kLongRound = 256;
// A game counts a position once for every 11 to 35 unknown cells; kCellsACount overestimates that work. On boards where
// a game takes more than this, fewer are played, and none where only a few could be: on huge boards.
constexpr std::uint64_t kGameWork = 1 << 15, kCellsACount = 8;

}  // namespace

Thinker::Thinker(const ThinkingOptions& options, std::size_t threads)
    : options_(options), threads_(threads), decider_(options.ahead) {}

void Thinker::remember_in(TapeMemory* memory) {
    memory_ = memory;
    decider_.remember_in(memory);
}

Cell Thinker::decide(const CountedPosition& position, Budget& budget, bool complete) {
    estimates_.clear();
    const Cell cell = decider_.decide(position, budget, complete);
    candidates_.assign(decider_.candidates().begin(), decider_.candidates().end());
    if (!plays_on() || !choose_rivals(position)) return cell;
    play_on(position, budget);
    return candidates_[0].cell;
}

bool Thinker::plays_on() const {
    if (options_.fast == 0 && options_.strong == 0) return false;
    return reason() == Reason::ahead && decider_.wants_rivals();
}

// The candidates to play on from; false if there is no choice among them.
bool Thinker::choose_rivals(const CountedPosition& position) {
    rivals_.clear();
    const double top = candidates_[0].score;
    std::vector<double> worths;
    for (std::size_t place = 0; place < candidates_.size() && rivals_.size() < kMostRivals; ++place) {
        const Candidate& candidate = candidates_[place];
        if (candidate.score < top * (1 - options_.ahead.rival_share)) break;
        // Cells of equal score are mostly mirror images of each other.
        if (!rivals_.empty() && candidate.score > candidates_[rivals_.back().place].score * (1 - kClose)) continue;
        rivals_.push_back({place, candidate.cell, 1 - candidate.mine_probability});
        worths.push_back(1 + kByScore * (candidate.score - top));
        estimates_.push_back({.cell = candidate.cell});
    }
    const bool opening = decider_.is_opening(), late = position.log2_layouts() < kLate;
    beliefs_.begin(worths, opening ? kOpeningError : late ? kLateError : kMiddleError);
    bias_ = opening ? kOpeningBias : late ? kLateBias : kMiddleBias;
    if (rivals_.size() >= 2) return true;
    estimates_.clear();
    return false;
}

void Thinker::play_on(const CountedPosition& position, Budget& budget) {
    const auto play = [&](std::unique_ptr<PlayoutPool>& pool, const PlayoutOptions& options, std::uint32_t most) {
        if (most == 0 || rivals_.size() < 2 || budget.stopped()) return;
        if (!pool) {
            pool = std::make_unique<PlayoutPool>(options, threads_);
            if (memory_ != nullptr) pool->remember_in(memory_);
        }
        pool->begin(position.question(), kSeed + options.strong);
        play_rounds(*pool, most, options.strong, budget);
    };
    // On large boards, a round of quick games at least before better ones; where these take too long, quick ones
    // instead.
    const std::uint32_t better = affordable(options_.strong, position);
    const std::uint32_t quick = better == 0
                                    ? affordable(options_.fast + options_.strong, position)
                                    : std::max(affordable(options_.fast, position), std::min(options_.fast, kRound));
    better_follow_ = better > 0;
    play(fast_, kFastPlayout, quick);
    beliefs_.loosen(bias_);
    play(strong_, kStrongPlayout, better);
    put_first(leader());
}

std::uint32_t Thinker::affordable(std::uint32_t layouts, const CountedPosition& position) const {
    const std::uint64_t cells = position.question().geometry.cells;
    const std::uint64_t work = cells * (position.undecided().size() / kCellsACount + 1);
    const std::uint64_t most = layouts * kGameWork / std::max(work, kGameWork);
    return most < std::min(layouts, kRound) ? 0 : static_cast<std::uint32_t>(most);
}

void Thinker::play_rounds(PlayoutPool& pool, std::uint32_t most, bool strong, Budget& budget) {
    prior_ = beliefs_;
    results_ = {0, std::vector<double>(rivals_.size()), std::vector<double>(rivals_.size() * rivals_.size())};
    for (std::uint32_t first = 0; first < most && rivals_.size() > 1;) {
        const std::uint32_t count = std::min(std::clamp(first / 2, kRound, kLongRound), most - first);
        cells_.clear();
        for (const Rival& rival : rivals_) cells_.push_back(rival.cell);
        if (!pool.play(first, count, cells_, budget, worths_)) return;
        for (std::uint32_t i = 0; i < count; ++i) add(std::span(worths_).subspan(i * cells_.size(), cells_.size()));
        first += count;
        judge(strong);
        drop_rivals(strong);
        rank_estimates();
        if (report_) report_(*this);
    }
}

// Adds what one layout was worth from each rival.
void Thinker::add(std::span<const double> worths) {
    const std::size_t n = rivals_.size();
    ++results_.layouts;
    for (std::size_t i = 0; i < n; ++i) {
        results_.sums[i] += rivals_[i].free * worths[i];
        for (std::size_t j = 0; j < n; ++j)
            results_.products[i * n + j] += rivals_[i].free * worths[i] * rivals_[j].free * worths[j];
    }
}

// What is believed after the rounds so far.
void Thinker::judge(bool strong) {
    const std::size_t n = rivals_.size();
    const double layouts = results_.layouts;
    scale_ = 0;
    for (const double sum : results_.sums) scale_ += sum / (layouts * static_cast<double>(n));
    beliefs_ = prior_;
    if (scale_ <= 0) return;
    std::vector<double> means(n), covariance(n * n);
    for (std::size_t i = 0; i < n; ++i) means[i] = results_.sums[i] / (layouts * scale_);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double found = results_.products[i * n + j] / (layouts * scale_ * scale_) - means[i] * means[j];
            const double assumed = kSpread * (i == j ? 1 : kCommon);
            covariance[i * n + j] = (found * layouts + assumed * kAssumed) / (layouts + kAssumed) / layouts;
        }
    beliefs_.learn(means, covariance);
    for (std::size_t i = 0; i < n; ++i) {
        Estimate& estimate = *std::ranges::find(estimates_, rivals_[i].cell, &Estimate::cell);
        estimate.win_probability = means[i] * scale_;
        estimate.standard_error = std::sqrt(covariance[i * n + i]) * scale_;
        estimate.layouts = static_cast<std::uint32_t>(layouts);
        estimate.strong = strong;
    }
}

void Thinker::drop_rivals(bool strong) {
    const std::size_t n = rivals_.size(), best = leader();
    Beliefs beliefs = beliefs_;
    if (!strong && better_follow_) beliefs.loosen(bias_);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < n; ++i) {
        const bool stays = i == best || scale_ * beliefs.gain(i, best) >= options_.least_gain;
        if (stays) kept.push_back(i);
        std::ranges::find(estimates_, rivals_[i].cell, &Estimate::cell)->dropped = !stays;
    }
    if (kept.size() == n) return;
    Results rest{results_.layouts, {}, {}};
    std::vector<Rival> left;
    for (const std::size_t i : kept) {
        left.push_back(rivals_[i]);
        rest.sums.push_back(results_.sums[i]);
        for (const std::size_t j : kept) rest.products.push_back(results_.products[i * n + j]);
    }
    rivals_.swap(left);
    results_ = std::move(rest);
    prior_.keep(kept);
    beliefs_.keep(kept);
}

std::size_t Thinker::leader() const {
    const auto means = beliefs_.means();
    return static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
}

// Those still played on from come first, by what is believed of them: games and scores together.
void Thinker::rank_estimates() {
    const auto believed = [&](const Estimate& estimate) {
        const auto rival = std::ranges::find(rivals_, estimate.cell, &Rival::cell);
        return rival == rivals_.end() ? -1 : beliefs_.means()[static_cast<std::size_t>(rival - rivals_.begin())];
    };
    std::ranges::stable_sort(estimates_, std::greater(), believed);
}

void Thinker::put_first(std::size_t rival) {
    const auto best = candidates_.begin() + static_cast<std::ptrdiff_t>(rivals_[rival].place);
    std::rotate(candidates_.begin(), best, best + 1);
}

}  // namespace mineproof
