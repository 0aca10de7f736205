// Many positions at once.

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "common.hpp"
#include "mineproof/batch.hpp"

namespace mineproof::bindings {
namespace {

// False if the caller cancelled.
bool analyze_many(const Geometry& geometry, Array<const std::int8_t, 2> codes, Array<const std::int64_t, 1> totals,
                  double odds, bool trust_flags, std::size_t threads, const Limits& limits,
                  Array<double, 2> probabilities, Array<std::int8_t, 2> verdicts, Array<double, 1> log2_layouts,
                  Array<std::int8_t, 1> statuses, Array<std::uint8_t, 1> limits_met) {
    const std::size_t positions = codes.shape(0), all = positions * geometry.cells;
    if (codes.size() != all || probabilities.size() != all || verdicts.size() != all || totals.size() != positions ||
        log2_layouts.size() != positions || statuses.size() != positions || limits_met.size() != positions)
        throw nb::value_error("arrays differ in size");
    if (threads == 0) throw nb::value_error("threads must be positive");
    // Memory is kept for the next batch of this thread. It is taken away meanwhile: what the caller does when it is
    // asked whether to continue may be another batch.
    thread_local std::unique_ptr<BatchSolver> kept;
    std::unique_ptr<BatchSolver> solver = kept ? std::move(kept) : std::make_unique<BatchSolver>();
    const Batch batch{geometry, span_of(codes), span_of(totals), odds, trust_flags};
    const BatchAnswers answers{span_of(probabilities), span_as<Verdict>(verdicts), span_of(log2_layouts),
                               span_as<BatchStatus>(statuses), span_as<Limit>(limits_met)};
    Patience patience{limits.cancelled.ptr()};
    const bool done = [&] {
        nb::gil_scoped_release released;
        const BatchLimits each{limits.seconds, limits.states, limits.memory, &Patience::ended, &patience};
        return solver->analyze(batch, each, threads, answers);
    }();
    kept = std::move(solver);
    if (patience.raised) throw nb::python_error();
    return done;
}

}  // namespace

void bind_batch(nb::module_& module) {
    nb::enum_<BatchStatus>(module, "BatchStatus")
        .value("answered", BatchStatus::answered)
        .value("malformed", BatchStatus::malformed)
        .value("contradiction", BatchStatus::contradiction)
        .value("over_budget", BatchStatus::over_budget)
        .value("imprecise", BatchStatus::imprecise);
    module.def("analyze_many", &analyze_many, nb::arg("geometry"), nb::arg("codes"), nb::arg("totals"), nb::arg("odds"),
               nb::arg("trust_flags"), nb::arg("threads"), nb::arg("limits"), nb::arg("probabilities"),
               nb::arg("verdicts"), nb::arg("log2_layouts"), nb::arg("statuses"), nb::arg("limits_met"));
}

}  // namespace mineproof::bindings
