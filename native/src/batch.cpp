// BatchSolver: threads take positions from a common counter, a few at a time, until none is left.

#include "mineproof/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "mineproof/require.hpp"
#include "mineproof/together.hpp"

namespace mineproof {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Cells of the positions taken at a time: about 50 µs of work, so that neither the counter nor the clock is felt, and
// the last threads end together.
constexpr std::size_t kTaken = 4096;
constexpr std::chrono::milliseconds kBetweenPolls(50);

// Are all codes cell codes, and is the total one that the board has room for? Written so that the compiler takes
// sixteen cells at a time.
bool is_well_formed(std::span<const std::int8_t> codes, std::int64_t total) {
    constexpr std::size_t kBlock = 240;  // cells that a byte can count
    std::uint8_t wrong = 0;
    std::int64_t present = 0;
    for (std::size_t first = 0; first < codes.size(); first += kBlock) {
        std::uint8_t shown = 0;
        for (const std::int8_t code : codes.subspan(first, std::min(kBlock, codes.size() - first))) {
            const bool is_shown = code >= kFlagged && code <= kReach;  // flagged, covered, and numbers, in one range
            shown = static_cast<std::uint8_t>(shown + is_shown);
            wrong |= static_cast<std::uint8_t>(!is_shown & (code != kAbsent));
        }
        present += shown;
    }
    return wrong == 0 && (total == Batch::kNoTotal || (total >= 0 && total <= present));
}
static_assert(kFlagged == -2 && kCovered == -1);

BatchStatus status_of(Status status) {
    switch (status) {
        case Status::answered:
            return BatchStatus::answered;
        case Status::numbers_conflict:
        case Status::total_conflict:
            return BatchStatus::contradiction;
        case Status::over_budget:
            return BatchStatus::over_budget;
        case Status::imprecise:
            break;
    }
    return BatchStatus::imprecise;
}

}  // namespace

// One batch under way.
class BatchSolver::Work {
  public:
    Work(const Batch& batch, const BatchLimits& limits, const BatchAnswers& answers)
        : batch_(batch),
          limits_(limits),
          answers_(answers),
          cells_(batch.geometry.cells),
          taken_(std::max<std::size_t>(1, kTaken / std::max<std::size_t>(1, cells_))) {}

    // How many threads there is work for. One takes about as long to start as two shares of small boards.
    std::size_t most_threads() const {
        const std::size_t shares = (batch_.positions() + taken_ - 1) / taken_;
        return std::max<std::size_t>(1, taken_ > 1 ? shares / 2 : shares);
    }
    bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    // Answers positions until none is left, or the batch is stopped. `poll` looks whether to stop, from within a long
    // answer too.
    void answer_some(Worker& worker, Budget::Poll poll) {
        while (!is_stopped()) {
            const std::size_t first = next_.fetch_add(taken_, std::memory_order_relaxed);
            if (first >= batch_.positions()) return;
            const std::size_t end = std::min(batch_.positions(), first + taken_);
            for (std::size_t position = first; position < end; ++position) answer(worker, position, poll);
            poll(this);
        }
    }

    // For threads of our own.
    static bool look(void* self) { return static_cast<Work*>(self)->is_stopped(); }

    // For the calling thread. Asks no more often than it should, however short the answers are: it may have to wait for
    // a lock of the caller's.
    static bool ask(void* self) {
        auto& work = *static_cast<Work*>(self);
        if (work.limits_.poll == nullptr || work.is_stopped()) return work.is_stopped();
        const auto now = Budget::Clock::now();
        if (now < work.next_poll_) return false;
        if (work.limits_.poll(work.limits_.context)) work.stop();
        work.next_poll_ = Budget::Clock::now() + kBetweenPolls;
        return work.is_stopped();
    }

  private:
    void answer(Worker& worker, std::size_t position, Budget::Poll poll) {
        std::span<const std::int8_t> codes = batch_.codes.subspan(position * cells_, cells_);
        const auto probabilities = answers_.probabilities.subspan(position * cells_, cells_);
        const auto verdicts = answers_.verdicts.subspan(position * cells_, cells_);
        const std::int64_t total = batch_.totals[position];
        BatchStatus status = BatchStatus::malformed;
        answers_.limits[position] = Limit::none;
        if (is_well_formed(codes, total)) {
            if (!batch_.trust_flags) codes = without_flags(worker, codes);
            Budget budget(limits_.seconds, limits_.states, poll, this, limits_.memory);
            const Question question{batch_.geometry, codes, total == Batch::kNoTotal ? Question::kUnknown : total,
                                    batch_.odds};
            const Answer answer = worker.solver.analyze(question, budget, verdicts, probabilities);
            status = status_of(answer.status);
            answers_.log2_layouts[position] = answer.log2_layouts;
            answers_.limits[position] = budget.limit();
            worker.solver.trim(status == BatchStatus::over_budget);
        }
        answers_.statuses[position] = status;
        if (status == BatchStatus::answered || status == BatchStatus::imprecise) return;
        std::ranges::fill(probabilities, kNaN);
        std::ranges::fill(verdicts, Verdict::none);
        answers_.log2_layouts[position] = kNaN;
    }

    static std::span<const std::int8_t> without_flags(Worker& worker, std::span<const std::int8_t> codes) {
        worker.codes.resize(codes.size());
        std::ranges::transform(codes, worker.codes.begin(),
                               [](std::int8_t code) { return code == kFlagged ? kCovered : code; });
        return worker.codes;
    }

    const Batch& batch_;
    const BatchLimits& limits_;
    const BatchAnswers& answers_;
    const std::size_t cells_, taken_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    Budget::Clock::time_point next_poll_ = Budget::Clock::now();
};

bool BatchSolver::analyze(const Batch& batch, const BatchLimits& limits, std::size_t threads,
                          const BatchAnswers& answers) {
    [[maybe_unused]] const std::size_t positions = batch.positions(), all = positions * batch.geometry.cells;
    MINEPROOF_REQUIRE(threads > 0 && batch.codes.size() == all);
    MINEPROOF_REQUIRE(answers.probabilities.size() == all && answers.verdicts.size() == all);
    MINEPROOF_REQUIRE(answers.log2_layouts.size() == positions && answers.statuses.size() == positions &&
                      answers.limits.size() == positions);
    Work work(batch, limits, answers);
    const std::size_t count = std::min(threads, work.most_threads());
    if (workers_.size() < count) workers_.resize(count);

    work_together(
        count, [&](std::size_t number) { work.answer_some(workers_[number], number == 0 ? &Work::ask : &Work::look); },
        [&] { work.stop(); }, [&] { Work::ask(&work); });
    return !work.is_stopped();
}

}  // namespace mineproof
