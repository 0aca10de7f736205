// Endgame: optimal play, by searching sets of layouts.
//
// What a player knows is the set S of layouts still possible, all equally likely, so a position is worth W(S), the
// number of layouts won by the best play: W(S) = max over cells of the sum over values of W(S where the cell is free
// and shows that value). Played to its end, a way of playing tells apart the layouts it wins: each ends in a set of
// its own. Hence
//   * a cell matters in S only if it is *live*: it shows two values or more where it is free. When none is, one layout
//     of S is won. What is dead in S is dead in every part of S;
//   * safe live cells are opened at once, all together, and S falls into parts;
//   * if b is a mine only where a is, b can be opened before a for nothing: a need not be tried;
//   * two layouts can both be won only if some cell is free in both and shows different values. Otherwise they are
//     *far* from each other, whatever S they are in. Of layouts that are all far from each other at most one is won.
//     So if S is coloured such that layouts of one colour are far from each other, W(S) is at most the number of
//     colours. Where a greedy colouring of S itself needs two or fewer, the bound is the value;
//   * after a cell, the sum of the parts' colours can be won at most. Moves are tried in the order of that sum, until
//     it is no more than the best so far. Each part gets the value that is needed of it, and stops if it cannot reach
//     it. Most moves are about as good as the best, and are refuted by showing that no part gives more than its share
//     of the best: the search first tests whether a part exceeds its share, the largest part first. Only if that leaves
//     the sum above the best does it test what is needed.
// The bound by colours makes the search small: in positions of expert games it is 5 to 50 % above the truth, the more
// the larger they are, and one to a few sets are searched for each layout there is. It cuts, it orders, and it finishes
// most small parts without a look at their cells.
//
// Large sets are lists of layouts at first (endgame_lists.cpp): what is safe is opened, by a look over their rows.
// Where nothing is safe, sets are bits of a *base*, a list of layouts with a column for each live cell. Up to 64
// layouts a set is one word and the base knows who is far from whom, so colours are counted anew for every set
// (endgame_narrow.cpp). Larger sets (endgame_wide.cpp) count the colours that were given at the root, where layouts
// were put in the order of their colours: five operations and a population count for 64 layouts. A part that is small
// in its base gets its own. Sets already met are found by the exclusive or of their layouts' random keys (128 bits
// drawn, 96 compared), with a value or a bound. The key is stamped with the number of the call, so that the table need
// not be cleared.
//
// Cost: 1 to 3 µs a set, one to ten sets for each layout of an expert game: on average 6 µs for up to 100 layouts, 0.3
// ms up to 1,000, 44 ms for 10,000 to 30,000, 0.2 s for 30,000 to 100,000; one position in ten takes three times as
// long. Untouched small boards are harder: see docs/benchmarks.md.
//
// Rejected, all measured: splitting S where it is a product of independent regions (1 % of the sets are); colouring
// anew in every wide base (3 % fewer sets, half the speed); giving colours first to layouts with the fewest far ones
// (6 % fewer, but they must be found); counting colours word by word in the order in which layouts were enumerated
// (four times the sets); ordering moves by |S| - mines (1.7 times the sets); dropping a layout that goes along with
// another wherever it is free (3 % fewer, no faster); code for newer processors (0 to 10 % faster); knowing sets by
// what their layouts show in live cells alone, so that those alike are searched once (30 % fewer sets, no faster);
// trying first the cell that was best in the last set of the same depth (7 % more sets); shares for parts of narrow
// sets too (no fewer). The recursion is Truffle-Swine Keeper's; keys are Zobrist's (1970); bounds by colours are known
// from cliques.

#include "mineproof/endgame.hpp"

#include <cstring>

#include "mineproof/byte_squares.hpp"
#include "mineproof/endgame_search.hpp"
#include "mineproof/random.hpp"
#include "mineproof/require.hpp"

namespace mineproof {
namespace endgame {

// False when there are more than can be searched, or the budget does not even let them be put in order.
bool Search::begin(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget) {
    budget_ = &budget;
    stopped_ = false;
    nodes_ = 0;
    chosen_ = kNone;
    const std::size_t count = cells == 0 ? 0 : rows.size() / cells;
    if (count > Memory::kLargest || cells > kMostCells) return budget.give_up(Limit::width);
    stride_ = (cells + kLane - 1) / kLane * kLane;
    cells_ = static_cast<Count>(cells);
    layouts_ = static_cast<Count>(count);
    rows_.resize(count * stride_);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(rows_.data() + i * stride_, rows.data() + i * cells, cells);
        std::memset(rows_.data() + i * stride_ + cells, 0, stride_ - cells);
    }
    const auto count_up = [](std::vector<Count>& numbers, std::size_t size) {
        while (numbers.size() < size) numbers.push_back(static_cast<Count>(numbers.size()));
    };
    count_up(all_cells_, cells);
    count_up(all_ids_, count);
    constexpr std::uint64_t kSeed = 0x656e6467616d65;
    while (keys_.size() < count) {
        Random random(kSeed, keys_.size());
        keys_.push_back(Key{random.next(), random.next()});
    }
    Random random(~kSeed, ++generation_);
    stamp_ = Key{random.next(), random.next()};
    memory_.begin(count, generation_);
    if (count > kWordBits) order_by_colour();
    return !stopped_;
}

bool Search::answer(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget, std::uint64_t& won,
                    std::size_t& best) {
    if (!begin(rows, cells, budget)) return false;
    won = value_of(std::span(all_ids_).first(layouts_));
    if (stopped_) return false;
    const Count cell = first_cell(static_cast<Count>(won));
    best = cell == kNone ? Endgame::kNoCell : cell;
    return !stopped_;
}

bool Search::answer_every_cell(std::vector<std::uint64_t>& values) {
    for (Count cell = 0; cell < cells_ && !stopped_; ++cell) values.push_back(value_of_cell(cell));
    return !stopped_;
}

// A safe cell, or else the one the search found; where it did not need to look for it, the safest that wins as much.
Count Search::first_cell(Count won) {
    if (layouts_ == 0) return kNone;
    for (std::size_t block = 0; block < stride_; block += kLane) {
        std::array<std::uint8_t, kLane> mined{};
        for (Count id = 0; id < layouts_; ++id)
            for (std::size_t i = 0; i < kLane; ++i) mined[i] |= row(id)[block + i] == kMine;
        for (std::size_t i = 0; i < kLane && block + i < cells_; ++i)
            if (mined[i] == 0) return static_cast<Count>(block + i);
    }
    if (chosen_ != kNone) return chosen_;
    const Scope scope(arena_);
    Move* const moves = arena_.take<Move>(cells_);
    for (Count cell = 0; cell < cells_; ++cell) {
        moves[cell] = Move{0, static_cast<Place>(cell)};
        for (Count id = 0; id < layouts_; ++id) moves[cell].bound += row(id)[cell] != kMine;
    }
    std::sort(moves, moves + cells_, better);
    for (Count i = 0; i < cells_ && moves[i].bound > 0 && !stopped_; ++i)
        if (value_of_cell(moves[i].place) == won) return moves[i].place;
    return kNone;
}

Count Search::value_of_cell(Count cell) {
    const Scope scope(arena_);
    Count* const ids = arena_.take<Count>(layouts_);
    Count total = 0;
    for (std::uint8_t value = 0; value < kMine; ++value) {
        Count size = 0;
        for (Count id = 0; id < layouts_; ++id)
            if (row(id)[cell] == value) ids[size++] = id;
        total += value_of({ids, size});
    }
    return total;
}

Count Search::value_of(std::span<const Count> ids) {
    if (ids.empty()) return 0;
    if (ids.size() <= kTiny) return tiny(ids);
    Key key = stamp_;
    for (const Count id : ids) key ^= keys_[id];
    auto most = static_cast<Count>(ids.size());
    Count result = 0;
    if (recall(key, 1, most, result)) return result;
    if (layouts_ > kWordBits) return list(ids, key, nullptr, std::min(most, colours_of(ids)), 1);
    const Scope scope(arena_);
    result = enter_narrow(ids, std::span(all_cells_).first(cells_), most, 1);
    remember(key, 1, result);
    return result;
}

// Is there a cell, free in both, that shows which it is?
bool Search::told_apart(Count one, Count other) const {
    const std::uint8_t *a = row(one), *b = row(other);
    for (std::size_t i = 0; i < stride_; i += kLane) {
        bool found = false;
        for (std::size_t j = i; j < i + kLane; ++j) found |= (a[j] != b[j]) & (a[j] != kMine) & (b[j] != kMine);
        if (found) return true;
    }
    return false;
}

// Is there a cell, free in all three, that does not show the same in all?
bool Search::safe_to_tell(Count one, Count two, Count three) const {
    const std::uint8_t *a = row(one), *b = row(two), *c = row(three);
    for (std::size_t i = 0; i < stride_; i += kLane) {
        bool found = false;
        for (std::size_t j = i; j < i + kLane; ++j)
            found |= ((a[j] != b[j]) | (a[j] != c[j])) & (a[j] != kMine) & (b[j] != kMine) & (c[j] != kMine);
        if (found) return true;
    }
    return false;
}

// W of one, two or three layouts. Two that a cell can distinguish are both won; a third one too if there is a safe cell
// to begin with, because a cell can also distinguish the two that it leaves together.
Count Search::tiny(std::span<const Count> ids) const {
    if (ids.size() == 1) return 1;
    if (ids.size() == 2) return told_apart(ids[0], ids[1]) ? 2 : 1;
    const int pairs = told_apart(ids[0], ids[1]) + told_apart(ids[0], ids[2]) + told_apart(ids[1], ids[2]);
    if (pairs < 3) return pairs == 0 ? 1 : 2;
    return safe_to_tell(ids[0], ids[1], ids[2]) ? 3 : 2;
}

}  // namespace endgame

bool view_layouts(const Geometry& geometry, std::span<const Cell> cells, std::span<const Cell> known,
                  std::span<const std::uint8_t> mined, Views& views, Budget* budget) {
    MINEPROOF_REQUIRE(cells.empty() ? mined.empty() : mined.size() % cells.size() == 0);
    MINEPROOF_REQUIRE(std::ranges::all_of(cells, [&](Cell cell) { return cell < geometry.cells; }));
    MINEPROOF_REQUIRE(std::ranges::all_of(
        known, [&](Cell cell) { return cell < geometry.cells && std::ranges::find(cells, cell) == cells.end(); }));
    views.cells = cells.size();
    views.rows.resize(mined.size());
    if (cells.empty()) return true;
    std::vector<std::uint8_t> board(geometry.cells + std::size_t{1}, 0);  // the last stands for "no neighbour"
    for (const Cell cell : known) board[cell] = 1;
    for (std::size_t start = 0; start < mined.size(); start += cells.size()) {
        if (budget != nullptr && !budget->work(cells.size())) return false;
        for (std::size_t i = 0; i < cells.size(); ++i) board[cells[i]] = mined[start + i] != 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            int count = 0;
            for (const Cell other : geometry.around(cells[i])) count += board[other];
            views.rows[start + i] = board[cells[i]] != 0 ? Views::kMine : static_cast<std::uint8_t>(count);
        }
    }
    return true;
}

namespace {

// Are there whole rows, of values that can be shown, with as many mines in each as in the first?
[[maybe_unused]] bool is_well_formed(std::span<const std::uint8_t> rows, std::size_t cells) {
    if (cells == 0) return rows.empty();
    if (rows.size() % cells != 0 || std::ranges::any_of(rows, [](auto value) { return value > Views::kMine; }))
        return false;
    const auto mines = [&](std::size_t row) { return std::ranges::count(rows.subspan(row, cells), Views::kMine); };
    for (std::size_t row = 0; row < rows.size(); row += cells)
        if (mines(row) != mines(0)) return false;
    return true;
}

}  // namespace

Endgame::Endgame(std::size_t table_bytes)
    : table_bytes_(table_bytes), search_(std::make_unique<endgame::Search>(table_bytes)) {}
Endgame::~Endgame() = default;
Endgame::Endgame(Endgame&&) noexcept = default;
Endgame& Endgame::operator=(Endgame&&) noexcept = default;

bool Endgame::solve(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget) {
    MINEPROOF_REQUIRE(is_well_formed(rows, cells));
    values_.clear();
    return search_->answer(rows, cells, budget, won_, best_);
}

bool Endgame::solve_every_cell(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget) {
    MINEPROOF_REQUIRE(is_well_formed(rows, cells));
    values_.clear();
    return search_->answer(rows, cells, budget, won_, best_) && search_->answer_every_cell(values_);
}

void Endgame::trim(bool always) {
    if (always || search_->is_large()) *this = Endgame(table_bytes_);
}

std::uint64_t Endgame::nodes() const { return search_->nodes(); }

}  // namespace mineproof
