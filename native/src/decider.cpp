// The guess.
//
// Few layouts: optimal play by search, exact. Otherwise candidates are compared by looking one reveal ahead: for each
// number that a cell may show, the position after it is counted. The score of a cell is
//     Σ over numbers of P(it is free and shows the number) · worth of the position after it,
// and the worth depends on how many cells are safe then, or if none is, on how safe the two safest are. To look at the
// two safest cells is David Hill's idea; the worth was fitted to games played on from hundreds of thousands of
// candidates (docs/benchmarks.md has how).
//
// Fate: two cells that no number will ever tell apart are a fifty-fifty: lost half of the time, whenever they are
// played. For each pair (and each 2 × 2 block) that becomes one if the cells around it are mines, the chance of that is
// counted. A cell that is a mine only where it is half of a fifty-fifty is opened at once: waiting gains nothing. A
// mine that walls in a fifty-fifty loses games that are half lost anyway, so the cell's score is raised.
//
// Cost    A count of what a cell touches for each number of each candidate, and for each fate (WhatIf). What else was
//         tried: docs/benchmarks.md.

#include "mineproof/decider.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// For counting one position.
constexpr std::uint64_t kStates = 1 << 20;
// Relative: values this close are equal but for rounding.
constexpr double kClose = 1e-9;
// Fifty-fifties that need more mines around them are too unlikely to matter.
constexpr std::size_t kMostWalls = 3;
// Work of a candidate by cell of the board, in the measure of Budget::work.
constexpr std::uint64_t kWorkACell = kReach;
constexpr double kNothingToBeat = -std::numeric_limits<double>::infinity();

// No position is worth less.
constexpr double kLeastWorth = 0.05;
// The opening lasts until this share of the board is open.
constexpr double kOpening = 0.125;

}  // namespace

void Decider::begin(const CountedPosition& position) {
    position_ = &position;
    candidates_.clear();
    outlooks_.clear();
}

Cell Decider::decide(const CountedPosition& position, Budget& budget, bool complete) {
    if (decide_optimally(position, budget, complete)) return candidates_[0].cell;
    survey(budget);
    reason_ = Reason::ahead;
    if (choose_fated() && !complete) return candidates_[0].cell;
    choose_candidates();
    if (candidates_.size() == 1 && !complete) {
        if (reason_ != Reason::fate) reason_ = Reason::only;
        return candidates_[0].cell;
    }
    compare_candidates(budget, complete);
    return candidates_[0].cell;
}

bool Decider::look_ahead(const CountedPosition& position, std::span<const Cell> cells, Budget& budget) {
    MINEPROOF_REQUIRE(position.question().total != Question::kUnknown);
    MINEPROOF_REQUIRE(std::ranges::all_of(cells, [&](Cell cell) { return position.is_undecided(cell); }));
    begin(position);
    survey(budget);
    for (const Cell cell : cells) {
        if (!budget.work(kWorkACell * geometry().cells)) return false;
        weigh(candidates_.emplace_back(candidate_of(cell)), kNothingToBeat, budget);
        if (budget.stopped()) {  // in the midst of it
            candidates_.pop_back();
            return false;
        }
    }
    return true;
}

bool Decider::decide_optimally(const CountedPosition& position, Budget& budget, bool complete) {
    MINEPROOF_REQUIRE(position.is_stuck() && position.question().total != Question::kUnknown);
    begin(position);
    reason_ = Reason::optimal;
    if (position.log2_layouts() > std::log2(options_.layouts)) return false;
    Budget search = budget.part(options_.nodes, 1);
    const auto most = static_cast<std::size_t>(2 * options_.layouts);
    if (!optimal_play_.solve(position.question(), position.counted(), {}, most, complete, search)) return false;
    budget.work(search.states_spent());
    const auto add = [&](std::size_t place, std::uint64_t won) {
        Candidate& candidate = candidates_.emplace_back();
        candidate.cell = optimal_play_.cells()[place];
        candidate.mine_probability = odds(candidate.cell);
        candidate.score = static_cast<double>(won) / static_cast<double>(optimal_play_.layouts());
        candidate.win_probability = candidate.score;
    };
    add(optimal_play_.best(), optimal_play_.won());
    for (std::size_t place = 0; complete && place < optimal_play_.cells().size(); ++place)
        if (place != optimal_play_.best()) add(place, optimal_play_.values()[place]);
    std::stable_sort(candidates_.begin() + 1, candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return true;
}

// Prepares what weighing needs: the lowest odds, what is around each cell, whether the game is in its opening, and the
// fates.
void Decider::survey(Budget& budget) {
    const auto codes = position_->question().codes;
    codes_.assign(codes.begin(), codes.end());
    codes_.push_back(kAbsent);
    least_ = 1;
    for (const Cell cell : position_->undecided()) least_ = std::min(least_, odds(cell));
    const auto open = std::count_if(codes.begin(), codes.end(), [](std::int8_t code) { return code >= 0; });
    const auto all = std::count_if(codes.begin(), codes.end(), [](std::int8_t code) { return code != kAbsent; });
    opening_ = static_cast<double>(open) < kOpening * static_cast<double>(all);
    open_around_.resize(geometry().cells);
    unknown_around_.resize(geometry().cells);
    for (Cell cell = 0; cell < geometry().cells; ++cell) {
        if (is_open(cell)) continue;
        int numbers = 0, unknown = 0;
        for (const Cell other : geometry().around(cell)) {
            numbers += is_open(other);
            unknown += is_unknown(other);
        }
        open_around_[cell] = static_cast<std::uint8_t>(numbers);
        unknown_around_[cell] = static_cast<std::uint8_t>(unknown);
    }
    wall_.assign(geometry().cells, 0);
    part_.assign(geometry().cells, 0);
    what_if_.begin(position_->question());
    if (options_.shared_fate > 0) find_fates(budget);
}

// The safest of the cells that are mines only where they are half of a fifty-fifty, if there is one.
bool Decider::choose_fated() {
    const Cell none = geometry().cells;
    Cell fated = none;
    for (const Cell cell : position_->undecided())
        if (part_[cell] > 0 && part_[cell] >= odds(cell) * (1 - kClose) && (fated == none || odds(cell) < odds(fated)))
            fated = cell;
    if (fated == none) return false;
    reason_ = Reason::fate;
    candidates_.push_back({fated, odds(fated), 1 - odds(fated), part_[fated]});
    return true;
}

// Looks for pairs of adjacent unknown cells, and blocks of four, that no open number tells apart, with the cells that
// must be mines for no number ever to do so.
void Decider::find_fates(Budget& budget) {
    const Geometry& geometry = this->geometry();
    for (const Cell cell : position_->undecided()) {
        if (!budget.work(kReach)) return;
        find_pairs(geometry, cell, budget);
        find_block(geometry, cell, budget);
    }
}

// Can two neighbours have no number and few walls around them that see only one of the two? Told by counts, which rules
// out most.
bool Decider::may_be_pair(const Geometry& geometry, Cell cell, Cell other) const {
    if (open_around_[cell] != open_around_[other]) return false;
    const bool is_rectangle = geometry.columns > 0;
    const int shared = !is_rectangle ? kReach - 1 : other == cell + 1 || other == cell + geometry.columns ? 4 : 2;
    return unknown_around_[cell] + unknown_around_[other] - 2 - 2 * shared <= static_cast<int>(kMostWalls);
}

// Pairs of this cell and a later one.
void Decider::find_pairs(const Geometry& geometry, Cell cell, Budget& budget) {
    const Cell none = geometry.cells;
    std::array<Cell, 2 * kReach> walls;
    const auto around = geometry.around(cell);
    for (const Cell other : around) {
        if (other <= cell || other == none || !is_unknown(other) || !may_be_pair(geometry, cell, other)) continue;
        const auto beside = geometry.around(other);
        std::size_t count = 0;
        bool open = false;
        const auto see = [&](Cell seeing) {
            if (seeing == cell || seeing == other || seeing == none) return;
            open |= is_open(seeing);
            if (is_unknown(seeing)) walls[count++] = seeing;
        };
        // Both rows ascend: walk them side by side to find the cells that see only one of the two, until it is clear
        // that the pair is no fifty-fifty.
        std::size_t i = 0, j = 0;
        while ((i < kReach || j < kReach) && !open && count <= kMostWalls) {
            const Cell a = i < kReach ? around[i] : none, b = j < kReach ? beside[j] : none;
            if (a == b) {
                ++i, ++j;
            } else if (a < b) {
                see(a), ++i;
            } else {
                see(b), ++j;
            }
        }
        if (!open && count <= kMostWalls) add_fate({&cell, 1}, {&other, 1}, {walls.data(), count}, budget);
    }
}

// The block of four, on a rectangle, whose first cell this is: two diagonals, which only the cells off its corners see
// differently.
void Decider::find_block(const Geometry& geometry, Cell cell, Budget& budget) {
    const Cell width = geometry.columns, right = cell + 1, below = cell + width, across = below + 1;
    if (width == 0 || right % width == 0 || across >= geometry.cells) return;
    if (!is_unknown(right) || !is_unknown(below) || !is_unknown(across)) return;
    const Cell row = cell / width, column = cell % width, rows = geometry.cells / width;
    std::array<Cell, 4> walls;
    std::size_t count = 0;
    bool open = false;
    for (const Cell r : {row - 1, row + 2})
        for (const Cell c : {column - 1, column + 2}) {
            if (r >= rows || c >= width) continue;  // -1 wraps round to a large number
            open |= is_open(r * width + c);
            if (is_unknown(r * width + c)) walls[count++] = r * width + c;
        }
    if (open || count >= kMostWalls) return;
    const std::array<Cell, 2> falling{cell, across}, rising{right, below};
    add_fate(falling, rising, {walls.data(), count}, budget);
}

// Counts the layouts in which the walls are mines and the mines are in `these` but not in `those`; as many again have
// it the other way round.
void Decider::add_fate(std::span<const Cell> these, std::span<const Cell> those, std::span<const Cell> walls,
                       Budget& budget) {
    // Counted only if it can change a choice: if some wall is safe enough to be a candidate, or if the cells can be
    // mines only where they are half of this fifty-fifty, which needs every wall to be a mine at least as often.
    double guess = 1, least_wall = 1;
    for (const Cell cell : walls) {
        guess *= odds(cell);
        least_wall = std::min(least_wall, odds(cell));
    }
    const bool speaks = least_wall <= 1 - (1 - least_) * options_.frontier_share;
    if (guess < options_.faintest_fate || !(speaks || least_wall >= std::min(odds(these[0]), odds(those[0])))) return;
    const auto at_sea = [&](std::span<const Cell> cells) {
        return std::all_of(cells.begin(), cells.end(), [&](Cell cell) { return open_around_[cell] == 0; });
    };
    if (at_sea(these) && at_sea(those) && at_sea(walls)) {
        // Cells that no number sees are nearly independent of each other: no need to count.
        const double chance = guess * std::pow(odds(these[0]) * (1 - odds(those[0])), these.size());
        note_fate(chance, these, those, walls);
        return;
    }
    std::array<Supposed, kMostWalls + 4> supposed;
    std::size_t count = 0;
    const auto suppose = [&](std::span<const Cell> cells, std::int8_t code) {
        for (const Cell cell : cells) supposed[count++] = {cell, code};
    };
    suppose(walls, kFlagged);
    suppose(these, kFlagged);
    suppose(those, kAbsent);
    Budget step = budget.part(kStates);
    const Glance glance = what_if_.count(std::span(supposed).first(count), step);
    budget.work(geometry().cells);
    if (glance.status != Status::answered) return;
    note_fate(std::exp2(glance.log2_layouts - position_->log2_layouts()), these, those, walls);
}

// Fates overlap, so the chance of several is not their sum. For a cell that is half of several, the likeliest of them
// is a lower bound. For a wall the sum is used, limited by its odds later: it only changes a score.
void Decider::note_fate(double chance, std::span<const Cell> these, std::span<const Cell> those,
                        std::span<const Cell> walls) {
    for (const Cell cell : walls) wall_[cell] += 2 * chance;
    for (const Cell cell : these) part_[cell] = std::max(part_[cell], chance);
    for (const Cell cell : those) part_[cell] = std::max(part_[cell], chance);
}

// Candidates are nearly as safe as the safest cell, and near a number or an edge.
void Decider::choose_candidates() {
    const Geometry& geometry = this->geometry();
    for (const Cell cell : position_->undecided()) {
        const auto around = geometry.around(cell);
        const bool frontier = open_around_[cell] > 0;
        const double share = frontier ? options_.frontier_share : options_.sea_share;
        if (1 - odds(cell) < (1 - least_) * share) continue;
        const bool near = frontier || unknown_around_[cell] <= 3 ||
                          std::any_of(around.begin(), around.end(),
                                      [&](Cell other) { return other < geometry.cells && open_around_[other] > 0; });
        if (near && (candidates_.empty() || candidates_[0].cell != cell)) candidates_.push_back(candidate_of(cell));
    }
    if (candidates_.empty())
        for (const Cell cell : position_->undecided())
            if (odds(cell) <= least_ * (1 + kClose)) candidates_.push_back({cell, odds(cell)});
    // The safest first, so that the best score is found early and cuts the others short. Ties go to cells with few
    // unknown neighbours, then to the first.
    std::sort(candidates_.begin() + (reason_ == Reason::fate), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) {
                  if (std::abs(a.mine_probability - b.mine_probability) > kClose)
                      return a.mine_probability < b.mine_probability;
                  return std::tuple(unknown_around_[a.cell], a.cell) < std::tuple(unknown_around_[b.cell], b.cell);
              });
}

bool Decider::wants_rivals() const {
    return options_.rival_share > 0 && position_->log2_layouts() <= options_.rival_bits &&
           (options_.rivals_in_opening || !opening_);
}

Candidate Decider::candidate_of(Cell cell) const {
    return {cell, odds(cell), 0, std::min(wall_[cell] + part_[cell], odds(cell))};
}

// A candidate is cut short, with a score of 0, once it cannot come close enough to the best.
void Decider::compare_candidates(Budget& budget, bool complete) {
    const double share = 1 - (wants_rivals() ? options_.rival_share : 0);
    double top = 0;
    for (Candidate& candidate : candidates_) {
        if (!budget.work(kWorkACell * geometry().cells)) break;
        const double gain = options_.shared_fate * candidate.fate, to_beat = share * top;
        if (!complete && (1 - candidate.mine_probability) * most_worth() + gain <= to_beat) continue;
        weigh(candidate, complete ? kNothingToBeat : to_beat, budget);
        if (budget.stopped()) {  // in the midst of it
            candidate = candidate_of(candidate.cell);
            break;
        }
        top = std::max(top, candidate.score);
    }
    std::stable_sort(candidates_.begin() + (reason_ == Reason::fate), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score * (1 + kClose); });
}

// Gives a candidate its score, with what it gains by its fate; 0 once that cannot exceed `to_beat`.
void Decider::weigh(Candidate& candidate, double to_beat, Budget& budget) {
    const double gain = options_.shared_fate * candidate.fate;
    candidate.score = look_ahead(candidate, to_beat - gain, budget);
    if (candidate.score > 0) candidate.score += gain;
}

// The score of a candidate without its fate, its progress and its outlooks. The score is 0 once it cannot exceed
// `to_beat`, and for cells that can show only one number: they can wait.
double Decider::look_ahead(Candidate& candidate, double to_beat, Budget& budget) {
    const Cell cell = candidate.cell;
    candidate.first_outlook = static_cast<std::uint32_t>(outlooks_.size());
    double score = 0, rest = 1 - candidate.mine_probability, most = most_worth();
    for (const int number : numbers_of(cell, to_beat > kNothingToBeat)) {
        if (rest <= kClose || score + rest * most <= to_beat) break;
        const Supposed supposed{cell, static_cast<std::int8_t>(number)};
        Budget step = budget.part(kStates);
        const Glance glance = what_if_.glance({&supposed, 1}, step);
        if (glance.status != Status::answered) continue;
        const double chance = std::exp2(glance.log2_layouts - position_->log2_layouts());
        rest -= chance;
        score += chance * worth_of(glance, number);
        if (glance.safe > 0 || glance.solved) candidate.progress += chance;
        outlooks_.push_back(
            {static_cast<std::int8_t>(number), chance, glance.safe, glance.solved ? 1 : glance.best, glance.second});
    }
    candidate.end_outlook = static_cast<std::uint32_t>(outlooks_.size());
    if (rest > kClose && score + rest * most <= to_beat) return 0;
    return candidate.end_outlook - candidate.first_outlook == 1 ? 0 : score;
}

// What the cell may show, in order; or those near what it shows on average first: they are the likeliest, so that it is
// soon clear whether the cell can be the best, and that no more can come.
std::span<const int> Decider::numbers_of(Cell cell, bool likely_first) {
    int mines = 0, most = 0;
    double mean = 0;
    for (const Cell other : geometry().around(cell)) {
        mines += codes_[other] == kFlagged;
        most += codes_[other] == kFlagged || is_unknown(other);
        if (is_unknown(other)) mean += odds(other);
    }
    mean += mines;
    const auto count = static_cast<std::size_t>(most - mines + 1);
    std::iota(numbers_.begin(), numbers_.begin() + count, mines);
    if (likely_first)
        std::sort(numbers_.begin(), numbers_.begin() + count,
                  [&](int a, int b) { return std::pair(std::abs(a - mean), a) < std::pair(std::abs(b - mean), b); });
    return std::span(numbers_).first(count);
}

// No position is worth more.
double Decider::most_worth() const {
    const Worths& worths = options_.worths;
    const double safe = 1 + worths.two_safe + worths.three_safe + worths.five_safe;
    return std::max(safe, worths.stuck + worths.safest + worths.second) + opening_ * worths.zero;
}

double Decider::worth_of(const Glance& glance, int number) const {
    const Worths& worths = options_.worths;
    if (glance.safe == 0)
        return std::max(worths.stuck + worths.safest * glance.best + worths.second * glance.second, kLeastWorth);
    return 1 + (glance.safe >= 2) * worths.two_safe + (glance.safe >= 3) * worths.three_safe +
           (glance.safe >= 5) * worths.five_safe + (opening_ && number == 0) * worths.zero;
}

}  // namespace mineproof
