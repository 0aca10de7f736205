// ManyGames: a byte for each cell says whether it is mined and whether it is open, and numbers are counted when a cell
// opens: most games of a beginner end after a few openings, and dealing should cost no more than the mines. Threads
// take games from a common counter, some at a time.

#include "mineproof/many_games.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// Games taken at a time, some ten microseconds of work, with a fairness rule too; and games that it takes to wake
// another thread for.
constexpr std::size_t kTaken = 64, kTakenFair = 1, kPerThread = 128;
constexpr std::chrono::milliseconds kBetweenPolls(50);
// Odds this close are the same: far more than the error of a double.
constexpr double kCloseOdds = 1e-9;
// The stream of the seed that a fairness rule of game k draws with; see game_player.cpp for the others.
constexpr std::uint64_t kFairnessStream = std::uint64_t{1} << 61;
constexpr std::uint64_t kRedraws = 2;  // a purpose, as in src/mineproof/base/rng.py

#ifdef _WIN32
int this_process() { return 0; }
#else
int this_process() { return static_cast<int>(getpid()); }
#endif

}  // namespace

// A lock for one thread at a time. After a fork the child has its own lock, because the thread of the parent that held
// the old one does not exist in the child.
struct ManyGames::Door {
    const int process = this_process();
    std::mutex mutex;
    std::atomic<std::thread::id> inside{};
    bool was_busy = false;  // a step was under way when the process was forked
};

class ManyGames::Inside {
  public:
    explicit Inside(ManyGames& games) : door_(games.door()) {
        if (door_.inside.load() == std::this_thread::get_id())
            throw std::logic_error("A step is in progress. Call this after the step.");
        held_ = std::unique_lock(door_.mutex);
        if (door_.was_busy) {
            games.leave_workers();
            games.make_workers();
            for (Game& game : games.games_) game.is_torn = true;
            door_.was_busy = false;
        }
        door_.inside = std::this_thread::get_id();
    }
    ~Inside() { door_.inside = std::thread::id{}; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    Door& door_;
    std::unique_lock<std::mutex> held_;
};

// Threads that wait for work. They are kept because to start one takes as long as hundreds of games' steps.
class ManyGames::Crew {
  public:
    using Work = void (*)(void* context, std::size_t member);
    using Idle = void (*)(void* context);

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
    bool is_here() const { return process_ == this_process(); }

    // Works with up to `members` others, as member 0, and returns when all have ended; `idle` is called while it waits.
    void run(std::size_t members, Work work, Idle idle, void* context) {
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
        while (!done_.wait_for(held, kBetweenPolls, [this] { return running_ == 0; })) {
            held.unlock();
            idle(context);
            held.lock();
        }
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

    const int process_ = this_process();
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
      actions_(shown.games()),
      door_(nullptr) {
    const std::size_t cells = order.geometry.cells;
    [[maybe_unused]] const std::size_t all = shown.games() * cells;
    MINEPROOF_REQUIRE(order.mines < cells && threads > 0);
    MINEPROOF_REQUIRE(shown.codes.size() == all && shown.masks.size() == all);
    MINEPROOF_REQUIRE(order.autoreset != Autoreset::same_step || shown.last_codes.size() == all);
    MINEPROOF_REQUIRE(shown.numbers.size() == shown.games() && shown.rewards.size() == shown.games());
    MINEPROOF_REQUIRE(shown.terminated.size() == shown.games() && shown.truncated.size() == shown.games() &&
                      shown.won.size() == shown.games() && shown.unjudged.size() == shown.games());
    make_workers();
    for (std::size_t game = 0; game < shown.games(); ++game) begin(game);
    door_ = new Door;
}

ManyGames::~ManyGames() {
    const std::unique_ptr<Door> last(&door());
    if (last->was_busy) leave_workers();
    if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());  // its threads cannot be joined from here
}

ManyGames::Door& ManyGames::door() {
    Door* found = door_.load();
    if (found->process == this_process()) return *found;
    auto own = std::make_unique<Door>();
    own->was_busy = found->was_busy || found->inside.load() != std::thread::id{};
    // Of several threads one is the first. The door of the parent is left: a closed one cannot be destroyed.
    return door_.compare_exchange_strong(found, own.get()) ? *own.release() : *found;
}

void ManyGames::make_workers() {
    const std::size_t cells = order_.geometry.cells;
    workers_ = std::vector<Worker>(threads_);
    for (Worker& worker : workers_) {
        worker.order.resize(cells);
        worker.waiting.resize(cells);
        if (order_.fairness == Fairness::none) continue;
        worker.verdicts.resize(cells);
        worker.odds.resize(cells);
        worker.codes.resize(cells);
    }
}

// Leaves the memory of workers that a fork has caught at work: it may be in any state, and is not given back.
void ManyGames::leave_workers() { static_cast<void>(new std::vector<Worker>(std::move(workers_))); }

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
    const Inside inside(*this);
    for (std::size_t game = 0; game < games_.size(); ++game) {
        if (which[game] == 0) continue;
        begin(game);
        shown_.rewards[game] = 0;
        shown_.terminated[game] = shown_.truncated[game] = shown_.won[game] = shown_.unjudged[game] = false;
    }
}

StepResult ManyGames::check() const {
    const bool is_reset = order_.autoreset != Autoreset::never;
    for (std::size_t game = 0; game < actions_.size(); ++game) {
        const std::int64_t action = actions_[game];
        if (games_[game].is_torn) return {StepFault::forked, game, action};
        if (games_[game].is_over) {
            if (!is_reset) return {StepFault::over, game, action};
        } else if (static_cast<std::uint64_t>(action) >= order_.geometry.cells) {
            return {StepFault::outside, game, action};
        }
    }
    return {};
}

// One step under way.
class ManyGames::Turn {
  public:
    Turn(ManyGames& games, Budget::Poll poll, void* context) : games_(games), poll_(poll), context_(context) {}

    static void run(void* self, std::size_t member) {
        auto& turn = *static_cast<Turn*>(self);
        try {
            turn.work(turn.games_.workers_[member], member == 0 ? &Turn::ask : &Turn::look);
        } catch (...) {
            turn.stopped_ = true;
            const std::lock_guard noting(turn.mutex_);
            turn.failure_ = std::current_exception();
        }
    }
    static void idle(void* self) { ask(self); }

    // True if all games have moved; throws what a thread has thrown.
    bool is_done() const {
        if (failure_) std::rethrow_exception(failure_);
        return !stopped_;
    }

  private:
    void work(Worker& worker, Budget::Poll poll) {
        const std::size_t count = games_.games_.size();
        const bool is_fair = games_.order_.fairness != Fairness::none;
        const std::size_t taken = is_fair ? kTakenFair : kTaken;
        Budget budget = Budget::of_states(0);
        while (!stopped_.load(std::memory_order_relaxed)) {
            const std::size_t first = next_.fetch_add(taken, std::memory_order_relaxed);
            if (first >= count) return;
            const std::size_t end = std::min(count, first + taken);
            for (std::size_t game = first; game < end; ++game) {
                if (is_fair) budget = Budget(std::numeric_limits<double>::infinity(), games_.order_.states, poll, this);
                games_.advance(game, worker, budget);
            }
            poll(this);
        }
    }

    // For threads of our own.
    static bool look(void* self) { return static_cast<Turn*>(self)->stopped_.load(std::memory_order_relaxed); }

    // For the calling thread. Asks no more often than it should: it may have to wait for a lock of the caller's.
    static bool ask(void* self) {
        auto& turn = *static_cast<Turn*>(self);
        if (turn.poll_ == nullptr || turn.stopped_) return turn.stopped_;
        if (Budget::Clock::now() < turn.next_poll_) return false;
        if (turn.poll_(turn.context_)) turn.stopped_ = true;
        turn.next_poll_ = Budget::Clock::now() + kBetweenPolls;
        return turn.stopped_;
    }

    ManyGames& games_;
    const Budget::Poll poll_;
    void* const context_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    Budget::Clock::time_point next_poll_ = Budget::Clock::now() + kBetweenPolls;
    std::mutex mutex_;
    std::exception_ptr failure_;  // memory that could not be had
};

StepResult ManyGames::step(std::span<const std::int64_t> actions, Budget::Poll poll, void* context) {
    MINEPROOF_REQUIRE(actions.size() == games_.size());
    const Inside inside(*this);
    std::ranges::copy(actions, actions_.begin());
    if (const StepResult wrong = check(); wrong.fault != StepFault::none) return wrong;
    Turn turn(*this, poll, context);
    if (threads_ > 1) {
        if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());
        if (!crew_) crew_ = std::make_unique<Crew>(threads_ - 1);
        crew_->run(threads_ - 1, &Turn::run, &Turn::idle, &turn);
    } else {
        Turn::run(&turn, 0);
    }
    return {turn.is_done() ? StepFault::none : StepFault::cancelled};
}

void ManyGames::advance(std::size_t game, Worker& worker, Budget& budget) {
    Game& now = games_[game];
    shown_.terminated[game] = shown_.truncated[game] = shown_.won[game] = shown_.unjudged[game] = false;
    shown_.rewards[game] = 0;
    if (now.is_over) {
        ++shown_.numbers[game];
        begin(game);
        return;
    }
    const auto cell = static_cast<Cell>(actions_[game]);
    const StepRewards& rewards = order_.rewards;
    float reward = 0;
    bool lost = false, won = false;
    if ((cells_of(game)[cell] & kOpen) != 0) {
        reward = rewards.repeat;
    } else {
        if (now.moves == 0) deal(game, cell, worker);
        if (order_.fairness != Fairness::none && !be_fair(game, cell, worker, budget)) {
            if (budget.limit() != Limit::cancelled) {
                shown_.unjudged[game] = true;
                end(game, false, true);
            } else if (now.moves == 0) {
                begin(game);  // it will be dealt again
            }
            return;
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
// the same order as `generate` (src/mineproof/generation/requirements.py, shares) and Field::deal draw.
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
// False if the budget did not suffice.
bool ManyGames::be_fair(std::size_t game, Cell cell, Worker& worker, Budget& budget) {
    const Geometry& geometry = order_.geometry;
    std::ranges::copy(shown_.codes.subspan(game * geometry.cells, geometry.cells), worker.codes.begin());
    const Question question{geometry, worker.codes, order_.mines};
    const Status status = worker.solver.analyze(question, budget, worker.verdicts, worker.odds).status;
    worker.solver.trim(status == Status::over_budget);
    if (status != Status::answered && status != Status::imprecise) return false;
    const Verdict verdict = worker.verdicts[cell];
    const bool is_mined = (cells_of(game)[cell] & kMine) != 0;
    const bool is_forced = std::ranges::find(worker.verdicts, Verdict::safe) == worker.verdicts.end();
    if (is_mined) {
        if (verdict == Verdict::mine) return true;
        const bool compares = order_.fairness == Fairness::safest || order_.fairness == Fairness::local;
        if (compares ? !is_safest(cell, worker) : !(is_forced || order_.fairness == Fairness::kind)) return true;
        worker.codes[cell] = kAbsent;
    } else {
        if (order_.fairness != Fairness::strict || verdict == Verdict::safe || is_forced) return true;
        worker.codes[cell] = kFlagged;
    }
    return redraw(game, worker, budget);
}

// Is no other cell safer, on the whole board or in the region of the cell? As is_safest of
// src/mineproof/analysis/judgement.py, which compares fractions.
bool ManyGames::is_safest(Cell cell, Worker& worker) const {
    const double limit = worker.odds[cell] * (1 - kCloseOdds);
    const auto is_rival = [&](Cell other) {
        return other < order_.geometry.cells && worker.codes[other] == kCovered &&
               worker.verdicts[other] != Verdict::mine;
    };
    const auto is_safer = [&](Cell other) {
        return is_rival(other) && (worker.verdicts[other] == Verdict::safe || worker.odds[other] < limit);
    };
    const Cell cells = order_.geometry.cells;
    if (order_.fairness == Fairness::safest) {
        for (Cell other = 0; other < cells; ++other)
            if (is_safer(other)) return false;
        return true;
    }
    const auto touches_number = [&](Cell other) {
        return std::ranges::any_of(order_.geometry.around(other),
                                   [&](Cell number) { return number < cells && worker.codes[number] >= 0; });
    };
    if (!touches_number(cell)) {
        for (Cell other = 0; other < cells; ++other)
            if (is_safer(other) && !touches_number(other)) return false;
        return true;
    }
    std::vector<std::uint8_t> reached(cells);
    std::vector<Cell> waiting{cell};
    reached[cell] = 1;
    while (!waiting.empty()) {
        const Cell next = waiting.back();
        waiting.pop_back();
        if (is_safer(next)) return false;
        for (const Cell number : order_.geometry.around(next)) {
            if (number >= cells || worker.codes[number] < 0 || reached[number] != 0) continue;
            reached[number] = 1;
            for (const Cell other : order_.geometry.around(number)) {
                if (!is_rival(other) || reached[other] != 0) continue;
                reached[other] = 1;
                waiting.push_back(other);
            }
        }
    }
    return true;
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

bool ManyGames::list_mines(std::size_t game, std::vector<Cell>& mines) {
    const Inside inside(*this);
    mines.clear();
    if (!games_[game].is_over || games_[game].is_torn) return false;
    for (Cell cell = 0; cell < order_.geometry.cells; ++cell)
        if ((cells_of(game)[cell] & kMine) != 0) mines.push_back(cell);
    return true;
}

}  // namespace mineproof
