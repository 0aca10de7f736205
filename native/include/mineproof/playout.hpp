// What a move is worth, estimated by playing on from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/field.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/optimal_play.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// Plays on as `fast` does: what is certain, then the safest cell. No game is lost at a guess: it goes on with a layout
// in which the cell is free, and its result is multiplied by the chance of that. Owns its scratch memory; use one per
// thread.
class Playout {
  public:
    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory) { solver_.remember_in(memory); }

    // Begins with a position in which nothing is safe, and draws layouts that fit; false over budget.
    //   require: a total; certain mines are flagged in the question, which is not checked
    bool begin(const Question& question, std::uint32_t layouts, Budget& budget);

    // Is the cell free in layout `number`?
    bool is_free(std::uint32_t number, Cell cell) const;
    // Plays on from opening `first` in layout `number`. Its mean over the layouts in which `first` is free is the
    // chance to win from there on.
    // 0 where the budget ran out.
    //   require: is_free(number, first)
    double play(std::uint32_t number, Cell first, Budget& budget);

  private:
    std::span<const Cell> mines(std::uint32_t number) const;
    void open(Cell first);
    // Draws another layout that fits what is seen, in which the cell is free.
    bool spare(Cell cell, std::uint64_t stream, Budget& budget);
    Question question() const { return {*geometry_, knowledge_.codes(), total_}; }

    const Geometry* geometry_ = nullptr;
    std::int64_t total_ = 0;
    Knowledge before_, knowledge_;
    Field field_;
    Solver solver_;
    Certain certain_;
    OptimalPlay optimal_play_;
    Samples layouts_, other_;
    std::vector<Verdict> verdicts_;
    std::vector<double> odds_;
    std::vector<std::int8_t> codes_;
    std::vector<Cell> waiting_;
};

}  // namespace mineproof
