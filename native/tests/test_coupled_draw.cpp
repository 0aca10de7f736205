// Layouts drawn after a mine was hit: each that fits as likely as the others, and like the one before.

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "mineproof/coupled_draw.hpp"
#include "oracle.hpp"
#include "worth.hpp"

namespace mineproof::testing {
namespace {

constexpr std::uint64_t kSeed = 7;

Field field_of(const Board& board, const Layouts& layouts, std::uint32_t layout) {
    std::vector<Cell> mines;
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        const bool covered = std::ranges::binary_search(layouts.covered, cell);
        if (board.codes[cell] == kFlagged || (covered && layouts.mined(layout, cell))) mines.push_back(cell);
    }
    Field field;
    field.lay(board.geometry, mines);
    return field;
}

std::uint32_t layout_of(const Layouts& layouts, const Field& field) {
    std::uint32_t layout = 0;
    for (std::size_t i = 0; i < layouts.covered.size(); ++i)
        layout |= static_cast<std::uint32_t>(field.mined(layouts.covered[i])) << i;
    return layout;
}

// Does the field know its own numbers, and leave what is not covered alone?
bool is_sound(const Board& board, const Field& field) {
    for (Cell cell = 0; cell < board.geometry.cells; ++cell) {
        int around = 0;
        for (const Cell other : board.geometry.around(cell))
            around += other < board.geometry.cells && field.mined(other);
        if (around != field.number(cell)) return false;
        if (board.codes[cell] != kCovered && field.mined(cell) != (board.codes[cell] == kFlagged)) return false;
    }
    return true;
}

// Pearson's χ² of draws from layouts that have a mine in `cell`, each used equally often, against the uniform one.
// `changed` counts cells that are not as before.
double unevenness(const Board& board, std::int64_t mines, Cell cell, const Layouts& layouts, std::uint64_t rounds,
                  std::size_t& ways, std::uint64_t& changed) {
    CoupledDraw draw;
    std::map<std::uint32_t, double> drawn;
    for (const std::uint32_t layout : layouts.all)
        if (!layouts.mined(layout, cell)) drawn[layout] = 0;
    ways = drawn.size();
    double games = 0;
    std::uint64_t stream = 0;
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (const std::uint32_t layout : layouts.all) {
            if (!layouts.mined(layout, cell)) continue;
            Field field = field_of(board, layouts, layout);
            Budget budget = endless();
            const bool done = draw.free({board.geometry, board.codes, mines}, cell, kSeed, stream++, budget, field);
            CHECK_EQUAL(done, ways > 0);
            if (!done) return 0;
            CHECK(is_sound(board, field));
            const std::uint32_t now = layout_of(layouts, field);
            REQUIRE(drawn.contains(now));
            changed += static_cast<std::uint64_t>(std::popcount(layout ^ now));
            ++drawn[now];
            ++games;
        }
    double sum = 0;
    for (const auto& [layout, count] : drawn) {
        const double expected = games / static_cast<double>(ways);
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

THOROUGH_TEST(a_coupled_draw_is_uniform) {
    Rng rng(271);
    int checked = 0;
    for (int round = 0; round < 1200; ++round) {
        const Position position = small_position(rng, 13);
        const Note note([&] { return picture(position.board) + ", mines " + show(position.mines); });
        const Layouts layouts = layouts_with(position.board, position.mines);
        if (layouts.all.size() < 4 || layouts.all.size() > 60) continue;
        const Cell cell = layouts.covered[static_cast<std::size_t>(roll(rng, layouts.covered.size()))];
        const auto mined =
            std::ranges::count_if(layouts.all, [&](std::uint32_t each) { return layouts.mined(each, cell); });
        if (mined == 0) continue;
        std::size_t ways = 0;
        std::uint64_t changed = 0;
        const auto rounds = static_cast<std::uint64_t>(2 + 4000 / mined);
        const double found = unevenness(position.board, position.mines, cell, layouts, rounds, ways, changed);
        if (ways < 2) continue;
        const double free = static_cast<double>(ways - 1);
        const Note values([&] { return show(found) + " with " + show(ways) + " layouts"; });
        CHECK(found < free + 5 * std::sqrt(2 * free) + 12);
        ++checked;
    }
    const Note note([&] { return show(checked); });
    CHECK(checked > 100);
}

// Two components and a sea that touch nothing of each other: most of what was not hit stays.
TEST(a_coupled_draw_keeps_what_was_not_hit) {
    const Board board = read_board("##1~##~/~~~~1~~/##1~##~/~~~~~~~/####~~~/####~~~");
    const Layouts layouts = layouts_with(board, 5);
    REQUIRE(layouts.all.size() > 100);
    std::size_t ways = 0;
    std::uint64_t coupled = 0;
    const double found = unevenness(board, 5, 0, layouts, 8, ways, coupled);
    CHECK(found < static_cast<double>(ways) + 6 * std::sqrt(2 * static_cast<double>(ways)));
    // Draws of their own would differ from the layout before in more than twice as many cells.
    double apart = 0, pairs = 0;
    for (const std::uint32_t a : layouts.all)
        for (const std::uint32_t b : layouts.all)
            if (layouts.mined(a, 0) && !layouts.mined(b, 0)) apart += std::popcount(a ^ b), ++pairs;
    const auto mined = std::ranges::count_if(layouts.all, [&](std::uint32_t each) { return layouts.mined(each, 0); });
    const double mean = static_cast<double>(coupled) / (8.0 * static_cast<double>(mined));
    const Note note([&] { return show(mean) + " cells change, " + show(apart / pairs) + " by draws of their own"; });
    CHECK(mean < 0.6 * apart / pairs);
}

TEST(a_coupled_draw_depends_on_its_stream_alone) {
    const Board board = read_board("##1~##~/~~~~1~~/##1~##~/~~~~~~~/####~~~/####~~~");
    const Layouts layouts = layouts_with(board, 5);
    const auto mined = *std::ranges::find_if(layouts.all, [&](std::uint32_t each) { return layouts.mined(each, 0); });
    CoupledDraw used;
    std::map<std::uint32_t, int> drawn;
    for (std::uint64_t stream = 0; stream < 50; ++stream) {
        CoupledDraw fresh;
        Field one = field_of(board, layouts, mined), other = one;
        Budget budget = endless();
        REQUIRE(used.free({board.geometry, board.codes, 5}, 0, kSeed, stream, budget, one));
        REQUIRE(fresh.free({board.geometry, board.codes, 5}, 0, kSeed, stream, budget, other));
        CHECK_EQUAL(layout_of(layouts, one), layout_of(layouts, other));
        ++drawn[layout_of(layouts, one)];
    }
    CHECK(drawn.size() > 3);
}

TEST(a_coupled_draw_leaves_the_field_alone_where_there_is_none) {
    const Board board = read_board("##/~2");
    const Layouts layouts = layouts_with(board, 2);
    REQUIRE(layouts.all.size() == 1);
    CoupledDraw draw;
    Field field = field_of(board, layouts, layouts.all[0]);
    Budget budget = endless();
    CHECK(!draw.free({board.geometry, board.codes, 2}, 0, kSeed, 0, budget, field));
    CHECK_EQUAL(layout_of(layouts, field), layouts.all[0]);
}

}  // namespace
}  // namespace mineproof::testing
