// NumPy's arrays as the kernel reads and writes them, in place.
#pragma once

#include <nanobind/ndarray.h>

#include <span>

#include "common.hpp"

namespace mineproof::bindings {

template <class T, int dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class Given>
auto span_of(const Given& array) {
    return std::span(array.data(), array.size());
}

// As another type of the same size.
template <class T, class Given>
std::span<T> span_as(const Given& array) {
    static_assert(sizeof(T) == sizeof(*array.data()));
    return {reinterpret_cast<T*>(array.data()), array.size()};
}

}  // namespace mineproof::bindings
