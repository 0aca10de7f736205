#include "mineproof/game_player.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// Game k of a seed uses three streams of Philox: k for its layout, and k with one of these bits for its strategy and
// for a start anywhere.
constexpr std::uint64_t kStrategyStream = std::uint64_t{1} << 63, kStartStream = std::uint64_t{1} << 62;
// In the measure of Budget::work: the clock is looked at after every four games.
constexpr std::uint64_t kWorkOfAGame = 1 << 12;
// And after some dozens of moves: those of the simple strategies take some microseconds.
constexpr std::uint64_t kWorkOfAMove = 1 << 8;
// Layouts drawn at a time to play on from: counting the position again is little beside that many games.
constexpr std::uint64_t kDrawn = 1 << 10;
// Most records for which memory is reserved in advance.
constexpr std::uint64_t kMostReserved = 1 << 16;

}  // namespace

Cell Series::start_of(std::uint64_t number) const {
    if (start != kAnywhere) return start;
    const auto board = std::ranges::count(match.codes, kCovered);
    auto skip = Random(seed, number | kStartStream).below(static_cast<std::uint64_t>(board));
    Cell cell = 0;
    while (match.codes[cell] != kCovered || skip-- > 0) ++cell;
    return cell;
}

Random Series::lots_of(std::uint64_t number) const { return {seed, number | kStrategyStream}; }

std::uint32_t Series::safe_cells() const {
    const auto board = static_cast<std::uint32_t>(std::ranges::count(match.codes, kCovered));
    MINEPROOF_REQUIRE(match.mines <= board);
    return board - match.mines;
}

bool GamePlayer::play_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy,
                            Budget& budget, Tally& tally, std::vector<std::uint8_t>& won, GameRecords* records) {
    std::optional<Measurer> measurer;
    if (records != nullptr) {
        measurer.emplace(series.match.geometry, 1);  // columns are for the ties of ZiNi alone
        records->games.reserve(records->games.size() + std::min(count, kMostReserved));
    }
    const Heeding heeding(strategy, budget);
    for (std::uint64_t number = first; number < first + count; ++number) {
        Course course;
        course.keeps_stated = records != nullptr;
        stated_.clear();
        const Ending ending = play(series, number, strategy, budget, tally, course);
        if (ending == Ending::given_up) return false;
        won.push_back(ending == Ending::won);
        if (records != nullptr) {
            for (const Stated& guess : stated_) records->calibration.count(guess.mine_probability, guess.mined);
            records->games.push_back(record_of(series.match, won.back() != 0, strategy, course, *measurer));
        }
        if (!budget.work(kWorkOfAGame)) return number + 1 == first + count;
    }
    return true;
}

GameRecord GamePlayer::record_of(const Match& match, bool won, const Strategy& strategy, const Course& course,
                                 Measurer& measurer) {
    truths_.resize(match.codes.size());
    for (Cell cell = 0; cell < truths_.size(); ++cell)
        truths_[cell] = match.codes[cell] != kCovered ? Truth::absent
                        : field_.mines().mined(cell)  ? Truth::mine
                                                      : Truth::safe;
    return {
        .log_survived = course.log_survived,
        .lost_odds = won ? std::numeric_limits<double>::quiet_NaN() : course.last.mine_probability,
        .lost_cell = won ? -1 : static_cast<std::int32_t>(course.last.cell),
        .moves = static_cast<std::int32_t>(course.moves + strategy.flags()),
        .guesses = static_cast<std::int32_t>(course.guesses),
        .fallbacks = static_cast<std::int32_t>(strategy.fallbacks()),
        .bbbv = measurer.count_bbbv(truths_),
        .won = won,
    };
}

bool GamePlayer::play(const Series& series, std::uint64_t number, Strategy& strategy, Tally& tally) {
    Course course;
    Budget endless = Budget::of_states(Budget::kNoLimit);
    return play(series, number, strategy, endless, tally, course) == Ending::won;
}

GamePlayer::Ending GamePlayer::play(const Series& series, std::uint64_t number, Strategy& strategy, Budget& budget,
                                    Tally& tally, Course& course) {
    const Geometry& geometry = series.match.geometry;
    const auto codes = series.match.codes;
    MINEPROOF_REQUIRE(codes.size() == geometry.cells && series.allowed.size() == geometry.cells);
    MINEPROOF_REQUIRE(series.start == Series::kAnywhere || codes[series.start] == kCovered);
    Random random(series.seed, number);
    field_.mines().deal(geometry, series.allowed, series.match.mines, random);
    strategy.start(series.match, series.lots_of(number));
    field_.cover(geometry, codes);
    // The first click is made for the strategy, which states no odds of it.
    const Ending ending = play_to_end({series.start_of(number), false}, series.safe_cells(), strategy, budget, course);
    if (ending == Ending::given_up) return ending;
    ++tally.games;
    tally.all_guesses += course.guesses;
    tally.fallbacks += strategy.fallbacks();
    tally.mistakes += course.mistakes;
    if (ending == Ending::won) {
        ++tally.wins;
        tally.moves += course.moves + strategy.flags();
        tally.guesses += course.guesses;
        tally.log_survived += course.log_survived;
    }
    return ending;
}

GamePlayer::Ending GamePlayer::play_to_end(Choice choice, std::uint32_t safe, Strategy& strategy, Budget& budget,
                                           Course& course) {
    for (;;) {
        const bool mined = field_.mines().mined(choice.cell);
        ++course.moves;
        if (!choice.certain) {
            ++course.guesses;
            if (const double stated = choice.mine_probability; !std::isnan(stated)) {
                if (course.keeps_stated) stated_.push_back({stated, mined});
                if (!mined) course.log_survived += std::log1p(-stated);
            }
        }
        if (mined) {
            course.mistakes += choice.certain;
            course.last = choice;
            return Ending::lost;
        }
        const auto opened = field_.open(choice.cell);
        for (const Cell cell : opened) strategy.see(cell, field_.codes()[cell]);
        if (field_.open_count() == safe) return Ending::won;
        choice = strategy.choose();
        if (!budget.work(kWorkOfAMove + opened.size()) || budget.stopped()) return Ending::given_up;
    }
}

std::uint64_t GamePlayer::play_on(const Question& position, std::span<const Cell> starts, Strategy& strategy,
                                  Solver& solver, std::uint64_t seed, std::uint64_t count, Budget& budget,
                                  std::span<std::uint64_t> wins) {
    const Geometry& geometry = position.geometry;
    MINEPROOF_REQUIRE(position.total != Question::kUnknown && wins.size() == starts.size());
    MINEPROOF_REQUIRE(std::ranges::count(position.codes, kFlagged) == 0);
    MINEPROOF_REQUIRE(std::ranges::all_of(starts, [&](Cell cell) { return position.codes[cell] == kCovered; }));
    std::fill(wins.begin(), wins.end(), 0);
    covered_.assign(position.codes.begin(), position.codes.end());
    for (std::int8_t& code : covered_)
        if (code >= 0) code = kCovered;
    const Match match{geometry, covered_, static_cast<std::uint32_t>(position.total)};
    const auto board = static_cast<std::uint32_t>(std::count(covered_.begin(), covered_.end(), kCovered));
    const Heeding heeding(strategy, budget);
    std::size_t begin = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
        const auto place = static_cast<std::size_t>(number % kDrawn);
        const std::uint64_t drawn = std::min(count - number, kDrawn);
        if (place == 0) {
            begin = 0;
            if (solver.sample(position, seed, number, drawn, budget, samples_).status != Status::answered)
                return number;
        }
        const auto end = static_cast<std::size_t>(samples_.ends[place]);
        field_.mines().lay(geometry, {samples_.mines.data() + begin, end - begin});
        begin = end;
        is_won_.assign(starts.size(), 0);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            if (field_.mines().mined(starts[i])) continue;
            if (!budget.work(kWorkOfAGame)) return number;
            strategy.start(match, Random(seed, number | kStrategyStream));
            field_.cover(geometry, position.codes);
            for (Cell cell = 0; cell < geometry.cells; ++cell)
                if (position.codes[cell] >= 0) strategy.see(cell, position.codes[cell]);
            Course course;
            const Ending ending = play_to_end({starts[i], false}, board - match.mines, strategy, budget, course);
            if (ending == Ending::given_up) return number;
            is_won_[i] = ending == Ending::won;
        }
        for (std::size_t i = 0; i < starts.size(); ++i) wins[i] += is_won_[i];
    }
    return count;
}

}  // namespace mineproof
