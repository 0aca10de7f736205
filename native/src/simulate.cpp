#include "mineproof/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/reduce.hpp"

namespace mineproof {
namespace {

// Game k of a seed uses three streams of Philox: k for its layout, and with k these bits for its strategy and for a
// first click anywhere.
constexpr std::uint64_t kStrategyStream = std::uint64_t{1} << 63, kFirstStream = std::uint64_t{1} << 62;

}  // namespace

bool Simulation::play(const Series& series, std::uint64_t number, Strategy& strategy, Tally& tally) {
    const Geometry& geometry = series.match.geometry;
    Random random(series.seed, number);
    field_.deal(geometry, series.allowed, series.match.mines, random);
    strategy.start(series.match, Random(series.seed, number | kStrategyStream));
    cover(geometry, series.match.codes);
    const auto board = std::count(series.match.codes.begin(), series.match.codes.end(), kCovered);
    const std::uint32_t safe = static_cast<std::uint32_t>(board) - series.match.mines;
    std::uint64_t moves = 0, guesses = 0;
    double log_survived = 0;
    Choice choice{series.first, false, 0};
    if (series.first == Series::kAnywhere) {
        auto skip = Random(series.seed, number | kFirstStream).below(static_cast<std::uint64_t>(board));
        choice.cell = 0;
        while (is_open_[choice.cell] || skip-- > 0) ++choice.cell;
    }
    for (;;) {
        guesses += !choice.certain;
        ++moves;
        if (field_.mined(choice.cell)) {
            tally.mistakes += choice.certain;
            break;
        }
        if (!std::isnan(choice.mine_probability)) log_survived += std::log1p(-choice.mine_probability);
        open(geometry, choice.cell, strategy);
        if (open_count_ == safe) break;
        choice = strategy.choose();
    }
    const bool won = open_count_ == safe;
    ++tally.games;
    tally.all_guesses += guesses;
    tally.fallbacks += strategy.fallbacks();
    if (won) {
        ++tally.wins;
        tally.moves += moves + strategy.flags();
        tally.guesses += guesses;
        tally.log_survived += log_survived;
    }
    return won;
}

bool Simulation::play_on(const Question& position, std::span<const Cell> firsts, Strategy& strategy, Solver& solver,
                         std::uint64_t seed, std::uint64_t count, Budget& budget, std::span<std::uint64_t> wins) {
    const Geometry& geometry = position.geometry;
    if (solver.sample(position, seed, 0, count, budget, samples_).status != Status::answered) return false;
    covered_.assign(position.codes.begin(), position.codes.end());
    for (std::int8_t& code : covered_)
        if (code >= 0) code = kCovered;
    const Match match{geometry, covered_, static_cast<std::uint32_t>(position.total)};
    const auto board = std::count(covered_.begin(), covered_.end(), kCovered);
    const std::uint32_t safe = static_cast<std::uint32_t>(board) - match.mines;
    std::fill(wins.begin(), wins.end(), 0);
    std::uint64_t begin = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
        field_.lay(geometry, {samples_.mines.data() + begin, samples_.ends[number] - begin});
        begin = samples_.ends[number];
        for (std::size_t i = 0; i < firsts.size(); ++i) {
            if (field_.mined(firsts[i])) continue;
            if (!budget.work(std::uint64_t{1} << 12)) return false;
            strategy.start(match, Random(seed, number | kStrategyStream));
            cover(geometry, position.codes);
            for (Cell cell = 0; cell < geometry.cells; ++cell)
                if (position.codes[cell] >= 0) strategy.see(cell, position.codes[cell]), ++open_count_;
            Cell cell = firsts[i];
            do {
                open(geometry, cell, strategy);
                if (open_count_ < safe) cell = strategy.choose().cell;
            } while (open_count_ < safe && !field_.mined(cell));
            wins[i] += open_count_ == safe;
        }
    }
    return true;
}

// What is not part of the board counts as open: no zero opens it.
void Simulation::cover(const Geometry& geometry, std::span<const std::int8_t> codes) {
    is_open_.assign(std::size_t{geometry.cells} + 1, 1);
    for (Cell cell = 0; cell < geometry.cells; ++cell) is_open_[cell] = codes[cell] != kCovered;
    open_count_ = 0;
}

void Simulation::open(const Geometry& geometry, Cell first, Strategy& strategy) {
    waiting_.assign(1, first);
    is_open_[first] = 1;
    while (!waiting_.empty()) {
        const Cell cell = waiting_.back();
        waiting_.pop_back();
        ++open_count_;
        const std::int8_t number = field_.number(cell);
        strategy.see(cell, number);
        if (number != 0) continue;
        for (const Cell other : geometry.around(cell)) {
            if (is_open_[other]) continue;
            is_open_[other] = 1;
            waiting_.push_back(other);
        }
    }
}

}  // namespace mineproof
