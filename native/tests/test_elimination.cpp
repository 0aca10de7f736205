// Elimination: scopes follow from the order, and vertices of one scope have different slots.

#include "mineproof/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "boards.hpp"
#include "check.hpp"

namespace mineproof::testing {
namespace {

struct Graph {
    std::vector<std::uint16_t> weights;
    std::vector<std::uint32_t> members, box_ends;

    explicit Graph(std::size_t vertices) : weights(vertices, 16) {}
    void add_box(const std::vector<std::uint32_t>& vertices) {
        members.insert(members.end(), vertices.begin(), vertices.end());
        box_ends.push_back(static_cast<std::uint32_t>(members.size()));
    }
};

Graph random_graph(Rng& rng, std::size_t vertices, std::size_t boxes, int reach) {
    Graph graph(vertices);
    for (auto& weight : graph.weights) weight = static_cast<std::uint16_t>(between(rng, 4, 51));
    for (std::size_t i = 0; i < boxes; ++i) {
        // Members close to each other, so that the width stays what a frontier has.
        const std::uint64_t at = roll(rng, vertices);
        std::set<std::uint32_t> box;
        for (int degree = between(rng, 1, kReach); degree > 0; --degree) {
            const std::uint64_t other = at + roll(rng, static_cast<std::uint64_t>(reach));
            box.insert(static_cast<std::uint32_t>(std::min<std::uint64_t>(other, vertices - 1)));
        }
        graph.add_box({box.begin(), box.end()});
    }
    return graph;
}

// Eliminates in the order given; the scopes met, each with its vertex.
std::vector<std::set<std::uint32_t>> tables_of(const Graph& graph, const std::vector<std::uint32_t>& order) {
    std::vector<std::set<std::uint32_t>> linked(graph.weights.size()), tables;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : graph.box_ends) {
        for (std::uint32_t i = begin; i < end; ++i)
            for (std::uint32_t j = begin; j < end; ++j)
                if (i != j) linked[graph.members[i]].insert(graph.members[j]);
        begin = end;
    }
    for (const std::uint32_t vertex : order) {
        std::set<std::uint32_t> table = linked[vertex];
        for (const std::uint32_t a : table) {
            linked[a].insert(table.begin(), table.end());
            linked[a].erase(a);
            linked[a].erase(vertex);
        }
        table.insert(vertex);
        tables.push_back(std::move(table));
    }
    return tables;
}

// Returns the number of slots.
std::size_t check_elimination(Elimination& elimination, const Graph& graph) {
    Budget budget = endless();
    REQUIRE(elimination.run(graph.weights, graph.members, graph.box_ends, budget));
    if (elimination.slots > Elimination::kMaxSlots)
        return Elimination::kMaxSlots + 1;  // too wide: no order is promised
    const std::size_t vertices = graph.weights.size();
    if (elimination.slots > Elimination::kMaxSlots) {  // given up: nothing else is promised
        CHECK_EQUAL(elimination.slots, Elimination::kMaxSlots + 1);
        return elimination.slots;
    }
    auto sorted = elimination.order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> all(vertices);
    std::iota(all.begin(), all.end(), 0U);
    CHECK_EQUAL(sorted, all);
    const auto tables = tables_of(graph, elimination.order);
    std::size_t widest = 0;
    for (const auto& table : tables) widest = std::max(widest, table.size());
    CHECK_EQUAL(elimination.slots, widest);
    for (std::size_t i = 0; i < vertices; ++i) CHECK_EQUAL(elimination.place[elimination.order[i]], i);
    for (const auto& table : tables) {
        std::set<int> slots;
        for (const std::uint32_t vertex : table) {
            CHECK(elimination.slot[vertex] < elimination.slots);
            CHECK(slots.insert(elimination.slot[vertex]).second);
        }
    }
    return elimination.slots;
}

TEST(elimination_of_small_graphs) {
    Rng rng(10);
    Elimination elimination;
    CHECK_EQUAL(check_elimination(elimination, Graph(1)), 1U);
    for (int i = 0; i < 400; ++i) {
        const auto vertices = static_cast<std::size_t>(between(rng, 1, 64));
        const Graph graph = random_graph(rng, vertices, roll(rng, 2 * vertices), between(rng, 1, 20));
        CHECK(check_elimination(elimination, graph) <= vertices);
    }
}

TEST(elimination_beyond_one_word) {
    Rng rng(11);
    Elimination elimination;
    for (const std::size_t vertices : {65U, 66U, 100U, 64U, 300U})
        for (int i = 0; i < 6; ++i)
            CHECK(check_elimination(elimination, random_graph(rng, vertices, 2 * vertices, between(rng, 2, 9))) <= 20);
}

TEST(a_chain_and_a_tree_need_two_slots) {
    Elimination elimination;
    for (const std::uint32_t vertices : {2U, 64U, 65U, 500U}) {
        Graph chain(vertices), tree(vertices);
        for (std::uint32_t i = 1; i < vertices; ++i) {
            chain.add_box({i - 1, i});
            tree.add_box({(i - 1) / 3, i});
        }
        CHECK_EQUAL(check_elimination(elimination, chain), 2U);
        CHECK_EQUAL(check_elimination(elimination, tree), 2U);
    }
}

TEST(a_ring_needs_three_slots) {
    Elimination elimination;
    for (const std::uint32_t vertices : {3U, 64U, 65U, 200U}) {
        Graph ring(vertices);
        for (std::uint32_t i = 0; i < vertices; ++i) ring.add_box({i, (i + 1) % vertices});
        CHECK_EQUAL(check_elimination(elimination, ring), 3U);
    }
}

TEST(slots_end_at_sixty_four) {
    Elimination elimination;
    for (const std::uint32_t vertices : {63U, 64U, 65U, 80U}) {
        Graph clique(vertices);
        std::vector<std::uint32_t> all(vertices);
        std::iota(all.begin(), all.end(), 0U);
        clique.add_box(all);
        CHECK_EQUAL(check_elimination(elimination, clique), std::min(vertices, Elimination::kMaxSlots + 1));
        CHECK_EQUAL(elimination.slots, std::min(vertices, Elimination::kMaxSlots + 1));
        Graph loose(3);  // the next run must not remember
        CHECK_EQUAL(check_elimination(elimination, loose), 1U);
    }
}

}  // namespace
}  // namespace mineproof::testing
