// Feasibility: what can be, with mine counts that have gaps and sets that cross the borders of words.

#include "mineproof/feasibility.hpp"
#include "mineproof/tape_recorder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "oracle.hpp"

namespace mineproof::testing {
namespace {

// What one box can hold, as bits.
using Possible = std::vector<unsigned>;

void check_within(FeasibilityPass& pass, const Tape& tape, const Reduction& reduction, std::int64_t fewest,
                  std::int64_t most, const std::set<std::int64_t>& totals, const Possible& expected) {
    const Note note([&] { return "within " + show(fewest) + " and " + show(most); });
    Budget budget = endless();
    REQUIRE(pass.within(tape, reduction.boxes(), fewest, most, budget));
    const auto first = totals.lower_bound(fewest);
    if (first == totals.end() || *first > most) {
        CHECK(pass.first_total() > pass.last_total());
        return;
    }
    CHECK_EQUAL(pass.first_total(), *first);
    CHECK_EQUAL(pass.last_total(), *std::prev(totals.upper_bound(most)));
    for (std::uint32_t id = 0; id < expected.size(); ++id)
        for (int k = 0; k <= reduction.boxes()[id].size; ++k)
            CHECK_EQUAL(pass.possible(id, k), (expected[id] >> k & 1) != 0);
}

TEST(feasibility_is_what_layouts_show) {
    Rng rng(50);
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    FeasibilityPass pass;
    int seen = 0;
    for (int i = 0; i < 800; ++i) {
        const Board board =
            without_sea(i % 20 == 0 ? wide_board(rng, 13, between(rng, 3, 40)) : small_position(rng, 11).board);
        const Note note([&] { return picture(board); });
        if (!reduction.run(board.geometry, board.codes)) continue;
        Budget budget = endless();
        if (recorder.record(reduction, true, budget) != TapeRecorder::Outcome::done) continue;
        ++seen;
        const auto boxes = reduction.boxes();
        const Layouts layouts = all_layouts(board);
        std::set<std::int64_t> totals;
        std::map<std::int64_t, Possible> by_total;
        for (const std::uint32_t layout : layouts.all) {
            const std::int64_t mines = std::popcount(layout) - static_cast<std::int64_t>(reduction.decided_mines());
            totals.insert(mines);
            Possible& possible = by_total.try_emplace(mines, boxes.size(), 0U).first->second;
            for (std::size_t id = 0; id < boxes.size(); ++id) {
                int inside = 0;
                for (std::size_t k = 0; k < boxes[id].size; ++k) inside += layouts.mined(layout, boxes[id].cells[k]);
                possible[id] |= 1U << inside;
            }
        }
        const auto possible_within = [&](std::int64_t fewest, std::int64_t most) {
            Possible sum(boxes.size(), 0);
            for (const auto& [total, possible] : by_total)
                for (std::size_t id = 0; total >= fewest && total <= most && id < sum.size(); ++id)
                    sum[id] |= possible[id];
            return sum;
        };
        for (std::int64_t fewest = -1; fewest <= *totals.rbegin() + 1; ++fewest)
            for (std::int64_t most = fewest; most <= *totals.rbegin() + 1; ++most)
                check_within(pass, tape, reduction, fewest, most, totals, possible_within(fewest, most));

        REQUIRE(recorder.record(reduction, false, budget) == TapeRecorder::Outcome::done);
        pass.any_total(tape, boxes);
        const Possible any = possible_within(-1, 100);
        for (std::uint32_t id = 0; id < boxes.size(); ++id)
            for (int k = 0; k <= boxes[id].size; ++k) CHECK_EQUAL(pass.possible(id, k), (any[id] >> k & 1) != 0);
    }
    CHECK(seen > 400);
}

// A board of switches: cells in a tree, exactly one mine on each link, so that one cell decides them all. A switch
// that is on holds `on` mines, one that is off `off`: sums of such numbers have gaps of any size.
class Switches {
  public:
    struct Switch {
        int on, off;
    };

    // Returns the switch's first cell.
    Cell add(Switch each) {
        const auto unit = static_cast<std::uint32_t>(switches_.size());
        switches_.push_back(each);
        std::array<std::vector<Cell>, 2> parts;  // mined when on, mined when off
        std::array<int, 2> left = {each.off, each.on};
        const Cell head = add_cell(unit, true);
        parts[1].push_back(head);
        --left[1];
        while (left[0] + left[1] > 0) {
            // Beside a cell with links to spare, beginning with the part that is behind.
            std::size_t side = left[0] >= left[1] ? 0 : 1;
            const auto free = [&](std::size_t part) {
                return std::find_if(parts[part].begin(), parts[part].end(),
                                    [&](Cell cell) { return links_[cell] < kReach - (cell == head ? 2 : 0); });
            };
            if (left[side] == 0 || free(1 - side) == parts[1 - side].end()) side = 1 - side;
            REQUIRE(left[side] > 0 && free(1 - side) != parts[1 - side].end());
            const Cell beside = *free(1 - side), cell = add_cell(unit, side == 1);
            parts[side].push_back(cell);
            --left[side];
            add_number({beside, cell}, 1);
        }
        return head;
    }

    // Exactly `need` of the cells, which are heads of switches, are mines.
    void add_rule(const std::vector<Cell>& heads, int need) {
        rules_.emplace_back();
        for (const Cell head : heads) rules_.back().first |= 1U << unit_[head];
        rules_.back().second = need;
        add_number(heads, need);
    }

    Board board() const {
        const auto cells = static_cast<Cell>(codes_.size());
        return Board{from_edges(cells, edges_), codes_, cells, "switches"};
    }

    // All totals of the boxes, and which boxes can hold what when the total lies in a range.
    struct Truth {
        std::set<std::int64_t> totals;
        Possible possible;
    };
    Truth truth(const Reduction& reduction, std::int64_t fewest, std::int64_t most) const {
        Truth truth{{}, Possible(reduction.boxes().size(), 0)};
        for (std::uint32_t state = 0; state < 1U << switches_.size(); ++state) {
            if (!std::all_of(rules_.begin(), rules_.end(),
                             [&](const auto& rule) { return std::popcount(state & rule.first) == rule.second; }))
                continue;
            const std::int64_t total = mines(state) - reduction.decided_mines();
            truth.totals.insert(total);
            if (total < fewest || total > most) continue;
            for (std::size_t id = 0; id < truth.possible.size(); ++id) {
                const Box& box = reduction.boxes()[id];
                int inside = 0;
                for (std::size_t i = 0; i < box.size; ++i) inside += mined(state, box.cells[i]);
                truth.possible[id] |= 1U << inside;
            }
        }
        return truth;
    }

  private:
    Cell add_cell(std::uint32_t unit, bool with) {
        codes_.push_back(kCovered);
        unit_.push_back(unit);
        with_.push_back(with);
        links_.push_back(0);
        return static_cast<Cell>(codes_.size() - 1);
    }
    void add_number(const std::vector<Cell>& cells, int need) {
        const auto number = static_cast<Cell>(codes_.size());
        codes_.push_back(static_cast<std::int8_t>(need));
        unit_.push_back(0);
        with_.push_back(false);
        links_.push_back(0);
        for (const Cell cell : cells) {
            edges_.emplace_back(number, cell);
            ++links_[cell];
        }
    }
    bool mined(std::uint32_t state, Cell cell) const { return ((state >> unit_[cell] & 1) != 0) == with_[cell]; }
    std::int64_t mines(std::uint32_t state) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < switches_.size(); ++i)
            sum += (state >> i & 1) != 0 ? switches_[i].on : switches_[i].off;
        return sum;
    }

    std::vector<Switch> switches_;
    std::vector<std::pair<std::uint32_t, int>> rules_;
    std::vector<std::int8_t> codes_;
    std::vector<std::uint32_t> unit_;
    std::vector<bool> with_;
    std::vector<int> links_;
    Edges edges_;
};

void check_switches(FeasibilityPass& pass, const Switches& switches, Rng& rng) {
    const Board board = switches.board();
    Reduction reduction;
    REQUIRE(reduction.run(board.geometry, board.codes));
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    Budget budget = endless();
    const auto outcome = recorder.record(reduction, true, budget);
    const std::set<std::int64_t> totals = switches.truth(reduction, 0, 0).totals;
    CHECK(outcome == (totals.empty() ? TapeRecorder::Outcome::conflict : TapeRecorder::Outcome::done));
    if (outcome != TapeRecorder::Outcome::done) return;
    const auto check = [&](std::int64_t fewest, std::int64_t most) {
        check_within(pass, tape, reduction, fewest, most, totals, switches.truth(reduction, fewest, most).possible);
    };
    const std::int64_t least = *totals.begin(), largest = *totals.rbegin();
    check(least, largest);
    check(least, least);
    check(largest, largest);
    check(least - 1, least - 1);
    check(largest + 1, largest + 1);
    const std::vector<std::int64_t> list(totals.begin(), totals.end());
    for (int i = 0; i < 6; ++i) {
        const std::int64_t total = list[roll(rng, list.size())];
        check(total, total);
        check(total + 1, total + 1);
        check(total - static_cast<std::int64_t>(roll(rng, 70)), total + static_cast<std::int64_t>(roll(rng, 70)));
    }
}

constexpr int kShifts[] = {0, 1, 2, 31, 62, 63, 64, 65, 66, 127, 128, 129};

Switches::Switch random_switch(Rng& rng) {
    const int shift = kShifts[roll(rng, std::size(kShifts))];
    const int fewer = 2 + shift / 6 + static_cast<int>(roll(rng, 8));  // enough to carry the others as neighbours
    return chance(rng, 0.5) ? Switches::Switch{fewer, fewer + shift} : Switches::Switch{fewer + shift, fewer};
}

TEST(feasibility_of_a_single_switch) {
    Rng rng(51);
    FeasibilityPass pass;
    for (const int shift : kShifts) {
        const Note note([&] { return "shift " + show(shift); });
        Switches switches;
        switches.add({2 + shift / 6, 2 + shift / 6 + shift});
        check_switches(pass, switches, rng);
    }
}

TEST(feasibility_of_switches_side_by_side) {
    Rng rng(52);
    FeasibilityPass pass;
    for (int i = 0; i < 12; ++i) {
        Switches switches;
        for (int count = between(rng, 2, 6); count > 0; --count) switches.add(random_switch(rng));
        check_switches(pass, switches, rng);
    }
}

// Rules bind switches and single cells together, so that sets are shifted by boxes and joined inside a component.
TEST(feasibility_of_switches_under_rules) {
    Rng rng(53);
    FeasibilityPass pass;
    for (int i = 0; i < 25; ++i) {
        Switches switches;
        std::vector<Cell> heads;
        for (int count = between(rng, 2, 5); count > 0; --count) heads.push_back(switches.add(random_switch(rng)));
        for (int rule = 0; rule < 2; ++rule) {
            std::vector<Cell> bound;
            std::copy_if(heads.begin(), heads.end(), std::back_inserter(bound), [&](Cell) { return chance(rng, 0.7); });
            for (int count = between(rng, 1, 3); count > 0; --count) bound.push_back(switches.add({1, 0}));
            switches.add_rule(bound, between(rng, 1, static_cast<int>(bound.size())));
        }
        check_switches(pass, switches, rng);
    }
}

// Many small components whose counts are consecutive: windows of every length around a word's.
TEST(feasibility_at_the_borders_of_words) {
    Reduction reduction;
    TapeRecorder recorder;
    const Tape& tape = recorder.tape();
    FeasibilityPass pass;
    for (const int copies : {1, 31, 62, 63, 64, 65, 126, 127, 128, 129}) {
        const Board board = side_by_side(std::vector<Board>(static_cast<std::size_t>(copies), read_board("#1#1#")), 0);
        REQUIRE(reduction.run(board.geometry, board.codes));
        Budget budget = endless();
        REQUIRE(recorder.record(reduction, true, budget) == TapeRecorder::Outcome::done);
        // Each holds one mine, in the middle, or two.
        std::set<std::int64_t> totals;
        for (int total = copies; total <= 2 * copies; ++total) totals.insert(total);
        for (int extra : {0, 1, copies / 2, copies - 1, copies}) {
            const unsigned middle = extra == 0        ? 2U
                                    : extra == copies ? 1U
                                                      : 3U,
                           side = extra == 0        ? 1U
                                  : extra == copies ? 2U
                                                    : 3U;
            Possible expected;
            for (const Box& box : reduction.boxes()) expected.push_back(box.degree == 2 ? middle : side);
            check_within(pass, tape, reduction, copies + extra, copies + extra, totals, expected);
        }
    }
}

}  // namespace
}  // namespace mineproof::testing
