// Playouts.
//
// Counting wins would need thousands of games to tell two good moves apart. Here the result of a game varies less:
// where a guess hits a mine, the game goes on with another layout that fits and in which the cell is free; the result
// is the product of the chances to survive its guesses; and once few layouts are left, the exact chance to win replaces
// the rest. The mean is the same as that of counting wins, the variance a third.

#include "mineproof/playout.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kSeed = 0x706c61796f7574, kOtherSeed = ~kSeed;
// At most so many layouts are solved by optimal play; with more, playing on is cheaper.
constexpr std::size_t kFew = 64;
// For counting one position: far more than it takes in ordinary games.
constexpr std::uint64_t kStates = 1 << 20;

}  // namespace

bool Playout::begin(const Question& question, std::uint32_t layouts, Budget& budget) {
    MINEPROOF_REQUIRE(question.codes.size() == question.geometry.cells && question.total != Question::kUnknown);
    geometry_ = &question.geometry;
    total_ = question.total;
    verdicts_.resize(geometry_->cells);
    odds_.resize(geometry_->cells);
    codes_.assign(question.codes.begin(), question.codes.end());
    for (std::int8_t& code : codes_)
        if (code >= 0 || code == kFlagged) code = kCovered;
    before_.start(*geometry_, codes_);
    for (Cell cell = 0; cell < geometry_->cells; ++cell) {
        if (question.codes[cell] >= 0) before_.show(cell, question.codes[cell]);
        if (question.codes[cell] == kFlagged) before_.prove_mine(cell);
    }
    return solver_.sample(question, kSeed, 0, layouts, budget, layouts_).status == Status::answered;
}

std::span<const Cell> Playout::mines(std::uint32_t number) const {
    const std::uint64_t begin = number == 0 ? 0 : layouts_.ends[number - 1];
    return {layouts_.mines.data() + begin, layouts_.ends[number] - begin};
}

bool Playout::is_free(std::uint32_t number, Cell cell) const {
    const auto mines = this->mines(number);
    return std::find(mines.begin(), mines.end(), cell) == mines.end();
}

double Playout::play(std::uint32_t number, Cell first, Budget& budget) {
    MINEPROOF_REQUIRE(is_free(number, first));
    field_.lay(*geometry_, mines(number));
    knowledge_ = before_;
    open(first);
    double worth = 1;
    for (std::uint64_t turn = 1;; ++turn) {
        for (Cell cell; knowledge_.take_safe(cell);) open(cell);
        if (knowledge_.unknown() == 0) return worth;
        if (!budget.work(geometry_->cells)) return 0;
        Budget step = Budget::of_states(kStates);
        const Counted counted = solver_.find_certain(question(), step, certain_);
        if (counted.status != Status::answered) return 0;
        for (const Cell cell : certain_.mines) knowledge_.prove_mine(cell);
        for (const Cell cell : certain_.safe) knowledge_.prove_safe(cell);
        if (!certain_.safe.empty() || knowledge_.unknown() == 0) continue;
        if (counted.log2_layouts <= std::log2(static_cast<double>(kFew)) &&
            optimal_play_.solve(question(), counted, {}, 2 * kFew, false, step))
            return worth * static_cast<double>(optimal_play_.won()) / static_cast<double>(optimal_play_.layouts());
        counted.write(verdicts_, odds_);
        const Cell guess = knowledge_.safest(odds_);
        worth *= 1 - odds_[guess];
        if (field_.mined(guess) && !spare(guess, number | turn << 32, step)) return 0;
        open(guess);
    }
}

void Playout::open(Cell first) {
    waiting_.assign(1, first);
    while (!waiting_.empty()) {
        const Cell cell = waiting_.back();
        waiting_.pop_back();
        if (knowledge_.is_open(cell)) continue;
        knowledge_.show(cell, field_.number(cell));
        if (field_.number(cell) != 0) continue;
        for (const Cell other : geometry_->around(cell))
            if (other < geometry_->cells && knowledge_.codes()[other] == kCovered) waiting_.push_back(other);
    }
}

bool Playout::spare(Cell cell, std::uint64_t stream, Budget& budget) {
    codes_.assign(knowledge_.codes().begin(), knowledge_.codes().end());
    codes_[cell] = kAbsent;
    const Question supposed{*geometry_, codes_, total_};
    if (solver_.sample(supposed, kOtherSeed, stream, 1, budget, other_).status != Status::answered) return false;
    field_.lay(*geometry_, other_.mines);
    return true;
}

}  // namespace mineproof
