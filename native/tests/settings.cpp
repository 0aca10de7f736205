#include "settings.hpp"

#include <algorithm>

namespace mineproof::testing {

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

}  // namespace mineproof::testing
