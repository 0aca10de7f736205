// Games in which every guess is survived.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <string_view>

#include "common.hpp"
#include "mineproof/lent_strategy.hpp"
#include "mineproof/survival.hpp"

namespace mineproof::bindings {
namespace {

void require_no_mistake(std::uint64_t mistakes) {
    if (mistakes > 0)
        throw std::runtime_error("a mine was called safe, or no layout was found without it: a defect of mineproof");
}

SurvivalTally survive(const Setup& setup, std::string_view strategy, std::uint64_t seed, std::uint64_t first,
                      std::uint64_t count, const Limits& limits) {
    const Series series = setup.series(seed);
    const StrategyInfo& info = strategy_of(strategy);
    Run call(limits);
    SurvivalTally tally = call.search([&](Budget& budget) {
        SurvivalTally games;
        SurvivalPlayer player;
        player.play_games(series, first, count, *LentStrategy(info, series.match.geometry.cells), budget, games);
        return games;
    });
    require_no_mistake(tally.mistakes);
    return tally;
}

// A game that Python plays. All of a thread share what counts their guesses.
class PlayedGame {
  public:
    PlayedGame(nb::handle_t<Setup> setup, std::uint64_t seed, std::uint64_t number) : setup_(nb::borrow(setup)) {
        const Series series = nb::cast<const Setup&>(setup).series(seed);
        nb::gil_scoped_release released;
        Budget endless = Budget::of_states(Budget::kNoLimit);
        game_.begin(series, number, sparing(), endless);
    }

    void open(Cell cell) {
        if (game_.is_over() || cell >= game_.codes().size() || game_.codes()[cell] != kCovered)
            throw nb::value_error("not a covered cell of a game that is not over");
        {
            nb::gil_scoped_release released;
            Budget endless = Budget::of_states(Budget::kNoLimit);
            game_.open({cell, false}, sparing(), endless);
        }
        require_no_mistake(game_.is_mistaken());
    }

    const SurvivalGame& game() const { return game_; }

  private:
    static Sparing& sparing() {
        thread_local Sparing all;
        return all;
    }

    nb::object setup_;  // what the game points to
    SurvivalGame game_;
};

}  // namespace

void bind_survival(nb::module_& module) {
    nb::class_<SurvivalTally>(module, "SurvivalTally")
        .def_prop_ro("weights", [](const SurvivalTally& self) { return bytes_of(self.weights); })
        .def_ro("blind", &SurvivalTally::blind);
    module.def("survive", &survive, nb::arg("setup"), nb::arg("strategy"), nb::arg("seed"), nb::arg("first"),
               nb::arg("count"), nb::arg("limits"));
    nb::class_<PlayedGame>(module, "SurvivalGame")
        .def(nb::init<nb::handle_t<Setup>, std::uint64_t, std::uint64_t>(), nb::arg("setup"), nb::arg("seed"),
             nb::arg("number"))
        .def("open", &PlayedGame::open, nb::arg("cell"))
        .def_prop_ro("codes", [](const PlayedGame& self) { return bytes_of(self.game().codes()); })
        .def_prop_ro("is_over", [](const PlayedGame& self) { return self.game().is_over(); })
        .def_prop_ro("weight", [](const PlayedGame& self) { return self.game().weight(); })
        .def_prop_ro("blind", [](const PlayedGame& self) { return self.game().blind(); });
}

}  // namespace mineproof::bindings
