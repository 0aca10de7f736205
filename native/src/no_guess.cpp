// Layouts that need no guess.
//
// Idea    Deal a layout, play it by certainty alone, complete, with the total. Where that gets stuck, repair: change
//         the layout so that one number next to the unknown says everything about its cells (all mines, or none), and
//         play on from before the first number that the change altered. What was opened before still follows from
//         what was seen before, so nothing of it has to be played again.
//         The number of mines is kept: what a repair adds or takes away is balanced among unknown cells, those next
//         to numbers first, for they are what the player is stuck at; then in the sea; then among proved mines.
//         Where no number is next to the unknown, mines wall it off: one of the wall's moves behind it.
// Cost    Expert boards take two repairs on average, 200 mines on the same board 74 (docs/benchmarks.md).
// Differs from uniform: repairing prefers layouts near a stuck one, with clumps of mines and clearings where the
//         player was stuck. Dealing until one needs no guess (`repair` = false) is uniform, but on dense boards it
//         does not succeed in any reasonable time.

#include "mineproof/no_guess.hpp"

#include <algorithm>
#include <utility>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// One question to the solver; the rest of the wish's budget is time. A position beyond this counts as stuck.
constexpr std::uint64_t kStates = 1 << 20;
// Repairs of one layout before another is dealt.
constexpr std::uint32_t kRepairs = 400;

template <class T>
T take_any(std::vector<T>& from, Random& random) {
    const std::size_t at = random.below(from.size());
    std::swap(from[at], from.back());
    const T taken = from.back();
    from.pop_back();
    return taken;
}

}  // namespace

bool NoGuess::make(const NoGuessWish& wish, std::uint64_t seed, std::uint64_t number, Budget& budget,
                   NoGuessEffort& effort) {
    MINEPROOF_REQUIRE(wish.codes.size() == wish.geometry.cells && wish.allowed.size() == wish.geometry.cells);
    MINEPROOF_REQUIRE(wish.start < wish.geometry.cells && wish.codes[wish.start] == kCovered);
    MINEPROOF_REQUIRE(wish.allowed[wish.start] == 0);
    Random random(seed, number);
    const auto board = static_cast<std::uint32_t>(std::count(wish.codes.begin(), wish.codes.end(), kCovered));
    effort.safe_cells = board - wish.mines;
    opened_at_.resize(wish.geometry.cells + std::size_t{1});
    is_touched_.assign(wish.geometry.cells, 0);
    for (;;) {
        field_.deal(wish.geometry, wish.allowed, wish.mines, random);
        ++effort.deals;
        opened_.clear();
        return_to(wish, 0);
        knowledge_.prove_safe(wish.start);
        for (std::uint32_t repairs = 0;; ++repairs) {
            const Outcome outcome = play(wish, budget);
            effort.most_open = std::max(effort.most_open, static_cast<std::uint32_t>(opened_.size()));
            if (outcome == Outcome::over_budget) return false;
            if (outcome == Outcome::solved) {
                field_.list_mines(mines_);
                return true;
            }
            if (!wish.repair || repairs == kRepairs || !repair(wish, random)) break;
            ++effort.repairs;
        }
    }
}

NoGuess::Outcome NoGuess::play(const NoGuessWish& wish, Budget& budget) {
    for (;;) {
        for (Cell cell; knowledge_.take_safe(cell);) {
            open(cell);
            if (!budget.work(1)) return Outcome::over_budget;
        }
        if (!budget.work(wish.geometry.cells)) return Outcome::over_budget;
        if (knowledge_.unknown() + knowledge_.mines() == wish.mines) return Outcome::solved;
        Budget question_budget = budget.part(kStates);
        const Question question{wish.geometry, knowledge_.codes(), wish.mines};
        if (solver_.find_certain(question, knowledge_.around(), question_budget, certain_).status ==
            Status::over_budget)
            return budget.stopped() ? Outcome::over_budget : Outcome::stuck;
        for (const Cell cell : certain_.mines) knowledge_.prove_mine(cell);
        for (const Cell cell : certain_.safe) knowledge_.prove_safe(cell);
        if (certain_.safe.empty()) return Outcome::stuck;
    }
}

void NoGuess::open(Cell cell) {
    opened_at_[cell] = static_cast<std::uint32_t>(opened_.size());
    opened_.push_back(cell);
    knowledge_.show(cell, field_.number(cell));
}

// Forgets everything but the first cells that were opened.
void NoGuess::return_to(const NoGuessWish& wish, std::size_t opened) {
    opened_.resize(opened);
    knowledge_.start(wish.geometry, wish.codes);
    for (const Cell cell : opened_) knowledge_.show(cell, field_.number(cell));
}

void NoGuess::touch(const NoGuessWish& wish, Cell cell) {
    field_.flip(wish.geometry, cell);
    is_touched_[cell] = 1;
    touched_.push_back(cell);
}

bool NoGuess::repair(const NoGuessWish& wish, Random& random) {
    numbers_.clear();
    for (const Cell cell : opened_)
        if (knowledge_.unknown_around(cell) > 0) numbers_.push_back(cell);
    touched_.clear();
    const bool changed = numbers_.empty() ? breach(wish, random) : change_number(wish, random);
    std::size_t first = opened_.size();
    for (const Cell cell : touched_) {
        is_touched_[cell] = 0;
        for (const Cell other : wish.geometry.around(cell))
            if (other < wish.geometry.cells && knowledge_.is_open(other))
                first = std::min<std::size_t>(first, opened_at_[other]);
    }
    if (!changed) return false;
    return_to(wish, first);
    if (first == 0) knowledge_.prove_safe(wish.start);
    return true;
}

// Fills or empties the unknown cells of one number, whichever can be balanced elsewhere.
bool NoGuess::change_number(const NoGuessWish& wish, Random& random) {
    const Cell number = numbers_[random.below(numbers_.size())];
    std::uint32_t mined = 0, free = 0;
    bool may_fill = true;
    candidates_.clear();
    for (const Cell cell : wish.geometry.around(number)) {
        if (cell == wish.geometry.cells || !knowledge_.is_unknown(cell)) continue;
        candidates_.push_back(cell);
        field_.mined(cell) ? ++mined : ++free;
        may_fill &= wish.allowed[cell] != 0;
    }
    const bool fill = may_fill && (mined > free || (mined == free && random.below(2) == 0));
    const std::vector<Cell> cells = candidates_;
    for (const bool filling : {fill, !fill}) {
        if (filling && !may_fill) continue;
        for (const Cell cell : cells) is_touched_[cell] = 1;  // not to be used for balancing
        if (!compensate(wish, filling, filling ? free : mined, random)) continue;
        for (const Cell cell : cells) {
            is_touched_[cell] = 0;
            if (field_.mined(cell) != filling) touch(wish, cell);
        }
        return true;
    }
    for (const Cell cell : cells) is_touched_[cell] = 0;
    return false;
}

// Takes mines away from (or adds them to) cells outside the change under way, keeping the total.
bool NoGuess::compensate(const NoGuessWish& wish, bool take, std::uint32_t count, Random& random) {
    collect(wish, take);
    if (near_.size() + far_.size() + candidates_.size() < count) return false;
    for (std::vector<Cell>* group : {&near_, &far_, &candidates_})
        for (; count > 0 && !group->empty(); --count) touch(wish, take_any(*group, random));
    return true;
}

// Sorts the cells that may be flipped: unknown ones next to numbers, unknown ones in the sea, and proved mines.
void NoGuess::collect(const NoGuessWish& wish, bool mined) {
    near_.clear();
    far_.clear();
    candidates_.clear();
    for (Cell cell = 0; cell < wish.geometry.cells; ++cell) {
        if (is_touched_[cell] || field_.mined(cell) != mined || !wish.allowed[cell]) continue;
        if (knowledge_.is_mine(cell)) candidates_.push_back(cell);
        if (!knowledge_.is_unknown(cell)) continue;
        const auto around = wish.geometry.around(cell);
        const bool next_to_number = std::any_of(around.begin(), around.end(), [&](Cell other) {
            return other < wish.geometry.cells && knowledge_.is_open(other);
        });
        (next_to_number ? near_ : far_).push_back(cell);
    }
}

// Opens a wall of mines: one that stands between open cells and the unknown moves to a free unknown cell.
bool NoGuess::breach(const NoGuessWish& wish, Random& random) {
    collect(wish, false);
    if (far_.empty()) return false;
    const Cell behind = take_any(far_, random);
    near_.clear();
    for (Cell cell = 0; cell < wish.geometry.cells; ++cell)
        if (knowledge_.is_mine(cell) && knowledge_.unknown_around(cell) > 0) near_.push_back(cell);
    if (near_.empty()) return false;
    touch(wish, behind);
    touch(wish, take_any(near_, random));
    return true;
}

}  // namespace mineproof
