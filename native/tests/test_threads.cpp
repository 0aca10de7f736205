// Several threads, each with its own solvers and strategies, on boards they share: `kernel_tests threads` under
// ThreadSanitizer says whether anything else is shared.

#include <barrier>
#include <bit>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/advice.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/lent_strategy.hpp"
#include "mineproof/no_guess.hpp"
#include "mineproof/optimal_play.hpp"
#include "mineproof/primes.hpp"

namespace mineproof::testing {
namespace {

constexpr std::size_t kThreads = 4;

using Bits = std::vector<std::uint64_t>;

void add(Bits& bits, double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); }

// Runs the same work in all threads, which begin together, and compares what they found.
void check_alike(const std::function<Bits()>& work) {
    std::vector<Bits> found(kThreads);
    std::barrier start(static_cast<std::ptrdiff_t>(kThreads));
    std::vector<std::thread> threads;
    for (Bits& mine : found)
        threads.emplace_back([&] {
            start.arrive_and_wait();
            mine = work();
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(!found[0].empty());
    for (const Bits& other : found) CHECK_EQUAL(other, found[0]);
    CHECK_EQUAL(work(), found[0]);
}

std::vector<Position> shared_positions() {
    Rng rng(161);
    std::vector<Position> positions;
    for (const Shape shape : kShapes)
        for (int i = 0; i < 4; ++i) positions.push_back(cut_out(rng, {8, 8, shape, 0.2, 0.3, 0.1, 0.05}));
    return positions;
}

TEST(threads_count_and_sample_alike) {
    const std::vector<Position> positions = shared_positions();
    const std::vector<std::uint64_t> primes = largest_primes(2);
    check_alike([&] {
        Bits bits;
        Solver solver;
        for (const Position& position : positions)
            for (const std::int64_t total : {position.mines, Question::kUnknown}) {
                const Question question{position.board.geometry, position.board.codes, total, 0.2};
                std::vector<Verdict> verdicts(question.codes.size());
                std::vector<double> odds(question.codes.size());
                Budget budget = endless();
                add(bits, solver.analyze(question, budget, verdicts, odds).log2_layouts);
                for (const Verdict verdict : verdicts) bits.push_back(static_cast<std::uint64_t>(verdict));
                for (const double chance : odds)
                    if (chance == chance) add(bits, chance);
                ExactCounts counts;
                const std::vector<PrimeWeights> weights = {{primes[0], 1, 1}, {primes[1], 1, 4}};
                solver.count_exactly(question, weights, budget, counts);
                bits.insert(bits.end(), counts.places.begin(), counts.places.end());
                Samples samples;
                solver.sample(question, 7, 0, 3, budget, samples);
                bits.insert(bits.end(), samples.mines.begin(), samples.mines.end());
            }
        for (const std::uint64_t prime : largest_primes(3)) bits.push_back(prime);
        return bits;
    });
}

TEST(threads_play_alike) {
    const Geometry geometry = make_geometry(Shape::grid, 6, 7);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[8] = 0;
    const Series series{{geometry, codes, 8}, allowed, 8, 162};
    check_alike([&] {
        Bits bits;
        for (const StrategyInfo& info : strategies()) {
            Tally tally;
            std::vector<std::uint8_t> won;
            Budget budget = endless();
            GamePlayer player;
            player.play_games(series, 0, 6, *LentStrategy(info, series.match.geometry.cells), budget, tally, won);
            bits.insert(bits.end(), won.begin(), won.end());
            bits.insert(bits.end(), {tally.moves, tally.all_guesses});
            add(bits, tally.log_survived);
        }
        return bits;
    });
}

TEST(threads_advise_alike) {
    const Board board = read_board("1######/#######/##2####/#######/#######");
    const Board small = read_board("#####/123##/###3#");
    check_alike([&] {
        Bits bits;
        Budget budget = endless();
        const Decision decision = decide({board.geometry, board.codes, 7}, kStrongThought, budget);
        for (const WeighedCandidate& each : decision.candidates) {
            bits.push_back(each.cell);
            add(bits, each.score);
        }
        const Optimum optimum = find_optimum({small.geometry, small.codes, 6}, true, 1000, budget);
        bits.insert(bits.end(), optimum.values.begin(), optimum.values.end());
        NoGuess generator;
        NoGuessEffort effort;
        const std::vector<std::int8_t> codes(board.geometry.cells, kCovered);
        std::vector<std::uint8_t> allowed(board.geometry.cells, 1);
        allowed[0] = 0;
        const NoGuessWish wish{board.geometry, codes, allowed, 6, 0, true};
        bits.push_back(generator.make(wish, 163, 0, budget, effort));
        bits.insert(bits.end(), generator.mines().begin(), generator.mines().end());
        return bits;
    });
}

}  // namespace
}  // namespace mineproof::testing
