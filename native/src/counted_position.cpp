#include "mineproof/counted_position.hpp"

#include <algorithm>

#include "mineproof/require.hpp"

namespace mineproof {

bool CountedPosition::count(const Question& question, Solver& solver, Budget& budget) {
    const Cell cells = question.geometry.cells;
    verdicts_.resize(cells);
    odds_.resize(cells);
    undecided_.clear();
    has_undecided_ = has_odds_ = true;
    safe_.clear();
    counted_ = solver.analyze(question, budget, verdicts_, odds_);
    if (counted_.status != Status::answered) return false;
    codes_.assign(question.codes.begin(), question.codes.end());
    for (Cell cell = 0; cell < cells; ++cell) {
        if (verdicts_[cell] == Verdict::undecided) undecided_.push_back(cell);
        if (verdicts_[cell] == Verdict::safe) safe_.push_back(cell);
        if (verdicts_[cell] == Verdict::mine) codes_[cell] = kFlagged;
    }
    question_.emplace(Question{question.geometry, codes_, question.total, question.odds});
    return true;
}

void CountedPosition::take_stuck(const Question& question, const Counted& counted) {
    counted_ = counted;
    question_.emplace(question);
    safe_.clear();
    has_undecided_ = has_odds_ = false;
    MINEPROOF_REQUIRE(std::ranges::all_of(undecided(), [&](Cell cell) { return is_undecided(cell); }));
    has_odds_ = false;  // as without the requirement
}

// With the mines flagged and nothing safe, what is covered is undecided.
void CountedPosition::collect_undecided() const {
    const auto codes = question_->codes;
    undecided_.resize(codes.size());
    std::size_t count = 0;
    for (Cell cell = 0; cell < codes.size(); ++cell) {
        undecided_[count] = cell;
        count += codes[cell] == kCovered;
    }
    undecided_.resize(count);
    has_undecided_ = true;
}

void CountedPosition::write_odds() const {
    verdicts_.resize(question_->geometry.cells);
    odds_.resize(question_->geometry.cells);
    counted_.write(verdicts_, odds_);
    has_odds_ = true;
}

Cell CountedPosition::safest(const Knowledge& knowledge) const {
    const auto& degrees = question_->geometry.degrees;
    return counted_.safest(
        [&](Cell cell) { return std::uint32_t{knowledge.unknown_around(cell)} << 8 | degrees[cell]; });
}

bool CountedPosition::is_undecided(Cell cell) const {
    if (!has_odds_) write_odds();
    return cell < verdicts_.size() && verdicts_[cell] == Verdict::undecided;
}

}  // namespace mineproof
