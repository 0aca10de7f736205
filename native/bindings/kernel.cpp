// The Python module mineproof.engine._kernel: turns Python objects into questions and answers into Python objects.
// No algorithm lives here. Statuses are returned, not raised: engine/kernel.py gives them their words.

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

#include "common.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"

namespace nb = nanobind;
using namespace mineproof;
using namespace mineproof::bindings;

namespace {

// Scratch memory is kept from call to call, one set a thread.
Solver& solver() {
    thread_local Solver instance;
    return instance;
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

nb::tuple analyze(const Geometry& geometry, const nb::bytes& codes, std::int64_t total, double odds, double seconds,
                  std::uint64_t states, nb::object cancelled) {
    const Question question{geometry, codes_of(codes, geometry), total, odds};
    Limits limits(seconds, states, cancelled);
    const std::size_t cells = geometry.cells;
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

nb::tuple count_exactly(const Geometry& geometry, const nb::bytes& codes, std::int64_t total,
                        const std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>& primes,
                        double seconds, std::uint64_t states, nb::object cancelled) {
    const Question question{geometry, codes_of(codes, geometry), total, 0};
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

nb::tuple sample(const Geometry& geometry, const nb::bytes& codes, std::int64_t total, double odds, std::uint64_t seed,
                 std::uint64_t first, std::uint64_t count, double seconds, std::uint64_t states, nb::object cancelled) {
    const Question question{geometry, codes_of(codes, geometry), total, odds};
    Limits limits(seconds, states, cancelled);
    Samples samples;
    const Answer answer = run(limits, [&](Solver& solver, Budget& budget) {
        return solver.sample(question, seed, first, count, budget, samples);
    });
    return nb::make_tuple(static_cast<int>(answer.status), bytes_of(samples.mines), bytes_of(samples.ends),
                          trouble_of(answer, limits.budget));
}

// For benchmarks: the least of `rounds` times, in seconds, that the kernel itself takes for each position.
std::vector<double> time_analyze(const Geometry& geometry, const std::vector<nb::bytes>& positions, std::int64_t total,
                                 int rounds) {
    std::vector<Verdict> verdicts(geometry.cells);
    std::vector<double> odds(geometry.cells), times;
    for (const nb::bytes& codes : positions) {
        const Question question{geometry, codes_of(codes, geometry), total, 0};
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

std::vector<Cell> linked(const Geometry& geometry, const nb::bytes& codes, Cell number) {
    const auto span = codes_of(codes, geometry);
    if (number >= geometry.cells || span[number] < 0) throw nb::value_error("not an open number");
    return linked_numbers(geometry, span, number);
}

}  // namespace

NB_MODULE(_kernel, module) {
    module.attr("__version__") = MINEPROOF_VERSION;

    using Table = nb::ndarray<const std::int32_t, nb::shape<-1, kReach>, nb::c_contig, nb::device::cpu>;
    nb::class_<Geometry>(module, "Geometry")
        .def(
            "__init__",
            [](Geometry* self, Table table) {
                const std::size_t cells = table.shape(0);
                for (std::size_t i = 0; i < table.size(); ++i)
                    if (table.data()[i] < 0 || static_cast<std::size_t>(table.data()[i]) > cells)
                        throw nb::value_error("a neighbour lies outside the board");
                new (self) Geometry(static_cast<Cell>(cells), {table.data(), table.data() + table.size()});
            },
            nb::arg("table"));

    module.def("analyze", &analyze,
               nb::sig("def analyze(geometry: Geometry, codes: bytes, total: int, odds: float, " LIMITS ")"
                       " -> tuple[int, bytes, bytes, tuple[float, float, int, int], " TROUBLE "]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("odds"), nb::arg("seconds"),
               nb::arg("states"), nb::arg("cancelled").none());
    module.def("count_exactly", &count_exactly,
               nb::sig("def count_exactly(geometry: Geometry, codes: bytes, total: int, "
                       "primes: collections.abc.Sequence[tuple[int, int, int]], " LIMITS ")"
                       " -> tuple[int, bytes, bytes, bytes, bytes, " TROUBLE "]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("primes"), nb::arg("seconds"),
               nb::arg("states"), nb::arg("cancelled").none());
    module.def("sample", &sample,
               nb::sig("def sample(geometry: Geometry, codes: bytes, total: int, odds: float, seed: int, first: int, "
                       "count: int, " LIMITS ") -> tuple[int, bytes, bytes, " TROUBLE "]"),
               nb::arg("geometry"), nb::arg("codes"), nb::arg("total"), nb::arg("odds"), nb::arg("seed"),
               nb::arg("first"), nb::arg("count"), nb::arg("seconds"), nb::arg("states"), nb::arg("cancelled").none());
    bind_play(module);
    module.def("linked_numbers", &linked, nb::arg("geometry"), nb::arg("codes"), nb::arg("number"));
    module.def("time_analyze", &time_analyze, nb::arg("geometry"), nb::arg("positions"), nb::arg("total"),
               nb::arg("rounds"));
    module.def("largest_primes", &largest_primes, nb::arg("count"));
}
