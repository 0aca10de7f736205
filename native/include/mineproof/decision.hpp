// Which cell to open when nothing is certain: what each is worth, and why.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mineproof/ending.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/solver.hpp"

namespace mineproof {

// How hard to think about a guess.
struct Thinking {
    // Play optimally once at most so many layouts are left, and it takes at most so many nodes of search.
    double layouts;
    std::uint64_t nodes;
    // How much of the risk is not counted that only comes early what would come anyway; 0 does not look for it.
    double shared_fate;
    // Events less likely than this, roughly, are not counted.
    double faintest_fate;
    // Candidates are cells as safe as this share of the safest; in the sea the second.
    double frontier_share, sea_share;
    // Play on from candidates whose scores are close, so many times in all; 0 decides by score.
    std::uint32_t playouts;
};

// The limit of nodes is far beyond what so few layouts take: it is there so that nothing hangs.
inline constexpr Thinking kFast{200, 100'000'000, 0, 1, 1, 1, 0};
inline constexpr Thinking kStrong{2'000, 100'000'000, 0.725, 0.02, 0.85, 0.95, 0};
inline constexpr Thinking kBest{30'000, 100'000'000, 0.725, 0.02, 0.85, 0.95, 320};

// What a cell would show, with what chance, and what would be known then.
struct Outlook {
    std::int8_t number;
    double probability;
    std::uint32_t safe;   // cells that would be certainly free
    double best, second;  // chances of the two safest cells to be free
};

struct Candidate {
    Cell cell = 0;
    double mine_probability = 1;
    // What candidates are compared by; no probability of anything.
    double score = 0;
    // Chance of layouts that have a mine here and a fifty-fifty behind it, or are themselves one.
    double fate = 0;
    // Chance that it is free and some cell is certainly safe afterwards.
    double progress = 0;
    // Layouts won if it is opened first, of all that fit; NaN where that was not worked out.
    double win_probability = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t first_outlook = 0, end_outlook = 0;  // in `Decider::outlooks`
};

enum class Reason : std::uint8_t { optimal, fate, ahead, only };

// Owns its scratch memory; use one per thread.
class Decider {
  public:
    explicit Decider(const Thinking& thinking) : thinking_(thinking) {}

    // Shares what is remembered of components.
    void remember_in(TapeMemory* memory) {
        child_.remember_in(memory);
        playout_.remember_in(memory);
    }

    // Chooses among the undecided cells of a position that `solver` has just counted, in which nothing is safe.
    //   require: proved mines are flagged in the question; `odds` by cell, of the cells in `unknown`
    // Over budget the best found so far is chosen.
    //   complete: every candidate is looked at to the end, for people who want to see why
    Cell decide(const Question& question, Solver& solver, double log2_layouts, std::span<const Cell> unknown,
                std::span<const double> odds, Budget& budget, bool complete);

    // Decides only if few layouts are left, by optimal play; false otherwise.
    bool decide_optimally(const Question& question, Solver& solver, double log2_layouts, std::span<const double> odds,
                          Budget& budget, bool complete);

    // Why the last decision fell as it did.
    Reason reason() const { return reason_; }
    // Of the last decision, best first where all were looked at. Under `optimal` only those that were solved.
    std::span<const Candidate> candidates() const { return candidates_; }
    std::span<const Outlook> outlooks() const { return outlooks_; }

  private:
    // A candidate from which games are played on.
    struct Rival {
        std::size_t place;  // among the candidates
        Cell cell;
        double free;   // chance
        double prior;  // what it is worth by its score, where the best is worth 1
        double sum = 0, squares = 0, games = 0;
        double worth = 0, error = 0;  // by score and games together
    };

    void find_fates(const Question& question, double log2_layouts);
    void add_fate(const Question& question, double log2_layouts, std::span<const Cell> these,
                  std::span<const Cell> those, std::span<const Cell> walls);
    void note_fate(double chance, std::span<const Cell> these, std::span<const Cell> those,
                   std::span<const Cell> walls);
    void choose_candidates(const Question& question);
    void look_ahead(const Question& question, double log2_layouts, Budget& budget, bool complete);
    double evaluate(const Question& question, double log2_layouts, Candidate& candidate, double to_beat);
    double worth_of(const Glance& glance, int number) const;
    void play_on(const Question& question, Budget& budget);
    void judge_rivals();
    bool is_unknown(Cell cell) const { return codes_[cell] == kCovered; }
    bool is_open(Cell cell) const { return codes_[cell] >= 0; }

    Thinking thinking_;
    Reason reason_ = Reason::only;
    std::vector<Candidate> candidates_;
    std::vector<Outlook> outlooks_;
    std::span<const Cell> unknown_;
    std::span<const double> odds_;
    double least_ = 1;                  // the lowest odds
    std::vector<std::int8_t> codes_;    // of the question, with what is supposed; one more for "no neighbour"
    std::vector<std::uint8_t> in_sea_;  // by cell: no number sees it
    std::vector<double> wall_, part_;   // by cell: chance of fifty-fifties that it walls in, or is part of
    bool opening_ = false;              // little of the board is open
    Solver child_;
    Ending ending_;
    Playout playout_;
    std::vector<Rival> rivals_;
};

}  // namespace mineproof
