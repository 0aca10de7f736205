// Limits of one call, asked from every loop whose length is not bounded by the board's size.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace mineproof {

// Why a search stopped before it had an answer.
enum class Limit : std::uint8_t { none, states, seconds, cancelled, width, memory };

class Budget {
  public:
    using Clock = std::chrono::steady_clock;
    using Poll = bool (*)(void*);  // true: stop now
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

    Budget(double seconds, std::uint64_t states, Poll poll = nullptr, void* context = nullptr,
           std::uint64_t memory = kNoLimit)
        : states_left_(states),
          states_(states),
          memory_(memory),
          poll_(poll),
          context_(context),
          start_(Clock::now()),
          next_poll_(start_) {
        const double longest = 1e9;  // a clock cannot add more than about 292 years
        deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(seconds < longest ? seconds : longest));
    }

    // Limited by states alone, so that an answer does not depend on the clock.
    static Budget of_states(std::uint64_t states) { return {std::numeric_limits<double>::infinity(), states}; }

    // A budget for one step of this one's work. The step has states of its own, and a share of the memory; several such
    // steps keep their tables at a time. The clock and the caller are those of the whole, so that a step ends when the
    // whole does: then the whole is `stopped` too.
    //   require: this outlives the part
    Budget part(std::uint64_t states, std::uint64_t share = 4) { return Budget(*this, states, share); }

    // Spends `amount` states; false when the states or the time are used up, or the caller has cancelled.
    bool spend(std::uint64_t amount) {
        if (amount > states_left_) {
            states_left_ = 0;
            return give_up(Limit::states);
        }
        states_left_ -= amount;
        work_ += amount;
        return work_ < kLook || look();
    }

    // For work that makes no states: passes over tables already built.
    bool work(std::uint64_t amount) {
        work_ += amount;
        return work_ < kLook || look();
    }

    // May tables of so many bytes be held at once? The bytes are those of the entries, whatever the allocator adds, so
    // that the answer is the same on every machine.
    bool fits(std::uint64_t bytes) { return bytes <= memory_ || give_up(Limit::memory); }

    // Stops at once, because the work is known to be too much. Returns false.
    bool give_up(Limit reason) {
        limit_ = reason;
        work_ = kLook;  // so that every later call is refused
        return false;
    }

    Limit limit() const { return limit_; }
    bool stopped() const { return limit_ != Limit::none; }
    std::uint64_t states_spent() const { return states_ - states_left_; }
    double seconds_spent() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    // A look at the clock costs about as much as a few dozen states; this many keep it below 1 %
    // and still come a thousand times a second.
    static constexpr std::uint64_t kLook = 1 << 14;

    Budget(Budget& whole, std::uint64_t states, std::uint64_t share)
        : states_left_(states),
          states_(states),
          memory_(whole.memory_ == kNoLimit ? kNoLimit : whole.memory_ / share),
          whole_(&whole),
          start_(whole.start_) {}

    bool look() {
        if (stopped()) return false;
        work_ = 0;
        if (whole_ != nullptr) return whole_->look() || give_up(whole_->limit_);
        const auto now = Clock::now();
        if (now >= deadline_) return give_up(Limit::seconds);
        if (poll_ != nullptr && now >= next_poll_) {
            next_poll_ = now + std::chrono::milliseconds(50);
            if (poll_(context_)) return give_up(Limit::cancelled);
        }
        return true;
    }

    std::uint64_t states_left_, states_;
    std::uint64_t work_ = 0;
    std::uint64_t memory_;
    Limit limit_ = Limit::none;
    Poll poll_ = nullptr;
    void* context_ = nullptr;
    Budget* whole_ = nullptr;
    Clock::time_point start_, deadline_, next_poll_;
};

}  // namespace mineproof
