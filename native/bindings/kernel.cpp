// The Python modules mineproof.engine._kernel and _kernel_wide: turn Python objects into questions and answers into
// Python objects. No algorithm lives here. Statuses are returned, not raised: engine/kernel.py gives them their words.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <utility>
#include <vector>

#include "common.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/timing.hpp"

namespace mineproof::bindings {

Asked::Asked(nb::handle_t<Geometry> board, nb::bytes cells, std::optional<std::int64_t> total, double odds)
    : geometry(nb::borrow(board)),
      codes(std::move(cells)),
      question{nb::cast<const Geometry&>(board), codes_of(codes, nb::cast<const Geometry&>(board)),
               total.value_or(Question::kUnknown), odds} {}

const Question& Asked::with_total() const {
    if (question.total == Question::kUnknown) throw nb::value_error("this needs a total");
    return question;
}

Setup::Setup(nb::handle_t<Geometry> board, nb::bytes cells, nb::bytes mask, std::uint32_t mines,
             std::optional<Cell> first_click)
    : geometry(nb::borrow(board)),
      codes(std::move(cells)),
      allowed(std::move(mask)),
      match{nb::cast<const Geometry&>(board), codes_of(codes, nb::cast<const Geometry&>(board)), mines},
      may_be_mined(mask_of(allowed, match.geometry)),
      start(first_click) {
    require_room(may_be_mined, mines);
    if (start.has_value() && (*start >= match.geometry.cells || match.codes[*start] != kCovered))
        throw nb::value_error("the start is not a covered cell");
}

namespace {

// Scratch memory is kept from call to call, one set a thread.
Solver& solver() {
    thread_local Solver instance;
    return instance;
}

// Searches with the solver of this thread, and gives its memory back where it grew large.
template <class Search>
Answer run(Run& run, Search search) {
    return run.search([&](Budget& budget) {
        const Answer answer = search(solver(), budget);
        solver().trim(answer.status == Status::over_budget);
        return answer;
    });
}

// The answer to `analyze`. Verdicts (a byte for each cell) and odds (a double for each) are bytes objects filled in
// place: lists or copies would cost more than the analysis.
struct Analyzed {
    nb::bytes verdicts, odds;
    double log2_layouts, exact_bits;
    std::uint32_t largest_component;
    std::uint64_t states;
    bool precise;  // else the odds must be counted exactly
    std::optional<Trouble> trouble;
};

nb::bytes new_bytes(std::size_t size) {
    PyObject* const made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (made == nullptr) throw nb::python_error();
    return nb::steal<nb::bytes>(made);
}

Analyzed analyze(const Asked& asked, const Limits& limits) {
    const std::size_t cells = asked.question.geometry.cells;
    Analyzed found{new_bytes(cells), new_bytes(cells * sizeof(double)), 0, 0, 0, 0, false, {}};
    // Python has not seen these two objects yet, so they may still be written to.
    const std::span verdicts(reinterpret_cast<Verdict*>(const_cast<char*>(found.verdicts.c_str())), cells);
    const std::span odds(reinterpret_cast<double*>(const_cast<char*>(found.odds.c_str())), cells);
    Run call(limits);
    const Answer answer = run(
        call, [&](Solver& solver, Budget& budget) { return solver.analyze(asked.question, budget, verdicts, odds); });
    found.log2_layouts = answer.log2_layouts;
    found.exact_bits = answer.exact_bits;
    found.largest_component = answer.largest_component;
    found.states = call.budget().states_spent();
    found.precise = answer.status == Status::answered;
    found.trouble = call.trouble(answer, true);
    return found;
}

struct ExactlyCounted {
    ExactCounts counts;
    std::optional<Trouble> trouble;
};

ExactlyCounted count_exactly(const Asked& asked, const std::vector<PrimeWeights>& primes, const Limits& limits) {
    ExactlyCounted found;
    Run call(limits);
    const Answer answer = run(call, [&](Solver& solver, Budget& budget) {
        return solver.count_exactly(asked.question, primes, budget, found.counts);
    });
    found.trouble = call.trouble(answer);
    return found;
}

struct Sampled {
    Samples samples;
    std::optional<Trouble> trouble;
};

Sampled sample(const Asked& asked, std::uint64_t seed, std::uint64_t first, std::uint64_t count, const Limits& limits) {
    Sampled found;
    Run call(limits);
    const Answer answer = run(call, [&](Solver& solver, Budget& budget) {
        return solver.sample(asked.question, seed, first, count, budget, found.samples);
    });
    found.trouble = call.trouble(answer);
    return found;
}

std::vector<double> time_positions(nb::handle_t<Geometry> geometry, const std::vector<nb::bytes>& positions,
                                   std::int64_t total, int rounds) {
    if (rounds < 1) throw nb::value_error("rounds must be positive");
    std::vector<double> times;
    for (const nb::bytes& codes : positions)
        times.push_back(time_analyze(Asked(geometry, codes, total, 0).question, rounds, solver()));
    return times;
}

std::vector<Cell> linked(const Asked& asked, Cell number) {
    const Question& question = asked.question;
    if (number >= question.geometry.cells || question.codes[number] < 0) throw nb::value_error("not an open number");
    return linked_numbers(question.geometry, question.codes, number);
}

void bind_questions(nb::module_& module) {
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
    nb::class_<Asked>(module, "Question")
        .def(nb::init<nb::handle_t<Geometry>, nb::bytes, std::optional<std::int64_t>, double>(), nb::arg("geometry"),
             nb::arg("codes"), nb::arg("total") = nb::none(), nb::arg("odds") = 0.0);
    nb::class_<Limits>(module, "Limits")
        .def(
            "__init__",
            [](Limits* self, double seconds, std::uint64_t states, std::uint64_t memory, nb::object cancelled) {
                new (self) Limits{seconds, states, memory, std::move(cancelled)};
            },
            nb::sig("def __init__(self, seconds: float, states: int, memory: int, "
                    "cancelled: collections.abc.Callable[[], bool] | None) -> None"),
            nb::arg("seconds"), nb::arg("states"), nb::arg("memory"), nb::arg("cancelled").none());
    nb::class_<PrimeWeights>(module, "PrimeWeights")
        .def(
            "__init__",
            [](PrimeWeights* self, std::uint64_t prime, std::uint64_t mined, std::uint64_t free) {
                if (prime % 2 == 0 || prime < 3 || prime >> 62 != 0) throw nb::value_error("not an odd prime < 2^62");
                new (self) PrimeWeights{prime, mined, free};
            },
            nb::arg("prime"), nb::arg("mined"), nb::arg("free"));
}

void bind_answers(nb::module_& module) {
    nb::enum_<Status>(module, "Status")
        .value("answered", Status::answered)
        .value("numbers_conflict", Status::numbers_conflict)
        .value("total_conflict", Status::total_conflict)
        .value("over_budget", Status::over_budget)
        .value("imprecise", Status::imprecise);
    nb::enum_<Limit>(module, "Limit")
        .value("none", Limit::none)
        .value("states", Limit::states)
        .value("seconds", Limit::seconds)
        .value("cancelled", Limit::cancelled)
        .value("width", Limit::width)
        .value("memory", Limit::memory);
    nb::class_<Trouble>(module, "Trouble")
        .def_ro("status", &Trouble::status)
        .def_ro("conflict", &Trouble::conflict)
        .def_ro("fewest", &Trouble::fewest)
        .def_ro("most", &Trouble::most)
        .def_ro("width", &Trouble::width)
        .def_ro("limit", &Trouble::limit)
        .def_ro("seconds", &Trouble::seconds)
        .def_ro("states", &Trouble::states);
    nb::class_<Analyzed>(module, "Analyzed")
        .def_ro("verdicts", &Analyzed::verdicts)
        .def_ro("odds", &Analyzed::odds)
        .def_ro("log2_layouts", &Analyzed::log2_layouts)
        .def_ro("exact_bits", &Analyzed::exact_bits)
        .def_ro("largest_component", &Analyzed::largest_component)
        .def_ro("states", &Analyzed::states)
        .def_ro("precise", &Analyzed::precise)
        .def_ro("trouble", &Analyzed::trouble);
    nb::class_<ExactlyCounted>(module, "ExactCounts")
        .def_prop_ro("roots", [](const ExactlyCounted& self) { return bytes_of(self.counts.roots); })
        .def_prop_ro("places", [](const ExactlyCounted& self) { return bytes_of(self.counts.places); })
        .def_prop_ro("place_of_cell", [](const ExactlyCounted& self) { return bytes_of(self.counts.place_of_cell); })
        .def_prop_ro("root_of_place", [](const ExactlyCounted& self) { return bytes_of(self.counts.root_of_place); })
        .def_ro("trouble", &ExactlyCounted::trouble);
    nb::class_<Sampled>(module, "Samples")
        .def_prop_ro("mines", [](const Sampled& self) { return bytes_of(self.samples.mines); })
        .def_prop_ro("ends", [](const Sampled& self) { return bytes_of(self.samples.ends); })
        .def_ro("trouble", &Sampled::trouble);
}

}  // namespace
}  // namespace mineproof::bindings

// Its name is a macro, which has to be expanded before NB_MODULE puts it together with others.
#define MINEPROOF_BIND(name) NB_MODULE(name, module)

MINEPROOF_BIND(MINEPROOF_MODULE) {
    using namespace mineproof::bindings;
    module.attr("__version__") = MINEPROOF_VERSION;
    module.attr("NOWHERE") = mineproof::ExactCounts::kNowhere;

    bind_questions(module);
    bind_answers(module);
    module.def("analyze", &analyze, nb::arg("question"), nb::arg("limits"));
    module.def("count_exactly", &count_exactly, nb::arg("question"), nb::arg("primes"), nb::arg("limits"));
    module.def("sample", &sample, nb::arg("question"), nb::arg("seed"), nb::arg("first"), nb::arg("count"),
               nb::arg("limits"));
    bind_play(module);
    bind_measures(module);
    bind_batch(module);
    bind_survival(module);
    bind_watched(module);
    bind_gym(module);
    bind_problem(module);
    module.def("linked_numbers", &linked, nb::arg("question"), nb::arg("number"));
    module.def("time_analyze", &time_positions, nb::arg("geometry"), nb::arg("positions"), nb::arg("total"),
               nb::arg("rounds"));
    module.def("largest_primes", &mineproof::largest_primes, nb::arg("count"));
}
