// Sampling: layouts drawn uniformly from all that fit.
//
// With counts at one real point λ, a walk back along the tape draws every component on its own: at each
// step one of the products that make up the chosen row, in proportion. The mines of all boxes together
// then come out at random, so a draw is kept with probability C(sea, rest)·λ^-mines relative to its maximum;
// at the saddle point that is about one draw in (deviation of the count / deviation of the sea).
// Sample i depends on (seed, i) only.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mineproof/binomial.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// One position being drawn from.
class Solver::Drawing {
  public:
    Drawing(Solver& solver, const Question& question, double lambda)
        : solver_(solver), question_(question), lambda_(lambda), left_(solver.mines_left(question)) {
        const auto marks = solver.reduction_.marks();
        std::vector<std::uint8_t> boxed(question.topology.cells, 0);
        for (const Box& box : solver.reduction_.boxes())
            for (int i = 0; i < box.size; ++i) boxed[box.cells[i]] = 1;
        for (Cell cell = 0; cell < question.topology.cells; ++cell) {
            if (marks[cell] == 1 && !boxed[cell]) sea_.push_back(cell);
            if (marks[cell] == 16 || solver.reduction_.fates()[cell] == Fate::mine) known_.push_back(cell);
        }
        for (int size = 0; size <= kReach; ++size)
            for (int mines = 0; mines <= size; ++mines)
                weights_[size][mines] = kChoose[size][mines] * std::pow(lambda, mines);
        for (const std::uint32_t root : solver.tape_.roots()) {
            fewest_ += solver.tape_.rows()[root].lo;
            most_ += solver.tape_.rows()[root].lo + solver.tape_.rows()[root].len - 1;
        }
        if (question.total != Question::kUnknown)
            for (std::int64_t mines = fewest_; mines <= most_; ++mines) best_ = std::max(best_, log_weight(mines));
    }

    // False when the budget ran out first.
    bool draw(Random& random, Budget& budget, std::vector<Cell>& mines) {
        for (;;) {
            if (!budget.work(solver_.tape_.products().size() + 64)) return false;
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
        return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
               static_cast<double>(mines) * std::log(lambda_);
    }

    std::int64_t draw_boxes(Random& random) {
        const Tape& tape = solver_.tape_;
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
            double rest = random.uniform() * solver_.contour_.row_value(row) / solver_.contour_.step_scale(at);
            const Product* picked = nullptr;
            for (std::uint64_t i = step.first_product; i < step.end_product && (picked == nullptr || rest >= 0); ++i) {
                if (products[i].out != row) continue;
                picked = &products[i];
                rest -= solver_.contour_.row_value(picked->left) *
                        (is_box ? weights_[solver_.reduction_.boxes()[step.box].size][picked->right]
                                : solver_.contour_.row_value(picked->right));
            }
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
    std::int64_t left_, fewest_ = 0, most_ = 0, in_boxes_ = 0;
    double best_ = -std::numeric_limits<double>::infinity();
    std::array<std::array<double, kReach + 1>, kReach + 1> weights_{};
    std::vector<Cell> sea_, known_;
    std::vector<std::uint8_t> chosen_, box_mines_;
};

Answer Solver::sample(const Question& question, std::uint64_t seed, std::uint64_t first, std::uint64_t count,
                      Budget& budget, Samples& samples) {
    Answer answer;
    samples.mines.clear();
    samples.ends.clear();
    if (!prepare(question, budget, answer)) return answer;
    double lambda = question.odds > 0 ? question.odds : 1;
    bool ready = true;
    if (question.total == Question::kUnknown) {
        ready = contour_.scale(tape_, reduction_.boxes(), lambda, budget);
    } else {
        const std::int64_t left = mines_left(question), sea = reduction_.sea();
        ready = feasibility_.within(tape_, reduction_.boxes(), left - sea, left, budget);
        if (ready && feasibility_.first_total() > feasibility_.last_total()) {
            answer.status = Status::total_conflict;
            total_conflict(question, answer);
            return answer;
        }
        ready = ready && find_saddle(left, lambda, budget) >= 0;
    }
    if (ready) {
        Drawing drawing(*this, question, lambda);
        std::vector<Cell> mines;
        for (std::uint64_t i = first; ready && i < first + count; ++i) {
            Random random(seed, i);
            ready = drawing.draw(random, budget, mines);
            samples.mines.insert(samples.mines.end(), mines.begin(), mines.end());
            samples.ends.push_back(samples.mines.size());
        }
    }
    if (!ready) answer.status = Status::over_budget;
    return answer;
}

}  // namespace mineproof
