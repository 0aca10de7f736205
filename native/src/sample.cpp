// Sampling: layouts drawn uniformly from all that fit.
//
// A walk back along the tape chooses, at each step, one of the products that make up the chosen row, in proportion
// to its count. With a total and counts that fit doubles, rows are polynomials and the walk carries the number of
// mines along: every draw is a layout. On larger boards counts are taken at one real point λ, the mines of all boxes
// together come out at random, and a draw is kept with probability C(sea, rest)·λ^-mines relative to its maximum; at
// the saddle point that is about one draw in (deviation of the count / deviation of the sea).
// Sample i depends on (seed, i) only.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mineproof/binomial.hpp"
#include "mineproof/direct.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// One position being drawn from.
class Solver::Drawing {
  public:
    // `counted`: the polynomial pass has been run; otherwise the contour pass at the real point λ.
    Drawing(Solver& solver, const Question& question, double lambda, bool counted)
        : solver_(solver),
          question_(question),
          lambda_(lambda),
          counted_(counted),
          left_(question.total == Question::kUnknown ? 0 : solver.mines_left(question.total)) {
        const auto marks = solver.reduction_.marks();
        std::vector<std::uint8_t> boxed(question.geometry.cells, 0);
        for (const Box& box : solver.reduction_.boxes())
            for (std::size_t i = 0; i < box.size; ++i) boxed[box.cells[i]] = 1;
        for (Cell cell = 0; cell < question.geometry.cells; ++cell) {
            if (marks[cell] == kUndecidedMark && !boxed[cell]) sea_.push_back(cell);
            if (marks[cell] == kFlagMark || solver.reduction_.verdicts()[cell] == Verdict::mine) known_.push_back(cell);
        }
        for (std::size_t size = 0; size <= kReach; ++size)
            for (std::size_t mines = 0; mines <= size; ++mines)
                weights_[size][mines] = kChoose[size][mines] * std::pow(lambda, static_cast<int>(mines));
        for (const std::uint32_t root : solver.tape().roots()) {
            fewest_ += solver.tape().rows()[root].lo;
            most_ += solver.tape().rows()[root].lo + solver.tape().rows()[root].len - 1;
        }
        if (question.total != Question::kUnknown)
            for (std::int64_t mines = fewest_; mines <= most_; ++mines) best_ = std::max(best_, log_weight(mines));
    }

    // False when the budget ran out first.
    bool draw(Random& random, Budget& budget, std::vector<Cell>& mines) {
        for (;;) {
            if (!budget.work(solver_.tape().products().size() + 64)) return false;
            if (counted_) {
                draw_counted(random);
                break;
            }
            const std::int64_t in_boxes = draw_boxes(random);
            if (question_.total == Question::kUnknown) break;
            if (random.uniform() < std::exp(log_weight(in_boxes) - best_)) break;
        }
        mines = known_;
        for (std::uint32_t id = 0; id < box_mines_.size(); ++id) {
            const Box& box = solver_.reduction_.boxes()[id];
            choose({box.cells.data(), box.size}, static_cast<std::uint64_t>(box_mines_[id]), random, mines);
        }
        draw_sea(random, mines);
        std::sort(mines.begin(), mines.end());
        return true;
    }

  private:
    // Log of C(sea, left - mines)·λ^-mines; minus infinity where the sea cannot take the rest.
    double log_weight(std::int64_t mines) const {
        const std::int64_t rest = left_ - mines;
        const auto sea = static_cast<std::int64_t>(sea_.size());
        if (rest < 0 || rest > sea) return -std::numeric_limits<double>::infinity();
        const auto n = static_cast<double>(sea), k = static_cast<double>(rest);
        return log_choose(n, k) - static_cast<double>(mines) * std::log(lambda_);
    }

    // Draws the mines of all boxes together, then, from the root down, those of every row and box.
    void draw_counted(Random& random) {
        const Tape& tape = solver_.tape();
        const auto rows = tape.rows();
        const auto steps = tape.steps();
        const Row& root = rows[tape.roots()[0]];
        chosen_.assign(rows.size(), 0);
        mines_of_.assign(rows.size(), 0);
        box_mines_.assign(solver_.reduction_.boxes().size(), 0);
        const auto counts = solver_.reals_.polynomial(root);
        const std::uint32_t k = pick<std::uint32_t>(random, [&](auto offer) {
            for (std::uint32_t i = 0; i < root.len; ++i)
                offer(counts[i] * std::exp(log_weight(root.lo + i) - best_), i);
        });
        chosen_[tape.roots()[0]] = 1;
        mines_of_[tape.roots()[0]] = root.lo + k;
        in_boxes_ = root.lo + k;
        for (std::size_t at = steps.size(); at-- > 0;) split(steps[at], random);
    }

    // Draws the product that the chosen row of a step came from, and how its mines are shared out.
    void split(const Step& step, Random& random) {
        struct Source {
            const Product* product;
            std::uint32_t left_mines;
        };
        const auto rows = solver_.tape().rows();
        const auto products = solver_.tape().products();
        const bool is_box = step.box != Step::kNoBox;
        std::uint32_t row = step.first_row;
        while (!chosen_[row]) ++row;
        const std::uint32_t mines = mines_of_[row];
        const auto ways = [&](std::uint32_t of, std::uint32_t count) {
            const Row& each = rows[of];
            return count < each.lo || count >= each.lo + each.len ? 0.0
                                                                  : solver_.reals_.polynomial(each)[count - each.lo];
        };
        const auto source = pick<Source>(random, [&](auto offer) {
            for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                const Product& product = products[i];
                if (product.out != row) continue;
                if (is_box) {
                    if (product.right > mines) continue;
                    const double weight = kChoose[solver_.reduction_.boxes()[step.box].size][product.right];
                    offer(weight * ways(product.left, mines - product.right), Source{&product, mines - product.right});
                    continue;
                }
                const Row& left = rows[product.left];
                for (std::uint32_t k = left.lo; k < left.lo + left.len && k <= mines; ++k)
                    offer(ways(product.left, k) * ways(product.right, mines - k), Source{&product, k});
            }
        });
        choose_row(source.product->left, source.left_mines);
        if (is_box)
            box_mines_[step.box] = static_cast<std::uint8_t>(source.product->right);
        else
            choose_row(source.product->right, mines - source.left_mines);
    }

    void choose_row(std::uint32_t row, std::uint32_t mines) {
        chosen_[row] = 1;
        mines_of_[row] = mines;
    }

    // Picks one of the things that `options` offers, with a chance proportional to its weight.
    template <class Thing, class Options>
    static Thing pick(Random& random, Options options) {
        double total = 0;
        options([&](double weight, const Thing&) { total += weight; });
        double rest = random.uniform() * total;
        Thing picked{};
        bool done = false;
        options([&](double weight, const Thing& thing) {
            if (done || weight == 0) return;
            picked = thing;  // rounding may leave a rest after the last one: then the last one is picked
            rest -= weight;
            done = rest < 0;
        });
        return picked;
    }

    std::int64_t draw_boxes(Random& random) {
        const Tape& tape = solver_.tape();
        const auto steps = tape.steps();
        const auto products = tape.products();
        chosen_.assign(tape.rows().size(), 0);
        box_mines_.assign(solver_.reduction_.boxes().size(), 0);
        for (const std::uint32_t root : tape.roots()) chosen_[root] = 1;
        std::int64_t sum = 0;
        for (std::size_t at = steps.size(); at-- > 0;) {
            const Step& step = steps[at];
            const bool is_box = step.box != Step::kNoBox;
            std::uint32_t row = step.first_row;
            while (!chosen_[row]) ++row;  // every table is used once: exactly one of its rows is chosen
            const Product* picked = pick<const Product*>(random, [&](auto offer) {
                for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
                    const Product& product = products[i];
                    if (product.out != row) continue;
                    const double right = is_box ? weights_[solver_.reduction_.boxes()[step.box].size][product.right]
                                                : solver_.contour_.row_value(product.right);
                    offer(solver_.contour_.row_value(product.left) * right, &product);
                }
            });
            chosen_[picked->left] = 1;
            if (is_box)
                sum += box_mines_[step.box] = static_cast<std::uint8_t>(picked->right);
            else
                chosen_[picked->right] = 1;
        }
        in_boxes_ = sum;
        return sum;
    }

    // Adds `count` of the cells, each subset equally likely.
    static void choose(std::span<const Cell> cells, std::uint64_t count, Random& random, std::vector<Cell>& mines) {
        std::uint64_t needed = count, left = cells.size();
        for (const Cell cell : cells) {
            if (random.below(left--) < needed) {
                mines.push_back(cell);
                --needed;
            }
        }
    }

    void draw_sea(Random& random, std::vector<Cell>& mines) {
        if (question_.total != Question::kUnknown) {
            choose(sea_, static_cast<std::uint64_t>(left_ - in_boxes_), random, mines);
            return;
        }
        const double share = lambda_ / (1 + lambda_);
        for (const Cell cell : sea_)
            if (random.uniform() < share) mines.push_back(cell);
    }

    Solver& solver_;
    const Question& question_;
    double lambda_;
    bool counted_;
    std::int64_t left_, fewest_ = 0, most_ = 0, in_boxes_ = 0;
    double best_ = -std::numeric_limits<double>::infinity();
    std::array<std::array<double, kReach + 1>, kReach + 1> weights_{};
    std::vector<Cell> sea_, known_;
    std::vector<std::uint8_t> chosen_, box_mines_;
    std::vector<std::uint32_t> mines_of_;
};

Answer Solver::sample(const Question& question, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                      Budget& budget, Samples& samples) {
    Answer answer;
    samples.mines.clear();
    samples.ends.clear();
    if (!prepare(question, budget, answer)) return answer;
    const std::uint64_t passes =
        contour_.bytes(tape(), false) + feasibility_.bytes(tape()) + (fits_directly() ? reals_.bytes(tape()) : 0);
    if (!may_hold(passes, budget)) {
        answer.status = Status::over_budget;
        return answer;
    }
    double lambda = question.odds > 0 ? question.odds : 1;
    bool ready = true, counted = false;
    if (question.total == Question::kUnknown) {
        ready = contour_.scale(tape(), reduction_.boxes(), lambda, budget);
    } else {
        const std::int64_t left = mines_left(question.total), sea = reduction_.sea();
        ready = feasibility_.within(tape(), reduction_.boxes(), left - sea, left, budget);
        if (ready && feasibility_.first_total() > feasibility_.last_total()) {
            answer.status = Status::total_conflict;
            total_conflict(question.total, answer);
            return answer;
        }
        if (ready && fits_directly()) {
            ready = reals_.forward(Reals{}, tape(), reduction_.boxes(), plain_weights(), budget);
            const auto counts = reals_.polynomial(tape().rows()[tape().roots()[0]]);
            counted = ready && std::all_of(counts.begin(), counts.end(), [](double ways) { return ways < 1e300; });
            lambda = 1;
        }
        if (!counted) ready = ready && find_saddle(left, lambda, budget) >= 0;
    }
    if (ready) {
        Drawing drawing(*this, question, lambda, counted);
        std::vector<Cell> mines;
        for (std::uint64_t i = first; ready && i < first + count; ++i) {
            Random random(seed, i);
            ready = drawing.draw(random, budget, mines) &&
                    may_hold(passes + (samples.mines.size() + mines.size()) * sizeof(Cell), budget);
            samples.mines.insert(samples.mines.end(), mines.begin(), mines.end());
            samples.ends.push_back(samples.mines.size());
        }
    }
    if (!ready) answer.status = Status::over_budget;
    return answer;
}

}  // namespace mineproof
