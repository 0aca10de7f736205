// Which cell to open when nothing is certain: what each is worth, and why.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mineproof/counted_position.hpp"
#include "mineproof/optimal_play.hpp"
#include "mineproof/solver.hpp"
#include "mineproof/what_if.hpp"

namespace mineproof {

// What the position after a reveal is worth. With one safe cell 1; with two, three or five so much more, and more after
// a zero in the opening. Without a safe cell: stuck + safest · safety of the safest + second · safety of the second.
struct Worths {
    double two_safe, three_safe, five_safe, zero, stuck, safest, second;
};
inline constexpr Worths kWorths{0.046, 0.024, 0.013, 0.063, -0.567, 0.90, 0.73};

// How much work a guess is worth.
struct DeciderOptions {
    // Play optimally if at most so many layouts are left and the search takes at most so many nodes.
    double layouts;
    std::uint64_t nodes;
    // Share of a risk forgiven because the same fifty-fifty must be guessed later anyway; 0 disables.
    double shared_fate;
    // Fifty-fifties less likely than about this are ignored.
    double faintest_fate;
    // A candidate's chance to be free must be at least this share of the safest cell's: next to numbers, and in the
    // sea.
    double frontier_share, sea_share;
    // Rivals are candidates whose scores are at most this share below the best: they are looked at to the end, where
    // rivals are wanted. That is with at most 2^rival_bits layouts, and in the opening only if it says so.
    double rival_share = 0, rival_bits = std::numeric_limits<double>::infinity();
    bool rivals_in_opening = false;
    Worths worths = kWorths;
};

// The limit of nodes is far above what so few layouts take: it only makes sure that nothing hangs.
inline constexpr DeciderOptions kFast{200, 100'000'000, 0, 1, 1, 1};
inline constexpr DeciderOptions kStrong{2'000, 100'000'000, 0.725, 0.02, 0.85, 0.95};

// A number that a cell may show, and what would be known then.
struct Outlook {
    std::int8_t number;
    double chance;       // that the cell is free and shows it
    std::uint32_t safe;  // cells that would be certainly free and would tell something
    // Chances of the two safest cells to be free, of those that would tell something. If nothing is left to find out,
    // `safety` is 1.
    double safety, second;
};

struct Candidate {
    Cell cell = 0;
    double mine_probability = 1;
    // What candidates are compared by; not a probability.
    double score = 0;
    // Chance that a mine here is half of a fifty-fifty that no number will ever resolve, or walls one in.
    double fate = 0;
    // Chance that it is free and afterwards some cell is certainly safe, or nothing is left to find out. For display:
    // no choice depends on it.
    double progress = 0;
    // Layouts won if it is opened first, of all that fit; NaN where that was not worked out.
    double win_probability = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t first_outlook = 0, end_outlook = 0;  // see Decider::outlooks
};

// Why a cell was chosen: it wins most; it is half of a fifty-fifty that must be guessed anyway; by the look ahead; or
// nothing else was worth a look.
enum class Reason : std::uint8_t { optimal, fate, ahead, only };

// Owns its scratch memory; use one per thread.
class Decider {
  public:
    explicit Decider(const DeciderOptions& options) : options_(options) {}

    // Recorded components are looked up and kept here; see TapeMemory.
    void remember_in(TapeMemory* memory) { what_if_.remember_in(memory); }

    // Chooses among the undecided cells. Over budget the best found so far is chosen.
    //   require: position.is_stuck(), with a total
    //   complete: every candidate is looked at to the end, for people who want to see why
    Cell decide(const CountedPosition& position, Budget& budget, bool complete);

    // Decides only if few layouts are left, by optimal play; false otherwise.
    //   require: as above
    bool decide_optimally(const CountedPosition& position, Budget& budget, bool complete);

    // Weighs these cells as `decide` weighs candidates, each to the end; `candidates` has them in this order. False
    // over budget.
    //   require: they are undecided; a total
    bool look_ahead(const CountedPosition& position, std::span<const Cell> cells, Budget& budget);

    // Of the last decision.
    Reason reason() const { return reason_; }
    // Was little of the board open? Told by a look ahead only.
    bool is_opening() const { return opening_; }
    // Were rivals of the best looked at to the end?
    bool wants_rivals() const;
    // Of the last decision, best first where all were looked at. Under `optimal` only those that were solved.
    std::span<const Candidate> candidates() const { return candidates_; }
    std::span<const Outlook> outlooks(const Candidate& candidate) const {
        return std::span(outlooks_).subspan(candidate.first_outlook, candidate.end_outlook - candidate.first_outlook);
    }

  private:
    void begin(const CountedPosition& position);
    void survey(Budget& budget);
    void find_fates(Budget& budget);
    bool may_be_pair(const Geometry& geometry, Cell cell, Cell other) const;
    void find_pairs(const Geometry& geometry, Cell cell, Budget& budget);
    void find_block(const Geometry& geometry, Cell cell, Budget& budget);
    void add_fate(std::span<const Cell> these, std::span<const Cell> those, std::span<const Cell> walls,
                  Budget& budget);
    void note_fate(double chance, std::span<const Cell> these, std::span<const Cell> those,
                   std::span<const Cell> walls);
    bool choose_fated();
    void choose_candidates();
    Candidate candidate_of(Cell cell) const;
    void compare_candidates(Budget& budget, bool complete);
    void weigh(Candidate& candidate, double to_beat, Budget& budget);
    double look_ahead(Candidate& candidate, double to_beat, Budget& budget);
    std::span<const int> numbers_of(Cell cell, bool likely_first);
    double most_worth() const;
    double worth_of(const Glance& glance, int number) const;
    const Geometry& geometry() const { return position_->question().geometry; }
    double odds(Cell cell) const { return position_->odds()[cell]; }
    bool is_unknown(Cell cell) const { return codes_[cell] == kCovered; }
    bool is_open(Cell cell) const { return codes_[cell] >= 0; }

    DeciderOptions options_;
    Reason reason_ = Reason::only;
    std::vector<Candidate> candidates_;
    std::vector<Outlook> outlooks_;
    const CountedPosition* position_ = nullptr;
    double least_ = 1;                                        // the lowest odds
    std::vector<std::int8_t> codes_;                          // of the question, and one more for "no neighbour"
    std::vector<std::uint8_t> open_around_, unknown_around_;  // by cell that is not open
    std::vector<double> wall_, part_;        // by cell: chance of fifty-fifties that it walls in, or is half of
    bool opening_ = false;                   // little of the board is open
    std::array<int, kReach + 1> numbers_{};  // see numbers_of
    WhatIf what_if_;
    OptimalPlay optimal_play_;
};

}  // namespace mineproof
