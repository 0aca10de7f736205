// What a player wins more than a baseline, by games of the player in which the baseline judges each guess.
//
// The player plays survival-weighted games. At each of its guesses the baseline, a look ahead alone, chooses too. Where
// it would open another cell, it plays on from both, on layouts that the player has not seen. The sum over a game of
// these differences, each times the weight of the game so far, is on average just what the player wins more than the
// baseline: its games lead to the states, and in each the other one says what the step from its own play is worth.
// Nothing is judged where both play optimally.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <stdexcept>

#include "mineproof/exact_strategy.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/survival.hpp"
#include "mineproof/thinker.hpp"

namespace mineproof {

// The opening; then more than 2^200, 2^60 and 2^15 layouts, and fewer.
inline constexpr std::size_t kPhases = 5;

// Over the guesses of a phase, by the weight of their games.
struct PhaseSums {
    double decisions = 0, changed = 0, gain = 0, squares = 0, cpu = 0;
};

class Judge {
  public:
    // The baseline guesses by `baseline` alone, in its own games too: it plays on from each cell on `judges` layouts.
    Judge(const ThinkingOptions& player, const DeciderOptions& baseline, std::uint32_t judges)
        : player_(player),
          baseline_({baseline}),
          judges_(judges),
          few_(std::min(player.ahead.layouts, baseline.layouts)),
          playout_(judging(baseline)) {
        solver_.remember_in(&memory_);
        playout_.remember_in(&memory_);
    }

    // Plays game `number` of a series. The mean of what comes out is, on average over seeds, what the player wins more.
    double play(const Series& series, std::uint64_t number) {
        Budget endless = Budget::of_states(Budget::kNoLimit);
        game_.begin(series, number, sparing_, endless);
        for (Strategy* each : {static_cast<Strategy*>(&player_), static_cast<Strategy*>(&baseline_)})
            each->start(series.match, series.lots_of(number));
        double gain = 0;
        for (bool is_judged = true;;) {
            for (const Cell cell : game_.opened()) {
                player_.see(cell, game_.codes()[cell]);
                baseline_.see(cell, game_.codes()[cell]);
            }
            if (game_.is_over()) break;
            const double begin = cpu_seconds();
            const Choice choice = player_.choose();
            const double cpu = cpu_seconds() - begin;
            if (!choice.certain && is_judged) {
                Budget budget = Budget::of_states(1 << 20);
                if (!position_.count({series.match.geometry, game_.codes(), series.match.mines}, solver_, budget))
                    throw std::runtime_error("a position of a judged game is too wide to count");
                is_judged = position_.log2_layouts() > std::log2(few_);
                if (is_judged) gain += compare(choice.cell, number, cpu);
            }
            game_.open(choice, sparing_, endless);
        }
        return gain;
    }

    // What the last game won, as survival-weighted games do.
    double won() const { return game_.weight(); }
    // Of all games played.
    std::span<const PhaseSums, kPhases> phases() const { return phases_; }

  private:
    static constexpr std::uint64_t kSeed = 0x6a7564676573;

    static PlayoutOptions judging(const DeciderOptions& baseline) {
        PlayoutOptions options = kStrongPlayout;
        options.few = static_cast<std::uint32_t>(baseline.layouts);
        options.ahead = baseline;
        return options;
    }

    static double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

    // What the choice is worth more than the baseline's, times the weight of the game.
    double compare(Cell chosen, std::uint64_t number, double cpu) {
        const double bits = position_.log2_layouts(), weight = game_.weight();
        const auto codes = game_.codes();
        const auto open = std::count_if(codes.begin(), codes.end(), [](std::int8_t code) { return code >= 0; });
        const bool opening = 8 * open < static_cast<std::ptrdiff_t>(codes.size());
        PhaseSums& sums = phases_[opening ? 0 : bits > 200 ? 1 : bits > 60 ? 2 : bits > 15 ? 3 : 4];
        sums.decisions += weight;
        sums.cpu += weight * cpu;
        const Cell scored = baseline_.choose().cell;
        if (chosen == scored) return 0;
        playout_.begin(position_.question(), kSeed + number);
        Budget budget = Budget::of_states(std::uint64_t{1} << 60);
        if (!playout_.draw(0, judges_, budget))
            throw std::runtime_error("layouts of a judged position cannot be drawn");
        const double free[] = {1 - position_.odds()[chosen], 1 - position_.odds()[scored]};
        double sum = 0;
        for (std::uint32_t layout = 0; layout < judges_; ++layout)
            sum += free[0] * playout_.play(layout, chosen, budget) - free[1] * playout_.play(layout, scored, budget);
        const double gain = weight * sum / judges_;
        sums.changed += weight;
        sums.gain += gain;
        sums.squares += gain * gain;
        return gain;
    }

    TapeMemory memory_;
    Lookahead player_, baseline_;
    std::uint32_t judges_;
    double few_;  // with so many layouts or fewer both play optimally
    Sparing sparing_;
    SurvivalGame game_;
    Solver solver_;
    CountedPosition position_;
    Playout playout_;
    std::array<PhaseSums, kPhases> phases_{};
};

}  // namespace mineproof
