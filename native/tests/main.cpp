// Runs the tests: all of them, or those whose names contain one of the arguments; `-q` leaves out the thorough ones,
// which take more than two seconds under sanitizers; `-v` tells each with its time.

#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>

#include "check.hpp"

namespace mineproof::testing {
namespace {

// Failures of the running test; beyond a few more of them say nothing new.
int failures = 0;
constexpr int kTold = 5;

std::vector<std::function<std::string()>>& notes() {
    static std::vector<std::function<std::string()>> all;
    return all;
}

bool wanted(std::string_view name, int count, char** words) {
    bool any = false;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "-v" || word == "-q") continue;
        if (name.find(word) != std::string_view::npos) return true;
        any = true;
    }
    return !any;
}

bool run(const Test& test) {
    failures = 0;
    try {
        test.body();
    } catch (const Abandoned&) {
    } catch (const std::exception& error) {
        fail(__FILE__, __LINE__, std::string("exception: ") + error.what());
    }
    if (failures > kTold) std::printf("  and %d more\n", failures - kTold);
    if (failures > 0) std::printf("FAILED %s\n", test.name);
    std::fflush(stdout);
    return failures == 0;
}

}  // namespace

std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

Note::Note(std::function<std::string()> text) { notes().push_back(std::move(text)); }
Note::~Note() { notes().pop_back(); }

void fail(const char* file, int line, const std::string& what) {
    if (++failures > kTold) return;
    std::printf("%s:%d: %s\n", file, line, what.c_str());
    for (const auto& note : notes()) std::printf("    %s\n", note().c_str());
    std::fflush(stdout);
}

}  // namespace mineproof::testing

int main(int count, char** words) {
    using namespace mineproof::testing;
    bool verbose = false, quick = false;
    for (int i = 1; i < count; ++i) {
        verbose |= std::string_view(words[i]) == "-v";
        quick |= std::string_view(words[i]) == "-q";
    }
    int passed = 0, failed = 0;
    for (const Test& test : tests()) {
        if (!wanted(test.name, count, words) || (quick && test.thorough)) continue;
        if (verbose) std::printf("%s\n", test.name), std::fflush(stdout);
        const auto start = std::chrono::steady_clock::now();
        ++(run(test) ? passed : failed);
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        if (verbose) std::printf("%10.1f ms\n", spent.count());
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
