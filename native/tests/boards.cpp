#include "boards.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>

namespace mineproof::testing {
namespace {

std::vector<std::pair<int, int>> steps_from(Shape shape, int row) {
    if (shape == Shape::hex) {
        const int shift = row % 2;  // odd rows lie half a cell to the right
        return {{-1, shift - 1}, {-1, shift}, {0, -1}, {0, 1}, {1, shift - 1}, {1, shift}};
    }
    std::vector<std::pair<int, int>> steps;
    for (int r = -1; r <= 1; ++r)
        for (int c = -1; c <= 1; ++c)
            if (r != 0 || c != 0) steps.emplace_back(r, c);
    return steps;
}

int mines_around(const Geometry& geometry, const std::vector<bool>& mined, Cell cell) {
    int count = 0;
    for (const Cell other : geometry.around(cell)) count += other < geometry.cells && mined[other];
    return count;
}

const char* name_of(Shape shape) { return shape == Shape::grid ? "grid" : shape == Shape::torus ? "torus" : "hex"; }

// Opens, flags and leaves covered the cells of a layout.
Position show_some(Rng& rng, Geometry geometry, const Wish& wish, std::int64_t most_covered) {
    const Cell cells = geometry.cells;
    std::vector<bool> mined(cells), absent(cells);
    for (Cell cell = 0; cell < cells; ++cell) {
        absent[cell] = chance(rng, wish.absent);
        mined[cell] = !absent[cell] && chance(rng, wish.mines);
    }
    std::vector<std::int8_t> codes(cells, kCovered);
    std::int64_t mines = 0;
    for (Cell cell = 0; cell < cells; ++cell) {
        mines += mined[cell];
        if (absent[cell])
            codes[cell] = kAbsent;
        else if (mined[cell] && chance(rng, wish.flagged))
            codes[cell] = kFlagged;
        else if (!mined[cell] && chance(rng, wish.opened))
            codes[cell] = static_cast<std::int8_t>(mines_around(geometry, mined, cell));
    }
    while (std::count(codes.begin(), codes.end(), kCovered) > most_covered) {
        const auto cell = static_cast<Cell>(roll(rng, cells));
        if (codes[cell] != kCovered) continue;
        codes[cell] = mined[cell] ? kFlagged : kAbsent;  // to open them all would leave nothing to find out
    }
    return Position{Board{std::move(geometry), std::move(codes), static_cast<Cell>(wish.columns), name_of(wish.shape)},
                    mines};
}

}  // namespace

Geometry from_edges(Cell cells, const Edges& edges) {
    std::vector<std::set<Cell>> sets(cells);
    for (const auto& [a, b] : edges) {
        if (a == b) continue;
        sets[a].insert(b);
        sets[b].insert(a);
    }
    std::vector<Cell> table;
    for (const std::set<Cell>& set : sets) {
        table.insert(table.end(), set.begin(), set.end());
        table.insert(table.end(), kReach - set.size(), cells);
    }
    return Geometry{cells, std::move(table)};
}

Edges edges_of(Shape shape, int rows, int columns) {
    Edges edges;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            for (const auto& [r, c] : steps_from(shape, row)) {
                int to_row = row + r, to_column = column + c;
                if (shape == Shape::torus) {
                    to_row = (to_row + rows) % rows;
                    to_column = (to_column + columns) % columns;
                }
                if (to_row < 0 || to_row >= rows || to_column < 0 || to_column >= columns) continue;
                edges.emplace_back(row * columns + column, to_row * columns + to_column);
            }
        }
    }
    return edges;
}

Geometry make_geometry(Shape shape, int rows, int columns) {
    return from_edges(static_cast<Cell>(rows * columns), edges_of(shape, rows, columns));
}

Board read_board(std::string_view picture, Shape shape) {
    std::vector<std::int8_t> codes;
    int rows = 1;
    for (const char symbol : picture) {
        switch (symbol) {
            case '/':
                ++rows;
                break;
            case '#':
                codes.push_back(kCovered);
                break;
            case 'F':
                codes.push_back(kFlagged);
                break;
            case '~':
                codes.push_back(kAbsent);
                break;
            default:
                codes.push_back(static_cast<std::int8_t>(symbol - '0'));
        }
    }
    const int columns = static_cast<int>(codes.size()) / rows;
    return Board{make_geometry(shape, rows, columns), std::move(codes), static_cast<Cell>(columns), name_of(shape)};
}

std::string picture(const Board& board) {
    std::string text;
    for (Cell cell = 0; cell < board.codes.size(); ++cell) {
        if (cell > 0 && cell % board.columns == 0) text += '/';
        const std::int8_t code = board.codes[cell];
        text += is_number(code) ? static_cast<char>('0' + code) : code == kCovered ? '#' : code == kFlagged ? 'F' : '~';
    }
    return board.shape + " " + text;
}

Position cut_out(Rng& rng, const Wish& wish) {
    return show_some(rng, make_geometry(wish.shape, wish.rows, wish.columns), wish,
                     std::numeric_limits<std::int64_t>::max());
}

Position small_position(Rng& rng, int most_covered) {
    const auto one_of = [&](std::initializer_list<double> shares) { return shares.begin()[roll(rng, shares.size())]; };
    Wish wish{between(rng, 1, 6),        between(rng, 2, 9), kShapes[roll(rng, 3)],   one_of({0.15, 0.3, 0.3, 0.5}),
              one_of({0.15, 0.25, 0.4}), one_of({0, 0.2}),   one_of({0, 0, 0.1, 0.3})};
    if (chance(rng, 0.1)) wish.mines = one_of({0, 0.9, 1});
    if (chance(rng, 0.1)) wish.opened = one_of({0, 1});
    Edges edges = edges_of(wish.shape, wish.rows, wish.columns);
    const bool cut = chance(rng, 0.2);
    if (cut) std::erase_if(edges, [&](const auto&) { return chance(rng, 0.3); });  // gone when both directions are
    Position position =
        show_some(rng, from_edges(static_cast<Cell>(wish.rows * wish.columns), edges), wish, most_covered);
    if (cut) position.board.shape += " with missing links";
    std::vector<std::int8_t>& codes = position.board.codes;
    if (chance(rng, 0.125)) {
        std::int8_t& code = codes[roll(rng, codes.size())];
        code = chance(rng, 0.3) ? kFlagged : static_cast<std::int8_t>(roll(rng, 9));
    }
    return position;
}

Board wide_board(Rng& rng, int cells, int numbers) {
    std::vector<int> degree(static_cast<std::size_t>(cells), 0);
    Edges edges;
    std::vector<std::int8_t> codes(degree.size(), kCovered);
    for (int i = 0; i < numbers; ++i) {
        std::set<Cell> around;
        // Two mines, at even cells, and two that are free.
        for (int tries = 0; tries < 40 && around.size() < 4; ++tries) {
            const std::uint64_t kind = around.size() < 2 ? 0 : 1;
            const auto cell = static_cast<Cell>(2 * roll(rng, degree.size() / 2) + kind);
            if (degree[cell] < kReach) around.insert(cell);
        }
        if (around.size() < 4) continue;
        for (const Cell cell : around) {
            ++degree[cell];
            edges.emplace_back(cell, static_cast<Cell>(codes.size()));
        }
        codes.push_back(2);
    }
    const auto all = static_cast<Cell>(codes.size());
    return Board{from_edges(all, edges), std::move(codes), all, "wide"};
}

Board side_by_side(const std::vector<Board>& boards, Cell sea) {
    Edges edges;
    std::vector<std::int8_t> codes;
    for (const Board& board : boards) {
        const auto offset = static_cast<Cell>(codes.size());
        for (Cell cell = 0; cell < board.geometry.cells; ++cell)
            for (const Cell other : board.geometry.around(cell))
                if (other < board.geometry.cells) edges.emplace_back(offset + cell, offset + other);
        codes.insert(codes.end(), board.codes.begin(), board.codes.end());
    }
    codes.insert(codes.end(), sea, kCovered);
    const auto cells = static_cast<Cell>(codes.size());
    return Board{from_edges(cells, edges), std::move(codes), cells, "side by side"};
}

}  // namespace mineproof::testing
