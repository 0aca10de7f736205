// ManyGames: a byte for each cell says whether it is mined and whether it is open, and numbers are counted when a cell
// opens: most games of a beginner end after a few openings, and dealing should cost no more than the mines. Threads
// take games from a common counter, some at a time.

#include "mineproof/many_games.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <numeric>
#include <thread>
#include <utility>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// Games taken at a time, some ten microseconds of work; and games that it takes to wake another thread for.
constexpr std::size_t kTaken = 64, kPerThread = 128;
// The stream of the seed that a fairness rule of game k draws with; see game_player.cpp for the others.
constexpr std::uint64_t kFairnessStream = std::uint64_t{1} << 61;
constexpr std::uint64_t kRedraws = 2;  // a purpose, as in src/mineproof/base/rng.py

// As `derive` of src/mineproof/base/rng.py.
std::uint64_t derive(std::uint64_t seed, std::uint64_t purpose) { return Random(seed, ~purpose).next(); }

}  // namespace

// Threads that wait for work. They are kept because to start one takes as long as hundreds of games' steps.
class ManyGames::Crew {
  public:
    using Work = void (*)(void* context, std::size_t member);

    explicit Crew(std::size_t members) {
        threads_.reserve(members);
        for (std::size_t i = 1; i <= members; ++i) {
            try {
                threads_.emplace_back([this, i] { serve(i); });
            } catch (const std::exception&) {
                break;  // no more threads are to be had: those there are do the work
            }
        }
    }
    ~Crew() {
        {
            const std::lock_guard held(mutex_);
            ended_ = true;
        }
        begin_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // After a fork the threads are in the other process.
    bool is_here() const { return process_ == process(); }

    // Works with up to `members` others, as member 0, and returns when all have ended.
    void run(std::size_t members, Work work, void* context) {
        {
            const std::lock_guard held(mutex_);
            work_ = work;
            context_ = context;
            wanted_ = std::min(members, threads_.size());
            running_ = wanted_;
            ++turn_;
        }
        begin_.notify_all();
        work(context, 0);
        std::unique_lock held(mutex_);
        done_.wait(held, [this] { return running_ == 0; });
    }

  private:
    void serve(std::size_t member) {
        std::uint64_t seen = 0;
        std::unique_lock held(mutex_);
        for (;;) {
            begin_.wait(held, [&] { return ended_ || turn_ != seen; });
            if (ended_) return;
            seen = turn_;
            if (member > wanted_) continue;
            held.unlock();
            work_(context_, member);
            held.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

#ifdef _WIN32
    static int process() { return 0; }
#else
    static int process() { return static_cast<int>(getpid()); }
#endif

    const int process_ = process();
    std::mutex mutex_;
    std::condition_variable begin_, done_;
    Work work_ = nullptr;
    void* context_ = nullptr;
    std::size_t wanted_ = 0, running_ = 0;
    std::uint64_t turn_ = 0;
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

ManyGames::ManyGames(const GamesOrder& order, const GamesShown& shown, std::size_t threads)
    : order_(order),
      shown_(shown),
      threads_(std::clamp<std::size_t>(shown.games() / kPerThread, 1, threads)),
      stride_(std::size_t{order.geometry.cells} + 1),
      safe_(order.geometry.cells - order.mines),
      cells_(shown.games() * stride_),
      games_(shown.games()),
      workers_(threads_) {
    const std::size_t cells = order.geometry.cells;
    [[maybe_unused]] const std::size_t all = shown.games() * cells;
    MINEPROOF_REQUIRE(order.mines < cells && threads > 0);
    MINEPROOF_REQUIRE(shown.codes.size() == all && shown.masks.size() == all);
    MINEPROOF_REQUIRE(order.autoreset != Autoreset::same_step || shown.last_codes.size() == all);
    MINEPROOF_REQUIRE(shown.numbers.size() == shown.games() && shown.rewards.size() == shown.games());
    MINEPROOF_REQUIRE(shown.terminated.size() == shown.games() && shown.truncated.size() == shown.games() &&
                      shown.won.size() == shown.games());
    for (Worker& worker : workers_) {
        worker.order.resize(cells);
        worker.waiting.resize(cells);
        if (order.fairness == Fairness::none) continue;
        worker.verdicts.resize(cells);
        worker.odds.resize(cells);
        worker.codes.resize(cells);
    }
    for (std::size_t game = 0; game < shown.games(); ++game) begin(game);
}

ManyGames::~ManyGames() {
    if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());  // its threads cannot be joined from here
}

void ManyGames::begin(std::size_t game) {
    const std::size_t cells = order_.geometry.cells;
    std::uint8_t* const state = cells_of(game);
    std::fill_n(state, cells, std::uint8_t{0});
    state[cells] = kOpen;  // so that no cascade goes there
    std::ranges::fill(shown_.codes.subspan(game * cells, cells), kCovered);
    std::ranges::fill(shown_.masks.subspan(game * cells, cells), std::int8_t{1});
    games_[game] = {};
}

void ManyGames::reset(std::span<const std::uint8_t> which) {
    MINEPROOF_REQUIRE(which.size() == games_.size());
    const std::lock_guard held(stepping_);
    for (std::size_t game = 0; game < games_.size(); ++game) {
        if (which[game] == 0) continue;
        begin(game);
        shown_.rewards[game] = 0;
        shown_.terminated[game] = shown_.truncated[game] = shown_.won[game] = false;
    }
}

StepResult ManyGames::check(std::span<const std::int64_t> actions) const {
    const bool is_reset = order_.autoreset != Autoreset::never;
    for (std::size_t game = 0; game < actions.size(); ++game) {
        if (games_[game].is_over) {
            if (!is_reset) return {StepFault::over, game};
        } else if (static_cast<std::uint64_t>(actions[game]) >= order_.geometry.cells) {
            return {StepFault::outside, game};
        }
    }
    return {};
}

StepResult ManyGames::step(std::span<const std::int64_t> actions) {
    MINEPROOF_REQUIRE(actions.size() == games_.size());
    const std::lock_guard held(stepping_);
    if (const StepResult wrong = check(actions); wrong.fault != StepFault::none) return wrong;

    struct Turn {
        ManyGames& games;
        std::span<const std::int64_t> actions;
        std::atomic<std::size_t> next{0};
        std::mutex mutex{};
        StepResult result{};
        std::exception_ptr failure{};  // memory that could not be had

        void work(std::size_t member) {
            Worker& worker = games.workers_[member];
            const std::size_t count = actions.size();
            for (std::size_t first; (first = next.fetch_add(kTaken, std::memory_order_relaxed)) < count;) {
                const std::size_t end = std::min(count, first + kTaken);
                for (std::size_t game = first; game < end; ++game) {
                    Limit limit = Limit::none;
                    if (!games.advance(game, actions[game], worker, limit)) note({StepFault::unjudged, game, limit});
                }
            }
        }
        void note(const StepResult& fault) {
            const std::lock_guard noting(mutex);
            if (result.fault == StepFault::none || fault.game < result.game) result = fault;
        }
        static void run(void* self, std::size_t member) {
            auto& turn = *static_cast<Turn*>(self);
            try {
                turn.work(member);
            } catch (...) {
                const std::lock_guard noting(turn.mutex);
                turn.failure = std::current_exception();
            }
        }
    } turn{*this, actions};

    if (threads_ > 1) {
        if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());
        if (!crew_) crew_ = std::make_unique<Crew>(threads_ - 1);
        crew_->run(threads_ - 1, &Turn::run, &turn);
    } else {
        Turn::run(&turn, 0);
    }
    if (turn.failure) std::rethrow_exception(turn.failure);
    return turn.result;
}

bool ManyGames::advance(std::size_t game, std::int64_t action, Worker& worker, Limit& limit) {
    Game& now = games_[game];
    shown_.terminated[game] = shown_.truncated[game] = shown_.won[game] = false;
    if (now.is_over) {
        ++shown_.numbers[game];
        begin(game);
        shown_.rewards[game] = 0;
        return true;
    }
    const auto cell = static_cast<Cell>(action);
    const StepRewards& rewards = order_.rewards;
    float reward = 0;
    bool lost = false, won = false;
    if ((cells_of(game)[cell] & kOpen) != 0) {
        reward = rewards.repeat;
    } else {
        if (now.moves == 0) deal(game, cell, worker);
        if (order_.fairness != Fairness::none && !be_fair(game, cell, worker, limit)) {
            if (now.moves == 0) begin(game);  // it will be dealt again
            return false;
        }
        if (rewards.blind != 0 && now.moves > 0 && !touches_open(game, cell)) reward += rewards.blind;
        ++now.moves;
        lost = (cells_of(game)[cell] & kMine) != 0;
        if (lost) {
            reward += rewards.lose;
        } else {
            const std::uint32_t opened = open(game, cell, worker);
            now.opened += opened;
            reward += rewards.progress * (static_cast<float>(opened) / static_cast<float>(safe_));
            won = now.opened == safe_;
            if (won) reward += rewards.win;
        }
    }
    ++now.steps;
    const bool is_over = lost || won, is_cut = !is_over && now.steps == order_.longest;
    shown_.rewards[game] = reward;
    shown_.won[game] = won;
    if (is_over || is_cut) end(game, is_over, is_cut);
    return true;
}

void ManyGames::end(std::size_t game, bool terminated, bool truncated) {
    shown_.terminated[game] = terminated;
    shown_.truncated[game] = truncated;
    games_[game].is_over = true;
    if (order_.autoreset != Autoreset::same_step) return;
    const std::size_t cells = order_.geometry.cells;
    std::ranges::copy(shown_.codes.subspan(game * cells, cells), shown_.last_codes.begin() + game * cells);
    ++shown_.numbers[game];
    begin(game);
}

// Mines go to the cells far from the first click; where these do not suffice, the rest around it: the same numbers in
// the same order as `generate` (src/mineproof/generation/wishes.py, shares) and Field::deal draw.
void ManyGames::deal(std::size_t game, Cell start, Worker& worker) {
    const Geometry& geometry = order_.geometry;
    std::array<Cell, kReach + 2> kept;  // ascending, with the number of cells at the end
    std::size_t kept_count = 0;
    if (order_.first_click == FirstClick::open) {
        for (const Cell other : geometry.around(start))
            if (other < geometry.cells) kept[kept_count++] = other;
    }
    if (order_.first_click != FirstClick::any) {
        std::size_t place = kept_count++;
        for (; place > 0 && kept[place - 1] > start; --place) kept[place] = kept[place - 1];
        kept[place] = start;
    }
    kept[kept_count] = geometry.cells;

    std::uint8_t* const state = cells_of(game);
    std::vector<Cell>& order = worker.order;
    std::uint32_t count = 0;
    Cell first = 0;
    for (std::size_t i = 0; i <= kept_count; ++i) {
        std::iota(order.begin() + count, order.begin() + count + (kept[i] - first), first);
        count += kept[i] - first;
        first = kept[i] + 1;
    }
    std::uint32_t mines = order_.mines;
    if (mines > count) {
        for (std::uint32_t i = 0; i < count; ++i) state[order[i]] = kMine;
        mines -= count;
        count = 0;
        for (std::size_t i = 0; i < kept_count; ++i)
            if (kept[i] != start) order[count++] = kept[i];
    }
    Random random(shown_.seeds[game], shown_.numbers[game]);
    for (std::uint32_t i = 0; i < mines; ++i) {
        std::swap(order[i], order[i + random.below(count - i)]);
        state[order[i]] = kMine;
    }
}

// Redraws mines where the rule says so; as Game._fair of src/mineproof/game/game.py.
bool ManyGames::be_fair(std::size_t game, Cell cell, Worker& worker, Limit& limit) {
    const Geometry& geometry = order_.geometry;
    std::ranges::copy(shown_.codes.subspan(game * geometry.cells, geometry.cells), worker.codes.begin());
    Budget budget(order_.seconds, order_.states);
    const Question question{geometry, worker.codes, order_.mines};
    const Status status = worker.solver.analyze(question, budget, worker.verdicts, worker.odds).status;
    worker.solver.trim(status == Status::over_budget);
    if (status != Status::answered && status != Status::imprecise) {
        limit = budget.limit();
        return false;
    }
    const Verdict verdict = worker.verdicts[cell];
    const bool is_mined = (cells_of(game)[cell] & kMine) != 0;
    const bool is_forced = std::ranges::find(worker.verdicts, Verdict::safe) == worker.verdicts.end();
    if (is_mined) {
        if (verdict == Verdict::mine || !(is_forced || order_.fairness == Fairness::kind)) return true;
        worker.codes[cell] = kAbsent;
    } else {
        if (order_.fairness != Fairness::strict || verdict == Verdict::safe || is_forced) return true;
        worker.codes[cell] = kFlagged;
    }
    const bool drawn = redraw(game, worker, budget);
    limit = budget.limit();
    return drawn;
}

bool ManyGames::redraw(std::size_t game, Worker& worker, Budget& budget) {
    const std::uint64_t own = Random(shown_.seeds[game], shown_.numbers[game] | kFairnessStream).next();
    const Question question{order_.geometry, worker.codes, order_.mines};
    const Status status =
        worker.solver.sample(question, derive(own, kRedraws), games_[game].moves, 1, budget, worker.samples).status;
    if (status != Status::answered) return false;
    std::uint8_t* const state = cells_of(game);
    for (Cell cell = 0; cell < order_.geometry.cells; ++cell) state[cell] &= static_cast<std::uint8_t>(~kMine);
    for (const Cell cell : worker.samples.mines) state[cell] |= kMine;
    return true;
}

std::uint32_t ManyGames::open(std::size_t game, Cell cell, Worker& worker) {
    const Geometry& geometry = order_.geometry;
    std::uint8_t* const state = cells_of(game);
    std::int8_t* const codes = shown_.codes.data() + game * geometry.cells;
    std::int8_t* const mask = shown_.masks.data() + game * geometry.cells;
    Cell* const waiting = worker.waiting.data();
    std::size_t left = 1;
    std::uint32_t opened = 0;
    waiting[0] = cell;
    state[cell] |= kOpen;
    while (left > 0) {
        const Cell next = waiting[--left];
        const auto around = geometry.around(next);
        std::int8_t number = 0;
        for (const Cell other : around) number = static_cast<std::int8_t>(number + (state[other] & kMine));
        codes[next] = number;
        mask[next] = 0;
        ++opened;
        if (number > 0) continue;
        for (const Cell other : around) {
            if ((state[other] & kOpen) != 0) continue;
            state[other] |= kOpen;
            waiting[left++] = other;
        }
    }
    return opened;
}

bool ManyGames::touches_open(std::size_t game, Cell cell) const {
    const std::uint8_t* const state = cells_of(game);
    return std::ranges::any_of(order_.geometry.around(cell), [&](Cell other) {
        return other < order_.geometry.cells && (state[other] & kOpen) != 0;
    });
}

bool ManyGames::list_mines(std::size_t game, std::vector<Cell>& mines) const {
    mines.clear();
    if (!games_[game].is_over) return false;
    for (Cell cell = 0; cell < order_.geometry.cells; ++cell)
        if ((cells_of(game)[cell] & kMine) != 0) mines.push_back(cell);
    return true;
}

}  // namespace mineproof
