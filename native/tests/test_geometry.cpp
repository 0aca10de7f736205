// A table that is a rectangle is known for one, and nothing else is: only speed may depend on it, never an answer.

#include <utility>
#include <vector>

#include "boards.hpp"
#include "check.hpp"

namespace mineproof::testing {
namespace {

TEST(rectangles_are_known) {
    for (int rows = 2; rows <= 6; ++rows)
        for (int columns = 2; columns <= 6; ++columns)
            CHECK_EQUAL(make_geometry(Shape::grid, rows, columns).columns, columns);
}

TEST(other_shapes_are_no_rectangles) {
    for (const Shape shape : {Shape::torus, Shape::hex})
        for (int rows = 3; rows <= 6; ++rows)
            for (int columns = 3; columns <= 6; ++columns) CHECK_EQUAL(make_geometry(shape, rows, columns).columns, 0U);
    for (const Shape shape : kShapes) CHECK_EQUAL(make_geometry(shape, 1, 1).columns, 0U);
    CHECK_EQUAL(from_edges(0, {}).columns, 0U);
}

TEST(a_rectangle_without_one_link_is_none) {
    const Edges whole = edges_of(Shape::grid, 3, 4);
    for (const auto& link : whole) {
        Edges edges = whole;
        std::erase_if(edges, [&](const auto& edge) {
            return edge == link || (edge.first == link.second && edge.second == link.first);
        });
        CHECK_EQUAL(from_edges(12, edges).columns, 0U);
    }
}

TEST(keys_tell_shapes_apart) {
    std::vector<StateKey> keys;
    for (const Shape shape : kShapes)
        for (const auto& [rows, columns] : {std::pair(4, 6), {6, 4}, {3, 8}, {5, 5}}) {
            keys.push_back(make_geometry(shape, rows, columns).key);
            CHECK(keys.back() == make_geometry(shape, rows, columns).key);
        }
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK(!(keys[i] == keys[j]));
}

}  // namespace
}  // namespace mineproof::testing
