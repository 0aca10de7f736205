// The exact analysis of one position: odds of every covered cell, every certain cell, number of layouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/contour.hpp"
#include "mineproof/feasibility.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/polynomial.hpp"
#include "mineproof/question.hpp"
#include "mineproof/reduction.hpp"
#include "mineproof/require.hpp"
#include "mineproof/tape_recorder.hpp"

namespace mineproof {

enum class Status : std::uint8_t { answered, numbers_conflict, total_conflict, over_budget, imprecise };

// What a solver found out; cell-wise results are written to the caller's arrays.
struct Answer {
    Status status = Status::answered;
    // Of all layouts, or without a total of all layouts over all totals.
    double log2_layouts = 0;
    // How many bits the largest count asked of `count_exactly` can have, and cells its largest component has.
    double exact_bits = 0;
    std::uint32_t largest_component = 0;
    // On a conflict of numbers: one of them. On a conflict with the total: the totals that fit lie between these.
    Cell conflict = 0;
    std::int64_t fewest = 0, most = 0;
    // When the budget ran out: how many numbers were half-finished at once.
    std::uint32_t width = 0;
};

// Exact counts modulo primes, to be put together by the Chinese remainder theorem.
//   A *root* is a total count: of all layouts, or without a total one for each component.
//   A *place* is a box, or (last, with a total) the sea; its count is of layouts with a mine in one given cell of it.
struct ExactCounts {
    static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
    std::vector<std::uint64_t> roots, places;  // residues, prime by prime
    std::size_t root_count = 0, place_count = 0;
    std::vector<std::uint32_t> place_of_cell;  // by board cell; kNowhere where nothing needs counting
    std::vector<std::uint32_t> root_of_place;
};

// A prime with what a mined and a free cell count for modulo it (1 and 1, or without a total the odds p : 1-p).
struct PrimeWeights {
    std::uint64_t prime, mined, free;
};

// Layouts drawn at random: the mines of sample i are mines[ends[i-1] .. ends[i]), ascending.
struct Samples {
    std::vector<Cell> mines;
    std::vector<std::uint64_t> ends;
};

// Cells proved safe and cells proved to be mines.
struct Certain {
    std::vector<Cell> safe, mines;
};

// All layouts of a position, one after the other: a byte for each cell, 1 for a mine.
struct Listing {
    std::vector<Cell> cells;  // the undecided ones
    std::vector<std::uint8_t> mines;

    std::size_t layouts() const { return cells.empty() ? 0 : mines.size() / cells.size(); }
};

// What a look ahead wants to know of a position: how many layouts fit, and the two safest living cells, by the chance
// that they are free. A cell is dead if it would show the same number in every layout: opening it tells nothing.
struct Glance {
    Status status = Status::answered;
    double log2_layouts = 0;
    double best = 0, second = 0;
    std::uint32_t safe = 0;  // living cells that are certainly free
    bool solved = false;     // every cell is decided: one layout fits

    // While it is put together: another living cell, which is certainly free or not.
    void add(double safety, bool is_safe) {
        if (safety > best) {
            second = best;
            best = safety;
        } else if (safety > second) {
            second = safety;
        }
        safe += is_safe;
    }
    // The sea, whose cells are all alike and live.
    void add_sea(std::uint32_t cells, double safety, Verdict verdict) {
        for (std::uint32_t i = 0; i < std::min(cells, std::uint32_t{2}); ++i) add(safety, false);
        if (verdict == Verdict::safe) safe += cells;
        if (cells > 0 && verdict == Verdict::undecided) solved = false;
    }
    // If no cell tells layouts apart, one is picked.
    void finish() {
        if (best == 0) best = second = std::exp2(-log2_layouts);
    }
};

class Solver;

// The answer about a position, with the solver that counted it. Valid until the next call of the solver.
class Counted : public Answer {
  public:
    Counted() = default;

    // Lists the layouts. False if there are more than `limit`, if no total was given, if there are so many undecided
    // cells that they were not counted one mine count at a time, or over budget, if there is a budget.
    //   require: the solver has not been asked again
    bool list(std::size_t limit, Listing& listing, Budget* budget = nullptr) const;

    // Writes the verdict on every cell and its mine probability, as `Solver::analyze` does.
    //   require: the solver has not been asked again, and has counted this position; one entry for each cell
    void write(std::span<Verdict> verdicts, std::span<double> probabilities) const;

    // The mine probability of one cell that is covered.
    //   require: as above
    double probability(Cell cell) const;

    // The undecided cell with the lowest probability; of those that are as low but for rounding the one with the lowest
    // `rank(cell)`, then the first.
    //   require: as above; some cell is undecided
    template <class Rank>
    Cell safest(Rank rank) const;

    // Was the position counted? Not if there is none, over budget, and where `find_certain` had no need to.
    bool is_counted() const { return is_counted_; }

  private:
    friend class Solver;
    Counted(Solver& solver, const Question& question)
        : solver_(&solver), cells_(question.geometry.cells), total_(question.total) {}

    Solver* solver_ = nullptr;
    Cell cells_ = 0;
    std::int64_t total_ = 0;
    std::uint64_t turn_ = 0;  // of the solver
    bool is_counted_ = false;
};

// Owns the scratch memory of the analysis; use one per thread, as often as wanted.
class Solver {
  public:
    // Solving ------------------------------------------------------------------------------------

    // Answers a question.
    //   require: verdicts.size() == probabilities.size() == geometry.cells
    //   ensure:  on `answered`, verdicts are certain facts decided by counting; probabilities are NaN on cells
    //            that are not covered, and on undecided ones where neither total nor odds are known; 1 on
    //            trusted flags. `imprecise` means: verdicts hold, probabilities must be had by `count_exactly`.
    Counted analyze(const Question& question, Budget& budget, std::span<Verdict> verdicts,
                    std::span<double> probabilities);

    // Finds certain cells for a player who wants to continue: those that the reduction decides, if one of them is safe;
    // otherwise, by counting, all there are.
    Counted find_certain(const Question& question, Budget& budget, Certain& certain);
    // The same, with what the player has counted.
    Counted find_certain(const Question& question, const Around& around, Budget& budget, Certain& certain);

    // Counts a position and sums it up.
    //   require: a total
    Glance glance(const Question& question, Budget& budget);

    // Counts exactly, once for each prime.
    Answer count_exactly(const Question& question, std::span<const PrimeWeights> primes, Budget& budget,
                         ExactCounts& counts);

    // Draws layouts number `first` to `first + count - 1` of a seed, uniform over all that fit (by odds without a
    // total).
    Answer sample(const Question& question, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                  Budget& budget, Samples& samples);

    // Remembers components from call to call; see TapeMemory. The memory may be shared with other solvers of a thread.
    void remember_in(TapeMemory* memory) { recorder_.remember_in(memory); }

    // Limits -------------------------------------------------------------------------------------

    // Gives scratch memory back if the last call made it large, or always.
    void trim(bool always) {
        constexpr std::size_t kLarge = 1 << 16;  // products: a few hundred bytes for each
        constexpr std::size_t kLargeBoard = 1 << 18;
        if (!always && tape().products().size() <= kLarge && reduction_.marks().size() <= kLargeBoard) return;
        const std::uint64_t turn = turn_;
        *this = Solver();
        turn_ = turn + 1;
    }

    // Statistics of the last call ------------------------------------------------------------------

    std::uint64_t products() const { return tape().products().size(); }
    std::uint32_t width() const { return recorder_.width(); }
    std::uint32_t boxes() const { return static_cast<std::uint32_t>(reduction_.boxes().size()); }

    // What the last call left -----------------------------------------------------------------------

    const Reduction& reduction() const { return reduction_; }
    const Tape& tape() const { return recorder_.tape(); }

  private:
    friend class Counted;
    struct BoxAnswer {
        double probability;
        Verdict verdict;
    };
    class Drawing;
    class Lister;

    bool prepare(const Question& question, Budget& budget, Answer& answer);
    bool reduce_on(const Question& question, const Around* around, Budget& budget, Answer& answer);
    Counted find_certain(const Question& question, const Around* around, Budget& budget, Certain& certain);
    bool check(bool reduced, const Question& question, Budget& budget, Answer& answer);
    bool record(const Question& question, Budget& budget, Answer& answer);
    void count(const Question& question, Budget& budget, Answer& answer);
    void write(std::span<Verdict> verdicts, std::span<double> probabilities) const;
    double probability(Cell cell) const;
    template <class Rank>
    Cell safest(Rank rank) const;
    // Adds the cells that touch no number.
    void append_sea(std::vector<Cell>& cells) const;
    // Mines left for boxes and sea once certain cells have theirs.
    std::int64_t mines_left(std::int64_t total) const {
        return total - reduction_.flags() - reduction_.decided_mines();
    }
    // Can counts be kept in doubles, judged before counting?
    bool fits_directly() const;
    // May passes that hold so much follow the recording? False over budget.
    bool may_hold(std::uint64_t bytes, Budget& budget) const { return budget.fits(recorder_.bytes() + bytes); }
    Status solve_with_total(std::int64_t left, Budget& budget, Answer& answer);
    Status solve_directly(std::int64_t left, Budget& budget, Answer& answer);
    Status solve_on_contour(std::int64_t left, Budget& budget, Answer& answer);
    Status solve_without_total(double odds, Budget& budget, Answer& answer);
    // Finds λ where boxes and sea together expect `left` mines; returns the standard deviation there, < 0 over budget.
    double find_saddle(std::int64_t left, double& lambda, Budget& budget);
    bool integrate(std::int64_t left, double lambda, std::int64_t period, bool cut, Budget& budget, Answer& answer);
    bool adds_up(std::int64_t left) const;
    void total_conflict(std::int64_t total, Answer& answer) const;
    void count_modulo(const Question& question, const PrimeWeights& weights, Budget& budget, ExactCounts& counts,
                      Answer& answer);
    Residues::Value share_with_total(const Residues& ring, std::int64_t left, ExactCounts& counts);
    void list_factorials(const Residues& ring, std::uint64_t most);

    Reduction reduction_;
    TapeRecorder recorder_;
    PolynomialPass<Reals> reals_;
    PolynomialPass<Residues> residues_;
    ContourPass contour_;
    FeasibilityPass feasibility_;
    std::vector<std::uint64_t> factorials_, inverse_factorials_;

    // The answer by box and for the sea, before it is spread over cells.
    std::vector<BoxAnswer> box_answers_;
    BoxAnswer sea_{};
    std::uint64_t turn_ = 0;     // questions asked so far
    bool listable_ = false;      // the polynomials of the last count are still there
    double integral_share_ = 1;  // of the last integral: its value relative to the size of its terms
};

template <class Rank>
Cell Solver::safest(Rank rank) const {
    constexpr double kClose = 1e-9;  // far more than the error of a double
    const auto boxes = reduction_.boxes();
    const bool has_sea = reduction_.sea() > 0 && sea_.verdict == Verdict::undecided;
    double low = has_sea ? sea_.probability : 2;
    for (const BoxAnswer& box : box_answers_)
        if (box.verdict == Verdict::undecided) low = std::min(low, box.probability);
    low *= 1 + kClose;
    Cell best = 0;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    const auto compare = [&](Cell cell) {
        const std::uint32_t each = rank(cell);
        if (each > least || (each == least && cell > best)) return;
        best = cell;
        least = each;
    };
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
        if (box_answers_[id].verdict != Verdict::undecided || box_answers_[id].probability > low) continue;
        for (std::size_t i = 0; i < boxes[id].size; ++i) compare(boxes[id].cells[i]);
    }
    if (has_sea && sea_.probability <= low) reduction_.each_at_sea(compare);
    return best;
}

template <class Rank>
Cell Counted::safest(Rank rank) const {
    MINEPROOF_REQUIRE(is_counted_ && solver_->turn_ == turn_);
    return solver_->safest(rank);
}

}  // namespace mineproof
