// What to do in a state of a game, remembered for when the state comes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/geometry.hpp"
#include "mineproof/state_memory.hpp"

namespace mineproof {

// Prove these cells, then continue, open the guess, or stop.
struct Turn {
    enum class Kind : std::uint8_t { certain, guess, solved, too_wide };

    Kind kind = Kind::too_wide;
    Cell guess = 0;
    double mine_probability = 0;                      // of the guess
    double won = 0;                                   // the chance to win, where the state was solved
    std::uint32_t first = 0, mines_end = 0, end = 0;  // see TurnMemory
};

// From states to turns, each with the cells that it proves. When `most` are kept, all are forgotten.
class TurnMemory {
  public:
    explicit TurnMemory(std::size_t most) : turns_(most) {}

    // nullptr if nothing is kept. The turn is there until the next `put` or `clear`.
    const Turn* find(const StateKey& state) const { return turns_.find(state); }
    const Turn& put(const StateKey& state, Turn turn, std::span<const Cell> mines, std::span<const Cell> safe) {
        if (turns_.is_full()) clear();
        turn.first = static_cast<std::uint32_t>(proved_.size());
        proved_.insert(proved_.end(), mines.begin(), mines.end());
        turn.mines_end = static_cast<std::uint32_t>(proved_.size());
        proved_.insert(proved_.end(), safe.begin(), safe.end());
        turn.end = static_cast<std::uint32_t>(proved_.size());
        return turns_.put(state, turn);
    }
    void clear() {
        turns_.clear();
        proved_.clear();
    }

    // Of a turn that is kept.
    std::span<const Cell> mines(const Turn& turn) const {
        return std::span(proved_).subspan(turn.first, turn.mines_end - turn.first);
    }
    std::span<const Cell> safe(const Turn& turn) const {
        return std::span(proved_).subspan(turn.mines_end, turn.end - turn.mines_end);
    }

  private:
    StateMemory<Turn> turns_;
    std::vector<Cell> proved_;
};

}  // namespace mineproof
