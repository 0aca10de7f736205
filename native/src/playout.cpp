// Playouts.
//
// Counting wins would need thousands of games to tell two good moves apart. Here the result of a game varies less:
// where a guess hits a mine, the game continues with another layout that fits and in which the cell is free; the result
// is the product of the chances to survive its guesses; and once few layouts are left, the exact chance to win replaces
// the rest. The mean is the same as that of counting wins, the variance a third.
//
// The goal is the difference between two moves. So games from both are played on the same layouts and kept similar:
//   a mine that both hit leads to similar layouts (CoupledDraw; its stream is the layout's number and the cell);
//   if a layout has a mine in the cell of a move, that cell is made free in the same way;
//   if both reach the same state on the same layout, the rest is the same, and is played once.
// The move in a state depends only on the visible board, so it is remembered, for other layouts and for later decisions
// of the game. benchmarks/playout_cost.cpp measures what each of these saves.
//
// Cost    One to two counts of the whole position for each guess: 20 to 100 µs a game of `fast` on an expert board.

#include "mineproof/playout.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// For counting one position: far more than it takes in ordinary games.
constexpr std::uint64_t kStates = 1 << 20;
// States whose turns are remembered, at most: some 4 MB. And those of one layout, which are far fewer.
constexpr std::size_t kMostTurns = 1 << 15, kMostWorths = 1 << 12;

DeciderOptions guesses_of(const PlayoutOptions& options) {
    DeciderOptions ahead = options.ahead;
    ahead.layouts = options.few;  // fewer are never asked about
    return ahead;
}

// To survive what is done there, to the end if it was solved.
double chance_of(const Turn& turn) {
    switch (turn.kind) {
        case Turn::Kind::guess:
            return 1 - turn.mine_probability;
        case Turn::Kind::solved:
            return turn.won;
        default:
            return 1;
    }
}

}  // namespace

Playout::Playout(const PlayoutOptions& options) : options_(options), turns_(kMostTurns), worths_(kMostWorths) {
    if (options.strong) decider_ = std::make_unique<Decider>(guesses_of(options));
}

void Playout::remember_in(TapeMemory* memory) {
    solver_.remember_in(memory);
    coupled_.remember_in(memory);
    if (decider_) decider_->remember_in(memory);
}

void Playout::begin(const Question& question, std::uint64_t seed) {
    MINEPROOF_REQUIRE(question.codes.size() == question.geometry.cells && question.total != Question::kUnknown);
    geometry_ = &question.geometry;
    total_ = question.total;
    seed_ = seed;
    laid_ = -1;
    start_.assign(question.codes.begin(), question.codes.end());
    codes_ = start_;
    for (std::int8_t& code : codes_)
        if (code >= 0 || code == kFlagged) code = kCovered;
    before_.start(*geometry_, codes_);
    for (Cell cell = 0; cell < geometry_->cells; ++cell) {
        if (question.codes[cell] >= 0) before_.show(cell, question.codes[cell]);
        if (question.codes[cell] == kFlagged) before_.prove_mine(cell);
    }
    before_.settle();
    // What is remembered holds for a board of this shape with this many mines.
    board_key_ = geometry_->key.with(static_cast<std::uint64_t>(total_));
}

bool Playout::draw(std::uint32_t first, std::uint32_t count, Budget& budget) {
    first_ = first;
    laid_ = -1;
    const Question question{*geometry_, start_, total_};
    Budget step = budget.part(kStates);
    if (solver_.sample(question, seed_, first, count, step, layouts_).status != Status::answered) return false;
    return budget.work(std::uint64_t{count} * geometry_->cells) && !budget.stopped();
}

std::span<const Cell> Playout::mines(std::uint32_t number) const {
    const std::uint32_t place = number - first_;
    MINEPROOF_REQUIRE(number >= first_ && place < layouts_.ends.size());
    const std::size_t begin = place == 0 ? 0 : static_cast<std::size_t>(layouts_.ends[place - 1]);
    return {layouts_.mines.data() + begin, static_cast<std::size_t>(layouts_.ends[place]) - begin};
}

bool Playout::is_free(std::uint32_t number, Cell cell) const {
    const auto mines = this->mines(number);
    return std::find(mines.begin(), mines.end(), cell) == mines.end();
}

void Playout::lay(std::uint32_t number) {
    if (laid_ != number) {
        layout_.lay(*geometry_, mines(number));
        layout_key_ = board_key_.with(layout_.mined());
        worths_.clear();
        laid_ = number;
    }
    field_ = layout_;
    field_key_ = layout_key_;
}

double Playout::play(std::uint32_t number, Cell first, Budget& budget) {
    MINEPROOF_REQUIRE(options_.repairs || is_free(number, first));
    lay(number);
    knowledge_ = before_;
    turn_ = 0;
    if (field_.mined(first) && !spare(first, number, budget)) return 0;
    open(first);
    passed_.clear();
    double worth = 1;
    for (;;) {
        for (Cell cell; knowledge_.take_safe(cell);) open(cell);
        if (knowledge_.unknown() == 0) break;
        const StateKey state = board_key_.with(knowledge_.codes());
        const StateKey key = state.with(field_key_.a).with(field_key_.b);
        if (const double* known = options_.merges ? worths_.find(key) : nullptr) {
            worth = *known;
            break;
        }
        if (!budget.work(geometry_->cells)) return 0;
        const Turn* const found = find_turn(state, budget);
        if (found == nullptr || found->kind == Turn::Kind::too_wide) return 0;
        const Turn& turn = *found;
        passed_.push_back({key, chance_of(turn)});
        if (turn.kind == Turn::Kind::solved) break;
        do_certain(turn);
        if (turn.kind == Turn::Kind::certain) continue;
        if (field_.mined(turn.guess) && !spare(turn.guess, number, budget)) return 0;
        open(turn.guess);
    }
    // Multiplied from the end, so that the result is the same, to the last bit, wherever the rest was known.
    for (std::size_t i = passed_.size(); i-- > 0;) {
        worth *= passed_[i].chance;
        if (options_.merges) worths_.put(passed_[i].key, worth);
    }
    return worth;
}

const Turn* Playout::find_turn(const StateKey& state, Budget& budget) {
    if (!options_.remembers) turns_.clear();
    if (const Turn* known = turns_.find(state)) return known;
    Budget step = budget.part(kStates);
    const Turn turn = work_out(step);
    if (budget.stopped()) return nullptr;  // not worth remembering
    return &turns_.put(state, turn, certain_.mines, certain_.safe);
}

Turn Playout::work_out(Budget& budget) {
    Turn turn;
    const Counted counted = solver_.find_certain(question(), knowledge_.around(), budget, certain_);
    if (counted.status != Status::answered) return turn;
    turn.kind = Turn::Kind::certain;
    for (const Cell cell : certain_.mines) knowledge_.prove_mine(cell);
    if (!certain_.safe.empty() || knowledge_.unknown() == 0) return turn;
    if (counted.log2_layouts <= std::log2(static_cast<double>(options_.few)) &&
        optimal_play_.solve(question(), counted, {}, 2 * std::size_t{options_.few}, false, budget)) {
        turn.kind = Turn::Kind::solved;
        turn.won = static_cast<double>(optimal_play_.won()) / static_cast<double>(optimal_play_.layouts());
        return turn;
    }
    position_.take_stuck(question(), counted);
    turn.kind = Turn::Kind::guess;
    turn.guess = decider_ ? decider_->decide(position_, budget, false) : position_.safest(knowledge_);
    turn.mine_probability = position_.odds_of(turn.guess);
    return turn;
}

void Playout::do_certain(const Turn& turn) {
    for (const Cell cell : turns_.mines(turn)) knowledge_.prove_mine(cell);
    for (const Cell cell : turns_.safe(turn)) knowledge_.prove_safe(cell);
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

bool Playout::spare(Cell cell, std::uint32_t number, Budget& budget) {
    Budget step = budget.part(kStates);
    if (options_.couples) {
        const std::uint64_t stream = number | std::uint64_t{cell} << 32;
        if (!coupled_.free(question(), cell, ~seed_, stream, step, field_)) return false;
    } else {
        codes_.assign(knowledge_.codes().begin(), knowledge_.codes().end());
        codes_[cell] = kAbsent;
        const Question supposed{*geometry_, codes_, total_};
        const std::uint64_t stream = number | ++turn_ << 32;
        if (solver_.sample(supposed, ~seed_, stream, 1, step, other_).status != Status::answered) return false;
        field_.lay(*geometry_, other_.mines);
    }
    field_key_ = board_key_.with(field_.mined());
    return true;
}

}  // namespace mineproof
