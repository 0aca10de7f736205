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
        {}, std::vector<Verdict>(board.geometry.cells, Verdict::none), std::vector<double>(board.geometry.cells, -1)};
    Budget budget = endless();
    result.answer =
        solver.analyze({board.geometry, board.codes, total, odds}, budget, result.verdicts, result.probabilities);
    return result;
}

std::string describe(const Board& board, std::int64_t total, double odds = 0) {
    return picture(board) + (total == Question::kUnknown ? ", no total" : ", total " + show(total)) + ", odds " +
           show(odds);
}

// Numbers that cannot all be satisfied: those linked to the one blamed are enough for it.
void check_blame(const Board& board, Cell conflict) {
    REQUIRE(conflict < board.geometry.cells && is_number(board.codes[conflict]));
    const auto linked = linked_numbers(board.geometry, board.codes, conflict);
    Board alone = board;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell)
        if (is_number(board.codes[cell]) && !std::binary_search(linked.begin(), linked.end(), cell))
            alone.codes[cell] = kAbsent;
    CHECK(all_layouts(alone).all.empty());
}

void check_cells(const Result& result, const Board& board, const Layouts& layouts, const Census& census, bool known) {
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
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

THOROUGH_TEST(answers_on_small_boards_are_those_of_all_layouts) {
    Rng rng(60);
    Solver solver;
    for (int i = 0; i < 6000; ++i) check_all_questions(solver, small_position(rng, 12).board);
}

THOROUGH_TEST(answers_on_wide_boards_are_those_of_all_layouts) {
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
    // The sea may fill the gap, all of it or none.
    for (Cell sea = 0; sea <= 4; ++sea) check_all_questions(solver, side_by_side({star}, sea));
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
    const Answer answer = solver.count_exactly({board.geometry, board.codes, total, 0}, primes, budget, counts);
    CHECK_EQUAL(answer.status, layouts.all.empty() ? Status::numbers_conflict : Status::answered);
    if (answer.status != Status::answered) return;
    REQUIRE(counts.roots.size() == counts.root_count * primes.size());
    REQUIRE(counts.places.size() == counts.place_count * primes.size());
    REQUIRE(counts.root_of_place.size() == counts.place_count);
    REQUIRE(counts.place_of_cell.size() == board.geometry.cells);
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

THOROUGH_TEST(exact_counts_on_small_boards_are_those_of_all_layouts) {
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
        const Question question{board.geometry, board.codes};
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
THOROUGH_TEST(answers_on_long_strips_are_those_of_a_sweep) {
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
        const Question question{strip.board.geometry, strip.board.codes, strip.mines};
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

// A board of many components, each known by all its layouts: what it answers follows from products of polynomials.
class Components {
  public:
    Components(std::vector<Board> boards, Cell sea)
        : boards_(std::move(boards)), sea_(sea), board_(side_by_side(boards_, sea)) {
        for (std::size_t i = 0; i < boards_.size(); ++i) {
            const bool again = i > 0 && boards_[i].codes == boards_[i - 1].codes &&
                               boards_[i].geometry.table == boards_[i - 1].geometry.table;
            layouts_.push_back(again ? layouts_.back() : all_layouts(boards_[i]));
        }
        const std::size_t parts = boards_.size();
        before_.assign(parts + 1, Polynomial{1});
        after_.assign(parts + 1, Polynomial{1});
        for (Cell i = 0; i < sea; ++i) after_[parts] = multiply(after_[parts], {1, 1});
        for (std::size_t i = 0; i < parts; ++i) before_[i + 1] = multiply(before_[i], ways(layouts_[i]));
        for (std::size_t i = parts; i-- > 0;) after_[i] = multiply(after_[i + 1], ways(layouts_[i]));
        while (after_[0][static_cast<std::size_t>(fewest_)] == 0) ++fewest_;
        most_ = static_cast<std::int64_t>(after_[0].size()) - 1;
        while (after_[0][static_cast<std::size_t>(most_)] == 0) --most_;
    }

    std::int64_t fewest() const { return fewest_; }
    std::int64_t most() const { return most_; }

    void check(Solver& solver, std::int64_t mines) const {
        const Note note([&] { return describe(board_, mines); });
        const Result result = analyze(solver, board_, mines);
        const long double all = at(after_[0], mines);
        if (all == 0) {
            CHECK_EQUAL(result.answer.status, Status::total_conflict);
            CHECK_EQUAL(result.answer.fewest, fewest_);
            CHECK_EQUAL(result.answer.most, most_);
            return;
        }
        if (result.answer.status == Status::imprecise)
            return;  // the terms cancel: such a total is left to exact counting
        REQUIRE(result.answer.status == Status::answered);
        CHECK_CLOSE(result.answer.log2_layouts, std::log2(all), 1e-9L);
        Cell offset = 0;
        for (std::size_t part = 0; part < boards_.size(); ++part) {
            Polynomial rest(boards_[part].geometry.cells + 1, 0);  // by mines in this part: ways of all others
            for (std::size_t k = 0; k < rest.size(); ++k)
                for (std::size_t j = 0; j < before_[part].size(); ++j)
                    rest[k] += before_[part][j] * at(after_[part + 1], mines - static_cast<std::int64_t>(j + k));
            const Layouts& layouts = layouts_[part];
            for (std::size_t i = 0; i < layouts.covered.size(); ++i) {
                long double mined = 0, free = 0;
                for (const std::uint32_t layout : layouts.all)
                    ((layout >> i & 1) != 0 ? mined : free) += rest[static_cast<std::size_t>(layouts.mines(layout))];
                check_cell(result, offset + layouts.covered[i], mined, free);
            }
            offset += boards_[part].geometry.cells;
        }
        if (sea_ == 0) return;
        long double mined = 0, free = 0;
        for (std::size_t k = 0; k < before_.back().size(); ++k) {
            const std::int64_t in_sea = mines - static_cast<std::int64_t>(k);
            const long double worth = before_.back()[k] * at(after_.back(), in_sea) / sea_;
            mined += worth * static_cast<long double>(in_sea);
            free += worth * static_cast<long double>(sea_ - in_sea);
        }
        check_cell(result, offset, mined, free);
    }

  private:
    using Polynomial = std::vector<long double>;

    static long double at(const Polynomial& polynomial, std::int64_t place) {
        const bool inside = place >= 0 && place < static_cast<std::int64_t>(polynomial.size());
        return inside ? polynomial[static_cast<std::size_t>(place)] : 0;
    }
    static Polynomial multiply(const Polynomial& a, const Polynomial& b) {
        Polynomial product(a.size() + b.size() - 1, 0);
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
        return product;
    }
    static Polynomial ways(const Layouts& layouts) {
        Polynomial sum(layouts.covered.size() + static_cast<std::size_t>(layouts.flags) + 1, 0);
        for (const std::uint32_t layout : layouts.all) ++sum[static_cast<std::size_t>(layouts.mines(layout))];
        return sum;
    }
    static void check_cell(const Result& result, Cell cell, long double mined, long double free) {
        CHECK_CLOSE(result.probabilities[cell], mined / (mined + free), 1e-9L);
        CHECK_EQUAL(result.verdicts[cell], mined == 0 ? Verdict::safe : free == 0 ? Verdict::mine : Verdict::undecided);
    }

    std::vector<Board> boards_;
    Cell sea_;
    Board board_;
    std::vector<Layouts> layouts_;
    std::vector<Polynomial> before_, after_;  // ways of the parts before one; of it, those after it and the sea
    std::int64_t fewest_ = 0, most_ = 0;
};

// Small boards that have layouts and are not all decided.
std::vector<Board> random_parts(Rng& rng, std::size_t count) {
    std::vector<Board> boards;
    Reduction reduction;
    while (boards.size() < count) {
        Board board = without_sea(small_position(rng, 10).board);
        if (!reduction.run(board.geometry, board.codes) || reduction.undecided() < 4) continue;
        if (!all_layouts(board).all.empty()) boards.push_back(std::move(board));
    }
    return boards;
}

THOROUGH_TEST(answers_on_many_components_are_those_of_each) {
    Rng rng(66);
    Solver solver;
    for (const std::size_t parts : {2U, 20U, 90U, 600U})
        for (const Cell sea : {0U, 70U}) {
            const Components board(random_parts(rng, parts), sea);
            const std::int64_t fewest = board.fewest(), most = board.most();
            board.check(solver, (fewest + most) / 2);
            board.check(solver, (2 * fewest + most) / 3);
            if (parts == 600) continue;
            for (const std::int64_t total : {fewest - 1, fewest, fewest + 1, most - 1, most, most + 1})
                board.check(solver, total);
        }
}

// More layouts than a double has numbers for, on fewer cells than it has bits for in the exponent, or only just.
TEST(counts_beyond_doubles_are_noticed) {
    Rng rng(67);
    Solver solver;
    for (const std::size_t boxes : {160U, 170U, 220U}) {
        std::vector<Board> boards = random_parts(rng, 10);
        boards.insert(boards.end(), boxes, read_board("###/#4#/###"));  // 70 layouts each
        for (const Cell sea : {0U, 9U}) {
            const Components board(boards, sea);
            for (const std::int64_t total : {board.fewest(), (board.fewest() + board.most()) / 2, board.most()})
                board.check(solver, total);
        }
    }
}

// Totals that the sea makes so unlikely, beside others, that a double would lose them.
TEST(rare_totals_are_not_lost) {
    Rng rng(68);
    Solver solver;
    // One mine or seven, a hundred times: in all from a hundred to seven hundred.
    const Board star{
        from_edges(16, {{0, 1},
                        {1, 8},
                        {0, 2},
                        {2, 9},
                        {0, 3},
                        {3, 10},
                        {0, 4},
                        {4, 11},
                        {0, 5},
                        {5, 12},
                        {0, 6},
                        {6, 13},
                        {0, 7},
                        {7, 14}}),
        {kCovered, 1, 1, 1, 1, 1, 1, 1, kCovered, kCovered, kCovered, kCovered, kCovered, kCovered, kCovered, kAbsent},
        16,
        "star"};
    std::vector<Board> boards(100, star);
    for (Board& board : random_parts(rng, 5)) boards.push_back(std::move(board));
    const Components board(boards, 1200);
    const std::int64_t fewest = board.fewest(), most = board.most();
    for (const std::int64_t total : {fewest, fewest + 1, fewest + 5, fewest + 300, fewest + 600, (fewest + most) / 2,
                                     most - 600, most - 5, most - 1, most})
        board.check(solver, total);
}

// Where the sea favours few mines in the boxes a thousand bits, and the boxes favour many as much.
TEST(what_is_faint_by_itself_may_count_in_numbers) {
    Solver solver;
    // The middle mined: one mine, one layout. The middle free: four mines, 5^4 layouts.
    Edges edges;
    std::vector<std::int8_t> codes(25, kCovered);
    for (Cell number = 1; number <= 4; ++number) {
        codes[number] = 1;
        edges.emplace_back(0, number);
        for (Cell i = 0; i < 5; ++i) edges.emplace_back(number, number * 5 + i);
    }
    const Board flower{from_edges(25, edges), codes, 25, "flower"};
    const Components board(std::vector<Board>(110, flower), 2000);
    for (const std::int64_t total : {110, 130, 300, 370, 440, 700, 1200}) board.check(solver, total);
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
        // With a sea that reaches from one state to the other both are possible. An integral over counts so far apart
        // may give up, but then says so, and exact counting takes over.
        const Board bay = side_by_side({board}, static_cast<Cell>(none.most - none.fewest));
        const Result both = analyze(solver, bay, none.most);
        CHECK(both.answer.status == Status::answered || both.answer.status == Status::imprecise);
        CHECK_EQUAL(both.verdicts[0], Verdict::undecided);
        if (both.answer.status == Status::answered) {
            CHECK_CLOSE(both.probabilities[0], 0.5, 1e-9L);
            CHECK_CLOSE(both.answer.log2_layouts, 1, 1e-9L);
        }
        CHECK(both.answer.exact_bits > 1 - 1e-9);
        // In the deep sea the state with more mines is too rare for any number, but it is possible.
        const Result deep = analyze(solver, side_by_side({board}, 3000), none.most);
        CHECK(deep.answer.status == Status::answered || deep.answer.status == Status::imprecise);
        CHECK_EQUAL(deep.verdicts[0], Verdict::undecided);
        CHECK(deep.probabilities[0] > 1 - 1e-9 && deep.probabilities[0] < 1);
        ExactCounts counts;
        Budget budget = endless();
        const std::vector<PrimeWeights> primes = {{largest_primes(1)[0], 1, 1}};
        REQUIRE(solver.count_exactly({bay.geometry, bay.codes, none.most}, primes, budget, counts).status ==
                Status::answered);
        CHECK_EQUAL(counts.roots[0], 2U);
        CHECK_EQUAL(counts.places[counts.place_of_cell[0]], 1U);
    }
}

// Counts that do not fit a double are left to the contour; nothing of an earlier position shows through.
TEST(counts_beyond_a_double_are_counted_all_the_same) {
    Solver solver;
    const auto ask = [&](std::size_t copies, Cell sea, std::int64_t total) {
        const Board board = side_by_side(std::vector<Board>(copies, read_board("#2##/###2")), sea);
        const Question question{board.geometry, board.codes, total};
        Budget budget = endless();
        std::vector<Verdict> verdicts(board.codes.size());
        std::vector<double> odds(board.codes.size());
        const Answer answer = solver.analyze(question, budget, verdicts, odds);
        CHECK(answer.status == Status::answered);
        CHECK_EQUAL(std::count(verdicts.begin(), verdicts.end(), Verdict::none), std::ptrdiff_t(2 * copies));
        double expected = 0;
        for (std::size_t cell = 0; cell < odds.size(); ++cell)
            if (board.codes[cell] == kCovered) expected += odds[cell];
        CHECK_CLOSE(expected, static_cast<double>(total), 1e-6);
        return std::count(verdicts.begin(), verdicts.end(), Verdict::undecided);
    };
    CHECK_EQUAL(ask(300, 10, 800), 300 * 6 + 10);
    CHECK_EQUAL(ask(400, 50, 1210), 400 * 6 + 50);
    CHECK_EQUAL(ask(300, 10, 800), 300 * 6 + 10);
    Listing listing;
    const Board small = read_board("#1#"), broken = read_board("#3#");
    Budget budget = endless();
    std::vector<Verdict> verdicts(3);
    std::vector<double> odds(3);
    const Question question{small.geometry, small.codes, 1}, wrong{broken.geometry, broken.codes, 1};
    CHECK(solver.analyze(question, budget, verdicts, odds).list(10, listing));
    CHECK(!solver.analyze(wrong, budget, verdicts, odds).list(10, listing));
}

}  // namespace
}  // namespace mineproof::testing
