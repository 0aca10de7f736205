// Boards for the tests: pictures, random positions cut out of a known layout, and the shapes they lie on.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mineproof/budget.hpp"
#include "mineproof/geometry.hpp"
#include "mineproof/reduction.hpp"

namespace mineproof::testing {

inline bool is_number(std::int8_t code) { return code >= 0; }

using Rng = std::mt19937_64;

// Not std::uniform_int_distribution: the same boards with every standard library.
inline std::uint64_t roll(Rng& rng, std::uint64_t bound) { return rng() % bound; }
inline int between(Rng& rng, int least, int most) {
    return least + static_cast<int>(roll(rng, static_cast<std::uint64_t>(most - least) + 1));
}
inline bool chance(Rng& rng, double share) { return static_cast<double>(rng() >> 11) * 0x1p-53 < share; }

inline Budget endless() { return Budget(1e9, ~std::uint64_t{0}); }

enum class Shape : std::uint8_t { grid, torus, hex };
inline constexpr Shape kShapes[] = {Shape::grid, Shape::torus, Shape::hex};

using Edges = std::vector<std::pair<Cell, Cell>>;

// Each edge in any direction, any number of times; an edge to oneself is none.
Geometry from_edges(Cell cells, const Edges& edges);
Edges edges_of(Shape shape, int rows, int columns);
Geometry make_geometry(Shape shape, int rows, int columns);

struct Board {
    Geometry geometry;
    std::vector<std::int8_t> codes;
    Cell columns;  // of its picture
    std::string shape;
};

// `#` covered, `F` flagged, `~` absent, digits; `/` ends a row.
Board read_board(std::string_view picture, Shape shape = Shape::grid);
std::string picture(const Board& board);

// What a player might see, and how many mines there really are.
struct Position {
    Board board;
    std::int64_t mines;
};

struct Wish {
    int rows, columns;
    Shape shape;
    double mines, opened, flagged, absent;
};

// True numbers, true flags.
Position cut_out(Rng& rng, const Wish& wish);
// Small, of any shape (some with missing links), with every oddity a board may have; one in eight has a number or
// flag that may be wrong.
Position small_position(Rng& rng, int most_covered);

// Numbers strewn over few cells, so that many are half-finished at once. All are 2 of 4 cells, which no rule reduces.
Board wide_board(Rng& rng, int cells, int numbers);

// Several boards that know nothing of each other, on one; and then `sea` cells that touch nothing.
Board side_by_side(const std::vector<Board>& boards, Cell sea);

}  // namespace mineproof::testing
