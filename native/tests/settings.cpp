#include "settings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "mineproof/opened_field.hpp"

namespace mineproof::testing {
namespace {

// Plays one layout, by hand.
bool wins(const Series& series, std::uint32_t layout, Strategy& strategy) {
    OpenedField field;
    std::vector<Cell> mines;
    for (Cell cell = 0; cell < series.match.geometry.cells; ++cell)
        if ((layout >> cell & 1) != 0) mines.push_back(cell);
    field.mines().lay(series.match.geometry, mines);
    field.cover(series.match.geometry, series.match.codes);
    strategy.start(series.match, Random(0, 0));
    for (Cell chosen = series.start; !field.mines().mined(chosen); chosen = strategy.choose().cell) {
        for (const Cell cell : field.open(chosen)) strategy.see(cell, field.codes()[cell]);
        if (field.open_count() == series.safe_cells()) return true;
    }
    return false;
}

}  // namespace

Setting small_setting(Rng& rng, int most_side) {
    Setting setting{
        make_geometry(kShapes[roll(rng, 3)], between(rng, 1, most_side), between(rng, 2, most_side)), {}, {}, 0};
    setting.codes.assign(setting.geometry.cells, kCovered);
    setting.allowed.assign(setting.geometry.cells, 1);
    const double absent = chance(rng, 0.5) ? 0.2 : 0;
    for (Cell cell = 1; cell < setting.geometry.cells; ++cell)
        if (chance(rng, absent)) setting.codes[cell] = kAbsent, setting.allowed[cell] = 0;
    setting.allowed[0] = 0;
    const auto room = static_cast<std::uint64_t>(std::ranges::count(setting.allowed, 1));
    setting.mines = static_cast<std::uint32_t>(roll(rng, 1 + (chance(rng, 0.8) ? room / 3 : room)));
    return setting;
}

double exact_rate(const Series& series, Strategy& strategy) {
    std::uint32_t room = 0;
    for (Cell cell = 0; cell < series.match.geometry.cells; ++cell)
        room |= std::uint32_t{series.allowed[cell] != 0} << cell;
    double won = 0, all = 0;
    for (std::uint32_t layout = 0; layout < std::uint32_t{1} << series.match.geometry.cells; ++layout) {
        if ((layout & ~room) != 0 || std::cmp_not_equal(std::popcount(layout), series.match.mines)) continue;
        won += wins(series, layout, strategy);
        ++all;
    }
    return won / all;
}

Mean mean_of(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double value : values) sum += value, squares += value * value;
    return {sum / count, std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)) / (count - 1))};
}

}  // namespace mineproof::testing
