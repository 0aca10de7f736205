// Layouts that can be opened from their first click by certainty alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/field.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

struct NoGuessWish {
    const Geometry& geometry;
    std::span<const std::int8_t> codes;     // kCovered, or another negative code for cells that are not part of it
    std::span<const std::uint8_t> allowed;  // 1 where a mine may be; 0 at least on the start
    std::uint32_t mines;
    Cell start;
    // Repair layouts that get stuck; otherwise deal again, which is uniform over the layouts that need no guess.
    bool repair;
};

struct NoGuessEffort {
    std::uint64_t deals = 0, repairs = 0;
    // Of the attempt that opened most: safe cells opened, and safe cells there are.
    std::uint32_t most_open = 0, safe_cells = 0;
};

// Owns its scratch memory; use one per thread.
class NoGuess {
  public:
    // Makes layout `number` of a seed: the first success along the stream (seed, number). False over budget.
    //   require: one code and one permission for each cell; the start is covered and may have no mine; the mines fit
    //            into the allowed cells
    bool make(const NoGuessWish& wish, std::uint64_t seed, std::uint64_t number, Budget& budget, NoGuessEffort& effort);

    // The mines of the layout made, ascending.
    std::span<const Cell> mines() const { return mines_; }

  private:
    enum class Outcome : std::uint8_t { solved, stuck, over_budget };

    Outcome play(const NoGuessWish& wish, Budget& budget);
    void open(Cell cell);
    bool repair(const NoGuessWish& wish, Random& random);
    bool change_number(const NoGuessWish& wish, Random& random);
    bool breach(const NoGuessWish& wish, Random& random);
    bool compensate(const NoGuessWish& wish, bool take, std::uint32_t count, Random& random);
    void collect(const NoGuessWish& wish, bool mined);
    void return_to(const NoGuessWish& wish, std::size_t opened);
    void touch(const NoGuessWish& wish, Cell cell);

    Field field_;
    Knowledge knowledge_;
    Solver solver_;
    Certain certain_;
    std::vector<Cell> opened_;              // in order
    std::vector<std::uint32_t> opened_at_;  // by cell: place in opened_
    std::vector<Cell> touched_;             // flipped by the repair under way
    std::vector<std::uint8_t> is_touched_;  // by cell
    std::vector<Cell> candidates_, near_, far_, numbers_;
    std::vector<Cell> mines_;
};

}  // namespace mineproof
