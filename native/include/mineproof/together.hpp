// Work shared out among threads.
#pragma once

#include <cstddef>
#include <functional>

namespace mineproof {

// Runs work(0) on the calling thread and work(1) to work(threads - 1) on others, as far as they are to be had, and
// returns when all have ended. While the calling thread waits for the others it calls `wait` about twenty times a
// second. What a work throws ends that work, is followed by `stop`, and is thrown again at the end.
//   require: threads > 0
void work_together(std::size_t threads, const std::function<void(std::size_t)>& work, const std::function<void()>& stop,
                   const std::function<void()>& wait);

}  // namespace mineproof
