// The Python module mineproof._kernel: turns Python objects into questions and answers into Python objects.
// No algorithm lives here. Statuses are returned, not raised: engine.py gives them their words.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/field.hpp"
#include "mineproof/no_guess.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"

namespace nb = nanobind;
using namespace mineproof;

namespace {

// Scratch memory is kept from call to call, one set a thread.
Solver& solver() {
    thread_local Solver instance;
    return instance;
}

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

std::span<const std::int8_t> codes_of(const nb::bytes& codes, const Topology& topology) {
    if (codes.size() != topology.cells) throw nb::value_error("codes and topology differ in size");
    return {reinterpret_cast<const std::int8_t*>(codes.c_str()), codes.size()};
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Runs a search without the GIL, then raises what a signal handler or the caller's callable raised.
template <class Search>
Answer run(Limits& limits, Search search) {
    Answer answer;
    {
        nb::gil_scoped_release released;
        answer = search(solver(), limits.budget);
        solver().trim(answer.status == Status::over_budget);
    }
    if (limits.patience.raised) throw nb::python_error();
    return answer;
}

// (conflict, fewest, most, width, limit, seconds, states): what an unanswered question is told with.
nb::tuple trouble_of(const Answer& answer, const Budget& budget) {
    return nb::make_tuple(answer.conflict, answer.fewest, answer.most, answer.width, static_cast<int>(budget.limit()),
                          budget.seconds_spent(), budget.states_spent());
}

nb::tuple analyze(const Topology& topology, const nb::bytes& codes, std::int64_t total, double odds, double seconds,
                  std::uint64_t states, nb::object cancelled) {
    const Question question{topology, codes_of(codes, topology), total, odds};
    Limits limits(seconds, states, cancelled);
    const std::size_t cells = topology.cells;
    nb::bytes verdicts = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(cells)));
    nb::bytes odds_of_cells =
        nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(cells * sizeof(double))));
    // Nobody else has seen these two yet, so they may still be written to.
    const std::span verdict_span(reinterpret_cast<Verdict*>(const_cast<char*>(verdicts.c_str())), cells);
    const std::span odds_span(reinterpret_cast<double*>(const_cast<char*>(odds_of_cells.c_str())), cells);
    const Answer answer = run(limits, [&](Solver& solver, Budget& budget) {
        return solver.analyze(question, budget, verdict_span, odds_span);
    });
    const int status = static_cast<int>(answer.status);
    if (answer.status != Status::answered && answer.status != Status::imprecise)
        return nb::make_tuple(status, nb::none(), nb::none(), nb::none(), trouble_of(answer, limits.budget));
    return nb::make_tuple(
        status, verdicts, odds_of_cells,
        nb::make_tuple(answer.log2_layouts, answer.exact_bits, answer.largest_component, limits.budget.states_spent()),
        nb::none());
}

nb::tuple count_exactly(const Topology& topology, const nb::bytes& codes, std::int64_t total,
                        const std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>& primes,
                        double seconds, std::uint64_t states, nb::object cancelled) {
    const Question question{topology, codes_of(codes, topology), total, 0};
    Limits limits(seconds, states, cancelled);
    std::vector<PrimeWeights> weights;
    for (const auto& [prime, mined, free] : primes) weights.push_back(PrimeWeights{prime, mined, free});
    ExactCounts counts;
    const Answer answer = run(limits, [&](Solver& solver, Budget& budget) {
        return solver.count_exactly(question, weights, budget, counts);
    });
    const int status = static_cast<int>(answer.status);
    return nb::make_tuple(status, bytes_of(counts.roots), bytes_of(counts.places), bytes_of(counts.place_of_cell),
                          bytes_of(counts.root_of_place), trouble_of(answer, limits.budget));
}

nb::tuple sample(const Topology& topology, const nb::bytes& codes, std::int64_t total, double odds, std::uint64_t seed,
                 std::uint64_t first, std::uint64_t count, double seconds, std::uint64_t states, nb::object cancelled) {
    const Question question{topology, codes_of(codes, topology), total, odds};
    Limits limits(seconds, states, cancelled);
    Samples samples;
    const Answer answer = run(limits, [&](Solver& solver, Budget& budget) {
        return solver.sample(question, seed, first, count, budget, samples);
    });
    return nb::make_tuple(static_cast<int>(answer.status), bytes_of(samples.mines), bytes_of(samples.ends),
                          trouble_of(answer, limits.budget));
}

std::span<const std::uint8_t> mask_of(const nb::bytes& mask, const Topology& topology) {
    if (mask.size() != topology.cells) throw nb::value_error("mask and topology differ in size");
    return {reinterpret_cast<const std::uint8_t*>(mask.c_str()), mask.size()};
}

void require_room(std::span<const std::uint8_t> allowed, std::uint32_t mines) {
    const auto none = std::count(allowed.begin(), allowed.end(), std::uint8_t{0});
    if (mines > allowed.size() - static_cast<std::size_t>(none)) throw nb::value_error("more mines than allowed cells");
}

// Mines, ascending.
std::vector<Cell> deal(const Topology& topology, const nb::bytes& allowed, std::uint32_t mines, std::uint64_t seed,
                       std::uint64_t number) {
    const auto mask = mask_of(allowed, topology);
    require_room(mask, mines);
    std::vector<Cell> found;
    nb::gil_scoped_release released;
    thread_local Field field;
    Random random(seed, number);
    field.deal(topology, mask, mines, random);
    for (Cell cell = 0; cell < topology.cells; ++cell)
        if (field.mined(cell)) found.push_back(cell);
    return found;
}

nb::tuple no_guess(const Topology& topology, const nb::bytes& codes, const nb::bytes& allowed, std::uint32_t mines,
                   Cell start, bool repair, std::uint64_t seed, std::uint64_t number, double seconds,
                   std::uint64_t states, nb::object cancelled) {
    const NoGuessWish wish{topology, codes_of(codes, topology), mask_of(allowed, topology), mines, start, repair};
    require_room(wish.allowed, mines);
    if (start >= topology.cells || wish.allowed[start] != 0 || wish.codes[start] != kCovered)
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

// For benchmarks: the least of `rounds` times, in seconds, that the kernel itself takes for each position.
std::vector<double> time_analyze(const Topology& topology, const std::vector<nb::bytes>& positions, std::int64_t total,
                                 int rounds) {
    std::vector<Verdict> verdicts(topology.cells);
    std::vector<double> odds(topology.cells), times;
    for (const nb::bytes& codes : positions) {
        const Question question{topology, codes_of(codes, topology), total, 0};
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round < rounds; ++round) {
            Budget budget(60, std::uint64_t{1} << 40);
            solver().analyze(question, budget, verdicts, odds);
            least = std::min(least, budget.seconds_spent());
        }
        times.push_back(least);
    }
    return times;
}

std::vector<Cell> linked(const Topology& topology, const nb::bytes& codes, Cell number) {
    const auto span = codes_of(codes, topology);
    if (number >= topology.cells || span[number] < 0) throw nb::value_error("not an open number");
    return linked_numbers(topology, span, number);
}

}  // namespace

NB_MODULE(_kernel, module) {
    module.attr("__version__") = MINEPROOF_VERSION;

    using Table = nb::ndarray<const std::int32_t, nb::shape<-1, kReach>, nb::c_contig, nb::device::cpu>;
    nb::class_<Topology>(module, "Topology")
        .def(
            "__init__",
            [](Topology* self, Table table) {
                const std::size_t cells = table.shape(0);
                for (std::size_t i = 0; i < table.size(); ++i)
                    if (table.data()[i] < 0 || static_cast<std::size_t>(table.data()[i]) > cells)
                        throw nb::value_error("a neighbour lies outside the board");
                new (self) Topology(static_cast<Cell>(cells), {table.data(), table.data() + table.size()});
            },
            nb::arg("table"));

    // What an unanswered question is told with, see trouble_of.
#define TROUBLE "tuple[int, int, int, int, int, float, int]"
#define LIMITS "seconds: float, states: int, cancelled: collections.abc.Callable[[], bool] | None"
    module.def("analyze", &analyze,
               nb::sig("def analyze(topology: Topology, codes: bytes, total: int, odds: float, " LIMITS ")"
                       " -> tuple[int, bytes, bytes, tuple[float, float, int, int], " TROUBLE "]"),
               nb::arg("topology"), nb::arg("codes"), nb::arg("total"), nb::arg("odds"), nb::arg("seconds"),
               nb::arg("states"), nb::arg("cancelled").none());
    module.def("count_exactly", &count_exactly,
               nb::sig("def count_exactly(topology: Topology, codes: bytes, total: int, "
                       "primes: collections.abc.Sequence[tuple[int, int, int]], " LIMITS ")"
                       " -> tuple[int, bytes, bytes, bytes, bytes, " TROUBLE "]"),
               nb::arg("topology"), nb::arg("codes"), nb::arg("total"), nb::arg("primes"), nb::arg("seconds"),
               nb::arg("states"), nb::arg("cancelled").none());
    module.def("sample", &sample,
               nb::sig("def sample(topology: Topology, codes: bytes, total: int, odds: float, seed: int, first: int, "
                       "count: int, " LIMITS ") -> tuple[int, bytes, bytes, " TROUBLE "]"),
               nb::arg("topology"), nb::arg("codes"), nb::arg("total"), nb::arg("odds"), nb::arg("seed"),
               nb::arg("first"), nb::arg("count"), nb::arg("seconds"), nb::arg("states"), nb::arg("cancelled").none());
    module.def("deal", &deal, nb::arg("topology"), nb::arg("allowed"), nb::arg("mines"), nb::arg("seed"),
               nb::arg("number"));
    module.def("no_guess", &no_guess,
               nb::sig("def no_guess(topology: Topology, codes: bytes, allowed: bytes, mines: int, start: int, "
                       "repair: bool, seed: int, number: int, " LIMITS ")"
                       " -> tuple[bool, list[int], tuple[int, int, int, int], tuple[int, float, int]]"),
               nb::arg("topology"), nb::arg("codes"), nb::arg("allowed"), nb::arg("mines"), nb::arg("start"),
               nb::arg("repair"), nb::arg("seed"), nb::arg("number"), nb::arg("seconds"), nb::arg("states"),
               nb::arg("cancelled").none());
    module.def("linked_numbers", &linked, nb::arg("topology"), nb::arg("codes"), nb::arg("number"));
    module.def("time_analyze", &time_analyze, nb::arg("topology"), nb::arg("positions"), nb::arg("total"),
               nb::arg("rounds"));
    module.def("largest_primes", &largest_primes, nb::arg("count"));
}
