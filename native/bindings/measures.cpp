// The numbers of many layouts at once.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>

#include "common.hpp"
#include "mineproof/measures.hpp"

namespace mineproof::bindings {
namespace {

using Truths = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// bbbv, openings, islands, zini, human_zini, then the nine counts of safe numbers
inline constexpr std::size_t kColumns = 5 + kReach + 1;
using Found = nb::ndarray<std::int32_t, nb::shape<-1, kColumns>, nb::c_contig, nb::device::cpu>;

void measure(const Geometry& geometry, Cell columns, Truths truths, bool zini, Found found) {
    const std::size_t boards = truths.shape(0), cells = geometry.cells;
    if (columns == 0 || cells % columns != 0) throw nb::value_error("columns and geometry do not fit");
    if (truths.shape(1) != cells) throw nb::value_error("truths and geometry differ in size");
    if (found.shape(0) != boards) throw nb::value_error("truths and found differ in number");
    nb::gil_scoped_release released;
    Measurer measurer(geometry, columns);
    const auto* const first = reinterpret_cast<const Truth*>(truths.data());
    for (std::size_t board = 0; board < boards; ++board) {
        const Measures numbers = measurer.measure(std::span(first + board * cells, cells), zini);
        std::int32_t* to = found.data() + board * kColumns;
        for (const std::int32_t number :
             {numbers.bbbv, numbers.openings, numbers.islands, numbers.zini, numbers.human_zini})
            *to++ = number;
        for (const std::int32_t number : numbers.safe_numbers) *to++ = number;
    }
}

}  // namespace

void bind_measures(nb::module_& module) {
    module.def("measure", &measure, nb::arg("geometry"), nb::arg("columns"), nb::arg("truths"), nb::arg("zini"),
               nb::arg("found"));
}

}  // namespace mineproof::bindings
