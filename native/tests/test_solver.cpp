// The solver: whole answers against all layouts of small boards, and against a sweep on boards of hundreds of cells.

#include "mineproof/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/primes.hpp"
#include "oracle.hpp"
#include "strip.hpp"

namespace mineproof::testing {
namespace {

struct Result {
    Answer answer;
    std::vector<Verdict> verdicts;
    std::vector<double> probabilities;
};

Result analyze(Solver& solver, const Board& board, std::int64_t total, double odds = 0) {
    Result result{
        {}, std::vector<Verdict>(board.topology.cells, Verdict::none), std::vector<double>(board.topology.cells, -1)};
    Budget budget = endless();
    result.answer =
        solver.analyze({board.topology, board.codes, total, odds}, budget, result.verdicts, result.probabilities);
    return result;
}

std::string describe(const Board& board, std::int64_t total, double odds = 0) {
    return picture(board) + (total == Question::kUnknown ? ", no total" : ", total " + show(total)) + ", odds " +
           show(odds);
}

// Numbers that cannot all be satisfied: those linked to the one blamed are enough for it.
void check_blame(const Board& board, Cell conflict) {
    REQUIRE(conflict < board.topology.cells && is_number(board.codes[conflict]));
    const auto linked = linked_numbers(board.topology, board.codes, conflict);
    Board alone = board;
    for (Cell cell = 0; cell < board.topology.cells; ++cell)
        if (is_number(board.codes[cell]) && !std::binary_search(linked.begin(), linked.end(), cell))
            alone.codes[cell] = kAbsent;
    CHECK(all_layouts(alone).all.empty());
}

void check_cells(const Result& result, const Board& board, const Layouts& layouts, const Census& census, bool known) {
    for (Cell cell = 0; cell < board.topology.cells; ++cell) {
        const Note note([&] { return "cell " + show(cell); });
        if (board.codes[cell] == kFlagged) {
            CHECK_EQUAL(result.verdicts[cell], Verdict::none);
            CHECK_EQUAL(result.probabilities[cell], 1.0);
        } else if (board.codes[cell] != kCovered) {
            CHECK_EQUAL(result.verdicts[cell], Verdict::none);
            CHECK(std::isnan(result.probabilities[cell]));
        }
    }
    for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
        const Cell cell = layouts.covered[i];
        const Note note([&] { return "covered cell " + show(cell); });
        const double probability = result.probabilities[cell];
        if (census.mined[i] == 0) {
            CHECK_EQUAL(result.verdicts[cell], Verdict::safe);
            CHECK_EQUAL(probability, 0.0);
        } else if (census.mined[i] == census.layouts) {
            CHECK_EQUAL(result.verdicts[cell], Verdict::mine);
            CHECK_EQUAL(probability, 1.0);
        } else {
            CHECK_EQUAL(result.verdicts[cell], Verdict::undecided);
            if (known) {
                const long double expected = census.mined_weight[i] / census.weight;
                CHECK_CLOSE(probability, expected, 1e-13L * expected + 1e-16L);
                CHECK(probability > 0 && probability < 1);
            } else {
                CHECK(std::isnan(probability));
            }
        }
    }
}

void check_answer(Solver& solver, const Board& board, const Layouts& layouts, std::int64_t total, double odds) {
    const Note note([&] { return describe(board, total, odds); });
    const bool with_total = total != Question::kUnknown;
    const Result result = analyze(solver, board, total, odds);
    if (layouts.all.empty()) {
        CHECK_EQUAL(result.answer.status, Status::numbers_conflict);
        check_blame(board, result.answer.conflict);
        return;
    }
    const Census census = take_census(layouts, with_total ? std::optional(total) : std::nullopt, odds > 0 ? odds : 1);
    if (census.layouts == 0) {
        CHECK_EQUAL(result.answer.status, Status::total_conflict);
        std::int64_t fewest = layouts.mines(layouts.all[0]), most = fewest;
        for (const std::uint32_t layout : layouts.all) {
            fewest = std::min(fewest, layouts.mines(layout));
            most = std::max(most, layouts.mines(layout));
        }
        CHECK_EQUAL(result.answer.fewest, fewest);
        CHECK_EQUAL(result.answer.most, most);
        return;
    }
    CHECK_EQUAL(result.answer.status, Status::answered);
    CHECK_CLOSE(result.answer.log2_layouts, std::log2(static_cast<long double>(census.layouts)), 1e-12L);
    check_cells(result, board, layouts, census, with_total || odds > 0);
}

// All totals there may be, one too few, one too many, none; odds known and unknown.
void check_all_questions(Solver& solver, const Board& board) {
    const Layouts layouts = all_layouts(board);
    const auto most = static_cast<std::int64_t>(layouts.covered.size()) + layouts.flags;
    for (std::int64_t total = layouts.flags - 1; total <= most + 1; ++total)
        check_answer(solver, board, layouts, total, 0);
    for (const double odds : {0.0, 0.25, 1.0, 3e-6, 2e5})
        check_answer(solver, board, layouts, Question::kUnknown, odds);
}

TEST(answers_on_small_boards_are_those_of_all_layouts) {
    Rng rng(60);
    Solver solver;
    for (int i = 0; i < 6000; ++i) check_all_questions(solver, small_position(rng, 12).board);
}

TEST(answers_on_wide_boards_are_those_of_all_layouts) {
    Rng rng(61);
    Solver solver;
    int widest = 0;
    for (int i = 0; i < 30; ++i) {
        check_all_questions(solver, wide_board(rng, 16, between(rng, 8, 40)));
        widest = std::max(widest, static_cast<int>(solver.width()));
    }
    CHECK(widest > 24);
}

TEST(answers_on_odd_boards) {
    Solver solver;
    for (const Shape shape : kShapes)
        for (const char* text : {"#", "0", "F", "~", "1", "##", "#1", "1F", "0F", "F#", "FFF/FFF", "~~~/~~~", "000/000",
                                 "####/####/####", "###/#8#/###", "###/#0#/###", "F#F/#4#/F#F", "1#/1#", "#2#/~~~/#2#"})
            check_all_questions(solver, read_board(text, shape));
    check_all_questions(solver, Board{from_edges(0, {}), {}, 1, "empty"});
}

TEST(totals_far_out_of_range_are_conflicts) {
    Solver solver;
    for (const char* text : {"##/1#", "#", "F#", "0"})
        for (const std::int64_t total :
             {std::int64_t{-5}, std::int64_t{1000000}, std::int64_t{1} << 40, -(std::int64_t{1} << 40)}) {
            const Note note([&] { return describe(read_board(text), total); });
            CHECK_EQUAL(analyze(solver, read_board(text), total).answer.status, Status::total_conflict);
        }
}

TEST(a_total_may_fall_into_a_gap) {
    // Middle mined: one mine. Middle free: four.
    const Board star{from_edges(9, {{4, 5}, {5, 0}, {4, 6}, {6, 1}, {4, 7}, {7, 2}, {4, 8}, {8, 3}}),
                     {kCovered, kCovered, kCovered, kCovered, kCovered, 1, 1, 1, 1},
                     9,
                     "star"};
    Solver solver;
    for (const std::int64_t total : {2, 3}) {
        const Answer answer = analyze(solver, star, total).answer;
        CHECK_EQUAL(answer.status, Status::total_conflict);
        CHECK_EQUAL(answer.fewest, 1);
        CHECK_EQUAL(answer.most, 4);
    }
    check_all_questions(solver, star);
}

// Counting modulo primes -----------------------------------------------------------------------------------------

// Sums of mined^k · free^(n-k) over layouts with k of n covered cells mined.
struct ModularCensus {
    std::uint64_t all = 0;
    std::vector<std::uint64_t> mined;
};

ModularCensus census_modulo(const Layouts& layouts, std::optional<std::int64_t> total, const PrimeWeights& weights) {
    ModularCensus census{0, std::vector<std::uint64_t>(layouts.covered.size(), 0)};
    const std::uint64_t p = weights.prime, cells = layouts.covered.size();
    for (const std::uint32_t layout : layouts.all) {
        if (total && layouts.mines(layout) != *total) continue;
        const auto mines = static_cast<std::uint64_t>(std::popcount(layout));
        const std::uint64_t worth =
            multiply_mod(power_mod(weights.mined, mines, p), power_mod(weights.free, cells - mines, p), p);
        census.all = (census.all + worth) % p;
        for (std::size_t i = 0; i < census.mined.size(); ++i)
            if ((layout >> i & 1) != 0) census.mined[i] = (census.mined[i] + worth) % p;
    }
    return census;
}

void check_exact(Solver& solver, const Board& board, const Layouts& layouts, std::int64_t total,
                 const std::vector<PrimeWeights>& primes) {
    const Note note([&] { return describe(board, total); });
    const bool with_total = total != Question::kUnknown;
    ExactCounts counts;
    Budget budget = endless();
    const Answer answer = solver.count_exactly({board.topology, board.codes, total, 0}, primes, budget, counts);
    CHECK_EQUAL(answer.status, layouts.all.empty() ? Status::numbers_conflict : Status::answered);
    if (answer.status != Status::answered) return;
    REQUIRE(counts.roots.size() == counts.root_count * primes.size());
    REQUIRE(counts.places.size() == counts.place_count * primes.size());
    REQUIRE(counts.root_of_place.size() == counts.place_count);
    REQUIRE(counts.place_of_cell.size() == board.topology.cells);
    for (std::size_t at = 0; at < primes.size(); ++at) {
        const std::uint64_t p = primes[at].prime;
        const Note modulus([&] { return "modulo " + show(p); });
        const auto census = census_modulo(layouts, with_total ? std::optional(total) : std::nullopt, primes[at]);
        const std::uint64_t* roots = counts.roots.data() + at * counts.root_count;
        const std::uint64_t* places = counts.places.data() + at * counts.place_count;
        if (with_total) {
            CHECK_EQUAL(counts.root_count, 1U);
            CHECK_EQUAL(roots[0], census.all);
        }
        for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
            const std::uint32_t place = counts.place_of_cell[layouts.covered[i]];
            if (place == ExactCounts::kNowhere) {  // decided, or sea without a total
                const bool decided = census.mined[i] == 0 || census.mined[i] == census.all;
                const bool sea = multiply_mod(census.mined[i], (primes[at].mined + primes[at].free) % p, p) ==
                                 multiply_mod(census.all, primes[at].mined, p);
                CHECK(decided || (sea && !with_total));
                continue;
            }
            REQUIRE(place < counts.place_count);
            if (with_total)
                CHECK_EQUAL(places[place], census.mined[i]);
            else  // the other components multiply both counts alike
                CHECK_EQUAL(multiply_mod(places[place], census.all, p),
                            multiply_mod(roots[counts.root_of_place[place]], census.mined[i], p));
        }
    }
}

TEST(exact_counts_on_small_boards_are_those_of_all_layouts) {
    Rng rng(62);
    Solver solver;
    const auto large = largest_primes(2);
    for (int i = 0; i < 1500; ++i) {
        const Board board = i % 50 == 0 ? wide_board(rng, 14, between(rng, 8, 40)) : small_position(rng, 11).board;
        const Layouts layouts = all_layouts(board);
        const auto most = static_cast<std::int64_t>(layouts.covered.size()) + layouts.flags;
        for (std::int64_t total = layouts.flags - 1; total <= most + 1; ++total)
            check_exact(solver, board, layouts, total, {{large[0], 1, 1}, {10007, 1, 1}});
        check_exact(solver, board, layouts, Question::kUnknown,
                    {{large[1], 1, 1}, {large[0], rng() % large[0], rng() % large[0]}, {101, 3, 98}});
    }
}

// Without a total the product of all roots, sea and decided cells is the number of layouts.
TEST(exact_roots_multiply_to_all_layouts) {
    Rng rng(63);
    Solver solver;
    const std::uint64_t p = largest_primes(1)[0];
    for (int i = 0; i < 800; ++i) {
        const Board board = small_position(rng, 12).board;
        const Note note([&] { return picture(board); });
        const Layouts layouts = all_layouts(board);
        if (layouts.all.empty()) continue;
        ExactCounts counts;
        Budget budget = endless();
        const std::vector<PrimeWeights> primes = {{p, 1, 1}};
        const Question question{board.topology, board.codes};
        REQUIRE(solver.count_exactly(question, primes, budget, counts).status == Status::answered);
        const Layouts near = all_layouts(without_sea(board));
        std::uint64_t all = std::uint64_t{1} << (layouts.covered.size() - near.covered.size());
        double bits = 0;
        for (const std::uint64_t root : counts.roots) {
            all *= root;
            bits = std::max(bits, std::log2(static_cast<double>(root)));
        }
        CHECK_EQUAL(all, layouts.all.size());

        // The bits that analyze asks to provide for, and the component it calls the largest.
        const Answer answer = analyze(solver, board, Question::kUnknown).answer;
        CHECK_CLOSE(answer.exact_bits, bits, 1e-9L);
        std::map<std::uint32_t, std::uint32_t> cells;
        for (const std::uint32_t place : counts.place_of_cell)
            if (place != ExactCounts::kNowhere) ++cells[counts.root_of_place[place]];
        std::uint32_t largest = 0;
        for (const auto& [root, count] : cells) largest = std::max(largest, count);
        CHECK_EQUAL(answer.largest_component, largest);
    }
}

// Large boards -----------------------------------------------------------------------------------------------------

// One question about a strip, against the sweep.
void check_strip(Solver& solver, const Strip& strip, const StripSweep<LongDoubles>& sweep, std::size_t total) {
    const Note note([&] { return describe(strip.board, static_cast<std::int64_t>(total)); });
    const auto counts = sweep.count(total);
    const Result result = analyze(solver, strip.board, static_cast<std::int64_t>(total));
    if (counts.layouts == 0) {
        CHECK_EQUAL(result.answer.status, Status::total_conflict);
        return;
    }
    REQUIRE(result.answer.status == Status::answered);
    CHECK_CLOSE(result.answer.log2_layouts, std::log2(counts.layouts), 1e-9L);
    const std::size_t columns = strip.numbers.size();
    for (std::size_t column = 0; column < columns; ++column)
        for (const std::size_t cell : {column, 2 * columns + column}) {
            const auto& present = counts.present[column];
            CHECK_EQUAL(result.verdicts[cell], !present[1] && !present[2]   ? Verdict::safe
                                               : !present[0] && !present[1] ? Verdict::mine
                                                                            : Verdict::undecided);
            CHECK_CLOSE(result.probabilities[cell], counts.mined[column] / counts.layouts, 1e-9L);
        }
    if (strip.sea == 0) return;
    CHECK_CLOSE(result.probabilities[3 * columns], counts.sea_mined / counts.layouts, 1e-9L);
    bool can_be_safe = false, can_be_mine = false;
    const auto by_mines = sweep.by_mines();
    for (std::size_t k = 0; k < by_mines.size() && k <= total; ++k) {
        if (by_mines[k] == 0 || total - k > strip.sea) continue;
        can_be_mine |= total - k > 0;
        can_be_safe |= total - k < strip.sea;
    }
    CHECK_EQUAL(result.verdicts[3 * columns], !can_be_mine   ? Verdict::safe
                                              : !can_be_safe ? Verdict::mine
                                                             : Verdict::undecided);
}

// From what polynomials do to what only the contour can; totals from the least to the largest there can be.
TEST(answers_on_long_strips_are_those_of_a_sweep) {
    Rng rng(64);
    Solver solver;
    std::uint32_t largest = 0;
    for (const int columns : {5, 40, 120, 240, 260, 300, 520, 540, 560, 580}) {
        const int kind = columns / 20 % 4;
        const Strip strip = make_strip(rng, columns, kind == 0 ? 0 : between(rng, 1, 2), kind == 1 ? 0.2 : 0.5,
                                       kind == 2 ? 0.95 : 0.6, columns > 250);
        const StripSweep<LongDoubles> sweep(strip);
        const auto by_mines = sweep.by_mines();
        std::size_t fewest = 0, most = by_mines.size() - 1;
        while (by_mines[fewest] == 0) ++fewest;
        while (by_mines[most] == 0) --most;
        most += strip.sea;
        const auto mines = static_cast<std::size_t>(strip.mines);
        for (const std::size_t total : {mines, mines + 1, fewest, fewest + 1, most - 4, most, most + 1})
            check_strip(solver, strip, sweep, total);
        if (fewest > 0) check_strip(solver, strip, sweep, fewest - 1);
        largest = std::max(largest, analyze(solver, strip.board, strip.mines).answer.largest_component);
    }
    CHECK(largest > 1000);
}

TEST(exact_counts_on_long_strips_are_those_of_a_sweep) {
    Rng rng(65);
    Solver solver;
    const std::uint64_t prime = largest_primes(3)[2];
    for (int i = 0; i < 4; ++i) {
        const Strip strip = make_strip(rng, between(rng, 100, 350), i % 2, 0.3, 0.7, i >= 2);
        const Note note([&] { return describe(strip.board, strip.mines); });
        const auto expected = StripSweep<Modulo>(strip, Modulo{prime}).count(static_cast<std::size_t>(strip.mines));
        ExactCounts counts;
        Budget budget = endless();
        const std::vector<PrimeWeights> primes = {{prime, 1, 1}};
        const Question question{strip.board.topology, strip.board.codes, strip.mines};
        REQUIRE(solver.count_exactly(question, primes, budget, counts).status == Status::answered);
        CHECK_EQUAL(counts.roots[0], expected.layouts);
        for (std::size_t column = 0; column < strip.numbers.size(); ++column) {
            const std::uint32_t place = counts.place_of_cell[column];
            if (place != ExactCounts::kNowhere) CHECK_EQUAL(counts.places[place], expected.mined[column]);
        }
        if (strip.sea > 0)
            CHECK_EQUAL(counts.places[counts.place_of_cell[3 * strip.numbers.size()]], expected.sea_mined);
    }
}

// Many components of every kind, each known by all its layouts, against products of their polynomials.
TEST(answers_on_many_components_are_those_of_each) {
    Rng rng(66);
    Solver solver;
    for (int round = 0; round < 9; ++round) {
        const std::size_t parts = std::array{20, 90, 600}[static_cast<std::size_t>(round % 3)];
        const auto sea = static_cast<Cell>(round < 3 ? 0 : between(rng, 1, 80));
        std::vector<Board> boards;
        std::vector<Layouts> layouts;
        std::int64_t mines = 0;
        Reduction reduction;
        while (boards.size() < parts) {
            Board board = without_sea(small_position(rng, 10).board);
            if (!reduction.run(board.topology, board.codes) || reduction.undecided() < 4) continue;
            Layouts all = all_layouts(board);
            if (all.all.empty()) continue;
            mines += all.mines(all.all[roll(rng, all.all.size())]);
            layouts.push_back(std::move(all));
            boards.push_back(std::move(board));
        }
        mines += static_cast<std::int64_t>(sea / 5);
        // before[i]: ways of the first i parts by mines; after[i]: ways of the others and the sea.
        using Polynomial = std::vector<long double>;
        const auto multiply = [](const Polynomial& a, const Polynomial& b) {
            Polynomial product(a.size() + b.size() - 1, 0);
            for (std::size_t i = 0; i < a.size(); ++i)
                for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
            return product;
        };
        const auto ways = [](const Layouts& of) {
            Polynomial sum(of.covered.size() + static_cast<std::size_t>(of.flags) + 1, 0);
            for (const std::uint32_t layout : of.all) ++sum[static_cast<std::size_t>(of.mines(layout))];
            return sum;
        };
        std::vector<Polynomial> before(parts + 1, Polynomial{1}), after(parts + 1, Polynomial{1});
        for (Cell i = 0; i < sea; ++i) after[parts] = multiply(after[parts], {1, 1});
        for (std::size_t i = 0; i < parts; ++i) before[i + 1] = multiply(before[i], ways(layouts[i]));
        for (std::size_t i = parts; i-- > 0;) after[i] = multiply(after[i + 1], ways(layouts[i]));

        const Board board = side_by_side(boards, sea);
        const Note note([&] { return describe(board, mines); });
        const Result result = analyze(solver, board, mines);
        REQUIRE(result.answer.status == Status::answered);
        const long double all = after[0][static_cast<std::size_t>(mines)];
        CHECK_CLOSE(result.answer.log2_layouts, std::log2(all), 1e-9L);
        Cell offset = 0;
        for (std::size_t part = 0; part < parts; ++part) {
            // What the rest of the board offers for k mines in this part.
            Polynomial rest(boards[part].topology.cells + 1, 0);
            for (std::size_t k = 0; k < rest.size(); ++k)
                for (std::size_t j = 0; j < before[part].size(); ++j) {
                    const std::int64_t left = mines - static_cast<std::int64_t>(j + k);
                    if (left >= 0 && left < static_cast<std::int64_t>(after[part + 1].size()))
                        rest[k] += before[part][j] * after[part + 1][static_cast<std::size_t>(left)];
                }
            for (std::size_t i = 0; i < layouts[part].covered.size(); ++i) {
                long double mined = 0;
                bool can_be_free = false;
                for (const std::uint32_t layout : layouts[part].all) {
                    const long double worth = rest[static_cast<std::size_t>(layouts[part].mines(layout))];
                    if ((layout >> i & 1) != 0)
                        mined += worth;
                    else
                        can_be_free |= worth > 0;
                }
                const Cell cell = offset + layouts[part].covered[i];
                CHECK_CLOSE(result.probabilities[cell], mined / all, 1e-9L);
                CHECK_EQUAL(result.verdicts[cell], mined == 0     ? Verdict::safe
                                                   : !can_be_free ? Verdict::mine
                                                                  : Verdict::undecided);
            }
            offset += boards[part].topology.cells;
        }
    }
}

// One component that has two arrangements, hundreds of mines apart: what lies between the two must not be blurred.
TEST(counts_far_apart_are_kept_apart) {
    Solver solver;
    // Arms of cells with one mine on each link, so that the middle decides them all.
    const auto star = [](int arms, int length) {
        Edges edges;
        std::vector<std::int8_t> codes = {kCovered};
        for (int arm = 0; arm < arms; ++arm) {
            Cell last = 0;
            for (int i = 0; i < length; ++i) {
                const auto number = static_cast<Cell>(codes.size()), leaf = number + 1;
                codes.insert(codes.end(), {1, kCovered});
                edges.insert(edges.end(), {{last, number}, {number, leaf}});
                // Twigs on every other cell, so that one of the two states has many more mines.
                for (int twig = 0; i % 2 == 1 && twig < 5; ++twig) {
                    const auto small = static_cast<Cell>(codes.size());
                    codes.insert(codes.end(), {1, kCovered});
                    edges.insert(edges.end(), {{leaf, small}, {small, small + 1}});
                }
                last = leaf;
            }
        }
        const auto cells = static_cast<Cell>(codes.size());
        return Board{from_edges(cells, edges), std::move(codes), cells, "star"};
    };
    for (const int length : {25, 43}) {
        const Board board = star(7, length);
        const auto covered = static_cast<std::int64_t>(std::count(board.codes.begin(), board.codes.end(), kCovered));
        const Answer none = analyze(solver, board, 0).answer;
        REQUIRE(none.status == Status::total_conflict);
        CHECK_EQUAL(none.fewest + none.most, covered);  // the two states are each other's opposite
        CHECK(none.most - none.fewest > 200);
        for (const std::int64_t total : {none.fewest, none.most}) {
            const Result result = analyze(solver, board, total);
            REQUIRE(result.answer.status == Status::answered);
            CHECK_CLOSE(result.answer.log2_layouts, 0, 1e-9L);
            CHECK_EQUAL(result.verdicts[0], total == none.fewest ? Verdict::mine : Verdict::safe);
        }
        for (const std::int64_t total : {none.fewest + 1, none.most - 1, covered / 2})
            CHECK_EQUAL(analyze(solver, board, total).answer.status, Status::total_conflict);
        // With a sea that reaches from one state to the other both are possible, one of them hardly.
        const Board bay = side_by_side({board}, static_cast<Cell>(none.most - none.fewest));
        const Result both = analyze(solver, bay, none.most);
        REQUIRE(both.answer.status == Status::answered);
        CHECK_EQUAL(both.verdicts[0], Verdict::undecided);
        CHECK_CLOSE(both.probabilities[0], 0.5, 1e-9L);
        CHECK_CLOSE(both.answer.log2_layouts, 1, 1e-9L);
    }
}

}  // namespace
}  // namespace mineproof::testing
