// Counting is by neighbours alone. ZiNi is the greedy solve of Elmar Zimmermann and Christoph Nikolaus (2009), which
// knows all mines; docs/numbers.md has its rules, ties included.

#include "mineproof/measures.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "mineproof/require.hpp"

namespace mineproof {

Measurer::Measurer(const Geometry& geometry, Cell columns)
    : geometry_(geometry), columns_(columns), rows_(geometry.cells / columns), words_((geometry.cells + 63) / 64) {
    MINEPROOF_REQUIRE(columns > 0 && geometry.cells % columns == 0);
    const std::size_t size = std::size_t{geometry.cells} + 1;
    for (auto* const bytes : {&mined_, &safe_, &number_, &zero_, &lone_, &member_}) bytes->assign(size, 0);
    if (geometry.columns != 0) {
        const std::size_t padded = (std::size_t{geometry.columns} + 2) * (geometry.cells / geometry.columns + 2);
        for (auto* const bytes : {&padded_, &sums_, &upright_}) bytes->assign(padded, 0);
    }
    queue_.assign(size + kReach, 0);
}

// The layout --------------------------------------------------------------------------------------------------------

Measures Measurer::measure(std::span<const Truth> truths, bool with_zini) {
    MINEPROOF_REQUIRE(truths.size() == geometry_.cells);
    read(truths);
    Measures found{0, 0, 0, -1, -1, {}};
    count_numbers(found.safe_numbers);
    if (with_zini && opening_of_.empty()) {
        opening_of_.assign(std::size_t{geometry_.cells} + 1, 0);
        zeros_.assign(geometry_.cells, 0);
        first_premium_.assign(std::size_t{geometry_.cells} + 1, 0);
    }
    found.islands = count_groups(lone_);
    found.openings = with_zini ? label_openings() : count_groups(zero_);
    found.bbbv = found.openings + count_lone();
    if (with_zini) {
        for (Cell cell = 0; cell < geometry_.cells; ++cell)
            if (safe_[cell] != 0) first_premium_[cell] = first_premium(cell);
        found.zini = play_zini(false);
        found.human_zini = play_zini(true);
    }
    return found;
}

std::int32_t Measurer::count_bbbv(std::span<const Truth> truths) {
    MINEPROOF_REQUIRE(truths.size() == geometry_.cells);
    read(truths);
    return count_groups(zero_) + count_lone();
}

std::int32_t Measurer::count_lone() const {
    return static_cast<std::int32_t>(std::count(lone_.begin(), lone_.end(), std::uint8_t{1}));
}

// Which cells are mines, safe, zeros, and numbers that no zero touches.
void Measurer::read(std::span<const Truth> truths) {
    // Loops over bytes through pointers of their own: a byte written could be part of a vector's pointer otherwise.
    const std::size_t cells = geometry_.cells;
    const Truth* const given = truths.data();
    std::uint8_t* const mined = mined_.data();
    std::uint8_t* const safe = safe_.data();
    for (std::size_t i = 0; i < cells; ++i) mined[i] = given[i] == Truth::mine;
    for (std::size_t i = 0; i < cells; ++i) safe[i] = given[i] == Truth::safe;
    sum_around(mined_, number_);
    keep_safe(number_.data(), zero_.data());
    sum_around(zero_, lone_);
    keep_safe(lone_.data(), lone_.data());
}

// 1 for each safe cell whose sum is 0.
void Measurer::keep_safe(const std::uint8_t* sums, std::uint8_t* to) const {
    const std::size_t cells = geometry_.cells;
    const std::uint8_t* const safe = safe_.data();
    for (std::size_t i = 0; i < cells; ++i)
        to[i] = static_cast<std::uint8_t>(safe[i] & static_cast<std::uint8_t>(sums[i] == 0));
}

constexpr auto kNoNumber = static_cast<std::uint8_t>(2 * std::bit_ceil(unsigned{kReach}) - 1);

void Measurer::count_numbers(std::span<std::int32_t, kReach + 1> counts) {
    const std::size_t cells = geometry_.cells;
    const std::uint8_t *const number = number_.data(), *const safe = safe_.data();
    std::uint8_t* const shown = member_.data();
    for (std::size_t i = 0; i < cells; ++i)
        shown[i] = static_cast<std::uint8_t>((number[i] | (safe[i] - 1)) & kNoNumber);
    // Four tallies, so that equal numbers in a row do not wait for each other.
    std::array<std::array<std::int32_t, kNoNumber + 1>, 4> tally{};
    for (std::size_t i = 0; i < cells; ++i) ++tally[i % 4][shown[i]];
    for (std::size_t n = 0; n < counts.size(); ++n) counts[n] = tally[0][n] + tally[1][n] + tally[2][n] + tally[3][n];
}

// For every cell the sum over its neighbours; on a rectangle over the cell too, which changes nothing here: a safe cell
// is no mine, and a zero is not alone.
void Measurer::sum_around(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) {
    if (geometry_.columns != 0) {
        sum_shifted(from.data(), to.data());
        return;
    }
    for (Cell cell = 0; cell < geometry_.cells; ++cell) {
        std::uint8_t sum = from[cell];
        for (const Cell other : geometry_.around(cell)) sum = static_cast<std::uint8_t>(sum + from[other]);
        to[cell] = sum;
    }
}

void Measurer::sum_shifted(const std::uint8_t* from, std::uint8_t* to) {
    const std::size_t columns = geometry_.columns, rows = geometry_.cells / geometry_.columns, stride = columns + 2;
    const std::size_t inside = rows * stride;  // from the first row on, both of its borders included
    for (std::size_t row = 0; row < rows; ++row)
        std::memcpy(padded_.data() + (row + 1) * stride + 1, from + row * columns, columns);
    const std::uint8_t* const above = padded_.data();
    std::uint8_t* const upright = upright_.data() + stride;
    for (std::size_t i = 0; i < inside; ++i)
        upright[i] = static_cast<std::uint8_t>(above[i] + above[i + stride] + above[i + 2 * stride]);
    std::uint8_t* const sums = sums_.data() + stride;
    for (std::size_t i = 0; i < inside; ++i)
        sums[i] = static_cast<std::uint8_t>(upright[i - 1] + upright[i] + upright[i + 1]);
    for (std::size_t row = 0; row < rows; ++row)
        std::memcpy(to + row * columns, sums_.data() + (row + 1) * stride + 1, columns);
}

// How many connected groups the members form; they are none afterwards.
std::int32_t Measurer::count_groups(const std::vector<std::uint8_t>& of) {
    member_ = of;
    std::int32_t groups = 0;
    std::size_t tail = 0;
    for (Cell first = 0; first < geometry_.cells; ++first) {
        if (member_[first] == 0) continue;
        tail = spread(first, tail);
        ++groups;
    }
    return groups;
}

// The same of the zeros, with the number of its opening for each, and the zeros of an opening side by side.
std::int32_t Measurer::label_openings() {
    member_ = zero_;
    opening_ends_.clear();
    std::size_t tail = 0;
    for (Cell first = 0; first < geometry_.cells; ++first) {
        if (member_[first] == 0) continue;
        const std::size_t head = tail;
        tail = spread(first, tail);
        for (std::size_t i = head; i < tail; ++i)
            opening_of_[queue_[i]] = static_cast<std::uint32_t>(opening_ends_.size());
        opening_ends_.push_back(static_cast<std::uint32_t>(tail));
    }
    std::copy_n(queue_.begin(), tail, zeros_.begin());
    return static_cast<std::int32_t>(opening_ends_.size());
}

// Puts the group of a member into the queue from `head` on, and returns its end.
std::size_t Measurer::spread(Cell first, std::size_t head) {
    std::uint8_t* const member = member_.data();
    Cell* const queue = queue_.data();
    std::size_t tail = head;
    queue[tail++] = first;
    member[first] = 0;
    while (head < tail) {
        const Cell* const around = geometry_.around(queue[head++]).data();
        for (int i = 0; i < kReach; ++i) {
            const Cell other = around[i];
            queue[tail] = other;  // stays only if it is a member
            tail += member[other];
            member[other] = 0;
        }
    }
    return tail;
}

// ZiNi --------------------------------------------------------------------------------------------------------------

std::int32_t Measurer::play_zini(bool human) {
    begin_zini(human);
    if (human)
        for (std::uint32_t opening = 0; opening < opening_ends_.size(); ++opening) {
            ++clicks_;
            open_opening(opening);
        }
    for (Cell best = 0; closed_ > 0;) {
        if (find_best(best)) {
            solve(best);
        } else {
            ++clicks_;
            reveal(find_click());
        }
    }
    return clicks_;
}

void Measurer::begin_zini(bool human) {
    const Cell cells = geometry_.cells;
    const std::size_t size = std::size_t{cells} + 1;
    if (cell_of_place_.empty()) {
        for (Cell column = 0; column < columns_; ++column)
            for (Cell row = 0; row < rows_; ++row) cell_of_place_.push_back(row * columns_ + column);
        place_of_cell_.assign(size, 0);
        for (Cell place = 0; place < cells; ++place) place_of_cell_[cell_of_place_[place]] = place;
        for (auto& bits : with_premium_) bits.assign(words_, 0);
    }
    human_ = human;
    clicks_ = 0;
    next_click_ = 0;
    closed_ = static_cast<Cell>(std::count(safe_.begin(), safe_.end(), std::uint8_t{1}));
    opened_.assign(size, 0);
    flagged_.assign(size, 0);
    candidate_.assign(size, 0);
    touched_.assign(size, 0);
    premium_ = first_premium_;
    first_word_.fill(words_);
    for (auto& bits : with_premium_) std::ranges::fill(bits, 0);
    if (human) return;
    candidate_ = safe_;
    for (Cell cell = 0; cell < cells; ++cell)
        if (safe_[cell] != 0) put(cell, premium_[cell]);
}

// Clicks that a chord at a closed cell saves: the 3BV it solves, less its flags, the click that opens the cell and the
// chord itself.
std::int8_t Measurer::first_premium(Cell cell) const {
    int solved = lone_[cell];
    std::array<std::uint32_t, kReach> openings;
    std::size_t count = 0;
    if (zero_[cell] != 0) openings[count++] = opening_of_[cell];
    for (const Cell other : geometry_.around(cell)) {
        solved += lone_[other];
        if (zero_[other] == 0) continue;
        const auto end = openings.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::find(openings.begin(), end, opening_of_[other]) == end) openings[count++] = opening_of_[other];
    }
    const int flags = number_[cell];
    return static_cast<std::int8_t>(solved + static_cast<int>(count) - flags - 2);
}

void Measurer::change(Cell cell, int by) {
    const int before = premium_[cell];
    premium_[cell] = static_cast<std::int8_t>(before + by);
    if (candidate_[cell] == 0) return;
    take(cell, before);
    put(cell, before + by);
}

void Measurer::put(Cell cell, int premium) {
    if (premium < 0) return;
    const auto level = static_cast<std::size_t>(premium);
    const std::size_t word = place_of_cell_[cell] / 64;
    with_premium_[level][word] |= std::uint64_t{1} << place_of_cell_[cell] % 64;
    first_word_[level] = std::min(first_word_[level], word);
}

void Measurer::take(Cell cell, int premium) {
    if (premium < 0) return;
    const std::size_t word = place_of_cell_[cell] / 64;
    with_premium_[static_cast<std::size_t>(premium)][word] &= ~(std::uint64_t{1} << place_of_cell_[cell] % 64);
}

// The first candidate of the highest premium, if that is not negative.
bool Measurer::find_best(Cell& best) {
    for (std::size_t level = kPremiums; level-- > 0;) {
        std::size_t& word = first_word_[level];
        const auto& bits = with_premium_[level];
        while (word < words_ && bits[word] == 0) ++word;
        if (word == words_) continue;
        best = cell_of_place_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits[word]))];
        return true;
    }
    return false;
}

// The first closed cell that a click solves 3BV at.
Cell Measurer::find_click() {
    while (true) {
        const Cell cell = cell_of_place_[next_click_];
        if ((zero_[cell] | lone_[cell]) != 0 && opened_[cell] == 0) return cell;
        ++next_click_;
    }
}

void Measurer::open(Cell cell) {
    opened_[cell] = 1;
    --closed_;
    if (human_) {
        candidate_[cell] = 1;
        put(cell, premium_[cell]);
    }
    change(cell, 1);
    if (lone_[cell] == 0) return;
    change(cell, -1);
    for (const Cell other : geometry_.around(cell)) change(other, -1);
}

void Measurer::open_opening(std::uint32_t opening) {
    const auto touch = [&](Cell cell) {
        if (safe_[cell] == 0 || touched_[cell] == opening + 1) return;
        touched_[cell] = opening + 1;
        if (opened_[cell] == 0) open(cell);
        change(cell, -1);
    };
    for (std::uint32_t i = opening == 0 ? 0 : opening_ends_[opening - 1]; i < opening_ends_[opening]; ++i) {
        touch(zeros_[i]);
        for (const Cell other : geometry_.around(zeros_[i])) touch(other);
    }
}

void Measurer::reveal(Cell cell) {
    if (safe_[cell] == 0 || opened_[cell] != 0) return;
    if (zero_[cell] != 0)
        open_opening(opening_of_[cell]);
    else
        open(cell);
}

// Opens a cell, flags the mines around it, and chords there.
void Measurer::solve(Cell cell) {
    if (opened_[cell] == 0) {
        ++clicks_;
        reveal(cell);
    }
    for (const Cell mine : geometry_.around(cell)) {
        if (mined_[mine] == 0 || flagged_[mine] != 0) continue;
        flagged_[mine] = 1;
        ++clicks_;
        for (const Cell other : geometry_.around(mine)) change(other, 1);
    }
    ++clicks_;
    for (const Cell other : geometry_.around(cell)) reveal(other);
}

}  // namespace mineproof
