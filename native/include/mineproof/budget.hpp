// Limits of one call, asked from every loop whose length is not bounded by the board's size.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace mineproof {

// Why a search stopped before it had an answer.
enum class Limit : std::uint8_t { none, states, seconds, cancelled, width };

class Budget {
  public:
    using Clock = std::chrono::steady_clock;
    using Poll = bool (*)(void*);  // true: stop now

    Budget(double seconds, std::uint64_t states, Poll poll = nullptr, void* context = nullptr)
        : states_left_(states),
          states_(states),
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

    // Spends `amount` states; false when the states or the time are used up, or the caller has cancelled.
    bool spend(std::uint64_t amount) {
        if (amount > states_left_) {
            states_left_ = 0;
            limit_ = Limit::states;
            return false;
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

    // Stops at once, because the work is known to be too much. Returns false.
    bool give_up(Limit reason) {
        limit_ = reason;
        return false;
    }

    Limit limit() const { return limit_; }
    std::uint64_t states_spent() const { return states_ - states_left_; }
    double seconds_spent() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    // A look at the clock costs about as much as a few dozen states; this many keep it below 1 %
    // and still come a thousand times a second.
    static constexpr std::uint64_t kLook = 1 << 14;

    bool look() {
        work_ = 0;
        const auto now = Clock::now();
        if (now >= deadline_) {
            limit_ = Limit::seconds;
            return false;
        }
        if (poll_ != nullptr && now >= next_poll_) {
            next_poll_ = now + std::chrono::milliseconds(50);
            if (poll_(context_)) {
                limit_ = Limit::cancelled;
                return false;
            }
        }
        return limit_ == Limit::none;
    }

    std::uint64_t states_left_, states_;
    std::uint64_t work_ = 0;
    Limit limit_ = Limit::none;
    Poll poll_;
    void* context_;
    Clock::time_point start_, deadline_, next_poll_;
};

}  // namespace mineproof
