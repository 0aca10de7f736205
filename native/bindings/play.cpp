// Everything that plays: layouts, games, the choice of a guess, optimal play.

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "common.hpp"
#include "mineproof/decision.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/field.hpp"
#include "mineproof/no_guess.hpp"
#include "mineproof/simulate.hpp"

namespace mineproof::bindings {
namespace {

// Of the budget's measure of work: a look at the clock after every few games.
constexpr std::uint64_t kWorkOfAGame = 1 << 12;

// Mines, ascending.
std::vector<Cell> deal(const Geometry& geometry, const nb::bytes& allowed, std::uint32_t mines, std::uint64_t seed,
                       std::uint64_t number) {
    const auto mask = mask_of(allowed, geometry);
    require_room(mask, mines);
    std::vector<Cell> found;
    nb::gil_scoped_release released;
    thread_local Field field;
    Random random(seed, number);
    field.deal(geometry, mask, mines, random);
    for (Cell cell = 0; cell < geometry.cells; ++cell)
        if (field.mined(cell)) found.push_back(cell);
    return found;
}

nb::tuple no_guess(const Geometry& geometry, const nb::bytes& codes, const nb::bytes& allowed, std::uint32_t mines,
                   Cell start, bool repair, std::uint64_t seed, std::uint64_t number, double seconds,
                   std::uint64_t states, nb::object cancelled) {
    const NoGuessWish wish{geometry, codes_of(codes, geometry), mask_of(allowed, geometry), mines, start, repair};
    require_room(wish.allowed, mines);
    if (start >= geometry.cells || wish.allowed[start] != 0 || wish.codes[start] != kCovered)
        throw nb::value_error("a mine may lie under the start");
    Limits limits(seconds, states, cancelled);
    NoGuessEffort effort;
    std::vector<Cell> found;
    bool made = false;
    {
        nb::gil_scoped_release released;
        thread_local NoGuess generator;
        made = generator.make(wish, seed, number, limits.budget, effort);
        if (made) found.assign(generator.mines().begin(), generator.mines().end());
    }
    if (limits.patience.raised) throw nb::python_error();
    return nb::make_tuple(made, found,
                          nb::make_tuple(effort.deals, effort.repairs, effort.most_open, effort.safe_cells),
                          nb::make_tuple(static_cast<int>(limits.budget.limit()), limits.budget.seconds_spent(),
                                         limits.budget.states_spent()));
}

StrategyName strategy_of(int number) {
    if (number < 0 || number >= kStrategies) throw nb::value_error("no such strategy");
    return static_cast<StrategyName>(number);
}

// (games, wins, moves, guesses, all_guesses, log_survived, fallbacks), see Tally; then a byte for each game, 1 for a
// win.
nb::tuple simulate(const Geometry& geometry, const nb::bytes& codes, const nb::bytes& allowed, std::uint32_t mines,
                   Cell first, int strategy, std::uint64_t seed, std::uint64_t first_game, std::uint64_t games,
                   double seconds, nb::object cancelled) {
    const Series series{{geometry, codes_of(codes, geometry), mines}, mask_of(allowed, geometry), first, seed};
    require_room(series.allowed, mines);
    if (first != Series::kAnywhere && (first >= geometry.cells || series.match.codes[first] != kCovered))
        throw nb::value_error("no such first cell");
    Limits limits(seconds, std::numeric_limits<std::uint64_t>::max(), cancelled);
    Tally tally;
    std::vector<std::uint8_t> won;
    {
        nb::gil_scoped_release released;
        const auto player = make_strategy(strategy_of(strategy));
        Simulation simulation;
        for (std::uint64_t game = first_game; game < first_game + games; ++game) {
            won.push_back(simulation.play(series, game, *player, tally));
            if (!limits.budget.work(kWorkOfAGame)) break;
        }
    }
    if (limits.patience.raised) throw nb::python_error();
    if (tally.mistakes > 0) throw std::runtime_error("a strategy called a mine certainly safe: a defect of mineproof");
    return nb::make_tuple(nb::make_tuple(tally.games, tally.wins, tally.moves, tally.guesses, tally.all_guesses,
                                         tally.log_survived, tally.fallbacks),
                          bytes_of(won));
}

constexpr int kNoCell = -1;

// Optimal play of a position whose layouts are listed one by one.
struct Optimum {
    Answer answer;
    std::uint64_t won = 0, layouts = 0, nodes = 0;
    int best = kNoCell;
    std::vector<Cell> cells;            // those that are not certainly mines
    std::vector<std::uint64_t> values;  // layouts won if it is opened first, where every cell was asked for
};

Optimum find_optimum(const Question& question, bool every, std::size_t most, Budget& budget) {
    Optimum found;
    Solver solver;
    std::vector<Verdict> verdicts(question.geometry.cells);
    std::vector<double> odds(question.geometry.cells);
    found.answer = solver.analyze(question, budget, verdicts, odds);
    if (found.answer.status != Status::answered) return found;
    Listing listing;
    const bool few = found.answer.log2_layouts <= std::log2(static_cast<double>(most)) + 1e-6;
    if (!few || !solver.list(question, most, listing)) {
        budget.give_up(Limit::states);
        found.answer.status = Status::over_budget;
        return found;
    }
    std::vector<Cell> mines, safe;
    for (Cell cell = 0; cell < question.geometry.cells; ++cell) {
        if (question.codes[cell] == kFlagged || verdicts[cell] == Verdict::mine) mines.push_back(cell);
        if (verdicts[cell] == Verdict::safe) safe.push_back(cell);
    }
    // Undecided cells of the listing, then those that are safe in every layout: what they show may tell layouts apart.
    std::vector<std::uint8_t> undecided(question.geometry.cells, 0);
    for (const Cell cell : listing.cells) undecided[cell] = verdicts[cell] == Verdict::undecided;
    found.layouts = std::max<std::size_t>(listing.layouts(), 1);
    std::vector<std::uint8_t> rows;
    for (const Cell cell : listing.cells)
        if (undecided[cell]) found.cells.push_back(cell);
    const std::size_t first_safe = found.cells.size();
    found.cells.insert(found.cells.end(), safe.begin(), safe.end());
    for (std::size_t row = 0; row < found.layouts; ++row) {
        for (std::size_t i = 0; i < listing.cells.size(); ++i)
            if (undecided[listing.cells[i]]) rows.push_back(listing.mines[row * listing.cells.size() + i]);
        rows.insert(rows.end(), found.cells.size() - first_safe, 0);
    }
    if (found.cells.empty()) {  // nothing is left to open
        found.won = 1;
        return found;
    }
    Views views;
    view_layouts(question.geometry, found.cells, mines, rows, views);
    Endgame endgame;
    const bool solved = every ? endgame.solve_every_cell(views, budget) : endgame.solve(views, budget);
    if (!solved) {
        found.answer.status = Status::over_budget;
        return found;
    }
    found.won = endgame.won();
    found.nodes = endgame.nodes();
    found.best = endgame.best() == Endgame::kNoCell ? kNoCell : static_cast<int>(found.cells[endgame.best()]);
    if (every) found.values.assign(endgame.values().begin(), endgame.values().end());
    return found;
}

nb::tuple optimal(const Geometry& geometry, const nb::bytes& codes, std::int64_t total, bool every, std::uint64_t most,
                  double seconds, std::uint64_t states, nb::object cancelled) {
    const Question question{geometry, codes_of(codes, geometry), total, 0};
    Limits limits(seconds, states, cancelled);
    Optimum found;
    {
        nb::gil_scoped_release released;
        found = find_optimum(question, every, most, limits.budget);
    }
    if (limits.patience.raised) throw nb::python_error();
    return nb::make_tuple(static_cast<int>(found.answer.status), found.won, found.layouts, found.best, found.cells,
                          found.values, found.nodes, trouble_of(found.answer, limits.budget));
}

// The choice of a guess, with what every candidate was weighed by. In a position with certain safe cells there is
// nothing to choose, and no candidate.
nb::tuple decide(const Geometry& geometry, const nb::bytes& codes, std::int64_t total, int strategy, double seconds,
                 std::uint64_t states, nb::object cancelled) {
    Question question{geometry, codes_of(codes, geometry), total, 0};
    if (strategy_of(strategy) != StrategyName::strong && strategy_of(strategy) != StrategyName::best)
        throw nb::value_error("this strategy weighs no candidates");
    Limits limits(seconds, states, cancelled);
    Decider decider(strategy_of(strategy) == StrategyName::strong ? kStrong : kBest);
    Answer answer;
    int best = kNoCell;
    {
        nb::gil_scoped_release released;
        Solver solver;
        std::vector<Verdict> verdicts(geometry.cells);
        std::vector<double> odds(geometry.cells);
        answer = solver.analyze(question, limits.budget, verdicts, odds);
        std::vector<std::int8_t> proved(question.codes.begin(), question.codes.end());
        std::vector<Cell> unknown;
        bool safe = false;
        for (Cell cell = 0; answer.status == Status::answered && cell < geometry.cells; ++cell) {
            safe |= verdicts[cell] == Verdict::safe;
            if (verdicts[cell] == Verdict::undecided) unknown.push_back(cell);
            if (verdicts[cell] == Verdict::mine) proved[cell] = kFlagged;
        }
        if (!safe && !unknown.empty()) {
            question.codes = proved;
            best = static_cast<int>(
                decider.decide(question, solver, answer.log2_layouts, unknown, odds, limits.budget, true));
            if (limits.budget.limit() != Limit::none) answer.status = Status::over_budget;
        }
    }
    if (limits.patience.raised) throw nb::python_error();
    nb::list candidates;
    for (const Candidate& each : best == kNoCell ? std::span<const Candidate>{} : decider.candidates()) {
        nb::list outlooks;
        for (std::uint32_t i = each.first_outlook; i < each.end_outlook; ++i) {
            const Outlook& outlook = decider.outlooks()[i];
            outlooks.append(nb::make_tuple(static_cast<int>(outlook.number), outlook.probability, outlook.safe,
                                           outlook.best, outlook.second));
        }
        candidates.append(nb::make_tuple(each.cell, each.mine_probability, each.score, each.fate, each.progress,
                                         each.win_probability, outlooks));
    }
    return nb::make_tuple(static_cast<int>(answer.status), best, static_cast<int>(decider.reason()), candidates,
                          trouble_of(answer, limits.budget));
}

// Wins by first cell, of `count` layouts played on by a strategy; see Simulation::play_on.
nb::tuple play_on(const Geometry& geometry, const nb::bytes& codes, std::int64_t total, const std::vector<Cell>& firsts,
                  int strategy, std::uint64_t seed, std::uint64_t count, double seconds, std::uint64_t states,
                  nb::object cancelled) {
    const Question question{geometry, codes_of(codes, geometry), total, 0};
    for (const Cell cell : firsts)
        if (cell >= geometry.cells || question.codes[cell] != kCovered) throw nb::value_error("not a covered cell");
    Limits limits(seconds, states, cancelled);
    std::vector<std::uint64_t> wins(firsts.size());
    bool done = false;
    {
        nb::gil_scoped_release released;
        const auto player = make_strategy(strategy_of(strategy));
        Solver solver;
        Simulation simulation;
        done = simulation.play_on(question, firsts, *player, solver, seed, count, limits.budget, wins);
    }
    if (limits.patience.raised) throw nb::python_error();
    return nb::make_tuple(done, wins);
}

}  // namespace

void bind_play(nb::module_& module) {
    module.def("deal", &deal, nb::arg("geometry"), nb::arg("allowed"), nb::arg("mines"), nb::arg("seed"),
               nb::arg("number"));
    module.def("no_guess", &no_guess,
               nb::sig("def no_guess(geometry: Geometry, codes: bytes, allowed: bytes, mines: int, start: int, "
                       "repair: bool, seed: int, number: int, " LIMITS ")"
                       " -> tuple[bool, list[int], tuple[int, int, int, int], tuple[int, float, int]]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("allowed"), nb::arg("mines"), nb::arg("start"),
               nb::arg("repair"), nb::arg("seed"), nb::arg("number"), nb::arg("seconds"), nb::arg("states"),
               nb::arg("cancelled").none());
    module.def("simulate", &simulate,
               nb::sig("def simulate(geometry: Geometry, codes: bytes, allowed: bytes, mines: int, first: int, "
                       "strategy: int, seed: int, first_game: int, games: int, seconds: float, "
                       "cancelled: collections.abc.Callable[[], bool] | None)"
                       " -> tuple[tuple[int, int, int, int, int, float, int], bytes]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("allowed"), nb::arg("mines"), nb::arg("first"),
               nb::arg("strategy"), nb::arg("seed"), nb::arg("first_game"), nb::arg("games"), nb::arg("seconds"),
               nb::arg("cancelled").none());
    module.def("optimal", &optimal,
               nb::sig("def optimal(geometry: Geometry, codes: bytes, total: int, every: bool, most: int, " LIMITS ")"
                       " -> tuple[int, int, int, int, list[int], list[int], int, " TROUBLE "]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("every"), nb::arg("most"),
               nb::arg("seconds"), nb::arg("states"), nb::arg("cancelled").none());
    module.def("decide", &decide,
               nb::sig("def decide(geometry: Geometry, codes: bytes, total: int, strategy: int, " LIMITS ")"
                       " -> tuple[int, int, int, list[tuple[int, float, float, float, float, float, "
                       "list[tuple[int, float, int, float, float]]]], " TROUBLE "]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("strategy"), nb::arg("seconds"),
               nb::arg("states"), nb::arg("cancelled").none());
    module.def("play_on", &play_on,
               nb::sig("def play_on(geometry: Geometry, codes: bytes, total: int, "
                       "firsts: collections.abc.Sequence[int], strategy: int, seed: int, count: int, " LIMITS ")"
                       " -> tuple[bool, list[int]]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("firsts"), nb::arg("strategy"),
               nb::arg("seed"), nb::arg("count"), nb::arg("seconds"), nb::arg("states"), nb::arg("cancelled").none());
}

}  // namespace mineproof::bindings
