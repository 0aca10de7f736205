// The counting of a position as a straight-line program over an arbitrary ring.
//
// Which partial sums meet which does not depend on what is being counted. So the joins are found once
// and written down, and any question is a pass along this tape: ways by number of mines in doubles, the
// same modulo a prime, values on a contour, bare feasibility. Run forwards it counts; run backwards it
// gives every box its share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/reduction.hpp"

namespace mineproof {

// An entry of a table. Its arrangements hold `lo` to `lo + len - 1` mines (all 0 when mines are not tracked).
struct Row {
    std::uint64_t offset;  // where a polynomial of `len` coefficients is kept in a pass's storage
    std::uint32_t lo;
    std::uint32_t len;
};

// out += left · right. In a box step `right` is not a row but the number of mines put into the box.
struct Product {
    std::uint32_t left, right, out;
};

struct Step {
    static constexpr std::uint32_t kNoBox = ~std::uint32_t{0};
    std::uint32_t box;                         // the box that is joined, or kNoBox when two tables are
    std::uint32_t first_row, end_row;          // rows made by this step
    std::uint64_t first_product, end_product;  // products summed by this step
};

// Walks the products of a step in pieces small enough to ask the budget between them.
//   `visit(product)` returns what it cost; false when over budget.
template <class Visit>
bool each_product(const Step& step, std::span<const Product> products, Budget& budget, Visit visit) {
    constexpr std::uint64_t kPiece = 1024;
    for (std::uint64_t i = step.first_product; i < step.end_product;) {
        std::uint64_t effort = 0;
        for (const std::uint64_t end = std::min(step.end_product, i + kPiece); i < end; ++i)
            effort += visit(products[i]);
        if (!budget.work(effort)) return false;
    }
    return true;
}

// Written by a TapeRecorder (boards) or a ProblemRecorder (any problem).
class Tape {
  public:
    // A component: its own root, and where its steps end; they begin where those of the one before end.
    struct Part {
        std::uint32_t root, end_step;
    };

    std::span<const Row> rows() const { return rows_; }  // row 0 is the unit: one way, no mines
    std::span<const Product> products() const { return products_; }
    std::span<const Step> steps() const { return steps_; }
    // The rows that hold the final counts: one for each component, or a single one (the unit if there is none).
    std::span<const std::uint32_t> roots() const { return roots_; }
    std::span<const Part> parts() const { return parts_; }
    std::span<const std::uint32_t> component_of_box() const { return component_of_box_; }
    std::uint64_t storage() const { return storage_; }  // coefficients of all rows together
    std::uint64_t bytes() const {
        return rows_.size() * sizeof(Row) + products_.size() * sizeof(Product) + steps_.size() * sizeof(Step);
    }
    std::uint32_t largest_component() const { return largest_component_; }  // in cells
    bool tracks_mines() const { return tracks_mines_; }

  private:
    friend class TapeRecorder;
    friend class ProblemRecorder;

    bool tracks_mines_ = true;
    std::vector<Row> rows_;
    std::vector<Product> products_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> roots_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> component_of_box_;
    std::uint64_t storage_ = 0;
    std::uint32_t largest_component_ = 0;
};

}  // namespace mineproof
