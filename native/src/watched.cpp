// Watches games through the strategy's own eyes: it stands between the player and the strategy, and writes down what
// the one shows and the other chooses. So games are played by the same code as without it, and nothing here can change
// them. A cell is opened once, so that a game takes room for its cells and its moves, not for their product: positions
// are made from that when they are wanted.
#include "mineproof/watched.hpp"

namespace mineproof {
namespace {

// Beside the layout's stream, the strategy's and that of the first click (game_player.cpp).
constexpr std::uint64_t kLotStream = std::uint64_t{3} << 62;

class WatchedStrategy final : public Strategy {
  public:
    WatchedStrategy(Strategy& inner, const Series& series, std::uint64_t first, WatchedGames& games)
        : inner_(inner), series_(series), next_(first), games_(games) {}

    void start(const Match& match, const Random& random) override {
        begin_ = games_.opened.size();
        games_.opened.resize(begin_ + match.geometry.cells, WatchedGames::kNever);
        games_.numbers.insert(games_.numbers.end(), match.codes.begin(), match.codes.end());
        games_.ends.push_back(games_.chosen.size());
        lots_ = Random(series_.seed, next_++ | kLotStream);
        move_ = 0;
        inner_.start(match, random);
    }

    void see(Cell cell, std::int8_t number) override {
        games_.opened[begin_ + cell] = move_;
        games_.numbers[begin_ + cell] = number;
        inner_.see(cell, number);
    }

    Choice choose() override {
        const Choice choice = inner_.choose();
        games_.chosen.push_back(choice.cell);
        games_.certain.push_back(choice.certain);
        games_.lots.push_back(lots_.next());
        games_.ends.back() = games_.chosen.size();
        ++move_;
        return choice;
    }

    void heed(Budget* budget) override { inner_.heed(budget); }
    std::uint32_t flags() const override { return inner_.flags(); }
    std::uint32_t fallbacks() const override { return inner_.fallbacks(); }

  private:
    Strategy& inner_;
    const Series& series_;
    std::uint64_t next_;  // game
    WatchedGames& games_;
    std::size_t begin_ = 0;  // of this game's cells
    std::int32_t move_ = 0;
    Random lots_{0, 0};
};

// Leaves the games that were finished.
void drop_game_under_way(WatchedGames& games, std::size_t cells) {
    const std::size_t finished = games.won.size();
    games.opened.resize(finished * cells);
    games.numbers.resize(finished * cells);
    games.ends.resize(finished);
    const std::size_t moves = finished == 0 ? 0 : games.ends.back();
    games.chosen.resize(moves);
    games.certain.resize(moves);
    games.lots.resize(moves);
}

}  // namespace

bool watch_games(const Series& series, std::uint64_t first, std::uint64_t count, Strategy& strategy, Budget& budget,
                 WatchedGames& games) {
    WatchedStrategy watched(strategy, series, first, games);
    GamePlayer player;
    Tally tally;
    const std::size_t before = games.won.size();
    const bool done = player.play_games(series, first, count, watched, budget, tally, games.won);
    games.mistakes += tally.mistakes;
    drop_game_under_way(games, series.match.geometry.cells);
    Field field;
    std::vector<Cell> mines;
    for (std::uint64_t number = first; number < first + (games.won.size() - before); ++number) {
        Random random(series.seed, number);
        field.deal(series.match.geometry, series.allowed, series.match.mines, random);
        field.list_mines(mines);
        const std::size_t begin = games.mined.size();
        games.mined.resize(begin + series.match.geometry.cells);
        for (const Cell cell : mines) games.mined[begin + cell] = 1;
    }
    return done;
}

}  // namespace mineproof
