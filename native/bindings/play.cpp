// Everything that plays: layouts, games, the choice of a guess, optimal play.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "mineproof/advice.hpp"
#include "mineproof/field.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/lent_strategy.hpp"
#include "mineproof/no_guess.hpp"
#include "mineproof/optimal_play.hpp"

namespace mineproof::bindings {
namespace {

using namespace nb::literals;

// Layouts -----------------------------------------------------------------------------------------------------------

// Mines, ascending.
std::vector<Cell> deal(const Geometry& geometry, const nb::bytes& allowed, std::uint32_t mines, std::uint64_t seed,
                       std::uint64_t number) {
    const auto mask = mask_of(allowed, geometry);
    require_room(mask, mines);
    nb::gil_scoped_release released;
    thread_local Field field;
    Random random(seed, number);
    field.deal(geometry, mask, mines, random);
    std::vector<Cell> found;
    field.list_mines(found);
    return found;
}

// A layout that needs no guess, if one was made, and what it took.
struct Unguessed {
    bool made;
    std::vector<Cell> mines;
    NoGuessEffort effort;
    Limit limit;
    double seconds;
    std::uint64_t states;
};

Unguessed no_guess(const Setup& setup, bool repair, std::uint64_t seed, std::uint64_t number, const Limits& limits) {
    if (!setup.start.has_value() || setup.may_be_mined[*setup.start] != 0)
        throw nb::value_error("a mine may lie under the start");
    const NoGuessWish wish{setup.match.geometry, setup.match.codes, setup.may_be_mined,
                           setup.match.mines,    *setup.start,      repair};
    Run call(limits);
    Unguessed found{};
    found.made = call.search([&](Budget& budget) {
        thread_local NoGuess generator;
        const bool made = generator.make(wish, seed, number, budget, found.effort);
        if (made) found.mines.assign(generator.mines().begin(), generator.mines().end());
        return made;
    });
    found.limit = call.budget().limit();
    found.seconds = call.budget().seconds_spent();
    found.states = call.budget().states_spent();
    return found;
}

// Strategies --------------------------------------------------------------------------------------------------------

nb::tuple all_strategies() {
    nb::list all;
    for (const StrategyInfo& info : strategies())
        all.append(answer("Strategy", "name"_a = info.name, "decides"_a = info.decides, "weighs"_a = info.weighs,
                          "looks_ahead"_a = info.looks_ahead, "layouts"_a = info.layouts));
    return nb::tuple(all);
}

struct Played {
    Tally tally;
    std::vector<std::uint8_t> won;
    GameRecords records;  // empty unless they were requested
};

Played simulate(const Setup& setup, std::string_view strategy, std::uint64_t seed, std::uint64_t first,
                std::uint64_t count, bool records, const Limits& limits) {
    const Series series = setup.series(seed);
    const StrategyInfo& info = strategy_of(strategy);
    Run call(limits);
    Played played = call.search([&](Budget& budget) {
        Played games;
        GamePlayer player;
        player.play_games(series, first, count, *LentStrategy(info, series.match.geometry.cells), budget, games.tally,
                          games.won, records ? &games.records : nullptr);
        return games;
    });
    if (played.tally.mistakes > 0)
        throw std::runtime_error("a strategy called a mine certainly safe: a defect of mineproof");
    return played;
}

// Games won by first cell; see GamePlayer::play_on.
SearchResult play_on(const Asked& asked, const std::vector<Cell>& starts, std::string_view strategy, std::uint64_t seed,
                     std::uint64_t count, const Limits& limits) {
    const Question& question = asked.with_total();
    if (std::ranges::count(question.codes, kFlagged) > 0) throw nb::value_error("games are played on without flags");
    for (const Cell cell : starts)
        if (cell >= question.geometry.cells || question.codes[cell] != kCovered)
            throw nb::value_error("not a covered cell");
    const StrategyInfo& info = strategy_of(strategy);
    std::vector<std::uint64_t> wins(starts.size());
    Run call(limits);
    const std::uint64_t layouts = call.search([&](Budget& budget) {
        Solver solver;
        GamePlayer player;
        return player.play_on(question, starts, *LentStrategy(info, question.geometry.cells), solver, seed, count,
                              budget, wins);
    });
    return {answer("PlayedOn", "wins"_a = wins, "layouts"_a = layouts), call.budget().limit(), {}};
}

// A cell, or None if the budget ran out; see choose_in_game.
SearchResult choose(const Asked& asked, std::string_view strategy, std::uint64_t seed, std::uint64_t number,
                    const Limits& limits) {
    const Question& question = asked.with_total();
    if (std::ranges::count(question.codes, kFlagged) > 0) throw nb::value_error("games are played without flags");
    if (std::ranges::count(question.codes, kCovered) <= question.total) throw nb::value_error("no safe cell is left");
    const StrategyInfo& info = strategy_of(strategy);
    Run call(limits);
    const Choice choice = call.search([&](Budget& budget) {
        return choose_in_game(question, *LentStrategy(info, question.geometry.cells), {seed, number}, budget);
    });
    return {call.budget().stopped() ? nb::none() : nb::cast(choice.cell), call.budget().limit(), {}};
}

// The answers of Python ---------------------------------------------------------------------------------------------

template <class Value>
nb::object or_none(const std::optional<Value>& value) {
    return value.has_value() ? nb::cast(*value) : nb::none();
}

nb::object answer_of(const WeighedCandidate& candidate);

nb::object answer_of(const Outlook& seen) {
    return answer("Outlook", "number"_a = static_cast<int>(seen.number), "chance"_a = seen.chance, "safe"_a = seen.safe,
                  "safety"_a = seen.safety);
}

template <class Values>
nb::tuple answers_of(const Values& values) {
    nb::list all;
    for (const auto& value : values) all.append(answer_of(value));
    return nb::tuple(all);
}

nb::object answer_of(const WeighedCandidate& candidate) {
    const double chance = candidate.win_probability;
    return answer("Candidate", "cell"_a = candidate.cell, "mine_probability"_a = candidate.mine_probability,
                  "score"_a = candidate.score, "fate"_a = candidate.fate, "progress"_a = candidate.progress,
                  "win_probability"_a = std::isnan(chance) ? nb::none() : nb::cast(chance),
                  "outlook"_a = answers_of(candidate.outlooks));
}

// Of a Decision, or of the Thought that improved one.
template <class Weighed>
nb::object decision_of(const Weighed& weighed) {
    return answer("Decision", "best"_a = or_none(weighed.best), "reason"_a = nb::cast(weighed.reason).attr("name"),
                  "candidates"_a = answers_of(weighed.candidates), "complete"_a = weighed.is_complete);
}

nb::object answer_of(const Estimate& estimate) {
    return answer("CellEstimate", "cell"_a = estimate.cell, "win_probability"_a = estimate.win_probability,
                  "standard_error"_a = estimate.standard_error, "layouts"_a = estimate.layouts,
                  "played_by"_a = estimate.strong ? "strong" : "fast", "dropped"_a = estimate.dropped);
}

// The estimates of cells that any game was played from.
nb::tuple estimates_of(std::span<const Estimate> estimates) {
    nb::list all;
    for (const Estimate& estimate : estimates)
        if (estimate.layouts > 0) all.append(answer_of(estimate));
    return nb::tuple(all);
}

// Guesses -----------------------------------------------------------------------------------------------------------

SearchResult optimal(const Asked& asked, bool every, std::uint64_t most, const Limits& limits) {
    const Question& question = asked.with_total();
    Run call(limits);
    const Optimum optimum = call.search([&](Budget& budget) { return find_optimum(question, every, most, budget); });
    nb::dict values;
    if (every)
        for (std::size_t place = 0; place < optimum.cells.size(); ++place)
            values[nb::cast(optimum.cells[place])] = optimum.values[place];
    return {answer("Optimum", "won"_a = optimum.won, "layouts"_a = optimum.layouts, "best"_a = or_none(optimum.best),
                   "values"_a = values, "nodes"_a = optimum.nodes),
            call.budget().limit(), call.trouble(optimum.answer)};
}

// In a position with certain safe cells there is nothing to choose, and no candidate.
SearchResult decide_guess(const Asked& asked, std::string_view strategy, const Limits& limits) {
    const Question& question = asked.with_total();
    const StrategyInfo& info = strategy_of(strategy);
    if (!info.looks_ahead) throw nb::value_error("this strategy weighs no candidates");
    Run call(limits);
    const Decision decision = call.search([&](Budget& budget) { return decide(question, *info.options, budget); });
    return {decision_of(decision), call.budget().limit(), call.trouble(decision.answer, true)};
}

// Thinks as long as the limits allow, by at most so many layouts of the better games. `report` is a callable or None;
// what it raises ends the thinking, and is raised.
SearchResult think_over(const Asked& asked, std::uint32_t layouts, std::size_t threads, const Limits& limits,
                        const nb::object& report) {
    const Question& question = asked.with_total();
    if (threads == 0) throw nb::value_error("threads must be positive");
    ThinkingOptions options = kLongThought;
    options.strong = std::min(options.strong, layouts);
    struct Ended {};
    bool raised = false;
    const auto tell = [&](std::span<const Estimate> estimates) {
        nb::gil_scoped_acquire held;
        const nb::tuple told = estimates_of(estimates);
        // Not PyObject_CallOneArg: the limited API, which wheels from 3.12 on are built against, lacks it.
        if (PyObject* result = PyObject_CallFunctionObjArgs(report.ptr(), told.ptr(), nullptr)) {
            Py_DECREF(result);
            return;
        }
        raised = true;
        throw Ended{};
    };
    Run call(limits);
    const Thought thought = call.search([&](Budget& budget) {
        try {
            return report.is_none() ? think(question, options, threads, budget)
                                    : think(question, options, threads, budget, tell);
        } catch (const Ended&) {
            return Thought{};
        }
    });
    if (raised) throw nb::python_error();
    const auto rivals = std::ranges::count_if(
        thought.estimates, [](const Estimate& estimate) { return estimate.layouts > 0 && !estimate.dropped; });
    const Limit limit = call.budget().limit();
    return {answer("ThinkResult", "decision"_a = decision_of(thought), "estimates"_a = estimates_of(thought.estimates),
                   "clear"_a = limit == Limit::none && rivals < 2),
            limit, call.trouble(thought.answer, true)};
}

// A tuple of candidates, or None if the position is too large to look ahead.
SearchResult look_ahead_from(const Asked& asked, const std::vector<Cell>& cells, const Limits& limits) {
    const Question& question = asked.with_total();
    Run call(limits);
    const LookAhead look = call.search([&](Budget& budget) { return look_ahead(question, cells, budget); });
    if (look.refused.has_value()) throw nb::value_error("not an undecided cell");
    const bool is_precise = look.answer.status == Status::answered;
    return {is_precise ? nb::object(answers_of(look.candidates)) : nb::none(), call.budget().limit(),
            call.trouble(look.answer, true)};
}

void bind_games(nb::module_& module) {
    nb::class_<Setup>(module, "Setup")
        .def(nb::init<nb::handle_t<Geometry>, nb::bytes, nb::bytes, std::uint32_t, std::optional<Cell>>(),
             nb::arg("geometry"), nb::arg("codes"), nb::arg("allowed"), nb::arg("mines"), nb::arg("start").none());
    nb::class_<Unguessed>(module, "NoGuess")
        .def_ro("made", &Unguessed::made)
        .def_ro("mines", &Unguessed::mines)
        .def_prop_ro("deals", [](const Unguessed& self) { return self.effort.deals; })
        .def_prop_ro("repairs", [](const Unguessed& self) { return self.effort.repairs; })
        .def_prop_ro("most_open", [](const Unguessed& self) { return self.effort.most_open; })
        .def_prop_ro("safe_cells", [](const Unguessed& self) { return self.effort.safe_cells; })
        .def_ro("limit", &Unguessed::limit)
        .def_ro("seconds", &Unguessed::seconds)
        .def_ro("states", &Unguessed::states);
    nb::class_<Played>(module, "Games")
        .def_prop_ro("sums",
                     [](const Played& self) {
                         const Tally& tally = self.tally;
                         return answer("GameSums", "games"_a = tally.games, "wins"_a = tally.wins,
                                       "moves"_a = tally.moves, "guesses"_a = tally.guesses,
                                       "all_guesses"_a = tally.all_guesses, "log_survived"_a = tally.log_survived,
                                       "fallbacks"_a = tally.fallbacks);
                     })
        .def_prop_ro("won", [](const Played& self) { return bytes_of(self.won); })
        .def_prop_ro("records", [](const Played& self) { return bytes_of(self.records.games); })
        .def_prop_ro("calibration", [](const Played& self) { return bytes_of(self.records.calibration.table); });
}

void bind_guesses(nb::module_& module) {
    nb::enum_<Reason>(module, "Reason")
        .value("optimal", Reason::optimal)
        .value("fate", Reason::fate)
        .value("ahead", Reason::ahead)
        .value("only", Reason::only);
    nb::class_<SearchResult>(module, "SearchResult")
        .def_ro("answer", &SearchResult::answer)
        .def_ro("limit", &SearchResult::limit)
        .def_ro("trouble", &SearchResult::trouble);
}

}  // namespace

void bind_play(nb::module_& module) {
    bind_games(module);
    bind_guesses(module);
    module.def("strategies", &all_strategies);
    module.def("deal", &deal, nb::arg("geometry"), nb::arg("allowed"), nb::arg("mines"), nb::arg("seed"),
               nb::arg("number"));
    module.def("no_guess", &no_guess, nb::arg("setup"), nb::arg("repair"), nb::arg("seed"), nb::arg("number"),
               nb::arg("limits"));
    module.def("simulate", &simulate, nb::arg("setup"), nb::arg("strategy"), nb::arg("seed"), nb::arg("first"),
               nb::arg("count"), nb::arg("records"), nb::arg("limits"));
    module.def("play_on", &play_on, nb::arg("question"), nb::arg("starts"), nb::arg("strategy"), nb::arg("seed"),
               nb::arg("count"), nb::arg("limits"));
    module.def("choose", &choose, nb::arg("question"), nb::arg("strategy"), nb::arg("seed"), nb::arg("number"),
               nb::arg("limits"));
    module.def("optimal", &optimal, nb::arg("question"), nb::arg("every"), nb::arg("most"), nb::arg("limits"));
    module.def("decide", &decide_guess, nb::arg("question"), nb::arg("strategy"), nb::arg("limits"));
    module.def("think", &think_over, nb::arg("question"), nb::arg("layouts"), nb::arg("threads"), nb::arg("limits"),
               nb::arg("report").none());
    module.def("look_ahead", &look_ahead_from, nb::arg("question"), nb::arg("cells"), nb::arg("limits"));
}

}  // namespace mineproof::bindings
