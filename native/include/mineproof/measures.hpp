// What players count on a layout: 3BV, openings, islands, its numbers, and ZiNi.
//
// src/mineproof/game/zini.py and game/measures.py say the same in Python, slowly; docs/numbers.md defines every number.
// One Measurer measures any number of layouts of one geometry and allocates nothing while it does.
//
// Cost: a few passes over the cells, then one visit of each zero and each number that no zero touches. On a rectangle
// the passes are sums of shifted rows. ZiNi keeps the cells of each premium as bits in the order of ties, so a step
// costs the cells it changes and a look for the first bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/geometry.hpp"

namespace mineproof {

// What a byte of a layout says about its cell.
enum class Truth : std::uint8_t { safe, mine, absent };

struct Measures {
    std::int32_t bbbv, openings, islands;
    std::int32_t zini, human_zini;                      // -1 if they were not requested
    std::array<std::int32_t, kReach + 1> safe_numbers;  // how many safe cells have 0, 1, … mines around them
};

class Measurer {
  public:
    // `columns` are those of the picture: ties of ZiNi go by column, then by row.
    //   require: columns > 0; geometry.cells is a multiple of it; the geometry outlives this
    Measurer(const Geometry& geometry, Cell columns);

    //   require: truths.size() == geometry.cells
    Measures measure(std::span<const Truth> truths, bool with_zini);
    // The 3BV alone.
    //   require: truths.size() == geometry.cells
    std::int32_t count_bbbv(std::span<const Truth> truths);

  private:
    // The layout
    void read(std::span<const Truth> truths);
    void sum_shifted(const std::uint8_t* from, std::uint8_t* to);
    void sum_around(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to);
    void keep_safe(const std::uint8_t* sums, std::uint8_t* to) const;
    void count_numbers(std::span<std::int32_t, kReach + 1> counts);
    std::int32_t count_groups(const std::vector<std::uint8_t>& of);
    std::int32_t count_lone() const;
    std::int32_t label_openings();
    std::size_t spread(Cell first, std::size_t head);

    // ZiNi
    static constexpr std::size_t kPremiums = kReach + 2;
    std::int32_t play_zini(bool human);
    void begin_zini(bool human);
    std::int8_t first_premium(Cell cell) const;
    void change(Cell cell, int by);
    void put(Cell cell, int premium);
    void take(Cell cell, int premium);
    bool find_best(Cell& best);
    Cell find_click();
    void open(Cell cell);
    void open_opening(std::uint32_t opening);
    void reveal(Cell cell);
    void solve(Cell cell);

    const Geometry& geometry_;
    const Cell columns_, rows_;

    // All of the size of the board and one more: the cell that stands for "no neighbour" is no mine and not safe.
    std::vector<std::uint8_t> mined_, safe_, number_, zero_, lone_, member_;
    std::vector<std::uint8_t> padded_, sums_, upright_;  // a rectangle with an empty border
    std::vector<Cell> queue_;                            // cells of groups, one group after the other
    std::vector<std::uint32_t> opening_of_;              // of zeros
    std::vector<std::uint32_t> opening_ends_;            // in zeros_
    std::vector<Cell> zeros_;

    bool human_ = false;
    std::int32_t clicks_ = 0;
    Cell closed_ = 0, next_click_ = 0;
    std::vector<std::int8_t> first_premium_, premium_;
    std::vector<std::uint8_t> opened_, flagged_, candidate_;
    std::vector<std::uint32_t> touched_;               // by which opening last, counted from 1
    std::vector<Cell> place_of_cell_, cell_of_place_;  // the order of ties
    std::size_t words_;
    std::array<std::vector<std::uint64_t>, kPremiums> with_premium_;  // places of candidates, by premium
    std::array<std::size_t, kPremiums> first_word_{};                 // no word before it has a bit
};

}  // namespace mineproof
