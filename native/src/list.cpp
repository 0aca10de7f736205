// Listing: all layouts of a position with few, one by one.
//
// The tape is walked back as for a sample, but every choice is taken in turn instead of one at random. A row has an
// arrangement for each mine count with a positive coefficient, so the walk has no dead ends and costs a few steps for
// each arrangement of boxes; each of these stands for a product of choices inside boxes and sea.

#include <algorithm>
#include <bit>

#include "mineproof/require.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

class Solver::Lister {
  public:
    Lister(const Solver& solver, std::int64_t left, std::size_t most, Listing& listing, Budget* budget)
        : solver_(solver), left_(left), most_(most), listing_(listing), budget_(budget) {
        mines_of_.assign(solver.tape().rows().size(), kNotChosen);
        choose_cells();
    }

    // False when there are more than `most`, or over budget.
    bool run() {
        const Tape& tape = solver_.tape();
        const std::uint32_t root = tape.roots()[0];
        const Row& row = tape.rows()[root];
        for (std::uint32_t k = row.lo; k < row.lo + row.len; ++k) {
            const std::int64_t in_sea = left_ - k;
            if (in_sea < 0 || in_sea > solver_.reduction_.sea() || ways(root, k) == 0) continue;
            mines_of_[root] = k;
            sea_mines_ = static_cast<std::uint32_t>(in_sea);
            if (!walk(tape.steps().size())) return false;
            mines_of_[root] = kNotChosen;
        }
        return true;
    }

  private:
    static constexpr std::uint32_t kNotChosen = ~std::uint32_t{0};

    // The walk fills all boxes and the sea; only the columns of undecided cells are kept.
    void choose_cells() {
        const auto boxes = solver_.reduction_.boxes();
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            for (std::size_t i = 0; i < boxes[id].size; ++i)
                add_cell(boxes[id].cells[i], solver_.box_answers_[id].verdict);
        std::vector<Cell> sea;
        solver_.append_sea(sea);
        for (const Cell cell : sea) add_cell(cell, solver_.sea_.verdict);
    }

    void add_cell(Cell cell, Verdict verdict) {
        if (verdict == Verdict::undecided) {
            kept_.push_back(row_.size());
            listing_.cells.push_back(cell);
        }
        row_.push_back(0);
    }

    double ways(std::uint32_t row, std::uint32_t mines) const {
        const Row& each = solver_.tape().rows()[row];
        return mines < each.lo || mines >= each.lo + each.len ? 0 : solver_.reals_.polynomial(each)[mines - each.lo];
    }

    // Takes every choice of the steps before `end`; false when there are too many layouts.
    bool walk(std::size_t end) {
        if (end == 0) return fill_boxes(0, 0);
        const Step& step = solver_.tape().steps()[end - 1];
        const auto products = solver_.tape().products();
        const auto rows = solver_.tape().rows();
        std::uint32_t row = step.first_row;
        while (mines_of_[row] == kNotChosen) ++row;  // every table is used once: exactly one of its rows is chosen
        const std::uint32_t mines = mines_of_[row];
        for (std::uint64_t i = step.first_product; i < step.end_product; ++i) {
            const Product& product = products[i];
            if (product.out != row) continue;
            if (step.box != Step::kNoBox) {
                if (product.right > mines || ways(product.left, mines - product.right) == 0) continue;
                box_mines_[step.box] = static_cast<std::uint8_t>(product.right);
                mines_of_[product.left] = mines - product.right;
                if (!walk(end - 1)) return false;
                mines_of_[product.left] = kNotChosen;
                continue;
            }
            const Row& left = rows[product.left];
            for (std::uint32_t k = left.lo; k < left.lo + left.len && k <= mines; ++k) {
                if (ways(product.left, k) == 0 || ways(product.right, mines - k) == 0) continue;
                mines_of_[product.left] = k;
                mines_of_[product.right] = mines - k;
                if (!walk(end - 1)) return false;
                mines_of_[product.left] = mines_of_[product.right] = kNotChosen;
            }
        }
        return true;
    }

    // Every choice of cells inside the boxes from `box` on, whose cells begin at `place`; then inside the sea.
    bool fill_boxes(std::uint32_t box, std::size_t place) {
        const auto boxes = solver_.reduction_.boxes();
        if (box == boxes.size()) return fill_sea(place, sea_mines_);
        const unsigned size = boxes[box].size, mines = box_mines_[box];
        for (unsigned subset = 0; subset < 1U << size; ++subset) {
            if (static_cast<unsigned>(std::popcount(subset)) != mines) continue;
            for (unsigned i = 0; i < size; ++i) row_[place + i] = static_cast<std::uint8_t>(subset >> i & 1);
            if (!fill_boxes(box + 1, place + size)) return false;
        }
        return true;
    }

    bool fill_sea(std::size_t place, std::uint32_t mines) {
        if (place == row_.size()) {
            if (listed_++ == most_ || (budget_ != nullptr && !budget_->work(row_.size()))) return false;
            if (kept_.size() == row_.size())
                listing_.mines.insert(listing_.mines.end(), row_.begin(), row_.end());
            else
                for (const std::size_t kept : kept_) listing_.mines.push_back(row_[kept]);
            return true;
        }
        if (mines < row_.size() - place) {
            row_[place] = 0;
            if (!fill_sea(place + 1, mines)) return false;
        }
        if (mines > 0) {
            row_[place] = 1;
            if (!fill_sea(place + 1, mines - 1)) return false;
        }
        return true;
    }

    const Solver& solver_;
    std::int64_t left_;
    std::size_t most_, listed_ = 0;
    Listing& listing_;
    Budget* budget_;
    std::vector<std::uint32_t> mines_of_;  // by row of the tape: kNotChosen, or the mines of its arrangement
    std::vector<std::uint8_t> box_mines_ = std::vector<std::uint8_t>(solver_.reduction_.boxes().size());
    std::uint32_t sea_mines_ = 0;
    std::vector<std::uint8_t> row_;  // the layout being made, cells of boxes first
    std::vector<std::size_t> kept_;  // places in it that are listed
};

bool Counted::list(std::size_t limit, Listing& listing, Budget* budget) const {
    MINEPROOF_REQUIRE(solver_->turn_ == turn_);
    const Solver& solver = *solver_;
    listing.cells.clear();
    listing.mines.clear();
    if (!solver.listable_) return false;
    return Solver::Lister(solver, solver.mines_left(total_), limit, listing, budget).run();
}

}  // namespace mineproof
