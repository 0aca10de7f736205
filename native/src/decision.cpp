// The guess.
//
// Few layouts: optimal play by search, exact. Otherwise candidates are compared by looking one reveal ahead: for each
// number a cell may show, is there a safe cell then, are there several, and if there is none, how safe are the safest
// and the second safest? The score of a cell is
//     Σ over numbers of P(it is free and shows the number) · worth of what is known then.
// That the two safest cells of the next step are what to look at is known from David Hill's solver; the worth was
// fitted to games played on from hundreds of thousands of candidates (docs/benchmarks.md has how).
//
// Fate: two cells that no number will ever tell apart are a fifty-fifty, and are lost half of the time whenever they
// are played. For each pair (and each 2 × 2 block) that mines around it would turn into one, the chance of that is
// counted. A cell that is a mine only where it is half of a fifty-fifty costs nothing to try: it is opened at once. A
// cell that walls one in loses, where it is a mine, what is half lost anyway, and gains in score for it.
//
// Playing on: scores are wrong by 2 to 3 % of the chance to win. Where the best are that close, games are played on
// from each of them, and score and games are weighed by their errors.
//
// Cost    A count of the whole position for each number of each candidate, and for each fate; five to eleven counts, 40
//         to 100 µs, for each game played on. Tried, and what it brought: docs/benchmarks.md.

#include "mineproof/decision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "mineproof/reduce.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kStates = 1 << 20;
constexpr double kClose = 1e-9;
constexpr std::size_t kMostWalls = 3;

// What a position is worth after a reveal, where one with a single safe cell is worth 1: with more of them, after a
// zero in the opening, and with none (then by how safe the two safest cells are).
constexpr double kTwoSafe = 0.046, kThreeSafe = 0.024, kFiveSafe = 0.013, kZero = 0.063;
constexpr double kMostWorth = 1 + kTwoSafe + kThreeSafe + kFiveSafe + kZero;
constexpr double kStuck = -0.567, kSafest = 0.90, kSecond = 0.73, kLeastWorth = 0.05;
// The opening lasts until this share of the board is open.
constexpr double kOpening = 0.125;

// A difference in score is so much of the chance to win, with such an error.
constexpr double kByScore = 0.82, kScoreError = 0.03;
// Rivals are candidates whose scores are at most this share below the best. They play rounds of games, and are out when
// they are worse by so many errors.
constexpr double kRivalShare = 0.05, kOutErrors = 0.75;
constexpr std::size_t kMostRivals = 6;
constexpr std::uint32_t kRound = 16;
// A game played on counts a position once for every 11 to 35 unknown cells, here put on the safe side. Where that is so
// much work that hardly any game could be played, on huge boards, none is.
constexpr std::uint64_t kPlayWork = std::uint64_t{1} << 23, kCellsACount = 8;
// Fewer games than this tell nothing of their spread; it is not less than this; and so much of it is the rival's own.
// The rest is the layout's, which is the same for all.
constexpr double kFewGames = 4, kLeastSpread = 1e-4, kOwnSpread = 0.3;

}  // namespace

Cell Decider::decide(const Question& question, Solver& solver, double log2_layouts, std::span<const Cell> unknown,
                     std::span<const double> odds, Budget& budget, bool complete) {
    unknown_ = unknown;
    codes_.assign(question.codes.begin(), question.codes.end());
    codes_.push_back(kGone);
    if (decide_optimally(question, solver, log2_layouts, odds, budget, complete)) return candidates_[0].cell;
    least_ = 1;
    for (const Cell cell : unknown) least_ = std::min(least_, odds[cell]);
    const auto open = std::count_if(codes_.begin(), codes_.end(), [](std::int8_t code) { return code >= 0; });
    const auto all = std::count_if(codes_.begin(), codes_.end(), [](std::int8_t code) { return code != kGone; });
    opening_ = static_cast<double>(open) < kOpening * static_cast<double>(all);
    in_sea_.assign(question.geometry.cells, 0);
    for (const Cell cell : unknown) {
        const auto around = question.geometry.around(cell);
        in_sea_[cell] = std::none_of(around.begin(), around.end(), [&](Cell other) { return is_open(other); });
    }
    wall_.assign(question.geometry.cells, 0);
    part_.assign(question.geometry.cells, 0);
    reason_ = Reason::ahead;
    if (thinking_.shared_fate > 0) {
        find_fates(question, log2_layouts);
        Cell fated = question.geometry.cells;
        for (const Cell cell : unknown)
            if (part_[cell] > 0 && part_[cell] >= odds[cell] * (1 - kClose) &&
                (fated == question.geometry.cells || odds[cell] < odds[fated]))
                fated = cell;
        if (fated < question.geometry.cells) {
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
    if (thinking_.playouts > 0 && reason_ == Reason::ahead && !opening_) play_on(question, budget);
    return candidates_[0].cell;
}

bool Decider::decide_optimally(const Question& question, Solver& solver, double log2_layouts,
                               std::span<const double> odds, Budget& budget, bool complete) {
    candidates_.clear();
    outlooks_.clear();
    odds_ = odds;
    reason_ = Reason::optimal;
    if (log2_layouts > std::log2(thinking_.layouts)) return false;
    Budget search = Budget::of_states(thinking_.nodes);
    if (!ending_.solve(question, solver, static_cast<std::size_t>(2 * thinking_.layouts), complete, search))
        return false;
    budget.work(search.states_spent());
    const Endgame& endgame = ending_.endgame();
    const auto add = [&](std::size_t place, std::uint64_t won) {
        Candidate& candidate = candidates_.emplace_back();
        candidate.cell = ending_.cells()[place];
        candidate.mine_probability = odds_[candidate.cell];
        candidate.score = candidate.win_probability = static_cast<double>(won) / ending_.layouts();
    };
    add(endgame.best(), endgame.won());
    for (std::size_t place = 0; complete && place < ending_.cells().size(); ++place)
        if (place != endgame.best()) add(place, endgame.values()[place]);
    std::stable_sort(candidates_.begin() + 1, candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return true;
}

// Pairs of adjacent unknown cells, and blocks of four, that no open number tells apart, with the cells that must be
// mines for no number ever to do so.
void Decider::find_fates(const Question& question, double log2_layouts) {
    const Geometry& geometry = question.geometry;
    std::array<Cell, 2 * kReach> walls;
    for (const Cell cell : unknown_) {
        const auto around = geometry.around(cell);
        for (const Cell other : around) {
            if (other <= cell || other == geometry.cells || !is_unknown(other)) continue;
            // Both rows ascend: walk them side by side to find the cells that see one of the two.
            const auto beside = geometry.around(other);
            std::size_t count = 0;
            bool open = false;
            const auto see = [&](Cell seeing) {
                if (seeing == cell || seeing == other || seeing == geometry.cells) return;
                open |= is_open(seeing);
                if (is_unknown(seeing)) walls[count++] = seeing;
            };
            std::size_t i = 0, j = 0;
            while (i < kReach || j < kReach) {
                const Cell a = i < kReach ? around[i] : geometry.cells, b = j < kReach ? beside[j] : geometry.cells;
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
        const Cell width = geometry.columns, right = cell + 1, below = cell + width, across = below + 1;
        if (width == 0 || right % width == 0 || across >= geometry.cells) continue;
        if (!is_unknown(right) || !is_unknown(below) || !is_unknown(across)) continue;
        // In a block of four, two diagonals: only the cells off its corners see them differently.
        const Cell row = cell / width, column = cell % width, rows = geometry.cells / width;
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
    Budget budget = Budget::of_states(kStates);
    const Question supposed{question.geometry, {codes_.data(), question.geometry.cells}, question.total};
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
    const Geometry& geometry = question.geometry;
    const auto unknown_around = [&](Cell cell) {
        const auto around = geometry.around(cell);
        return std::count_if(around.begin(), around.end(), [&](Cell other) { return is_unknown(other); });
    };
    const auto near_a_number = [&](Cell cell) {
        const auto around = geometry.around(cell);
        return std::any_of(around.begin(), around.end(), [&](Cell other) { return is_open(other); });
    };
    for (const Cell cell : unknown_) {
        const auto around = geometry.around(cell);
        const bool frontier = near_a_number(cell);
        const double share = frontier ? thinking_.frontier_share : thinking_.sea_share;
        if (1 - odds_[cell] < (1 - least_) * share) continue;
        const bool near = frontier || unknown_around(cell) <= 3 ||
                          std::any_of(around.begin(), around.end(),
                                      [&](Cell other) { return other < geometry.cells && near_a_number(other); });
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
        if (!budget.work(std::uint64_t{question.geometry.cells} * kReach)) break;
        const double more = thinking_.shared_fate * candidate.fate;
        if (!complete && (1 - candidate.mine_probability) * kMostWorth + more <= top) continue;
        candidate.score = evaluate(question, log2_layouts, candidate, complete ? 0 : top - more);
        if (candidate.score > 0) candidate.score += more;
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
    for (const Cell other : question.geometry.around(cell)) {
        mines += codes_[other] == kFlagged;
        most += codes_[other] == kFlagged || is_unknown(other);
    }
    candidate.first_outlook = static_cast<std::uint32_t>(outlooks_.size());
    double score = 0, rest = 1 - candidate.mine_probability;
    for (int number = mines; number <= most && rest > kClose && score + rest * kMostWorth > to_beat; ++number) {
        codes_[cell] = static_cast<std::int8_t>(number);
        Budget budget = Budget::of_states(kStates);
        const Glance glance =
            child_.glance({question.geometry, {codes_.data(), question.geometry.cells}, question.total}, budget);
        if (glance.status != Status::answered) continue;
        const double chance = std::exp2(glance.log2_layouts - log2_layouts);
        rest -= chance;
        score += chance * worth_of(glance, number);
        if (glance.safe > 0) candidate.progress += chance;
        outlooks_.push_back({static_cast<std::int8_t>(number), chance, glance.safe, glance.best, glance.second});
    }
    codes_[cell] = kCovered;
    candidate.end_outlook = static_cast<std::uint32_t>(outlooks_.size());
    if (rest > kClose && score + rest * kMostWorth <= to_beat) return 0;
    return candidate.end_outlook - candidate.first_outlook == 1 ? 0 : score;
}

double Decider::worth_of(const Glance& glance, int number) const {
    if (glance.safe == 0) return std::max(kStuck + kSafest * glance.best + kSecond * glance.second, kLeastWorth);
    return 1 + (glance.safe >= 2) * kTwoSafe + (glance.safe >= 3) * kThreeSafe + (glance.safe >= 5) * kFiveSafe +
           (opening_ && number == 0) * kZero;
}

// Plays on from the candidates whose scores are close to the best, and puts the one first that turns out best.
void Decider::play_on(const Question& question, Budget& budget) {
    rivals_.clear();
    const double top = candidates_[0].score;
    for (std::size_t place = 0; place < candidates_.size() && rivals_.size() < kMostRivals; ++place) {
        const double score = candidates_[place].score;
        if (score < top * (1 - kRivalShare)) break;
        // Cells of equal score are mostly mirror images of each other.
        if (!rivals_.empty() && score > candidates_[rivals_.back().place].score * (1 - kClose)) continue;
        rivals_.push_back(
            {place, candidates_[place].cell, 1 - candidates_[place].mine_probability, 1 + kByScore * (score - top)});
    }
    if (rivals_.size() < 2) return;
    const std::uint64_t work = question.geometry.cells * (unknown_.size() / kCellsACount + 1);
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(thinking_.playouts, kPlayWork / work));
    if (most < thinking_.playouts / 4 || !playout_.begin(question, most, budget)) return;
    std::uint32_t number = 0, games = 0;
    while (rivals_.size() > 1 && games < most && number + kRound <= most) {
        for (const std::uint32_t end = number + kRound; number < end; ++number)
            for (Rival& rival : rivals_) {
                if (!playout_.is_free(number, rival.cell)) continue;
                const double won = playout_.play(number, rival.cell, budget);
                if (budget.limit() != Limit::none) return;
                rival.sum += won;
                rival.squares += won * won;
                ++rival.games;
                ++games;
            }
        judge_rivals();
        const double best = rivals_[0].worth;
        std::erase_if(rivals_, [&](const Rival& rival) { return rival.worth + kOutErrors * rival.error < best; });
    }
    const auto best = candidates_.begin() + static_cast<std::ptrdiff_t>(rivals_[0].place);
    std::rotate(candidates_.begin(), best, best + 1);
}

// Weighs what rivals are worth by their scores against the games played on from them, each by its error; the best
// first.
void Decider::judge_rivals() {
    double scale = 0, games = 0;  // the chance to win that a worth of 1 stands for
    for (const Rival& rival : rivals_) {
        scale += rival.free * rival.sum / rival.prior;
        games += rival.games;
    }
    scale /= games;
    for (Rival& rival : rivals_) {
        rival.worth = rival.prior;
        rival.error = kScoreError;
        if (rival.games < kFewGames || scale <= 0) continue;
        const double mean = rival.sum / rival.games, spread = rival.squares / rival.games - mean * mean;
        const double share = rival.free / scale;
        const double variance = kOwnSpread * share * share * std::max(spread, kLeastSpread) / rival.games;
        const double trust = variance / (variance + kScoreError * kScoreError);  // in the score
        rival.worth = trust * rival.prior + (1 - trust) * share * mean;
        rival.error = std::sqrt(trust) * kScoreError;
    }
    std::stable_sort(rivals_.begin(), rivals_.end(), [](const Rival& a, const Rival& b) { return a.worth > b.worth; });
}

}  // namespace mineproof
