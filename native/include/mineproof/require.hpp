// Preconditions, checked in builds that define MINEPROOF_CHECKED.
#pragma once

#if defined(MINEPROOF_CHECKED)

#include <cstdio>
#include <cstdlib>

namespace mineproof {

[[noreturn]] inline void requirement_violated(const char* file, int line, const char* condition) {
    std::fprintf(stderr, "%s:%d: requirement violated: %s\n", file, line, condition);
    std::fflush(stderr);
    std::abort();
}

}  // namespace mineproof

// Aborts with file, line and text unless the condition holds. Builds without MINEPROOF_CHECKED do not evaluate it.
#define MINEPROOF_REQUIRE(condition) \
    ((condition) ? static_cast<void>(0) : ::mineproof::requirement_violated(__FILE__, __LINE__, #condition))

#else

#define MINEPROOF_REQUIRE(condition) static_cast<void>(0)

#endif
