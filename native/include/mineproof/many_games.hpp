// Many games of one kind side by side, each one opening further with every step: what learning programs play.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// What is kept free of mines for the first opening: nothing, the cell, the cell and its neighbours.
enum class FirstClick : std::uint8_t { any, safe, open };
// When mines are redrawn after it, as in src/mineproof/game/game.py.
enum class Fairness : std::uint8_t { none, forced, kind, strict, safest, local };
// When a game that is over gives way to the next one: when the caller says so, in the step after, in the same step.
enum class Autoreset : std::uint8_t { never, next_step, same_step };

// What a step is worth. `progress` is for opening all safe cells, each one its share; `blind` for opening a cell that
// touches no open one, the first click left out; `repeat` for choosing a cell that is open, which changes nothing.
struct StepRewards {
    float win, lose, progress, blind, repeat;
};

// What the games have in common.
struct GamesOrder {
    const Geometry& geometry;
    std::uint32_t mines;
    FirstClick first_click;
    Fairness fairness;
    Autoreset autoreset;
    std::uint64_t longest;  // steps after which a game is cut short; 0: never
    StepRewards rewards;
    std::uint64_t states;  // for one judgement of a fairness rule; no clock, so that games are alike on every machine
};

// The caller's arrays, an entry or `cells` of them for each game. The caller changes seeds and numbers, before a reset,
// and reads the others.
struct GamesShown {
    std::span<const std::uint64_t> seeds;
    std::span<std::uint64_t> numbers;  // of the games of each seed
    std::span<std::int8_t> codes;      // what is seen: numbers and covered cells
    std::span<std::int8_t> masks;      // 1 where a cell is covered
    std::span<float> rewards;
    std::span<bool> terminated, truncated, won;
    std::span<bool> unjudged;           // cut short because the states did not suffice to judge a reveal
    std::span<std::int8_t> last_codes;  // with Autoreset::same_step: what was seen at the end of the last game

    std::size_t games() const { return seeds.size(); }
};

// Why a step was refused or broken off, and by which game, the first of them: an action that is no cell; a game that is
// over and has to be reset; a game that a fork has left in the middle of a step; the caller, by `poll`.
enum class StepFault : std::uint8_t { none, outside, over, forked, cancelled };
struct StepResult {
    StepFault fault = StepFault::none;
    std::size_t game = 0;
    std::int64_t action = 0;  // of that game
};

// Knows the mines. Game `number` of a seed is dealt when its first cell is opened, from stream `number` of the seed,
// as `generate` deals it for that first click; what a fairness rule redraws depends on the two and on the moves.
// Nothing is allocated by a step, unless a fairness rule asks the solver. Calls of several threads wait for each other;
// one that comes from within a step, by `poll`, throws std::logic_error.
class ManyGames {
  public:
    //   require: sizes as said above; mines < cells; threads > 0
    ManyGames(const GamesOrder& order, const GamesShown& shown, std::size_t threads);
    ~ManyGames();
    ManyGames(const ManyGames&) = delete;
    ManyGames& operator=(const ManyGames&) = delete;

    // Begins game numbers[i] of seeds[i] wherever which[i] is not 0.
    void reset(std::span<const std::uint8_t> which);

    // Opens a cell in every game. Actions are copied first, so the caller may change them meanwhile.
    // A step that is refused changes nothing. The calling thread calls `poll` about twenty times a second. Once `poll`
    // returns true, games that have not moved stay as they are.
    StepResult step(std::span<const std::int64_t> actions, Budget::Poll poll = nullptr, void* context = nullptr);

    // The mines of a game that is over, ascending; false while it is not.
    bool list_mines(std::size_t game, std::vector<Cell>& mines);

  private:
    struct Game {
        std::uint64_t steps = 0, moves = 0;
        std::uint32_t opened = 0;
        bool is_over = false;
        bool is_torn = false;  // by a fork in the middle of a step
    };
    struct Worker {
        std::vector<Cell> order;    // cells to deal mines to
        std::vector<Cell> waiting;  // cells to be opened
        // For fairness.
        Solver solver;
        std::vector<Verdict> verdicts;
        std::vector<double> odds;
        std::vector<std::int8_t> codes;
        Samples samples;
    };
    class Crew;
    class Turn;
    struct Door;
    class Inside;

    static constexpr std::uint8_t kMine = 1, kOpen = 2;

    std::uint8_t* cells_of(std::size_t game) { return cells_.data() + game * stride_; }
    const std::uint8_t* cells_of(std::size_t game) const { return cells_.data() + game * stride_; }
    void begin(std::size_t game);
    Door& door();
    void make_workers();
    void leave_workers();
    StepResult check() const;
    // `budget` is for the fairness rule.
    void advance(std::size_t game, Worker& worker, Budget& budget);
    void deal(std::size_t game, Cell start, Worker& worker);
    bool be_fair(std::size_t game, Cell cell, Worker& worker, Budget& budget);
    bool is_safest(Cell cell, Worker& worker) const;
    bool redraw(std::size_t game, Worker& worker, Budget& budget);
    std::uint32_t open(std::size_t game, Cell cell, Worker& worker);
    bool touches_open(std::size_t game, Cell cell) const;
    void end(std::size_t game, bool terminated, bool truncated);

    const GamesOrder order_;
    const GamesShown shown_;
    const std::size_t threads_, stride_;
    const std::uint32_t safe_;
    std::vector<std::uint8_t> cells_;  // of each game, and one that stands for "no neighbour"
    std::vector<Game> games_;
    std::vector<std::int64_t> actions_;  // of this step
    std::vector<Worker> workers_;
    std::unique_ptr<Crew> crew_;
    std::atomic<Door*> door_;
};

}  // namespace mineproof
