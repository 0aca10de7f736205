// Games with all that was seen and chosen in them: enough to know the position before every move.
#pragma once

#include <cstdint>
#include <vector>

#include "mineproof/game_player.hpp"

namespace mineproof {

// What happened in games, one after the other. Move 0 is the first click; the strategy's own moves count from 1. The
// position before move m shows the cells that were opened by moves before m.
struct WatchedGames {
    static constexpr std::int32_t kNever = -1;

    // One for each cell of each game.
    std::vector<std::int32_t> opened;  // the move that opened it, or kNever
    std::vector<std::int8_t> numbers;  // what it shows then; kCovered if it was never opened
    std::vector<std::uint8_t> mined;   // 1 where the mines are
    // One for each move of the strategy, game after game.
    std::vector<Cell> chosen;
    std::vector<std::uint8_t> certain;  // 1 where the strategy said so
    std::vector<std::uint64_t> lots;    // random, by (seed, game, move): moves are drawn by the lowest
    // One for each game.
    std::vector<std::uint64_t> ends;  // in `chosen`, `certain` and `lots`
    std::vector<std::uint8_t> won;
    std::uint64_t mistakes = 0;  // as in Tally
};

// Plays games `first` to `first + count - 1` of a series as GamePlayer does, and adds them to `games`. False if the
// budget ended it before the last one; the games that were finished are whole.
bool watch_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy, Budget& budget,
                 WatchedGames& games);

}  // namespace mineproof
