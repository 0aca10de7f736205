// What guesses of expert games are worth, as data to fit the constants of decider.cpp to; see fit_guess.py.
//
//     guess_data FIRST_GAME GAMES SEED safe|open PLAYOUTS STRONG
//
// Games are played by `strong`. At every guess that is left to the look ahead, games are played on from every candidate
// on the same layouts. One line of numbers for each candidate is printed: decision, log2 of the layouts, opening (0 or
// 1), chance to be free, fate, score; then sums over the numbers it may show of their chances: with 1, 2, 3 and 5 or
// more safe cells, of a zero with a safe cell, with no safe cell, and without one times the chances of the two safest
// cells; then the mean worth of the even and of the odd playouts, and the number, means, variances and covariance of
// playouts of this candidate and the first one; last the mean worth of even and odd playouts by `strong`, on STRONG
// layouts, of candidates whose score is close enough to the best for rivals, of others 0.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "expert_games.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/thinker.hpp"

namespace mineproof {
namespace {

constexpr std::uint64_t kSeed = 1;

class Games {
  public:
    Games(std::uint32_t playouts, std::uint32_t strong) : playouts_(playouts), strong_(strong) {
        playout_.remember_in(&games_.memory());
        better_.remember_in(&games_.memory());
    }

    void play(std::uint64_t seed, std::uint64_t number, bool open_start) {
        games_.play(seed, number, open_start,
                    [&](const CountedPosition& position, const Decider& decider) { measure(position, decider); });
    }

  private:
    void measure(const CountedPosition& position, const Decider& decider) {
        Budget budget = Budget::of_states(std::uint64_t{1} << 40);
        playout_.begin(position.question(), kSeed);
        if (!playout_.draw(0, playouts_, budget)) return;
        better_.begin(position.question(), kSeed);
        if (strong_ > 0 && !better_.draw(0, strong_, budget)) return;
        const double least = (1 - kDeepThought.ahead.rival_share) * decider.candidates()[0].score;
        std::vector<double> first(playouts_, 0);
        for (const Candidate& candidate : decider.candidates()) {
            if (candidate.score == 0) continue;  // shows only one number: not compared by its worth
            std::vector<double> worth(playouts_, 0);
            for (std::uint32_t number = 0; number < playouts_; ++number)
                worth[number] = (1 - candidate.mine_probability) * playout_.play(number, candidate.cell, budget);
            if (&candidate == &decider.candidates()[0]) first = worth;
            double better[2] = {0, 0};
            for (std::uint32_t number = 0; candidate.score >= least && number < strong_; ++number)
                better[number % 2] +=
                    2 * (1 - candidate.mine_probability) * better_.play(number, candidate.cell, budget) / strong_;
            print(position, decider, candidate, worth, first);
            std::printf(" %.9g %.9g\n", better[0], better[1]);
        }
        ++decision_;
    }

    void print(const CountedPosition& position, const Decider& decider, const Candidate& candidate,
               const std::vector<double>& worth, const std::vector<double>& first) {
        const bool opening = decider.is_opening();
        double safe1 = 0, safe2 = 0, safe3 = 0, safe5 = 0, zero = 0, stuck = 0, best = 0, second = 0;
        for (const Outlook& outlook : decider.outlooks(candidate)) {
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
        std::printf(
            "%llu %.6g %d %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g "
            "%.9g %.9g",
            static_cast<unsigned long long>(decision_), position.log2_layouts(), opening ? 1 : 0,
            1 - candidate.mine_probability, candidate.fate, candidate.score, safe1, safe2, safe3, safe5, zero, stuck,
            best, second, 2 * halves[0] / playouts_, 2 * halves[1] / playouts_, both, mean, first_mean, square,
            first_square, product);
    }

    const std::uint32_t playouts_, strong_;
    ExpertGames games_;
    Playout playout_{kFastPlayout}, better_{kStrongPlayout};
    std::uint64_t decision_ = 0;
};

}  // namespace
}  // namespace mineproof

int main(int count, char** arguments) {
    if (count != 7) {
        std::fprintf(stderr, "usage: guess_data FIRST_GAME GAMES SEED safe|open PLAYOUTS STRONG\n");
        return 2;
    }
    const std::uint64_t first = std::strtoull(arguments[1], nullptr, 10);
    const std::uint64_t games = std::strtoull(arguments[2], nullptr, 10);
    const std::uint64_t seed = std::strtoull(arguments[3], nullptr, 10);
    const auto whole = [&](int place) {
        return static_cast<std::uint32_t>(std::strtoul(arguments[place], nullptr, 10));
    };
    if (whole(5) == 0 || whole(5) % 2 != 0 || whole(6) % 2 != 0) {
        std::fprintf(stderr, "guess_data: PLAYOUTS and STRONG must be even, PLAYOUTS above 0, got %s and %s\n",
                     arguments[5], arguments[6]);
        return 2;
    }
    mineproof::Games player(whole(5), whole(6));
    for (std::uint64_t number = first; number < first + games; ++number)
        player.play(seed, number, std::strcmp(arguments[4], "open") == 0);
}
