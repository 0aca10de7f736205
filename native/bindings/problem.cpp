// Problems: variables and constraints of any kind.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "common.hpp"
#include "mineproof/problem_solver.hpp"

namespace mineproof::bindings {
namespace {

// A problem and its arrays.
class OwnedProblem {
  public:
    OwnedProblem(Array<const std::uint32_t, 1> value_ends, Array<const std::uint64_t, 1> weights,
                 Array<const std::uint32_t, 1> kinds, Array<const std::uint32_t, 1> term_ends,
                 Array<const std::uint32_t, 1> variables, Array<const std::int32_t, 1> coefficients,
                 Array<const std::uint32_t, 1> sum_ends, Array<const std::int32_t, 1> sums,
                 std::optional<std::pair<std::int64_t, std::int64_t>> total)
        : value_ends_(copy(value_ends)),
          kinds_(copy(kinds)),
          term_ends_(copy(term_ends)),
          variables_(copy(variables)),
          sum_ends_(copy(sum_ends)),
          weights_(copy(weights)),
          coefficients_(copy(coefficients)),
          sums_(copy(sums)),
          total_(total) {
        require(kinds_.size() == value_ends_.size() && sum_ends_.size() == term_ends_.size() &&
                coefficients_.size() == variables_.size());
        check_ends(value_ends_, weights_.size(), Problem::kMostValues);
        check_ends(term_ends_, variables_.size(), variables_.size());
        check_ends(sum_ends_, sums_.size(), sums_.size());
        for (const std::uint32_t variable : variables_) require(variable < value_ends_.size());
        std::uint32_t value = 0, sum = 0;
        for (const std::uint32_t end : value_ends_) {
            bool any = false;
            for (; value < end; ++value) any |= weights_[value] > 0;
            require(any);
        }
        for (const std::uint32_t end : sum_ends_)
            for (const std::uint32_t begin = sum; sum < end; ++sum)
                require(sum == begin || sums_[sum - 1] < sums_[sum]);
    }

    Problem view() const {
        return {value_ends_,
                weights_,
                kinds_,
                term_ends_,
                variables_,
                coefficients_,
                sum_ends_,
                sums_,
                total_.has_value(),
                total_ ? total_->first : 0,
                total_ ? total_->second : 0};
    }

  private:
    template <class T>
    static std::vector<T> copy(const Array<const T, 1>& array) {
        return {array.data(), array.data() + array.size()};
    }
    static void require(bool holds) {
        if (!holds) throw nb::value_error("the arrays of the problem do not fit together");
    }
    static void check_ends(const std::vector<std::uint32_t>& ends, std::size_t size, std::size_t most) {
        std::uint32_t last = 0;
        for (const std::uint32_t end : ends) {
            require(end >= last && end - last <= most);
            last = end;
        }
        require(last == size);
    }

    std::vector<std::uint32_t> value_ends_, kinds_, term_ends_, variables_, sum_ends_;
    std::vector<std::uint64_t> weights_;
    std::vector<std::int32_t> coefficients_, sums_;
    std::optional<std::pair<std::int64_t, std::int64_t>> total_;
};

// A solver for one call: problems differ so much that memory kept between them would mostly be in the way.
struct AnalyzedProblem {
    ProblemAnswer answer;
    std::uint64_t states;
    std::optional<Trouble> trouble;
};

AnalyzedProblem analyze_problem(const OwnedProblem& owned, const Limits& limits) {
    const Problem problem = owned.view();
    Run call(limits);
    AnalyzedProblem found{call.search([&](Budget& budget) { return ProblemSolver().analyze(problem, budget); }), 0, {}};
    found.states = call.budget().states_spent();
    found.trouble = call.trouble(found.answer);
    return found;
}

struct CountedProblem {
    ProblemCounts counts;
    std::optional<Trouble> trouble;
};

CountedProblem count_problem(const OwnedProblem& owned, const std::vector<std::uint64_t>& primes, bool weighted,
                             const Limits& limits) {
    for (const std::uint64_t prime : primes)
        if (prime % 2 == 0 || prime < 3 || prime >> 62 != 0) throw nb::value_error("not an odd prime < 2^62");
    const Problem problem = owned.view();
    CountedProblem found;
    Run call(limits);
    const Answer answer = call.search(
        [&](Budget& budget) { return ProblemSolver().count_exactly(problem, primes, weighted, budget, found.counts); });
    found.trouble = call.trouble(answer);
    return found;
}

struct SampledProblem {
    std::vector<std::uint8_t> values;
    std::optional<Trouble> trouble;
};

SampledProblem sample_problem(const OwnedProblem& owned, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                              const Limits& limits) {
    const Problem problem = owned.view();
    SampledProblem found;
    Run call(limits);
    const Answer answer = call.search(
        [&](Budget& budget) { return ProblemSolver().sample(problem, seed, first, count, budget, found.values); });
    found.trouble = call.trouble(answer);
    return found;
}

}  // namespace

void bind_problem(nb::module_& module) {
    nb::class_<OwnedProblem>(module, "Problem")
        .def(nb::init<Array<const std::uint32_t, 1>, Array<const std::uint64_t, 1>, Array<const std::uint32_t, 1>,
                      Array<const std::uint32_t, 1>, Array<const std::uint32_t, 1>, Array<const std::int32_t, 1>,
                      Array<const std::uint32_t, 1>, Array<const std::int32_t, 1>,
                      std::optional<std::pair<std::int64_t, std::int64_t>>>(),
             nb::arg("value_ends"), nb::arg("weights"), nb::arg("kinds"), nb::arg("term_ends"), nb::arg("variables"),
             nb::arg("coefficients"), nb::arg("sum_ends"), nb::arg("sums"), nb::arg("total").none());
    nb::class_<AnalyzedProblem>(module, "AnalyzedProblem")
        .def_prop_ro("probabilities", [](const AnalyzedProblem& self) { return bytes_of(self.answer.probabilities); })
        .def_prop_ro("possible", [](const AnalyzedProblem& self) { return bytes_of(self.answer.possible); })
        .def_prop_ro("roots", [](const AnalyzedProblem& self) { return bytes_of(self.answer.roots); })
        .def_prop_ro("log2_roots", [](const AnalyzedProblem& self) { return bytes_of(self.answer.log2_roots); })
        .def_prop_ro("log2_weight", [](const AnalyzedProblem& self) { return self.answer.log2_layouts; })
        .def_ro("states", &AnalyzedProblem::states)
        .def_ro("trouble", &AnalyzedProblem::trouble);
    nb::class_<CountedProblem>(module, "ProblemCounts")
        .def_prop_ro("roots", [](const CountedProblem& self) { return bytes_of(self.counts.roots); })
        .def_prop_ro("values", [](const CountedProblem& self) { return bytes_of(self.counts.values); })
        .def_ro("trouble", &CountedProblem::trouble);
    nb::class_<SampledProblem>(module, "ProblemSamples")
        .def_prop_ro("values", [](const SampledProblem& self) { return bytes_of(self.values); })
        .def_ro("trouble", &SampledProblem::trouble);
    module.def("analyze_problem", &analyze_problem, nb::arg("problem"), nb::arg("limits"));
    module.def("count_problem", &count_problem, nb::arg("problem"), nb::arg("primes"), nb::arg("weighted"),
               nb::arg("limits"));
    module.def("sample_problem", &sample_problem, nb::arg("problem"), nb::arg("seed"), nb::arg("first"),
               nb::arg("count"), nb::arg("limits"));
}

}  // namespace mineproof::bindings
