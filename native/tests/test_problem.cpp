// Problems: all answers against all assignments, numbers beyond doubles, and budgets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/primes.hpp"
#include "mineproof/problem_solver.hpp"

namespace mineproof::testing {
namespace {

// A problem with its arrays.
struct Arrays {
    std::vector<std::uint32_t> value_ends, kinds, term_ends, variables, sum_ends;
    std::vector<std::uint64_t> weights;
    std::vector<std::int32_t> coefficients, sums;
    bool has_total = false;
    std::int64_t fewest = 0, most = 0;

    Problem view() const {
        return {value_ends, weights, kinds,     term_ends, variables, coefficients,
                sum_ends,   sums,    has_total, fewest,    most};
    }
    void add_variable(std::vector<std::uint64_t> values, std::uint32_t kind) {
        weights.insert(weights.end(), values.begin(), values.end());
        value_ends.push_back(static_cast<std::uint32_t>(weights.size()));
        kinds.push_back(kind);
    }
    void add_constraint(const std::vector<Term>& terms, std::vector<std::int32_t> allowed) {
        for (const Term& term : terms) variables.push_back(term.variable), coefficients.push_back(term.coefficient);
        std::ranges::sort(allowed);
        allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
        sums.insert(sums.end(), allowed.begin(), allowed.end());
        term_ends.push_back(static_cast<std::uint32_t>(variables.size()));
        sum_ends.push_back(static_cast<std::uint32_t>(sums.size()));
    }
};

const std::array<std::vector<std::uint64_t>, 4> kDomains = {{{1, 1}, {3, 2}, {1, 0, 5}, {2, 2, 1, 7}}};

Arrays random_problem(Rng& rng) {
    Arrays arrays;
    const int count = static_cast<int>(1 + roll(rng, 7));
    for (int i = 0; i < count; ++i) {
        const auto kind = static_cast<std::uint32_t>(roll(rng, 3) == 0 ? roll(rng, 4) : 0);
        arrays.add_variable(kDomains[kind], kind);
    }
    const int constraints = static_cast<int>(roll(rng, 5));
    for (int i = 0; i < constraints; ++i) {
        const bool plain = roll(rng, 2) == 0;
        std::vector<Term> terms;
        for (int variable = 0; variable < count; ++variable)
            if (roll(rng, 2) == 0)
                terms.push_back(
                    {static_cast<std::uint32_t>(variable), plain ? 1 : static_cast<std::int32_t>(roll(rng, 7)) - 3});
        std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
        std::vector<std::int32_t> allowed;
        for (int sums = static_cast<int>(1 + roll(rng, 3)); sums > 0; --sums)
            allowed.push_back(static_cast<std::int32_t>(roll(rng, 8)) - 2);
        arrays.add_constraint(terms, allowed);
    }
    arrays.has_total = roll(rng, 2) == 0;
    arrays.fewest = static_cast<std::int64_t>(roll(rng, 6));
    arrays.most = arrays.fewest + static_cast<std::int64_t>(roll(rng, 2));
    return arrays;
}

bool is_solution(const Problem& problem, const std::vector<std::uint8_t>& values) {
    const std::int64_t total = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    if (problem.has_total && (total < problem.fewest || total > problem.most)) return false;
    std::uint32_t term = 0, sum = 0;
    for (std::size_t id = 0; id < problem.constraint_count(); ++id) {
        std::int64_t have = 0;
        for (; term < problem.term_ends[id]; ++term)
            have += std::int64_t{problem.coefficients[term]} * values[problem.variables[term]];
        bool allowed = false;
        for (; sum < problem.sum_ends[id]; ++sum) allowed |= problem.sums[sum] == have;
        if (!allowed) return false;
    }
    return true;
}

// Weights of all solutions, and of those with each value.
struct Weighed {
    std::uint64_t whole = 0;
    std::vector<std::uint64_t> values;
};

Weighed weigh_all(const Problem& problem) {
    Weighed weighed{0, std::vector<std::uint64_t>(problem.weights.size())};
    const std::size_t count = problem.variable_count();
    std::vector<std::uint8_t> values(count, 0);
    for (;;) {
        std::uint64_t weight = is_solution(problem, values);
        for (std::uint32_t i = 0; i < count; ++i) weight *= problem.weights_of(i)[values[i]];
        weighed.whole += weight;
        for (std::uint32_t i = 0; i < count; ++i)
            weighed.values[(i == 0 ? 0 : problem.value_ends[i - 1]) + values[i]] += weight;
        std::uint32_t place = 0;
        while (place < count && ++values[place] == problem.weights_of(place).size()) values[place++] = 0;
        if (place == count) return weighed;
    }
}

TEST(problems_have_the_answers_of_all_assignments) {
    Rng rng(71);
    const auto primes = largest_primes(1);
    int solved = 0;
    for (int round = 0; round < 400; ++round) {
        const Note note([&] { return "problem " + show(round); });
        const Arrays arrays = random_problem(rng);
        const Problem problem = arrays.view();
        const Weighed expected = weigh_all(problem);
        Budget budget = endless();
        ProblemSolver solver;
        const ProblemAnswer answer = solver.analyze(problem, budget);
        CHECK_EQUAL(answer.status == Status::answered, expected.whole > 0);
        if (answer.status != Status::answered || expected.whole == 0) continue;
        ++solved;
        CHECK(std::abs(std::exp2(answer.log2_layouts) / static_cast<double>(expected.whole) - 1) < 1e-9);
        for (std::size_t place = 0; place < expected.values.size(); ++place) {
            const double share = static_cast<double>(expected.values[place]) / static_cast<double>(expected.whole);
            CHECK(std::abs(answer.probabilities[place] - share) < 1e-12);
            CHECK_EQUAL(answer.possible[place] != 0, expected.values[place] > 0);
        }
        ProblemCounts counts;
        CHECK_EQUAL(solver.count_exactly(problem, primes, true, budget, counts).status, Status::answered);
        std::uint32_t begin = 0;
        for (std::uint32_t variable = 0; variable < problem.variable_count(); ++variable) {
            const std::uint32_t root = answer.roots[variable];
            for (std::uint32_t place = begin; place < problem.value_ends[variable]; ++place)
                if (root != ProblemCounts::kNowhere)  // shares of the root and of the whole are equal
                    CHECK_EQUAL(static_cast<unsigned __int128>(counts.values[place]) * expected.whole ==
                                    static_cast<unsigned __int128>(counts.roots[root]) * expected.values[place],
                                true);
            begin = problem.value_ends[variable];
        }
        std::vector<std::uint8_t> drawn;
        CHECK_EQUAL(solver.sample(problem, 5, 0, 3, budget, drawn).status, Status::answered);
        const std::size_t count = problem.variable_count();
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(is_solution(problem, {drawn.begin() + static_cast<std::ptrdiff_t>(i * count),
                                        drawn.begin() + static_cast<std::ptrdiff_t>((i + 1) * count)}));
    }
    CHECK(solved > 100 && solved < 400);
}

TEST(problems_beyond_doubles) {
    Arrays arrays;
    for (std::uint32_t i = 0; i < 3000; ++i) arrays.add_variable(kDomains[0], 0);
    for (std::uint32_t i = 0; i + 1 < 3000; ++i) arrays.add_constraint({{i, 1}, {i + 1, 1}}, {0, 1});
    Budget budget = endless();
    const ProblemAnswer answer = ProblemSolver().analyze(arrays.view(), budget);
    CHECK_EQUAL(answer.status, Status::answered);
    // Words without two ones side by side: a Fibonacci number.
    const double golden = (1 + std::sqrt(5.0)) / 2;
    CHECK(std::abs(answer.log2_layouts - (3002 * std::log2(golden) - std::log2(5.0) / 2)) < 1e-6);
    CHECK(std::abs(answer.probabilities[1] - 1 / (golden * golden)) < 1e-12);
}

TEST(floats_are_doubles_without_limits) {
    const Floats ring;
    Floats::Value product = ring.of(1), inverse = ring.of(1);
    for (int i = 0; i < 5000; ++i) {
        product = ring.multiply(product, ring.of(3));
        inverse = ring.multiply(inverse, {1.0 / 3, 0});
    }
    CHECK(std::abs(Floats::log2(product) - 5000 * std::log2(3.0)) < 1e-9);
    CHECK(std::abs(Floats::ratio(ring.multiply(product, inverse), ring.of(1)) - 1) < 1e-9);
    CHECK_EQUAL(Floats::ratio(ring.add(product, inverse), product), 1.0);
    CHECK_EQUAL(Floats::ratio(ring.add(ring.of(1), ring.of(2)), ring.of(1)), 3.0);
    CHECK(Floats::ratio(inverse, product) == 0 && inverse.mantissa > 0);
}

TEST(problems_keep_their_budget) {
    Rng rng(3);
    Arrays arrays;
    for (std::uint32_t i = 0; i < 60; ++i) arrays.add_variable(kDomains[0], 0);
    for (int i = 0; i < 40; ++i) {
        std::vector<Term> terms;
        for (std::uint32_t variable = 0; variable < 60; ++variable)
            if (roll(rng, 7) == 0) terms.push_back({variable, 1});
        arrays.add_constraint(terms, {static_cast<std::int32_t>(terms.size() / 2)});
    }
    Budget budget = Budget::of_states(1000);
    CHECK_EQUAL(ProblemSolver().analyze(arrays.view(), budget).status, Status::over_budget);
    CHECK(budget.stopped());
}

}  // namespace
}  // namespace mineproof::testing
