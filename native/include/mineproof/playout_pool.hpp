// Playouts on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/playout.hpp"

namespace mineproof {

// Plays layouts from several cells. What comes out is the same on any number of threads.
class PlayoutPool {
  public:
    //   require: threads > 0
    PlayoutPool(const PlayoutOptions& options, std::size_t threads);

    // For the playouts of the calling thread; those of other threads have memories of their own.
    void remember_in(TapeMemory* memory) { players_[0]->playout.remember_in(memory); }

    // See Playout::begin.
    void begin(const Question& question, std::uint64_t seed);

    // Plays layouts `first` to `first + count - 1` from each of the cells. worths[i * cells.size() + j] is what layout
    // `first + i` was worth from cell j. False over budget; then they mean nothing.
    bool play(std::uint32_t first, std::uint32_t count, std::span<const Cell> cells, Budget& budget,
              std::vector<double>& worths);

  private:
    struct Player {
        explicit Player(const PlayoutOptions& options) : playout(options) { playout.remember_in(&memory); }
        TapeMemory memory;
        Playout playout;
    };

    std::vector<std::unique_ptr<Player>> players_;
};

}  // namespace mineproof
