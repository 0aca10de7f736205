// Many games side by side, in arrays of the caller's.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "common.hpp"
#include "mineproof/many_games.hpp"

namespace mineproof::bindings {
namespace {

// The arrays are kept alive, and so is the geometry.
struct Games {
    Games(nb::handle_t<Geometry> shape, std::uint32_t mines, FirstClick first_click, Fairness fairness,
          Autoreset autoreset, std::uint64_t longest, Array<const float, 1> values, std::uint64_t states,
          std::size_t threads, Array<const std::uint64_t, 1> seed_array, Array<std::uint64_t, 1> number_array,
          Array<std::int8_t, 2> code_array, Array<std::int8_t, 2> mask_array, Array<float, 1> reward_array,
          Array<bool, 1> terminated_array, Array<bool, 1> truncated_array, Array<bool, 1> won_array,
          Array<bool, 1> unjudged_array, Array<std::int8_t, 2> last_array)
        : geometry(nb::borrow(shape)),
          seeds(seed_array),
          numbers(number_array),
          codes(code_array),
          masks(mask_array),
          last_codes(last_array),
          rewards(reward_array),
          terminated(terminated_array),
          truncated(truncated_array),
          won(won_array),
          unjudged(unjudged_array) {
        const auto& kernel_geometry = nb::cast<const Geometry&>(shape);
        const std::size_t count = seeds.size(), all = count * kernel_geometry.cells;
        const std::size_t last = autoreset == Autoreset::same_step ? all : 0;
        if (values.size() != 5 || numbers.size() != count || codes.size() != all || masks.size() != all ||
            rewards.size() != count || terminated.size() != count || truncated.size() != count || won.size() != count ||
            unjudged.size() != count || last_codes.size() != last)
            throw nb::value_error("arrays differ in size");
        if (mines >= kernel_geometry.cells) throw nb::value_error("no cell is left without a mine");
        if (threads == 0) throw nb::value_error("threads must be positive");
        const StepRewards worth{values.data()[0], values.data()[1], values.data()[2], values.data()[3],
                                values.data()[4]};
        games = std::make_unique<ManyGames>(
            GamesOrder{kernel_geometry, mines, first_click, fairness, autoreset, longest, worth, states},
            GamesShown{span_of(seeds), span_of(numbers), span_of(codes), span_of(masks), span_of(rewards),
                       span_of(terminated), span_of(truncated), span_of(won), span_of(unjudged), span_of(last_codes)},
            threads);
    }

    void reset(Array<const bool, 1> which) {
        if (which.size() != seeds.size()) throw nb::value_error("arrays differ in size");
        nb::gil_scoped_release released;
        games->reset({reinterpret_cast<const std::uint8_t*>(which.data()), which.size()});
    }

    // `cancelled` is a callable or None.
    StepResult step(Array<const std::int64_t, 1> actions, nb::object cancelled) {
        if (actions.size() != seeds.size()) throw nb::value_error("arrays differ in size");
        Patience patience{cancelled.ptr()};
        const StepResult result = [&] {
            nb::gil_scoped_release released;
            return games->step(span_of(actions), &Patience::ended, &patience);
        }();
        if (patience.raised) throw nb::python_error();
        return result;
    }

    std::vector<Cell> mines_of(std::size_t game) {
        if (game >= seeds.size()) throw nb::value_error("there is no such game");
        std::vector<Cell> mines;
        const bool is_over = [&] {
            nb::gil_scoped_release released;
            return games->list_mines(game, mines);
        }();
        if (!is_over) throw nb::value_error("the game is still on");
        return mines;
    }

    nb::object geometry;
    Array<const std::uint64_t, 1> seeds;
    Array<std::uint64_t, 1> numbers;
    Array<std::int8_t, 2> codes, masks, last_codes;
    Array<float, 1> rewards;
    Array<bool, 1> terminated, truncated, won, unjudged;
    std::unique_ptr<ManyGames> games;
};

}  // namespace

void bind_gym(nb::module_& module) {
    nb::enum_<FirstClick>(module, "FirstClick")
        .value("any", FirstClick::any)
        .value("safe", FirstClick::safe)
        .value("open", FirstClick::open);
    nb::enum_<Fairness>(module, "Fairness")
        .value("none", Fairness::none)
        .value("forced", Fairness::forced)
        .value("kind", Fairness::kind)
        .value("strict", Fairness::strict)
        .value("safest", Fairness::safest)
        .value("local", Fairness::local);
    nb::enum_<Autoreset>(module, "Autoreset")
        .value("never", Autoreset::never)
        .value("next_step", Autoreset::next_step)
        .value("same_step", Autoreset::same_step);
    nb::enum_<StepFault>(module, "StepFault")
        .value("none", StepFault::none)
        .value("outside", StepFault::outside)
        .value("over", StepFault::over)
        .value("forked", StepFault::forked)
        .value("cancelled", StepFault::cancelled);
    nb::class_<StepResult>(module, "StepResult")
        .def_ro("fault", &StepResult::fault)
        .def_ro("game", &StepResult::game)
        .def_ro("action", &StepResult::action);
    nb::class_<Games>(module, "ManyGames")
        .def(nb::init<nb::handle_t<Geometry>, std::uint32_t, FirstClick, Fairness, Autoreset, std::uint64_t,
                      Array<const float, 1>, std::uint64_t, std::size_t, Array<const std::uint64_t, 1>,
                      Array<std::uint64_t, 1>, Array<std::int8_t, 2>, Array<std::int8_t, 2>, Array<float, 1>,
                      Array<bool, 1>, Array<bool, 1>, Array<bool, 1>, Array<bool, 1>, Array<std::int8_t, 2>>(),
             nb::arg("geometry"), nb::arg("mines"), nb::arg("first_click"), nb::arg("fairness"), nb::arg("autoreset"),
             nb::arg("longest"), nb::arg("values"), nb::arg("states"), nb::arg("threads"), nb::arg("seeds"),
             nb::arg("numbers"), nb::arg("codes"), nb::arg("masks"), nb::arg("rewards"), nb::arg("terminated"),
             nb::arg("truncated"), nb::arg("won"), nb::arg("unjudged"), nb::arg("last_codes"))
        .def("reset", &Games::reset, nb::arg("which"))
        .def("step", &Games::step, nb::arg("actions"), nb::arg("cancelled").none())
        .def("mines_of", &Games::mines_of, nb::arg("game"));
}

}  // namespace mineproof::bindings
