// Expert games played by `strong`, for programs that look at its guesses.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/counted_position.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/field.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

inline constexpr Cell kRows = 16, kColumns = 30, kMines = 99;

inline Geometry rectangle(Cell rows, Cell columns) {
    std::vector<Cell> table;
    for (Cell cell = 0; cell < rows * columns; ++cell) {
        const auto start = table.size();
        const int row = static_cast<int>(cell / columns), column = static_cast<int>(cell % columns);
        for (int r = row - 1; r <= row + 1; ++r)
            for (int c = column - 1; c <= column + 1; ++c)
                if ((r != row || c != column) && r >= 0 && c >= 0 && r < static_cast<int>(rows) &&
                    c < static_cast<int>(columns))
                    table.push_back(static_cast<Cell>(r) * columns + static_cast<Cell>(c));
        table.resize(start + kReach, rows * columns);
    }
    return Geometry(rows * columns, table);
}
inline Geometry expert() { return rectangle(kRows, kColumns); }

class ExpertGames {
  public:
    // Is shown every guess that is left to the look ahead, with the decider that weighed all candidates.
    using Visit = std::function<void(const CountedPosition&, const Decider&)>;

    ExpertGames() {
        decider_.remember_in(&memory_);
        solver_.remember_in(&memory_);
    }

    TapeMemory& memory() { return memory_; }

    void play(std::uint64_t seed, std::uint64_t number, bool open_start, const Visit& visit) {
        const Cell start = open_start ? 3 * kColumns + 3 : 0;
        std::vector<std::uint8_t> allowed(std::size_t{kRows} * kColumns, 1);
        allowed[start] = 0;
        if (open_start)
            for (const Cell near : geometry_.around(start)) allowed[near] = 0;
        Random random(seed, number);
        field_.deal(geometry_, allowed, kMines, random);
        const std::vector<std::int8_t> covered(geometry_.cells, kCovered);
        knowledge_.start(geometry_, covered);
        open(start);
        while (go_on(visit)) {
        }
    }

  private:
    static constexpr std::uint64_t kStates = 1 << 20;

    // Opens what is certain, then makes the next guess; false at the end of the game, or where optimal play begins.
    bool go_on(const Visit& visit) {
        for (;;) {
            for (Cell cell; knowledge_.take_safe(cell);) open(cell);
            if (knowledge_.unknown() == 0) return false;
            Budget budget = Budget::of_states(kStates);
            const Question question{geometry_, knowledge_.codes(), kMines};
            if (!position_.count(question, solver_, budget)) return false;
            for (const Cell cell : position_.safe()) knowledge_.prove_safe(cell);
            for (Cell cell = 0; cell < geometry_.cells; ++cell)
                if (position_.question().codes[cell] == kFlagged) knowledge_.prove_mine(cell);
            if (!position_.safe().empty()) continue;
            if (!position_.is_stuck() || position_.log2_layouts() <= std::log2(kStrong.layouts)) return false;
            const Cell guess = decider_.decide(position_, budget, true);
            if (decider_.reason() == Reason::ahead) visit(position_, decider_);
            if (field_.mined(guess)) return false;
            open(guess);
        }
    }

    void open(Cell start) {
        std::vector<Cell> waiting{start};
        while (!waiting.empty()) {
            const Cell cell = waiting.back();
            waiting.pop_back();
            if (knowledge_.is_open(cell)) continue;
            knowledge_.show(cell, field_.number(cell));
            if (field_.number(cell) != 0) continue;
            for (const Cell near : geometry_.around(cell))
                if (near < geometry_.cells && knowledge_.codes()[near] == kCovered) waiting.push_back(near);
        }
    }

    const Geometry geometry_ = expert();
    TapeMemory memory_;
    Solver solver_;
    Field field_;
    Knowledge knowledge_;
    CountedPosition position_;
    Decider decider_{kStrong};
};

}  // namespace mineproof
