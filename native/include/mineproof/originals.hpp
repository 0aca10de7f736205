// The strategies of the programs that mineproof descends from, for comparison: what they deduce, and how they guess
// when they deduce nothing. Each follows its program's document; where the document is unclear or differs from the
// program, the program.
//
// All open first what single numbers decide, by Knowledge: each of the originals finds that too, in its own order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/frontier.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/random.hpp"
#include "mineproof/strategy.hpp"

namespace mineproof {

// What the originals share.
class Original : public KnowingStrategy {
  protected:
    bool deduce() final;
    Choice guess() final { return {choose_guess(), false}; }

    // Proves cells beyond single numbers, by `frontier()`; false if there are none.
    virtual bool deduce_from_frontier() = 0;
    // Nothing was proved: an unknown cell to open.
    virtual Cell choose_guess() = 0;

    // As it was when `deduce_from_frontier` was called.
    const Frontier& frontier() const { return frontier_; }
    std::uint32_t mines_left() const { return match().mines - knowledge().mines(); }
    // At random, of the unknown cells that no number sees (of all, if there is no such), one with the fewest
    // neighbours: on a rectangle a corner, then a cell of the edge, then any.
    Cell pick_outermost();

  private:
    int neighbours(Cell cell) const;

    Frontier frontier_;
    std::vector<Cell> candidates_;
};

// Minedetector (Mark Probst): bounds on the mines in sets of cells. See minedetector.cpp.
class Minedetector : public Original {
  protected:
    bool deduce_from_frontier() override;
    Cell choose_guess() override { return pick_any(); }

  private:
    using Index = Frontier::Index;

    // Some boxes of one number, and how many mines they have at least and at most.
    struct Set {
        Index number;
        std::uint8_t boxes;  // bit i: the number's box i
        std::uint8_t size;
        std::uint8_t lower, upper;
        bool waits;
    };

    bool deduce_component(const Frontier::Component& component);
    void begin(const Frontier::Component& component);
    void compare(Index id);
    void compare(Set one, Set other);
    void learn(const Set& set);
    void enter(const Set& set, Index id);
    Index box(const Set& set, unsigned bits) const;

    std::vector<Set> sets_;
    std::vector<Index> waiting_;      // a queue
    std::vector<Index> compared_to_;  // by set: the last set it was compared to
    // By number: where its sets are in `ids_`, by their boxes.
    std::vector<Index> first_id_;
    std::vector<Index> ids_;
    // By box.
    std::vector<std::vector<Index>> sets_of_box_;
    std::vector<std::uint8_t> bit_of_box_;  // in the set at hand; 0 if it is not in it
    Index decided_ = 0;
};

// FairMinesweeper (unpollito): the five rules of its hints. See fair.cpp.
class Fair : public Original {
  protected:
    bool deduce_from_frontier() override;
    Cell choose_guess() override { return pick_outermost(); }

  private:
    // Boxes whose number of mines is known.
    struct Piece {
        SmallVector<Frontier::Index> boxes;  // ascending
        std::uint64_t shadow = 0;            // a bit for each box; with more than 64, some share one
        int size = 0, mines = 0;
        int known = 0;  // the fewest flags beside a number it was cut out of
    };
    enum class Cut : std::uint8_t { none, made, proved };

    bool partition(const Frontier::Component& component);
    Cut cut_somewhere();
    Cut cut(std::size_t i, std::size_t j);
    void extend(Piece& piece, Frontier::Index box) const;
    void put_first(const Piece& piece);
    bool settle(const Piece& rest);

    bool count_mines();
    bool find_only_way(int fewest, int most, int cells_left);
    bool some_box_is_mixed() const;

    std::vector<Piece> pieces_;
    std::vector<std::uint32_t> order_;                  // the pieces in use
    std::vector<std::vector<std::uint32_t>> compared_;  // by piece: the later ones it was compared to
    std::vector<int> missing_, room_;                   // by number: mines to come, and cells for them
    std::vector<int> mines_, only_way_;                 // by box
};

// The simulator in Go (Nick O'Connor): a matrix, then enumeration without weights. See go.cpp.
class GoSimulator : public Original {
  public:
    void start(const Match& match, const Random& random) override;
    void see(Cell cell, std::int8_t number) override;
    // A game it has won has all mines flagged.
    std::uint32_t flags() const override { return covered_ == match().mines ? covered_ : Original::flags(); }

  protected:
    bool deduce_from_frontier() override;
    Cell choose_guess() override;

  private:
    using Index = Frontier::Index;

    // A row of the matrix that a solution has to satisfy, while boxes are given their mines.
    struct Row {
        Index pivot;
        int factor;     // of the pivot, positive
        int rest;       // what the boxes without mines yet have to make up
        int low, high;  // what they can
    };
    struct Term {
        Index row;
        int factor;
    };

    bool reduce(const Frontier::Component& component);
    bool clear_column(Index rank, Index rows);
    bool resolve();
    bool enumerate();
    bool enumerate_part(Index part);
    void prepare(Index part);
    bool place(std::size_t at, int mines, int sign);
    void record();
    int& value(Index row, Index column) { return matrix_[std::size_t{row} * width_ + column]; }
    int size(Index box) const { return static_cast<int>(frontier().boxes()[box].cells.size()); }

    std::uint32_t covered_ = 0;

    // The matrix of a component: a row for each number, a column for each box and the right-hand side.
    std::vector<int> matrix_;
    Index first_box_ = 0, width_ = 0;
    std::vector<Index> pivots_;  // by row: a column

    // Solutions of one part of it.
    std::vector<Index> part_;  // by column: one and the same column of its part
    std::vector<Row> rows_;
    std::vector<Index> boxes_;              // of the part
    std::vector<Index> free_;               // columns of it that are no pivots
    std::vector<std::vector<Term>> terms_;  // by place in free_
    std::vector<int> mines_;                // by box
    double solutions_ = 0;

    // Of the position, by box.
    std::vector<double> free_count_;  // cells free in the solutions, summed up
    std::vector<int> most_;           // mines in a solution
    std::vector<double> share_;       // of solutions in which a cell is free; negative if not worked out
    std::uint64_t steps_ = 0;
    std::vector<Cell> candidates_;
};

}  // namespace mineproof
