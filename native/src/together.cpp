#include "mineproof/together.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "mineproof/require.hpp"

namespace mineproof {

void work_together(std::size_t threads, const std::function<void(std::size_t)>& work, const std::function<void()>& stop,
                   const std::function<void()>& wait) {
    MINEPROOF_REQUIRE(threads > 0);
    constexpr std::chrono::milliseconds kBetweenWaits(50);
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t running = 0;
    std::exception_ptr failure;  // memory that could not be had
    const auto run = [&](std::size_t number) {
        try {
            work(number);
        } catch (...) {
            stop();
            const std::lock_guard held(mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    for (std::size_t number = 1; number < threads; ++number) {
        try {
            const std::lock_guard held(mutex);
            others.emplace_back([&, number] {
                run(number);
                const std::lock_guard leaving(mutex);
                --running;
                ended.notify_one();
            });
            ++running;
        } catch (const std::exception&) {
            break;  // no more threads are to be had: those there are do the work
        }
    }
    run(0);
    for (std::unique_lock held(mutex); running > 0;) {
        ended.wait_for(held, kBetweenWaits);
        held.unlock();
        wait();
        held.lock();
    }
    for (std::thread& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mineproof
