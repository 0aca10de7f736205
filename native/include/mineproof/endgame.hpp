// Optimal play when few layouts are left: how many of them are won, and by which first move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/geometry.hpp"

namespace mineproof {

namespace endgame {
class Search;
}

// What opening a cell shows, by layout and cell.
struct Views {
    static constexpr std::uint8_t kMine = kReach + 1;

    std::size_t cells = 0;
    std::vector<std::uint8_t> rows;  // layouts × cells, one layout after the other: 0 to kReach, or kMine

    std::size_t layouts() const { return cells == 0 ? 0 : rows.size() / cells; }
};

// Fills `views` from where the mines are. False over budget, if there is one.
//   require: `cells` are the covered cells that are not certain mines (certain safe ones included: what they would
//            show is worth knowing), `known` the certain mines; `mined` has a byte for each of `cells` in each
//            layout, 0 where it is free
bool view_layouts(const Geometry& geometry, std::span<const Cell> cells, std::span<const Cell> known,
                  std::span<const std::uint8_t> mined, Views& views, Budget* budget = nullptr);

// Owns the scratch memory of the search; use one per thread, as often as wanted.
class Endgame {
  public:
    static constexpr std::size_t kNoCell = ~std::size_t{0};

    // `table_bytes` bounds what is remembered of positions already met. Memory is taken as it is needed; besides
    // this it grows with layouts × cells only.
    explicit Endgame(std::size_t table_bytes = std::size_t{64} << 20);
    ~Endgame();
    Endgame(Endgame&&) noexcept;
    Endgame& operator=(Endgame&&) noexcept;

    // Solving ------------------------------------------------------------------------------------

    // Finds the most layouts a player can win who knows that one of these is true and each as likely as any other.
    //   require: no two layouts have the same mines (not checked: too costly), and all have equally many
    //   ensure:  false when the budget ran out first; otherwise everything below is exact
    // A player has won a layout when he has opened what is free in it, so of layouts that nothing tells apart he wins
    // one. A zero opens no other cell here: its neighbours are then safe, and safe cells cost nothing.
    bool solve(const Views& views, Budget& budget) { return solve(views.rows, views.cells, budget); }
    bool solve(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget);

    // The same, and what every cell is worth as the first one opened.
    bool solve_every_cell(const Views& views, Budget& budget) {
        return solve_every_cell(views.rows, views.cells, budget);
    }
    bool solve_every_cell(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget);

    // Reading the answer -------------------------------------------------------------------------

    std::uint64_t won() const { return won_; }
    // A cell to open first: one that is never a mine if there is such a cell, otherwise one of those that win most.
    // kNoCell when every cell is a mine.
    std::size_t best() const { return best_; }
    // By cell, after `solve_every_cell`: layouts won if it is opened first.
    std::span<const std::uint64_t> values() const { return values_; }

    // Limits -------------------------------------------------------------------------------------

    // Gives scratch memory back if the last call made it large, or always.
    void trim(bool always);

    // Statistics of the last call ----------------------------------------------------------------

    // Sets of layouts searched; a budget's states are these.
    std::uint64_t nodes() const;

  private:
    std::size_t table_bytes_;
    std::unique_ptr<endgame::Search> search_;
    std::uint64_t won_ = 0;
    std::size_t best_ = kNoCell;
    std::vector<std::uint64_t> values_;
};

}  // namespace mineproof
