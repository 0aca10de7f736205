// What a move is worth, estimated by playing on from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/counted_position.hpp"
#include "mineproof/coupled_draw.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/field.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/optimal_play.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/state_memory.hpp"
#include "mineproof/turn_memory.hpp"

namespace mineproof {

// Who plays on. The savings change no mean, and are switched off by benchmarks alone, to measure them.
struct PlayoutOptions {
    bool strong = false;     // guesses by a look ahead, otherwise as `fast`
    std::uint32_t few = 64;  // layouts, at most, whose optimal play replaces the rest of a game
    // Remember what to do in a state; keep what can be kept of a layout after a hit; remember what a state is worth on
    // the layout at hand; play layouts with a mine in the first cell too, after it was made free.
    bool remembers = true, couples = true, merges = true, repairs = true;
    DeciderOptions ahead = kStrong;  // of the look ahead, with `few` in place of its layouts
};
inline constexpr PlayoutOptions kFastPlayout{};
inline constexpr PlayoutOptions kStrongPlayout{.strong = true};

// Plays a game to its end: certain cells first, then a guess. No game is lost at a guess: it continues with a layout in
// which the cell is free, and its result is multiplied by that chance. Owns its scratch memory; use one per thread.
class Playout {
  public:
    explicit Playout(const PlayoutOptions& options);

    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory);

    // Begins with a position in which nothing is safe. Layout k depends on the position, the seed and k alone.
    //   require: a total; certain mines are flagged in the question, which is not checked; the geometry outlives this
    void begin(const Question& question, std::uint64_t seed);
    // Replaces the drawn layouts by consistent layouts `first` to `first + count - 1`. Returns false over budget, which
    // is checked once: hundreds of layouts take some milliseconds.
    bool draw(std::uint32_t first, std::uint32_t count, Budget& budget);

    // Is the cell free in layout `number`?
    bool is_free(std::uint32_t number, Cell cell) const;
    // Plays on from opening `first` in layout `number`. Its mean over the layouts is the chance to win from there on,
    // if the cell is free. What comes out does not depend on what was played before. 0 where the budget ran out.
    //   require: the layout was drawn last; is_free(number, first) unless layouts are repaired
    double play(std::uint32_t number, Cell first, Budget& budget);

  private:
    // A state on the way of a game.
    struct Passed {
        StateKey key;
        double chance;  // to survive what was done there
    };

    std::span<const Cell> mines(std::uint32_t number) const;
    void lay(std::uint32_t number);
    void open(Cell first);
    // There until the next call; nullptr where the budget ran out.
    const Turn* find_turn(const StateKey& state, Budget& budget);
    Turn work_out(Budget& budget);
    void do_certain(const Turn& turn);
    // Another layout that fits what is seen, in which the cell is free.
    bool spare(Cell cell, std::uint32_t number, Budget& budget);
    Question question() const { return {*geometry_, knowledge_.codes(), total_}; }

    PlayoutOptions options_;
    const Geometry* geometry_ = nullptr;
    std::int64_t total_ = 0;
    std::uint64_t seed_ = 0;
    std::vector<std::int8_t> start_;  // codes of the position
    Knowledge before_, knowledge_;
    Samples layouts_, other_;
    std::uint32_t first_ = 0;  // the number of the first layout there
    std::int64_t laid_ = -1;   // the number of the layout in `layout_`
    Field layout_, field_;
    StateKey layout_key_, field_key_, board_key_;
    Solver solver_;
    CoupledDraw coupled_;
    std::unique_ptr<Decider> decider_;
    CountedPosition position_;
    Certain certain_;
    OptimalPlay optimal_play_;
    TurnMemory turns_;
    StateMemory<double> worths_;  // by state and layout, of the layout at hand
    std::vector<Passed> passed_;
    std::vector<std::int8_t> codes_;
    std::vector<Cell> waiting_;
    std::uint64_t turn_ = 0;  // guesses of the game so far
};

}  // namespace mineproof
