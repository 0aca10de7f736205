// Games with what was seen and chosen in them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <string_view>

#include "common.hpp"
#include "mineproof/lent_strategy.hpp"
#include "mineproof/watched.hpp"

namespace mineproof::bindings {
namespace {

WatchedGames watch(const Setup& setup, std::string_view strategy, std::uint64_t seed, std::uint64_t first,
                   std::uint64_t count, const Limits& limits) {
    const Series series = setup.series(seed);
    const StrategyInfo& info = strategy_of(strategy);
    Run call(limits);
    WatchedGames games = call.search([&](Budget& budget) {
        WatchedGames found;
        watch_games(series, first, count, *LentStrategy(info, series.match.geometry.cells), budget, found);
        return found;
    });
    if (games.mistakes > 0) throw std::runtime_error("a strategy called a mine certainly safe: a defect of mineproof");
    return games;
}

}  // namespace

void bind_watched(nb::module_& module) {
    nb::class_<WatchedGames>(module, "WatchedGames")
        .def_prop_ro("opened", [](const WatchedGames& self) { return bytes_of(self.opened); })
        .def_prop_ro("numbers", [](const WatchedGames& self) { return bytes_of(self.numbers); })
        .def_prop_ro("mined", [](const WatchedGames& self) { return bytes_of(self.mined); })
        .def_prop_ro("chosen", [](const WatchedGames& self) { return bytes_of(self.chosen); })
        .def_prop_ro("certain", [](const WatchedGames& self) { return bytes_of(self.certain); })
        .def_prop_ro("lots", [](const WatchedGames& self) { return bytes_of(self.lots); })
        .def_prop_ro("ends", [](const WatchedGames& self) { return bytes_of(self.ends); })
        .def_prop_ro("won", [](const WatchedGames& self) { return bytes_of(self.won); });
    module.def("watch", &watch, nb::arg("setup"), nb::arg("strategy"), nb::arg("seed"), nb::arg("first"),
               nb::arg("count"), nb::arg("limits"));
}

}  // namespace mineproof::bindings
