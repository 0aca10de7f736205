// A harness of one page: tests register themselves, checks report and continue.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mineproof::testing {

struct Test {
    const char* name;
    void (*body)();
    bool thorough;
};

std::vector<Test>& tests();

struct Registration {
    Registration(const char* name, void (*body)(), bool thorough) { tests().push_back(Test{name, body, thorough}); }
};

// What a test is looking at, told only when a check fails while it lives.
class Note {
  public:
    explicit Note(std::function<std::string()> text);
    ~Note();
    Note(const Note&) = delete;
    Note& operator=(const Note&) = delete;
};

// Thrown by REQUIRE: the rest of the test would make no sense.
struct Abandoned {};

void fail(const char* file, int line, const std::string& what);

template <class T>
std::string show(const T& value) {
    std::ostringstream out;
    if constexpr (std::is_enum_v<T>) {
        out << static_cast<long long>(value);
    } else if constexpr (std::is_integral_v<T>) {
        out << +value;
    } else if constexpr (std::is_floating_point_v<T>) {
        out << std::setprecision(std::numeric_limits<T>::max_digits10) << value;
    } else if constexpr (requires { std::string(value); }) {
        out << std::string(value);
    } else {
        out << '[';
        const char* separator = "";
        for (const auto& each : value) {
            out << separator << show(each);
            separator = ", ";
        }
        out << ']';
    }
    return out.str();
}

template <class T>
inline constexpr bool kIsCount = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class A, class B>
bool check_equal(const A& actual, const B& expected, const char* text, const char* file, int line) {
    bool equal = false;
    if constexpr (kIsCount<A> && kIsCount<B>)
        equal = std::cmp_equal(actual, expected);
    else if constexpr (requires { actual == expected; })
        equal = actual == expected;
    else
        equal = std::ranges::equal(actual, expected);
    if (!equal) fail(file, line, std::string(text) + ": " + show(actual) + ", expected " + show(expected));
    return equal;
}

// NaN is close to nothing.
inline bool check_close(long double actual, long double expected, long double tolerance, const char* text,
                        const char* file, int line) {
    const bool close = std::fabs(actual - expected) <= tolerance;
    if (!close)
        fail(file, line,
             std::string(text) + ": " + show(actual) + ", expected " + show(expected) + " within " + show(tolerance));
    return close;
}

}  // namespace mineproof::testing

#define TEST_MARKED(name, thorough)                                                                \
    static void test_##name();                                                                     \
    static const mineproof::testing::Registration registered_##name(#name, test_##name, thorough); \
    static void test_##name()

#define TEST(name) TEST_MARKED(name, false)
// Takes more than two seconds under sanitizers: left out by `kernel_tests -q`.
#define THOROUGH_TEST(name) TEST_MARKED(name, true)

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) mineproof::testing::fail(__FILE__, __LINE__, #condition); \
    } while (false)

#define CHECK_EQUAL(actual, expected) \
    mineproof::testing::check_equal(actual, expected, #actual " == " #expected, __FILE__, __LINE__)

#define CHECK_CLOSE(actual, expected, tolerance) \
    mineproof::testing::check_close(actual, expected, tolerance, #actual " near " #expected, __FILE__, __LINE__)

#define REQUIRE(condition)                                                         \
    do {                                                                           \
        if (!(condition)) {                                                        \
            mineproof::testing::fail(__FILE__, __LINE__, "required: " #condition); \
            throw mineproof::testing::Abandoned{};                                 \
        }                                                                          \
    } while (false)
