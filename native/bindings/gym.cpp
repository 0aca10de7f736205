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

template <class Value>
Value field_of(const nb::object& object, const char* name) {
    return nb::cast<Value>(object.attr(name));
}

// A member of an enum by its name, which is what Python's settings have.
template <class Enum>
Enum member_of(const nb::object& object, const char* name) {
    return nb::cast<Enum>(nb::object(nb::borrow(nb::type<Enum>())[object.attr(name)]));
}

StepRewards rewards_of(const nb::object& rewards) {
    const auto worth = [&](const char* name) { return static_cast<float>(field_of<double>(rewards, name)); };
    return {worth("win"), worth("lose"), worth("progress"), worth("blind"), worth("repeat")};
}

// `order` and `arrays` are a GamesOrder and a GamesArrays of mineproof.engine.games, whose fields are read by name. The
// arrays are kept alive, and so is the geometry.
struct Games {
    Games(nb::handle_t<Geometry> shape, const nb::object& order, const nb::object& arrays, std::size_t threads)
        : geometry(nb::borrow(shape)),
          seeds(field_of<Array<const std::uint64_t, 1>>(arrays, "seeds")),
          numbers(field_of<Array<std::uint64_t, 1>>(arrays, "numbers")),
          codes(field_of<Array<std::int8_t, 2>>(arrays, "codes")),
          masks(field_of<Array<std::int8_t, 2>>(arrays, "masks")),
          last_codes(field_of<Array<std::int8_t, 2>>(arrays, "last_codes")),
          rewards(field_of<Array<float, 1>>(arrays, "rewards")),
          terminated(field_of<Array<bool, 1>>(arrays, "terminated")),
          truncated(field_of<Array<bool, 1>>(arrays, "truncated")),
          won(field_of<Array<bool, 1>>(arrays, "won")),
          unjudged(field_of<Array<bool, 1>>(arrays, "unjudged")) {
        const auto& kernel_geometry = nb::cast<const Geometry&>(shape);
        const auto mines = field_of<std::uint32_t>(order, "mines");
        const auto autoreset = member_of<Autoreset>(order, "autoreset");
        const std::size_t count = seeds.size(), all = count * kernel_geometry.cells;
        const std::size_t last = autoreset == Autoreset::same_step ? all : 0;
        if (numbers.size() != count || codes.size() != all || masks.size() != all || rewards.size() != count ||
            terminated.size() != count || truncated.size() != count || won.size() != count ||
            unjudged.size() != count || last_codes.size() != last)
            throw nb::value_error("arrays differ in size");
        if (mines >= kernel_geometry.cells) throw nb::value_error("no cell is left without a mine");
        if (threads == 0) throw nb::value_error("threads must be positive");
        games = std::make_unique<ManyGames>(
            GamesOrder{kernel_geometry, mines, member_of<FirstClick>(order, "first_click"),
                       member_of<Fairness>(order, "fairness"), autoreset, field_of<std::uint64_t>(order, "longest"),
                       rewards_of(order.attr("rewards")), field_of<std::uint64_t>(order.attr("budget"), "states")},
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
        .def(nb::init<nb::handle_t<Geometry>, const nb::object&, const nb::object&, std::size_t>(), nb::arg("geometry"),
             nb::arg("order"), nb::arg("arrays"), nb::arg("threads"))
        .def("reset", &Games::reset, nb::arg("which"))
        .def("step", &Games::step, nb::arg("actions"), nb::arg("cancelled").none())
        .def("mines_of", &Games::mines_of, nb::arg("game"));
}

}  // namespace mineproof::bindings
