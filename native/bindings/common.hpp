// What the files of the bindings share: how Python's arguments are read, limits kept and answers told.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/solver.hpp"

// In signatures: what an unanswered question is told with, see trouble_of; and the limits of a call.
#define TROUBLE "tuple[int, int, int, int, int, float, int]"
#define LIMITS "seconds: float, states: int, cancelled: collections.abc.Callable[[], bool] | None"

namespace mineproof::bindings {

namespace nb = nanobind;

// Asks Python, about twenty times a second, whether to go on: pending signals first, then the caller.
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

struct Limits {
    Limits(double seconds, std::uint64_t states, nb::handle cancelled)
        : patience{cancelled.ptr()}, budget(seconds, states, &Patience::ended, &patience) {}
    Patience patience;
    Budget budget;
};

inline std::span<const std::int8_t> codes_of(const nb::bytes& codes, const Geometry& geometry) {
    if (codes.size() != geometry.cells) throw nb::value_error("codes and geometry differ in size");
    return {reinterpret_cast<const std::int8_t*>(codes.c_str()), codes.size()};
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

inline std::span<const std::uint8_t> mask_of(const nb::bytes& mask, const Geometry& geometry) {
    if (mask.size() != geometry.cells) throw nb::value_error("mask and geometry differ in size");
    return {reinterpret_cast<const std::uint8_t*>(mask.c_str()), mask.size()};
}

inline void require_room(std::span<const std::uint8_t> allowed, std::uint32_t mines) {
    const auto none = std::count(allowed.begin(), allowed.end(), std::uint8_t{0});
    if (mines > allowed.size() - static_cast<std::size_t>(none)) throw nb::value_error("more mines than allowed cells");
}

// (conflict, fewest, most, width, limit, seconds, states): what an unanswered question is told with.
inline nb::tuple trouble_of(const Answer& answer, const Budget& budget) {
    return nb::make_tuple(answer.conflict, answer.fewest, answer.most, answer.width, static_cast<int>(budget.limit()),
                          budget.seconds_spent(), budget.states_spent());
}

// Layouts, games and strategies.
void bind_play(nb::module_& module);

}  // namespace mineproof::bindings
