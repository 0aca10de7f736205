// What guesses of expert games are worth, as data to fit the constants of decider.cpp to; see fit_guess.py.
//
//     guess_data FIRST_GAME GAMES SEED safe|open PLAYOUTS
//
// Games are played by `strong`. At every guess that is left to the look ahead, games are played on from every candidate
// on the same layouts. One line of numbers for each candidate is printed: decision, log2 of the layouts, opening (0 or
// 1), chance to be free, fate, score; then sums over the numbers it may show of their chances: with 1, 2, 3 and 5 or
// more safe cells, of a zero with a safe cell, with no safe cell, and without one times the chances of the two safest
// cells; then the mean worth of the even and of the odd playouts, and the number, means, variances and covariance of
// playouts in which both this candidate and the first one are free.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/counted_position.hpp"
#include "mineproof/decider.hpp"
#include "mineproof/field.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/knowledge.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/random.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {
namespace {

constexpr Cell kRows = 16, kColumns = 30, kMines = 99;
constexpr std::uint64_t kStates = 1 << 20;
// The opening lasts until this share of the board is open: kOpening in decider.cpp.
constexpr double kOpening = 0.125;

Geometry expert() {
    std::vector<Cell> table;
    for (Cell cell = 0; cell < kRows * kColumns; ++cell) {
        const auto start = table.size();
        const int row = static_cast<int>(cell / kColumns), column = static_cast<int>(cell % kColumns);
        for (int r = row - 1; r <= row + 1; ++r)
            for (int c = column - 1; c <= column + 1; ++c)
                if ((r != row || c != column) && r >= 0 && c >= 0 && r < static_cast<int>(kRows) &&
                    c < static_cast<int>(kColumns))
                    table.push_back(static_cast<Cell>(r) * kColumns + static_cast<Cell>(c));
        table.resize(start + kReach, kRows * kColumns);
    }
    return Geometry(kRows * kColumns, table);
}

class Games {
  public:
    explicit Games(std::uint32_t playouts) : playouts_(playouts) {
        decider_.remember_in(&memory_);
        playout_.remember_in(&memory_);
        solver_.remember_in(&memory_);
    }

    void play(std::uint64_t seed, std::uint64_t number, bool open_start) {
        const Cell start = open_start ? 3 * kColumns + 3 : 0;
        std::vector<std::uint8_t> allowed(geometry_.cells, 1);
        allowed[start] = 0;
        if (open_start)
            for (const Cell near : geometry_.around(start)) allowed[near] = 0;
        Random random(seed, number);
        field_.deal(geometry_, allowed, kMines, random);
        const std::vector<std::int8_t> covered(geometry_.cells, kCovered);
        knowledge_.start(geometry_, covered);
        open(start);
        while (go_on()) {
        }
    }

  private:
    // Opens what is certain, then makes the next guess; false at the end of the game, or where optimal play begins.
    bool go_on() {
        for (;;) {
            for (Cell cell; knowledge_.take_safe(cell);) open(cell);
            if (knowledge_.unknown() == 0) return false;
            Budget budget = Budget::of_states(kStates);
            const Question question{geometry_, knowledge_.codes(), kMines};
            if (!position_.count(question, solver_, budget)) return false;
            for (const Cell cell : position_.safe()) knowledge_.prove_safe(cell);
            for (Cell cell = 0; cell < geometry_.cells; ++cell)
                if (position_.question().codes[cell] == kFlagged) knowledge_.prove_mine(cell);
            if (!position_.safe().empty()) continue;
            if (!position_.is_stuck() || position_.log2_layouts() <= std::log2(kStrong.layouts)) return false;
            const Cell guess = decider_.decide(position_, budget, true);
            if (decider_.reason() == Reason::ahead) measure();
            if (field_.mined(guess)) return false;
            open(guess);
        }
    }

    void measure() {
        Budget budget = Budget::of_states(std::uint64_t{1} << 40);
        if (!playout_.begin(position_.question(), playouts_, budget)) return;
        const std::vector<Candidate> candidates(decider_.candidates().begin(), decider_.candidates().end());
        std::vector<double> first(playouts_, 0);
        int open_cells = 0;
        for (const std::int8_t code : position_.question().codes) open_cells += code >= 0;
        const bool opening = open_cells < kOpening * geometry_.cells;
        for (const Candidate& candidate : candidates) {
            if (candidate.score == 0) continue;  // shows only one number: not compared by its worth
            std::vector<double> worth(playouts_, 0);
            std::vector<bool> free(playouts_);
            for (std::uint32_t number = 0; number < playouts_; ++number) {
                free[number] = playout_.is_free(number, candidate.cell);
                if (free[number]) worth[number] = playout_.play(number, candidate.cell, budget);
            }
            if (&candidate == &candidates[0]) first = worth;
            print(candidate, opening, worth, first);
        }
        ++decision_;
    }

    void print(const Candidate& candidate, bool opening, const std::vector<double>& worth,
               const std::vector<double>& first) {
        double safe1 = 0, safe2 = 0, safe3 = 0, safe5 = 0, zero = 0, stuck = 0, best = 0, second = 0;
        for (const Outlook& outlook : decider_.outlooks(candidate)) {
            safe1 += (outlook.safe >= 1) * outlook.chance;
            safe2 += (outlook.safe >= 2) * outlook.chance;
            safe3 += (outlook.safe >= 3) * outlook.chance;
            safe5 += (outlook.safe >= 5) * outlook.chance;
            zero += (opening && outlook.number == 0 && outlook.safe > 0) * outlook.chance;
            stuck += (outlook.safe == 0) * outlook.chance;
            best += (outlook.safe == 0) * outlook.chance * outlook.safety;
            second += (outlook.safe == 0) * outlook.chance * outlook.second;
        }
        double halves[2] = {0, 0}, both = 0, mean = 0, first_mean = 0, square = 0, first_square = 0, product = 0;
        for (std::uint32_t number = 0; number < playouts_; ++number) {
            halves[number % 2] += worth[number];
            if (worth[number] == 0 || first[number] == 0) continue;
            both += 1;
            mean += worth[number];
            first_mean += first[number];
            square += worth[number] * worth[number];
            first_square += first[number] * first[number];
            product += worth[number] * first[number];
        }
        std::printf("%llu %.6g %d %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g "
                    "%.9g %.9g\n",
                    static_cast<unsigned long long>(decision_), position_.log2_layouts(), opening ? 1 : 0,
                    1 - candidate.mine_probability, candidate.fate, candidate.score, safe1, safe2, safe3, safe5, zero,
                    stuck, best, second, 2 * halves[0] / playouts_, 2 * halves[1] / playouts_, both, mean, first_mean,
                    square, first_square, product);
    }

    void open(Cell start) {
        std::vector<Cell> waiting{start};
        while (!waiting.empty()) {
            const Cell cell = waiting.back();
            waiting.pop_back();
            if (knowledge_.is_open(cell)) continue;
            knowledge_.show(cell, field_.number(cell));
            if (field_.number(cell) != 0) continue;
            for (const Cell near : geometry_.around(cell))
                if (near < geometry_.cells && knowledge_.codes()[near] == kCovered) waiting.push_back(near);
        }
    }

    const Geometry geometry_ = expert();
    const std::uint32_t playouts_;
    TapeMemory memory_;
    Solver solver_;
    Field field_;
    Knowledge knowledge_;
    CountedPosition position_;
    Decider decider_{kStrong};
    Playout playout_;
    std::uint64_t decision_ = 0;
};

}  // namespace
}  // namespace mineproof

int main(int count, char** arguments) {
    if (count != 6) {
        std::fprintf(stderr, "usage: guess_data FIRST_GAME GAMES SEED safe|open PLAYOUTS\n");
        return 2;
    }
    const std::uint64_t first = std::strtoull(arguments[1], nullptr, 10);
    const std::uint64_t games = std::strtoull(arguments[2], nullptr, 10);
    const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
    mineproof::Games player(static_cast<std::uint32_t>(std::strtoul(arguments[5], nullptr, 10)));
    for (std::uint64_t number = first; number < first + games; ++number)
        player.play(seed, number, std::strcmp(arguments[4], "open") == 0);
}
