// Another layout after a mine was hit, as similar to the old one as chance allows.
#pragma once

#include <cstdint>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/field.hpp"
#include "mineproof/question.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// For games that continue after a mine: the cell becomes free, and unrelated parts of the layout mostly stay. Owns its
// scratch memory; use one per thread.
class CoupledDraw {
  public:
    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory) { solver_.remember_in(memory); }

    // Changes the field into a layout drawn from all that fit the question and have `cell` free. If the field was drawn
    // uniformly from all that fit the question and have a mine there, the new one is uniform too. What is drawn depends
    // on the question, the cell, the field, and (seed, stream) only. False over budget, or if the cell cannot be free;
    // the field is as it was then.
    //   require: a total; the field fits the question; `cell` is covered, and a mine in it
    bool free(const Question& question, Cell cell, std::uint64_t seed, std::uint64_t stream, Budget& budget,
              Field& field);

  private:
    void find_sea(const Field& field);
    void find_fitting(const Field& field);
    void choose_kept(std::uint64_t seed, std::uint64_t stream, Cell cell);
    double chance_to_keep(std::int32_t mines, std::int32_t added) const;
    void change_boxes(const Geometry& geometry, Field& field) const;
    void change_sea(const Geometry& geometry, std::uint64_t seed, std::uint64_t stream, Field& field);

    Solver solver_;
    Samples samples_;
    std::vector<std::int8_t> codes_;
    std::vector<std::uint8_t> fresh_;           // by cell: a mine of the fresh layout
    std::vector<std::uint8_t> boxed_;           // by cell
    std::vector<std::uint8_t> fits_, is_kept_;  // by component
    std::vector<std::int32_t> surplus_;         // by component: mines before, less fresh ones
    std::vector<std::int32_t> sums_;            // by constraint: mines before
    std::vector<Cell> mined_sea_, free_sea_;    // before
    std::int32_t fresh_sea_ = 0;                // mines that the sea is to have
};

}  // namespace mineproof
