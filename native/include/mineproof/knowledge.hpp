// What is known during a game: what is seen, and what single numbers prove.
//
// Most cells of a game follow from a single number. Keeping counts for each number as cells are opened costs a few
// additions a cell for the whole game. The solver is called only if single numbers prove nothing more, with a
// board on which everything proved is flagged or open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/geometry.hpp"
#include "mineproof/question.hpp"

namespace mineproof {

class Knowledge {
  public:
    // A board on which nothing is open. `codes`: kCovered, or another negative code for cells that are not part of it.
    //   require: one negative code for each cell
    void start(const Geometry& geometry, std::span<const std::int8_t> codes);

    // The cell was opened and shows `number`.
    //   require: a cell of the board, and its true number; only that it is 0 to 8 is checked
    void show(Cell cell, std::int8_t number);
    // The cell has been proved safe, or a mine, by other means. Nothing happens if that is known.
    void prove_safe(Cell cell) { prove(cell, Mark::safe); }
    void prove_mine(Cell cell) { prove(cell, Mark::mine); }

    // Takes a cell that is certainly safe and not open yet; false if none is known.
    bool take_safe(Cell& cell);
    // Works out what single numbers prove, which `take_safe` does when it needs to: a copy need not do it again.
    void settle();

    // What is seen, with the proved mines flagged. Cells proved safe are covered until they are opened.
    std::span<const std::int8_t> codes() const { return {codes_.data(), cells_}; }
    bool is_open(Cell cell) const { return codes_[cell] >= 0; }
    bool is_unknown(Cell cell) const { return marks_[cell] == Mark::unknown; }
    bool is_mine(Cell cell) const { return marks_[cell] == Mark::mine; }
    // Covered cells around a cell of which nothing is known.
    std::uint8_t unknown_around(Cell cell) const { return unknown_of(counts_[cell]); }
    std::uint32_t unknown() const { return unknown_count_; }
    // Where no safe cell is known, for a solver that need not count again.
    //   require: take_safe() has just returned false
    Around around() const { return {counts_, unknown_count_, mine_count_}; }
    std::uint32_t mines() const { return mine_count_; }  // proved

  private:
    enum class Mark : std::uint8_t { unknown, safe, mine, none };  // none: open, or not part of the board

    void take_off(Cell cell);
    void prove(Cell cell, Mark mark);
    // Exactly one of them: with both, nothing is left to decide.
    static bool decides(std::uint16_t count) { return (need_of(count) == 0) != (need_of(count) == unknown_of(count)); }
    // The count of a cell that shows no number: eight mines less it still needs more than any number.
    static constexpr std::uint16_t kNoNumber = 0x4000;

    const Geometry* geometry_ = nullptr;
    Cell cells_ = 0;
    // All by cell, with one more for the cell that stands for "no neighbour".
    std::vector<std::int8_t> codes_;
    std::vector<Mark> marks_;
    std::vector<std::uint16_t> counts_;  // see Around
    std::vector<Cell> safe_;             // proved, to be opened
    // Numbers that may decide all their unknown cells, and room for more.
    std::vector<Cell> deciding_;
    std::size_t deciding_count_ = 0;
    std::uint32_t unknown_count_ = 0, mine_count_ = 0;
};

}  // namespace mineproof
