// The guess.
//
// Few layouts: optimal play by search, exact. Otherwise candidates are compared by looking one reveal ahead: for each
// number a cell may show, how safe is the safest cell then, and the second safest? The score of a cell is
//     Σ over numbers of P(it is free and shows the number) · (4 · best + second) / 5,
// which weighs the risk now against the risk of the next step. (David Hill's weights; what fitting them anew brought is
// in docs/benchmarks.md.)
//
// Fate: two cells that no number will ever tell apart are a fifty-fifty, and are lost half of the time whenever they
// are played. For each pair (and each 2 × 2 block) that mines around it would turn into one, the chance of that is
// counted. A cell that is a mine only where it is half of a fifty-fifty costs nothing to try: it is opened at once. A
// cell that walls one in loses, where it is a mine, what is half lost anyway, and gains in score for it.
//
// Cost    A count of the whole position for each number of each candidate, and for each fate. Tried, and what it
//         brought: docs/benchmarks.md.

#include "mineproof/decision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "mineproof/reduce.hpp"

namespace mineproof {
namespace {

constexpr std::int8_t kGone = -9;  // counts for nothing: a free cell that shows no number
constexpr std::uint64_t kStates = 1 << 20;
constexpr double kForever = 1e9;
constexpr double kClose = 1e-9;
constexpr double kBestShare = 0.8;
constexpr std::size_t kMostWalls = 3;

}  // namespace

Cell Decider::decide(const Question& question, Solver& solver, double log2_layouts, std::span<const Cell> unknown,
                     std::span<const double> odds, Budget& budget, bool complete) {
    unknown_ = unknown;
    codes_.assign(question.codes.begin(), question.codes.end());
    codes_.push_back(kGone);
    if (decide_optimally(question, solver, log2_layouts, odds, budget, complete)) return candidates_[0].cell;
    least_ = 1;
    for (const Cell cell : unknown) least_ = std::min(least_, odds[cell]);
    in_sea_.assign(question.topology.cells, 0);
    for (const Cell cell : unknown) {
        const auto around = question.topology.around(cell);
        in_sea_[cell] = std::none_of(around.begin(), around.end(), [&](Cell other) { return is_open(other); });
    }
    wall_.assign(question.topology.cells, 0);
    part_.assign(question.topology.cells, 0);
    reason_ = Reason::ahead;
    if (thinking_.shared_fate > 0) {
        find_fates(question, log2_layouts);
        Cell fated = question.topology.cells;
        for (const Cell cell : unknown)
            if (part_[cell] > 0 && part_[cell] >= odds[cell] * (1 - kClose) &&
                (fated == question.topology.cells || odds[cell] < odds[fated]))
                fated = cell;
        if (fated < question.topology.cells) {
            reason_ = Reason::fate;
            candidates_.push_back({fated, odds[fated], 1 - odds[fated], part_[fated]});
            if (!complete) return fated;
        }
    }
    choose_candidates(question);
    if (candidates_.size() == 1 && !complete) {
        if (reason_ != Reason::fate) reason_ = Reason::only;
        return candidates_[0].cell;
    }
    look_ahead(question, log2_layouts, budget, complete);
    return candidates_[0].cell;
}

bool Decider::decide_optimally(const Question& question, Solver& solver, double log2_layouts,
                               std::span<const double> odds, Budget& budget, bool complete) {
    candidates_.clear();
    outlooks_.clear();
    odds_ = odds;
    reason_ = Reason::optimal;
    if (log2_layouts > std::log2(thinking_.layouts)) return false;
    if (!solver.list(question, static_cast<std::size_t>(2 * thinking_.layouts), listing_)) return false;
    mines_.clear();
    for (Cell cell = 0; cell < question.topology.cells; ++cell)
        if (question.codes[cell] == kFlagged) mines_.push_back(cell);
    view_layouts(question.topology, listing_.cells, mines_, listing_.mines, views_);
    Budget search(kForever, thinking_.nodes);
    if (!(complete ? endgame_.solve_every_cell(views_, search) : endgame_.solve(views_, search))) return false;
    budget.work(search.states_spent());
    const auto all = static_cast<double>(views_.layouts());
    const auto add = [&](std::size_t place, std::uint64_t won) {
        Candidate& candidate = candidates_.emplace_back();
        candidate.cell = listing_.cells[place];
        candidate.mine_probability = odds_[candidate.cell];
        candidate.score = candidate.win_probability = static_cast<double>(won) / all;
    };
    add(endgame_.best(), endgame_.won());
    for (std::size_t place = 0; complete && place < listing_.cells.size(); ++place)
        if (place != endgame_.best()) add(place, endgame_.values()[place]);
    std::stable_sort(candidates_.begin() + 1, candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return true;
}

// Pairs of adjacent unknown cells, and blocks of four, that no open number tells apart, with the cells that must be
// mines for no number ever to do so.
void Decider::find_fates(const Question& question, double log2_layouts) {
    const Topology& topology = question.topology;
    std::array<Cell, 2 * kReach> walls;
    for (const Cell cell : unknown_) {
        const auto around = topology.around(cell);
        for (const Cell other : around) {
            if (other <= cell || other == topology.cells || !is_unknown(other)) continue;
            // Both rows ascend: walk them side by side to find the cells that see one of the two.
            const auto beside = topology.around(other);
            std::size_t count = 0;
            bool open = false;
            const auto see = [&](Cell seeing) {
                if (seeing == cell || seeing == other || seeing == topology.cells) return;
                open |= is_open(seeing);
                if (is_unknown(seeing)) walls[count++] = seeing;
            };
            std::size_t i = 0, j = 0;
            while (i < kReach || j < kReach) {
                const Cell a = i < kReach ? around[i] : topology.cells, b = j < kReach ? beside[j] : topology.cells;
                if (a == b) {
                    ++i, ++j;
                } else if (a < b) {
                    see(a), ++i;
                } else {
                    see(b), ++j;
                }
            }
            if (open || count > kMostWalls) continue;
            add_fate(question, log2_layouts, {&cell, 1}, {&other, 1}, {walls.data(), count});
        }
        const Cell width = topology.columns, right = cell + 1, below = cell + width, across = below + 1;
        if (width == 0 || right % width == 0 || across >= topology.cells) continue;
        if (!is_unknown(right) || !is_unknown(below) || !is_unknown(across)) continue;
        // In a block of four, two diagonals: only the cells off its corners see them differently.
        const Cell row = cell / width, column = cell % width, rows = topology.cells / width;
        std::size_t count = 0;
        bool open = false;
        for (const Cell r : {row - 1, row + 2})
            for (const Cell c : {column - 1, column + 2}) {
                if (r >= rows || c >= width) continue;  // -1 wraps round to a large number
                open |= is_open(r * width + c);
                if (is_unknown(r * width + c)) walls[count++] = r * width + c;
            }
        if (open || count >= kMostWalls) continue;
        const std::array<Cell, 2> falling{cell, across}, rising{right, below};
        add_fate(question, log2_layouts, falling, rising, {walls.data(), count});
    }
}

// Counts the layouts in which the walls are mines and the mines are in `these` but not in `those`; as many again have
// it the other way round.
void Decider::add_fate(const Question& question, double log2_layouts, std::span<const Cell> these,
                       std::span<const Cell> those, std::span<const Cell> walls) {
    // Worth counting only if it may speak for a wall that is safe enough to be opened, or make the cells themselves
    // safe or fated: then they are mines no more often than every wall is.
    double guess = 1, least_wall = 1;
    for (const Cell cell : walls) {
        guess *= odds_[cell];
        least_wall = std::min(least_wall, odds_[cell]);
    }
    const bool speaks = least_wall <= 1 - (1 - least_) * thinking_.frontier_share;
    if (guess < thinking_.faintest_fate || !(speaks || least_wall >= std::min(odds_[these[0]], odds_[those[0]])))
        return;
    const auto at_sea = [&](std::span<const Cell> cells) {
        return std::all_of(cells.begin(), cells.end(), [&](Cell cell) { return in_sea_[cell] != 0; });
    };
    if (at_sea(these) && at_sea(those) && at_sea(walls)) {
        // Cells that no number sees are nearly independent of each other: no need to count.
        const double chance = guess * std::pow(odds_[these[0]] * (1 - odds_[those[0]]), these.size());
        note_fate(chance, these, those, walls);
        return;
    }
    const auto set = [&](std::span<const Cell> cells, std::int8_t code) {
        for (const Cell cell : cells) codes_[cell] = code;
    };
    set(walls, kFlagged);
    set(these, kFlagged);
    set(those, kGone);
    Budget budget(kForever, kStates);
    const Question supposed{question.topology, {codes_.data(), question.topology.cells}, question.total};
    const Glance glance = child_.glance(supposed, budget);
    set(walls, kCovered);
    set(these, kCovered);
    set(those, kCovered);
    if (glance.status != Status::answered) return;
    note_fate(std::exp2(glance.log2_layouts - log2_layouts), these, those, walls);
}

// Fates overlap, so the chance of several is not their sum. For a cell that is part of some, the likeliest is a bound
// that holds; for a wall the sum will do, up to its odds, as it only tips a score.
void Decider::note_fate(double chance, std::span<const Cell> these, std::span<const Cell> those,
                        std::span<const Cell> walls) {
    for (const Cell cell : walls) wall_[cell] += 2 * chance;
    for (const Cell cell : these) part_[cell] = std::max(part_[cell], chance);
    for (const Cell cell : those) part_[cell] = std::max(part_[cell], chance);
}

// The cells worth a look: nearly as safe as the safest, and next to what is known or to an edge.
void Decider::choose_candidates(const Question& question) {
    const Topology& topology = question.topology;
    const auto unknown_around = [&](Cell cell) {
        const auto around = topology.around(cell);
        return std::count_if(around.begin(), around.end(), [&](Cell other) { return is_unknown(other); });
    };
    const auto near_a_number = [&](Cell cell) {
        const auto around = topology.around(cell);
        return std::any_of(around.begin(), around.end(), [&](Cell other) { return is_open(other); });
    };
    for (const Cell cell : unknown_) {
        const auto around = topology.around(cell);
        const bool frontier = near_a_number(cell);
        const double share = frontier ? thinking_.frontier_share : thinking_.sea_share;
        if (1 - odds_[cell] < (1 - least_) * share) continue;
        const bool near = frontier || unknown_around(cell) <= 3 ||
                          std::any_of(around.begin(), around.end(),
                                      [&](Cell other) { return other < topology.cells && near_a_number(other); });
        if (near && (candidates_.empty() || candidates_[0].cell != cell))
            candidates_.push_back({cell, odds_[cell], 0, std::min(wall_[cell] + part_[cell], odds_[cell])});
    }
    if (candidates_.empty())
        for (const Cell cell : unknown_)
            if (odds_[cell] <= least_ * (1 + kClose)) candidates_.push_back({cell, odds_[cell]});
    // The likeliest first: what follows is cut short by what has been found. Ties go to cells with few unknown
    // neighbours, then to the first.
    std::sort(candidates_.begin() + (reason_ == Reason::fate), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) {
                  if (std::abs(a.mine_probability - b.mine_probability) > kClose)
                      return a.mine_probability < b.mine_probability;
                  return std::tuple(unknown_around(a.cell), a.cell) < std::tuple(unknown_around(b.cell), b.cell);
              });
}

void Decider::look_ahead(const Question& question, double log2_layouts, Budget& budget, bool complete) {
    double top = 0;
    for (Candidate& candidate : candidates_) {
        if (!budget.work(std::uint64_t{question.topology.cells} * kReach)) break;
        const double free = 1 - candidate.mine_probability;
        const double gain = 1 + thinking_.shared_fate * candidate.fate / free;
        if (!complete && free * gain <= top) continue;
        candidate.score = gain * evaluate(question, log2_layouts, candidate, complete ? 0 : top / gain);
        top = std::max(top, candidate.score);
    }
    std::stable_sort(candidates_.begin() + (reason_ == Reason::fate), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score * (1 + kClose); });
}

// The score of a candidate, before its fate; 0 once it cannot beat `to_beat`, and for cells that can show but one
// number, which can wait.
double Decider::evaluate(const Question& question, double log2_layouts, Candidate& candidate, double to_beat) {
    const Cell cell = candidate.cell;
    int mines = 0, most = 0;
    for (const Cell other : question.topology.around(cell)) {
        mines += codes_[other] == kFlagged;
        most += codes_[other] == kFlagged || is_unknown(other);
    }
    candidate.first_outlook = static_cast<std::uint32_t>(outlooks_.size());
    double score = 0, rest = 1 - candidate.mine_probability;
    for (int number = mines; number <= most && rest > kClose && score + rest > to_beat; ++number) {
        codes_[cell] = static_cast<std::int8_t>(number);
        Budget budget(kForever, kStates);
        const Glance glance =
            child_.glance({question.topology, {codes_.data(), question.topology.cells}, question.total}, budget);
        if (glance.status != Status::answered) continue;
        const double chance = std::exp2(glance.log2_layouts - log2_layouts);
        rest -= chance;
        score += chance * (kBestShare * glance.best + (1 - kBestShare) * glance.second);
        if (glance.safe > 0) candidate.progress += chance;
        outlooks_.push_back({static_cast<std::int8_t>(number), chance, glance.safe, glance.best, glance.second});
    }
    codes_[cell] = kCovered;
    candidate.end_outlook = static_cast<std::uint32_t>(outlooks_.size());
    if (rest > kClose && score + rest <= to_beat) return 0;
    return candidate.end_outlook - candidate.first_outlook == 1 ? 0 : score;
}

}  // namespace mineproof
