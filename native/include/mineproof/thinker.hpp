// A guess that may take its time: the look ahead first, then games played on from the cells that look about as good.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/beliefs.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/playout_pool.hpp"

namespace mineproof {

// How much thought a guess is worth.
struct ThinkingOptions {
    DeciderOptions ahead;
    // Layouts to play from each rival, at most: by quick games first, then by better ones. 0 and 0 decides by score
    // alone.
    std::uint32_t fast = 0, strong = 0;
    double least_gain = 0;  // chance to win that knowing more of a rival must promise, or it is dropped
};

// Weighs candidates as kStrong does; solves more positions, and looks for rivals.
inline constexpr DeciderOptions with_rivals(double layouts, double share, double bits, bool opening) {
    DeciderOptions options = kStrong;
    options.layouts = layouts;
    options.rival_share = share;
    options.rival_bits = bits;
    options.rivals_in_opening = opening;
    return options;
}
inline constexpr double kAnyBits = std::numeric_limits<double>::infinity();
// Chosen among some by what they gain over kStrong and cost: benchmarks/thought_gain.cpp, docs/benchmarks.md.
inline constexpr ThinkingOptions kStrongThought{with_rivals(5'000, 0.04, 40, false), 32, 0, 0.002};
inline constexpr ThinkingOptions kBestThought{with_rivals(30'000, 0.06, kAnyBits, false), 128, 0, 0.0003};
inline constexpr ThinkingOptions kDeepThought{with_rivals(30'000, 0.06, kAnyBits, true), 128, 2'048, 0.0003};
// For one guess with more time: better games are played until the choice is clear, or the time is up.
inline constexpr ThinkingOptions kLongThought{kDeepThought.ahead, 256, 1 << 20, 0.0001};

// What is known of a rival by playing on.
struct Estimate {
    Cell cell = 0;
    double win_probability = 0, standard_error = 0;
    std::uint32_t layouts = 0;  // played by the better games, if there were any
    bool strong = false;        // these were the better ones
    bool dropped = false;       // no longer played: it is clearly behind, or not worth the effort
};

// Owns its scratch memory. Uses its threads only while it decides.
class Thinker {
  public:
    explicit Thinker(const ThinkingOptions& options, std::size_t threads = 1);

    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory);
    // Is called after each round of games, by the thread that decides.
    void report_to(std::function<void(const Thinker&)> report) { report_ = std::move(report); }

    // Chooses among the undecided cells, as Decider::decide does. Over budget the best found so far is chosen. The same
    // number of layouts gives the same answer.
    Cell decide(const CountedPosition& position, Budget& budget, bool complete);

    // Of the last decision.
    Reason reason() const { return decider_.reason(); }
    // Best first.
    std::span<const Candidate> candidates() const { return candidates_; }
    std::span<const Outlook> outlooks(const Candidate& candidate) const { return decider_.outlooks(candidate); }
    // Of those played on from, the best first, while it decides too; none where nothing was to be decided by that.
    std::span<const Estimate> estimates() const { return estimates_; }

  private:
    // A candidate that is still played on from.
    struct Rival {
        std::size_t place;  // among the candidates
        Cell cell;
        double free;  // chance
    };
    // Sums over the layouts of one kind of games.
    struct Results {
        double layouts = 0;
        std::vector<double> sums, products;  // by rival; by pair of rivals
    };

    bool plays_on() const;
    bool choose_rivals(const CountedPosition& position);
    void play_on(const CountedPosition& position, Budget& budget);
    void play_rounds(PlayoutPool& pool, std::uint32_t most, bool strong, Budget& budget);
    void add(std::span<const double> worths);
    void judge(bool strong);
    void drop_rivals(bool strong);
    std::size_t leader() const;
    void rank_estimates();
    void put_first(std::size_t rival);
    std::uint32_t affordable(std::uint32_t layouts, const CountedPosition& position) const;

    ThinkingOptions options_;
    std::size_t threads_;
    Decider decider_;
    TapeMemory* memory_ = nullptr;
    std::unique_ptr<PlayoutPool> fast_, strong_;  // made when they are first needed
    std::function<void(const Thinker&)> report_;
    std::vector<Candidate> candidates_;
    std::vector<Rival> rivals_;
    std::vector<Estimate> estimates_;
    Beliefs prior_, beliefs_;  // before and after the rounds of one kind of games
    Results results_;
    double bias_ = 0;             // of quick games: see thinker.cpp
    bool better_follow_ = false;  // games, after the quick ones
    double scale_ = 0;            // the chance to win that a worth of 1 stands for
    std::vector<Cell> cells_;
    std::vector<double> worths_;
};

}  // namespace mineproof
