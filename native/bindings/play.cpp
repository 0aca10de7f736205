// Everything that plays: layouts, games, the choice of a guess, optimal play.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
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

std::vector<StrategyInfo> all_strategies() { return {strategies().begin(), strategies().end()}; }

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

// Wins by first cell, of so many layouts played on by a strategy.
struct PlayedOn {
    std::vector<std::uint64_t> wins;
    std::uint64_t layouts;
    Limit limit;  // what ended it before the last layout, if anything
};

// See GamePlayer::play_on.
PlayedOn play_on(const Asked& asked, const std::vector<Cell>& starts, std::string_view strategy, std::uint64_t seed,
                 std::uint64_t count, const Limits& limits) {
    const Question& question = asked.with_total();
    if (std::ranges::count(question.codes, kFlagged) > 0) throw nb::value_error("games are played on without flags");
    for (const Cell cell : starts)
        if (cell >= question.geometry.cells || question.codes[cell] != kCovered)
            throw nb::value_error("not a covered cell");
    const StrategyInfo& info = strategy_of(strategy);
    PlayedOn played{std::vector<std::uint64_t>(starts.size()), 0, Limit::none};
    Run call(limits);
    played.layouts = call.search([&](Budget& budget) {
        Solver solver;
        GamePlayer player;
        return player.play_on(question, starts, *LentStrategy(info, question.geometry.cells), solver, seed, count,
                              budget, played.wins);
    });
    played.limit = call.budget().limit();
    return played;
}

struct Chosen {
    std::optional<Cell> cell;  // none if the budget ran out
    Limit limit;
};

// See choose_in_game.
Chosen choose(const Asked& asked, std::string_view strategy, std::uint64_t seed, std::uint64_t number,
              const Limits& limits) {
    const Question& question = asked.with_total();
    if (std::ranges::count(question.codes, kFlagged) > 0) throw nb::value_error("games are played without flags");
    if (std::ranges::count(question.codes, kCovered) <= question.total) throw nb::value_error("no safe cell is left");
    const StrategyInfo& info = strategy_of(strategy);
    Run call(limits);
    const Choice choice = call.search([&](Budget& budget) {
        return choose_in_game(question, *LentStrategy(info, question.geometry.cells), {seed, number}, budget);
    });
    Chosen chosen{{}, call.budget().limit()};
    if (!call.budget().stopped()) chosen.cell = choice.cell;
    return chosen;
}

// Guesses -----------------------------------------------------------------------------------------------------------

struct Solved {
    Optimum optimum;
    std::optional<Trouble> trouble;
};

Solved optimal(const Asked& asked, bool every, std::uint64_t most, const Limits& limits) {
    const Question& question = asked.with_total();
    Run call(limits);
    Solved found{call.search([&](Budget& budget) { return find_optimum(question, every, most, budget); }), {}};
    found.trouble = call.trouble(found.optimum.answer);
    return found;
}

struct Decided {
    Decision decision;
    Limit limit;  // what ended it, if anything but itself
    std::optional<Trouble> trouble;
};

// In a position with certain safe cells there is nothing to choose, and no candidate.
Decided decide_guess(const Asked& asked, std::string_view strategy, const Limits& limits) {
    const Question& question = asked.with_total();
    const StrategyInfo& info = strategy_of(strategy);
    if (!info.looks_ahead) throw nb::value_error("this strategy weighs no candidates");
    Run call(limits);
    Decided found{call.search([&](Budget& budget) { return decide(question, *info.options, budget); }), {}, {}};
    found.limit = call.budget().limit();
    found.trouble = call.trouble(found.decision.answer, true);
    return found;
}

struct Thinking {
    Thought thought;
    Limit limit;  // what ended it, if anything but itself
    std::optional<Trouble> trouble;
};

// Thinks as long as the limits allow, by at most so many layouts of the better games. `report` is a callable or None;
// what it raises ends the thinking, and is raised.
Thinking think_over(const Asked& asked, std::uint32_t layouts, std::size_t threads, const Limits& limits,
                    const nb::object& report) {
    const Question& question = asked.with_total();
    if (threads == 0) throw nb::value_error("threads must be positive");
    ThinkingOptions options = kLongThought;
    options.strong = std::min(options.strong, layouts);
    struct Ended {};
    bool raised = false;
    const auto tell = [&](std::span<const Estimate> estimates) {
        nb::gil_scoped_acquire held;
        nb::list told;
        for (const Estimate& each : estimates) told.append(each);
        // Not PyObject_CallOneArg: the limited API, which wheels from 3.12 on are built against, lacks it.
        if (PyObject* answer = PyObject_CallFunctionObjArgs(report.ptr(), told.ptr(), nullptr)) {
            Py_DECREF(answer);
            return;
        }
        raised = true;
        throw Ended{};
    };
    Run call(limits);
    Thinking found = call.search([&](Budget& budget) {
        Thinking thinking{};
        try {
            thinking.thought = report.is_none() ? think(question, options, threads, budget)
                                                : think(question, options, threads, budget, tell);
        } catch (const Ended&) {
        }
        return thinking;
    });
    if (raised) throw nb::python_error();
    found.limit = call.budget().limit();
    found.trouble = call.trouble(found.thought.answer, true);
    return found;
}

struct LookedAhead {
    LookAhead look;
    Limit limit;  // what ended it, if anything but itself
    std::optional<Trouble> trouble;
};

LookedAhead look_ahead_from(const Asked& asked, const std::vector<Cell>& cells, const Limits& limits) {
    const Question& question = asked.with_total();
    Run call(limits);
    LookedAhead found{call.search([&](Budget& budget) { return look_ahead(question, cells, budget); }), {}, {}};
    if (found.look.refused.has_value()) throw nb::value_error("not an undecided cell");
    found.limit = call.budget().limit();
    found.trouble = call.trouble(found.look.answer, true);
    return found;
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
    nb::class_<StrategyInfo>(module, "Strategy")
        .def_ro("name", &StrategyInfo::name)
        .def_ro("decides", &StrategyInfo::decides)
        .def_ro("weighs", &StrategyInfo::weighs)
        .def_ro("looks_ahead", &StrategyInfo::looks_ahead)
        .def_ro("layouts", &StrategyInfo::layouts);
    nb::class_<PlayedOn>(module, "PlayedOn")
        .def_ro("wins", &PlayedOn::wins)
        .def_ro("layouts", &PlayedOn::layouts)
        .def_ro("limit", &PlayedOn::limit);
    nb::class_<Chosen>(module, "Chosen").def_ro("cell", &Chosen::cell).def_ro("limit", &Chosen::limit);
    nb::class_<Played>(module, "Tally")
        .def_prop_ro("games", [](const Played& self) { return self.tally.games; })
        .def_prop_ro("wins", [](const Played& self) { return self.tally.wins; })
        .def_prop_ro("moves", [](const Played& self) { return self.tally.moves; })
        .def_prop_ro("guesses", [](const Played& self) { return self.tally.guesses; })
        .def_prop_ro("all_guesses", [](const Played& self) { return self.tally.all_guesses; })
        .def_prop_ro("log_survived", [](const Played& self) { return self.tally.log_survived; })
        .def_prop_ro("fallbacks", [](const Played& self) { return self.tally.fallbacks; })
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
    nb::class_<Outlook>(module, "Outlook")
        .def_prop_ro("number", [](const Outlook& self) { return static_cast<int>(self.number); })
        .def_ro("chance", &Outlook::chance)
        .def_ro("safe", &Outlook::safe)
        .def_ro("safety", &Outlook::safety)
        .def_ro("second", &Outlook::second);
    nb::class_<WeighedCandidate>(module, "Candidate")
        .def_ro("cell", &WeighedCandidate::cell)
        .def_ro("mine_probability", &WeighedCandidate::mine_probability)
        .def_ro("score", &WeighedCandidate::score)
        .def_ro("fate", &WeighedCandidate::fate)
        .def_ro("progress", &WeighedCandidate::progress)
        .def_ro("win_probability", &WeighedCandidate::win_probability)
        .def_ro("outlooks", &WeighedCandidate::outlooks);
    nb::class_<Decided>(module, "Decision")
        .def_prop_ro("best", [](const Decided& self) { return self.decision.best; })
        .def_prop_ro("reason", [](const Decided& self) { return self.decision.reason; })
        .def_prop_ro("candidates", [](const Decided& self) -> const auto& { return self.decision.candidates; })
        .def_prop_ro("complete", [](const Decided& self) { return self.decision.is_complete; })
        .def_ro("limit", &Decided::limit)
        .def_ro("trouble", &Decided::trouble);
    nb::class_<Estimate>(module, "Estimate")
        .def_ro("cell", &Estimate::cell)
        .def_ro("win_probability", &Estimate::win_probability)
        .def_ro("standard_error", &Estimate::standard_error)
        .def_ro("layouts", &Estimate::layouts)
        .def_ro("strong", &Estimate::strong)
        .def_ro("dropped", &Estimate::dropped);
    nb::class_<Thinking>(module, "Thought")
        .def_prop_ro("best", [](const Thinking& self) { return self.thought.best; })
        .def_prop_ro("reason", [](const Thinking& self) { return self.thought.reason; })
        .def_prop_ro("candidates", [](const Thinking& self) -> const auto& { return self.thought.candidates; })
        .def_prop_ro("complete", [](const Thinking& self) { return self.thought.is_complete; })
        .def_prop_ro("estimates", [](const Thinking& self) -> const auto& { return self.thought.estimates; })
        .def_ro("limit", &Thinking::limit)
        .def_ro("trouble", &Thinking::trouble);
    nb::class_<LookedAhead>(module, "LookAhead")
        .def_prop_ro("precise", [](const LookedAhead& self) { return self.look.answer.status == Status::answered; })
        .def_prop_ro("candidates", [](const LookedAhead& self) -> const auto& { return self.look.candidates; })
        .def_prop_ro("complete", [](const LookedAhead& self) { return self.look.is_complete; })
        .def_ro("limit", &LookedAhead::limit)
        .def_ro("trouble", &LookedAhead::trouble);
    nb::class_<Solved>(module, "Optimum")
        .def_prop_ro("won", [](const Solved& self) { return self.optimum.won; })
        .def_prop_ro("layouts", [](const Solved& self) { return self.optimum.layouts; })
        .def_prop_ro("best", [](const Solved& self) { return self.optimum.best; })
        .def_prop_ro("cells", [](const Solved& self) -> const auto& { return self.optimum.cells; })
        .def_prop_ro("values", [](const Solved& self) -> const auto& { return self.optimum.values; })
        .def_prop_ro("nodes", [](const Solved& self) { return self.optimum.nodes; })
        .def_ro("trouble", &Solved::trouble);
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
