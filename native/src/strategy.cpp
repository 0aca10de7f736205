#include "mineproof/strategy.hpp"

#include <algorithm>

#include "mineproof/exact_strategy.hpp"
#include "mineproof/originals.hpp"
#include "mineproof/require.hpp"

namespace mineproof {

void KnowingStrategy::start(const Match& match, const Random& random) {
    match_ = &match;
    random_ = random;
    knowledge_.start(match.geometry, match.codes);
    fallbacks_ = 0;
}

Choice KnowingStrategy::choose() {
    for (;;) {
        if (Cell cell; knowledge_.take_safe(cell)) return {cell, true, 0};
        MINEPROOF_REQUIRE(knowledge_.unknown() > 0);
        if (!deduce()) return guess();
    }
}

void KnowingStrategy::prove_safe(std::span<const Cell> cells) {
    for (const Cell cell : cells) knowledge_.prove_safe(cell);
}

void KnowingStrategy::prove_mines(std::span<const Cell> cells) {
    for (const Cell cell : cells) knowledge_.prove_mine(cell);
}

Cell KnowingStrategy::pick_any() {
    auto skip = random_.below(knowledge_.unknown());
    Cell cell = 0;
    while (!knowledge_.is_unknown(cell) || skip-- > 0) ++cell;
    return cell;
}

namespace {

template <class Kind>
std::unique_ptr<Strategy> make() {
    return std::make_unique<Kind>();
}

constexpr std::uint32_t layouts_of(const DeciderOptions& options) {
    return static_cast<std::uint32_t>(options.layouts);
}

template <const ThinkingOptions& options>
std::unique_ptr<Strategy> make_lookahead() {
    return std::make_unique<Lookahead>(options);
}

template <const ThinkingOptions& options>
constexpr StrategyInfo lookahead(std::string_view name) {
    return {name, true, true, true, layouts_of(options.ahead), &options, make_lookahead<options>};
}

// The wide kernel leaves out the originals, which list all subsets of the cells around a number.
constexpr StrategyInfo kStrategies[] = {
    {"fast", true, true, false, layouts_of(kFast), nullptr, make<Fast>},
    lookahead<kStrongThought>("strong"),
    lookahead<kBestThought>("best"),
    lookahead<kDeepThought>("deep"),
    {"minesolver", true, true, false, 0, nullptr, make<Minesolver>},
#if MINEPROOF_REACH == 8
    {"minedetector", false, false, false, 0, nullptr, make<Minedetector>},
    {"fair", false, false, false, 0, nullptr, make<Fair>},
    {"go", false, false, false, 0, nullptr, make<GoSimulator>},
#endif
};

}  // namespace

std::span<const StrategyInfo> strategies() { return kStrategies; }

const StrategyInfo* find_strategy(std::string_view name) {
    const auto found = std::ranges::find(kStrategies, name, &StrategyInfo::name);
    return found == std::ranges::end(kStrategies) ? nullptr : found;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name) {
    const StrategyInfo* const info = find_strategy(name);
    MINEPROOF_REQUIRE(info != nullptr);
    return info->make();
}

}  // namespace mineproof
