// The strategies of the originals: what their documents say they find, and that they never call a mine safe.

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/field.hpp"
#include "mineproof/game_player.hpp"
#include "mineproof/originals.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

constexpr std::string_view kOriginals[] = {"minedetector", "fair", "go"};

// A strategy that is shown a picture and can be asked what it knows.
template <class Kind>
class Shown : public Kind {
  public:
    Shown(const Board& board, std::uint32_t mines, std::uint64_t seed = 1)
        : geometry_(board.geometry), codes_(board.codes.size(), kCovered) {
        for (std::size_t cell = 0; cell < codes_.size(); ++cell)
            if (board.codes[cell] == kAbsent) codes_[cell] = kAbsent;
        match_ = std::make_unique<Match>(Match{geometry_, codes_, mines});
        Kind::start(*match_, Random(seed, 0));
        for (Cell cell = 0; cell < geometry_.cells; ++cell) {
            if (board.codes[cell] == kFlagged) Kind::prove_mines({&cell, 1});
            if (is_number(board.codes[cell])) Kind::see(cell, board.codes[cell]);
        }
    }
    Shown(std::string_view picture, std::uint32_t mines, std::uint64_t seed = 1)
        : Shown(read_board(picture), mines, seed) {}

    using Kind::knowledge;

  private:
    Geometry geometry_;
    std::vector<std::int8_t> codes_;
    std::unique_ptr<Match> match_;
};

std::vector<Cell> mines_known(const Knowledge& knowledge) {
    std::vector<Cell> mines;
    for (Cell cell = 0; cell < knowledge.codes().size(); ++cell)
        if (knowledge.is_mine(cell)) mines.push_back(cell);
    return mines;
}

// Is there anything to open?
bool has_safe_cell(const Position& position) {
    const auto covered = std::ranges::count(position.board.codes, kCovered);
    return covered + std::ranges::count(position.board.codes, kFlagged) > position.mines;
}

// What a strategy opens, in order; a mine, if it comes to that, is the last.
std::vector<Cell> play(Strategy& strategy, const Match& match, const Field& field, Cell first, std::uint64_t seed) {
    strategy.start(match, Random(seed, 1));
    std::vector<bool> open(match.geometry.cells);
    auto left = std::count(match.codes.begin(), match.codes.end(), kCovered) - std::int64_t{match.mines};
    std::vector<Cell> opened;
    Choice choice{first, false};
    for (;;) {
        REQUIRE(choice.cell < match.geometry.cells && match.codes[choice.cell] == kCovered && !open[choice.cell]);
        opened.push_back(choice.cell);
        CHECK(!(choice.certain && field.mined(choice.cell)));
        if (field.mined(choice.cell)) return opened;
        open[choice.cell] = true;
        strategy.see(choice.cell, field.number(choice.cell));
        CHECK(strategy.flags() <= match.mines);
        if (--left == 0) return opened;
        choice = strategy.choose();
    }
}

TEST(originals_play_every_shape_and_never_call_a_mine_safe) {
    Rng rng(91);
    Field field;
    for (const std::string_view name : kOriginals) {
        const auto strategy = make_strategy(name), again = make_strategy(name);
        int won = 0;
        for (int round = 0; round < 1500; ++round) {
            const Shape shape = kShapes[roll(rng, 3)];
            const Geometry geometry = make_geometry(shape, between(rng, 1, 9), between(rng, 2, 9));
            std::vector<std::int8_t> codes(geometry.cells, kCovered);
            std::vector<std::uint8_t> allowed(geometry.cells, 1);
            const double absent = chance(rng, 0.3) ? 0.2 : 0;
            for (Cell cell = 1; cell < geometry.cells; ++cell)
                if (chance(rng, absent)) codes[cell] = kAbsent, allowed[cell] = 0;
            allowed[0] = 0;
            const auto room = static_cast<std::uint64_t>(std::count(allowed.begin(), allowed.end(), 1));
            const auto mines = static_cast<std::uint32_t>(roll(rng, 1 + (chance(rng, 0.9) ? room / 4 : room)));
            Random random(rng(), 0);
            field.deal(geometry, allowed, mines, random);
            const Match match{geometry, codes, mines};
            const Note note([&] {
                return "strategy " + show(name) + ", shape " + show(shape) + ", cells " + show(geometry.cells) +
                       ", mines " + show(mines) + ", round " + show(round);
            });
            const std::uint64_t seed = rng();
            const std::vector<Cell> opened = play(*strategy, match, field, 0, seed);
            won += !field.mined(opened.back());
            CHECK_EQUAL(play(*again, match, field, 0, seed), opened);
        }
        CHECK(won > 600 && won < 1500);
    }
}

TEST(originals_play_the_same_game_whatever_they_played_before) {
    const Geometry geometry = make_geometry(Shape::grid, 16, 30);
    const std::vector<std::int8_t> codes(geometry.cells, kCovered);
    std::vector<std::uint8_t> allowed(geometry.cells, 1);
    allowed[0] = 0;
    const Series series{{geometry, codes, 99}, allowed, 0, 5};
    for (const std::string_view name : kOriginals) {
        const auto one = make_strategy(name);
        GamePlayer player;
        std::vector<Tally> up(8), down(8);
        for (std::size_t game = 0; game < 8; ++game) player.play(series, game, *one, up[game]);
        for (std::size_t game = 8; game-- > 0;) player.play(series, game, *one, down[game]);
        for (std::size_t game = 0; game < 8; ++game) {
            CHECK_EQUAL(up[game].wins, down[game].wins);
            CHECK_EQUAL(up[game].moves, down[game].moves);
            CHECK_EQUAL(up[game].all_guesses, down[game].all_guesses);
        }
    }
}

// Minedetector -------------------------------------------------------------------------------------------------------

TEST(minedetector_finds_the_mine_of_its_document) {
    Shown<Minedetector> solver("F33F/###F", 5);
    CHECK(!solver.choose().certain);
    CHECK_EQUAL(mines_known(solver.knowledge()), (std::vector<Cell>{0, 3, 4, 7}));
}

TEST(minedetector_does_not_solve_what_its_document_says_it_cannot) {
    const Board board = read_board("FF4#2/##FF#/F6##3/FF22F");
    const Layouts layouts = all_layouts(board);
    CHECK(std::ranges::all_of(layouts.all, [&](std::uint32_t layout) { return layouts.mined(layout, 6); }));
    Shown<Minedetector> solver(board, 20);
    CHECK(!solver.choose().certain);
    CHECK(solver.knowledge().is_unknown(6));
}

TEST(minedetector_opens_the_rest_when_all_mines_are_known) {
    const Choice choice = Shown<Minedetector>("F1~##", 1).choose();
    CHECK(choice.certain && choice.cell >= 3);
    CHECK(!Shown<Minedetector>("F1~##", 2).choose().certain);
}

// The algorithm as the document has it, cell by cell: bounds of all sets that differences make.
struct Bounds {
    int lower, upper;
};
using Sets = std::map<std::set<Cell>, Bounds>;

void add_difference(const std::set<Cell>& n, Bounds nb, const std::set<Cell>& m, Bounds mb, Sets& found) {
    std::set<Cell> difference, common;
    std::ranges::set_difference(n, m, std::inserter(difference, difference.end()));
    std::ranges::set_intersection(n, m, std::inserter(common, common.end()));
    if (difference.empty() || common.empty()) return;
    const auto size = [](const std::set<Cell>& set) { return static_cast<int>(set.size()); };
    const int lower = std::max({0, nb.lower - (size(n) - size(common)), mb.lower - (size(m) - size(common))});
    const int upper = std::min({size(common), nb.upper, mb.upper});
    const Bounds bounds{std::max(0, nb.lower - upper), std::min(size(difference), nb.upper - lower)};
    const auto [place, made] = found.emplace(difference, bounds);
    if (made) return;
    place->second = {std::max(place->second.lower, bounds.lower), std::min(place->second.upper, bounds.upper)};
}

// Cells decided by the algorithm, with its mines flagged, until nothing follows.
void decide_by_document(const Board& board, std::set<Cell>& safe, std::set<Cell>& mines) {
    for (;;) {
        Sets sets;
        for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
            if (!is_number(board.codes[cell])) continue;
            std::set<Cell> around;
            int missing = board.codes[cell];
            for (const Cell other : board.geometry.around(cell)) {
                if (other == board.geometry.cells) continue;
                const bool mine = board.codes[other] == kFlagged || mines.contains(other);
                missing -= mine;
                if (board.codes[other] == kCovered && !mine && !safe.contains(other)) around.insert(other);
            }
            if (!around.empty()) sets.insert({around, {missing, missing}});
        }
        const auto measure = [&] {
            int sum = 0;
            for (const auto& [cells, bounds] : sets) sum += 100 - bounds.upper + bounds.lower;
            return sum;
        };
        for (int before = -1; before != measure();) {
            before = measure();
            const Sets old = sets;
            for (const auto& [n, nb] : old)
                for (const auto& [m, mb] : old) add_difference(n, nb, m, mb, sets);
        }
        const std::size_t before = safe.size() + mines.size();
        for (const auto& [cells, bounds] : sets) {
            if (bounds.upper == 0) safe.insert(cells.begin(), cells.end());
            if (bounds.lower == static_cast<int>(cells.size())) mines.insert(cells.begin(), cells.end());
        }
        if (safe.size() + mines.size() == before) return;
    }
}

// Whether the strategy finds a safe cell, which has to be where the document finds one.
bool deduces_as_the_document(const Board& board, std::uint32_t mines) {
    const Note note([&] { return picture(board); });
    std::set<Cell> safe, mined;
    decide_by_document(board, safe, mined);
    Shown<Minedetector> solver(board, mines);
    const Choice choice = solver.choose();
    CHECK_EQUAL(choice.certain, !safe.empty());
    if (choice.certain) {
        CHECK(safe.contains(choice.cell));
    } else {
        std::vector<Cell> known = mines_known(solver.knowledge());
        std::erase_if(known, [&](Cell cell) { return board.codes[cell] == kFlagged; });
        CHECK_EQUAL(known, mined);
    }
    return choice.certain;
}

THOROUGH_TEST(minedetector_deduces_what_its_document_does) {
    // Solved only if a set whose bounds have narrowed is compared again.
    CHECK(deduces_as_the_document(read_board("32#2/##2#/##2#", Shape::torus), 7));
    Rng rng(92);
    int found = 0, stuck = 0;
    for (int round = 0; round < 200; ++round) {
        const Wish wish{between(rng, 2, 5), between(rng, 3, 6), kShapes[roll(rng, 3)], 0.25, 0.5, 0.2, 0.05};
        const Position position = cut_out(rng, wish);
        if (!has_safe_cell(position)) continue;
        // One mine more than there is, so that the rest is not opened because all mines are known.
        const auto mines = static_cast<std::uint32_t>(position.mines) + 1;
        ++(deduces_as_the_document(position.board, mines) ? found : stuck);
    }
    CHECK(found > 30 && stuck > 30);
}

// FairMinesweeper ----------------------------------------------------------------------------------------------------

TEST(fair_solves_the_partitions_of_its_document) {
    const Choice open = Shown<Fair>("###/111", 1).choose();
    CHECK(open.certain && open.cell == 2);
    Shown<Fair> flag("###/121", 2);
    const Choice beside = flag.choose();
    CHECK(beside.certain && beside.cell == 1);
    CHECK(flag.knowledge().is_mine(2));
    const Choice twice = Shown<Fair>("###/12#/01#", 2).choose();
    CHECK(twice.certain && twice.cell == 2);
    CHECK(!Shown<Fair>("11/##", 1).choose().certain);
}

TEST(fair_counts_the_mines_that_are_left) {
    constexpr std::string_view kBoard = "13F/F4F/2##/1##";
    Shown<Fair> one(kBoard, 4);
    CHECK(one.choose().certain);
    CHECK_EQUAL(mines_known(one.knowledge()), (std::vector<Cell>{2, 3, 5, 7}));
    Shown<Fair> three(kBoard, 6);
    const Choice choice = three.choose();
    CHECK(choice.certain && choice.cell == 7);
    CHECK_EQUAL(mines_known(three.knowledge()), (std::vector<Cell>{2, 3, 5, 8, 10, 11}));
    Shown<Fair> two(kBoard, 5);
    const Choice pick = two.choose();
    CHECK(!pick.certain && pick.cell == 11);  // the only cell that no number sees
}

TEST(fair_forgets_flags_where_it_bounds_a_partition) {
    constexpr std::string_view kBoard = "###/22~/F~~";
    CHECK(!Shown<Fair>(kBoard, 2).choose().certain);
    const Choice choice = Shown<Minedetector>(kBoard, 2).choose();
    CHECK(choice.certain && choice.cell == 2);
}

TEST(fair_calls_it_a_guess_even_when_all_mines_are_flagged) {
    const Choice choice = Shown<Fair>("F1~##", 1).choose();
    CHECK(!choice.certain && choice.cell >= 3);
}

// The Go simulator ---------------------------------------------------------------------------------------------------

TEST(go_solves_the_matrix_of_its_document) {
    const Choice choice = Shown<GoSimulator>("01#/12#/###", 2).choose();
    CHECK(choice.certain && choice.cell == 8);
}

TEST(go_opens_whatever_the_numbers_alone_make_safe) {
    Rng rng(93);
    int certain = 0, guesses = 0;
    for (int round = 0; round < 1500; ++round) {
        const Wish wish{between(rng, 2, 5), between(rng, 3, 6), kShapes[roll(rng, 3)], 0.3, 0.45, 0.2, 0.05};
        const Position position = cut_out(rng, wish);
        if (!has_safe_cell(position) || std::ranges::count(position.board.codes, kCovered) > 16) continue;
        const Note note([&] { return picture(position.board); });
        const Layouts layouts = all_layouts(position.board);
        const Census any = take_census(layouts, std::nullopt), exact = take_census(layouts, position.mines);
        Shown<GoSimulator> solver(position.board, static_cast<std::uint32_t>(position.mines));
        const Choice choice = solver.choose();
        ++(choice.certain ? certain : guesses);
        if (std::ranges::count(any.mined, 0U) > 0) CHECK(choice.certain);
        const auto place = std::ranges::find(layouts.covered, choice.cell) - layouts.covered.begin();
        if (choice.certain) CHECK_EQUAL(exact.mined[static_cast<std::size_t>(place)], 0U);
    }
    CHECK(certain > 100 && guesses > 100);
}

TEST(go_compares_a_guess_with_the_chance_of_all_unknown_cells) {
    std::set<Cell> opened;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CHECK_EQUAL(Shown<GoSimulator>("#1#######", 4, seed).choose().cell, 8U);  // 1/2 against 1/2
        opened.insert(Shown<GoSimulator>("#1#######", 5, seed).choose().cell);    // 1/2 against 3/8
    }
    CHECK_EQUAL(opened, (std::set<Cell>{0, 2}));
}

TEST(go_does_not_weigh_solutions) {
    // One mine between the numbers, or two beside them; with ten mines in fifteen cells two are far more likely, and
    // exact odds would always open the cell between.
    std::set<Cell> opened;
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        opened.insert(Shown<GoSimulator>("#1#1#~############", 10, seed).choose().cell);
    CHECK_EQUAL(opened, (std::set<Cell>{0, 2, 4}));
}

TEST(go_discards_solutions_with_more_flags_than_there_are_mines_in_each_part_by_itself) {
    const Choice choice = Shown<GoSimulator>("#1#1#~##", 1).choose();
    CHECK(choice.certain && (choice.cell == 0 || choice.cell == 4));
    CHECK(!Shown<GoSimulator>("#1#1#~#1#1#", 2).choose().certain);
}

TEST(go_flags_all_mines_of_a_game_it_wins) {
    Shown<GoSimulator> solver("##1#", 2);
    CHECK_EQUAL(solver.flags(), 0U);
    solver.see(3, 0);
    CHECK_EQUAL(solver.flags(), 2U);
}

// Guesses ------------------------------------------------------------------------------------------------------------

template <class Kind>
std::set<Cell> first_picks(std::string_view picture, std::uint32_t mines) {
    std::set<Cell> picks;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Choice choice = Shown<Kind>(picture, mines, seed).choose();
        CHECK(!choice.certain);
        picks.insert(choice.cell);
    }
    return picks;
}

TEST(corners_come_before_edges_and_edges_before_the_rest) {
    const std::set<Cell> corners = {0, 3, 12, 15}, edges = {1, 2, 4, 7, 8, 11, 13, 14}, rest = {5, 6, 9, 10};
    CHECK_EQUAL(first_picks<Fair>("####/####/####/####", 12), corners);
    CHECK_EQUAL(first_picks<GoSimulator>("####/####/####/####", 12), corners);
    CHECK_EQUAL(first_picks<Fair>("F##F/####/####/F##F", 12), edges);
    CHECK_EQUAL(first_picks<GoSimulator>("F##F/####/####/F##F", 12), edges);
    CHECK_EQUAL(first_picks<Fair>("FFFF/F##F/F##F/FFFF", 13), rest);
    CHECK_EQUAL(first_picks<GoSimulator>("FFFF/F##F/F##F/FFFF", 13), rest);
    CHECK_EQUAL(first_picks<Minedetector>("F##F/#FF#", 5), (std::set<Cell>{1, 2, 4, 7}));
}

TEST(cells_that_no_number_sees_come_first) {
    CHECK_EQUAL(first_picks<Fair>("#1#/###/###", 3), (std::set<Cell>{6, 8}));
    CHECK_EQUAL(first_picks<Fair>("#2#/###", 3), (std::set<Cell>{0, 2, 3, 5}));
}

// Limits -------------------------------------------------------------------------------------------------------------

TEST(wide_positions_end_in_a_guess_that_is_counted) {
    Rng rng(94);
    const Board board = side_by_side({wide_board(rng, 120, 60)}, 3);
    const std::uint32_t mines = 60;
    Shown<GoSimulator> go(board, mines);
    CHECK(!go.choose().certain);
    CHECK_EQUAL(go.fallbacks(), 1U);
    Shown<Fair> fair(board, mines);
    CHECK(!fair.choose().certain);
    CHECK(!Shown<Minedetector>(board, mines).choose().certain);
}

}  // namespace
}  // namespace mineproof::testing
