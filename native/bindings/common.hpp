// What the files of the bindings share: how Python's arguments are read, limits kept and answers told.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/strategy.hpp"

namespace mineproof::bindings {

namespace nb = nanobind;

// The classes of Python ---------------------------------------------------------------------------------------------

// A position as Python holds it. The codes are not copied.
struct Asked {
    // Raises ValueError if the sizes differ.
    Asked(nb::handle_t<Geometry> geometry, nb::bytes codes, std::optional<std::int64_t> total, double odds);
    // Raises ValueError where no total is given.
    const Question& with_total() const;

    nb::object geometry;
    nb::bytes codes;
    Question question;
};

// A board before its first click, as Python holds it.
struct Setup {
    // Raises ValueError if sizes differ, or if there are more mines than cells that may have one.
    Setup(nb::handle_t<Geometry> geometry, nb::bytes codes, nb::bytes allowed, std::uint32_t mines,
          std::optional<Cell> start);
    Series series(std::uint64_t seed) const { return {match, may_be_mined, start.value_or(Series::kAnywhere), seed}; }

    nb::object geometry;
    nb::bytes codes, allowed;
    Match match;
    std::span<const std::uint8_t> may_be_mined;
    std::optional<Cell> start;  // none: each game has its own
};

// How much a call may spend; `cancelled` is a callable or None.
struct Limits {
    double seconds;
    std::uint64_t states, memory;
    nb::object cancelled;
};

// Why a question has no answer.
struct Trouble {
    Status status;
    Cell conflict;
    std::int64_t fewest, most;
    std::uint32_t width;
    Limit limit;
    double seconds;
    std::uint64_t states;
};

// Limits ------------------------------------------------------------------------------------------------------------

// Asks Python, about twenty times a second, whether to continue: pending signals first, then the caller.
struct Patience {
    PyObject* cancelled;  // a callable or None
    bool raised = false;

    static bool ended(void* self) {
        auto& patience = *static_cast<Patience*>(self);
        nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) return patience.raised = true;
        if (patience.cancelled == Py_None) return false;
        PyObject* answer = PyObject_CallNoArgs(patience.cancelled);
        const int truth = answer == nullptr ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(answer);
        patience.raised = truth < 0;
        return truth != 0;
    }
};

// One call under its limits.
class Run {
  public:
    explicit Run(const Limits& limits)
        : patience_{limits.cancelled.ptr()},
          budget_(limits.seconds, limits.states, &Patience::ended, &patience_, limits.memory) {}

    // Searches without the GIL, then raises what a signal handler or the caller's callable raised.
    template <class Search>
    auto search(Search search) {
        auto found = [&] {
            nb::gil_scoped_release released;
            return search(budget_);
        }();
        if (patience_.raised) throw nb::python_error();
        return found;
    }

    // Nothing if the question was answered.
    std::optional<Trouble> trouble(const Answer& answer, bool may_be_imprecise = false) const {
        if (answer.status == Status::answered || (may_be_imprecise && answer.status == Status::imprecise)) return {};
        return Trouble{answer.status, answer.conflict, answer.fewest,           answer.most,
                       answer.width,  budget_.limit(), budget_.seconds_spent(), budget_.states_spent()};
    }
    const Budget& budget() const { return budget_; }

  private:
    Patience patience_;
    Budget budget_;
};

// Arguments and results ---------------------------------------------------------------------------------------------

inline std::span<const std::int8_t> codes_of(const nb::bytes& codes, const Geometry& geometry) {
    if (codes.size() != geometry.cells) throw nb::value_error("codes and geometry differ in size");
    return {reinterpret_cast<const std::int8_t*>(codes.c_str()), codes.size()};
}

inline std::span<const std::uint8_t> mask_of(const nb::bytes& mask, const Geometry& geometry) {
    if (mask.size() != geometry.cells) throw nb::value_error("mask and geometry differ in size");
    return {reinterpret_cast<const std::uint8_t*>(mask.c_str()), mask.size()};
}

inline void require_room(std::span<const std::uint8_t> allowed, std::uint32_t mines) {
    const auto none = std::count(allowed.begin(), allowed.end(), std::uint8_t{0});
    if (mines > allowed.size() - static_cast<std::size_t>(none)) throw nb::value_error("more mines than allowed cells");
}

// Raises ValueError if there is none.
inline const StrategyInfo& strategy_of(std::string_view name) {
    const StrategyInfo* const found = find_strategy(name);
    if (found == nullptr) throw nb::value_error(("no strategy is called " + std::string(name)).c_str());
    return *found;
}

template <class Values>
nb::bytes bytes_of(const Values& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

// An object of a class of mineproof.engine.answers, which declares the fields: they are given by name.
template <class... Fields>
nb::object answer(const char* name, Fields&&... fields) {
    return nb::module_::import_("mineproof.engine.answers").attr(name)(std::forward<Fields>(fields)...);
}

// What a search found, as an answer of Python, and how it ended.
struct SearchResult {
    nb::object answer;  // None if there is none
    Limit limit;        // what ended it, if anything but itself
    std::optional<Trouble> trouble;
};

// Layouts, games and strategies.
void bind_play(nb::module_& module);
// The numbers of layouts.
void bind_measures(nb::module_& module);
// Many positions.
void bind_batch(nb::module_& module);
// Games in which every guess is survived.
void bind_survival(nb::module_& module);
// Games move by move.
void bind_watched(nb::module_& module);
// Many games side by side.
void bind_gym(nb::module_& module);
// Problems.
void bind_problem(nb::module_& module);

}  // namespace mineproof::bindings
