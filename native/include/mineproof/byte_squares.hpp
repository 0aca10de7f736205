// Sixteen bytes at a time: rows turned into columns, compared with a value, or spanned.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mineproof {

inline constexpr std::size_t kLane = 16;

#if defined(__SSE2__)

// Transposes a square of kLane × kLane bytes.
inline void transpose(const std::uint8_t* const* rows, std::size_t offset, std::uint8_t* out, std::size_t stride) {
    __m128i x[kLane], y[kLane];
    for (std::size_t i = 0; i < kLane; ++i) x[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[i] + offset));
    const auto weave = [](const __m128i* from, __m128i* to) {
        for (std::size_t i = 0; i < kLane / 2; ++i) {
            to[2 * i] = _mm_unpacklo_epi8(from[i], from[i + kLane / 2]);
            to[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + kLane / 2]);
        }
    };
    weave(x, y);
    weave(y, x);
    weave(x, y);
    weave(y, x);
    for (std::size_t i = 0; i < kLane; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * stride), x[i]);
}

// Which of these bytes have this value; `count` is a multiple of kLane, and 64 at most.
inline std::uint64_t equal(const std::uint8_t* bytes, std::size_t count, std::uint8_t value) {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < count; i += kLane) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
        const auto hits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
        result |= std::uint64_t{hits} << i;
    }
    return result;
}

// Of kLane bytes of some rows, by their place: the least, the most, and the most that is not `ignored`, which is more
// than any other value. `row(i)` points to those of row i.
template <class Row>
void span_rows(Row row, std::size_t count, std::uint8_t ignored, std::uint8_t* least, std::uint8_t* most,
               std::uint8_t* limit) {
    const __m128i off = _mm_set1_epi8(static_cast<char>(ignored));
    __m128i low = _mm_set1_epi8(-1), high = _mm_setzero_si128(), below = high;
    for (std::size_t i = 0; i < count; ++i) {
        const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row(i)));
        low = _mm_min_epu8(low, here);
        high = _mm_max_epu8(high, here);
        below = _mm_max_epu8(below, _mm_andnot_si128(_mm_cmpeq_epi8(here, off), here));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(least), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(most), high);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(limit), below);
}

#else

template <class Row>
void span_rows(Row row, std::size_t count, std::uint8_t ignored, std::uint8_t* least, std::uint8_t* most,
               std::uint8_t* limit) {
    for (std::size_t j = 0; j < kLane; ++j) {
        least[j] = 0xFF;
        most[j] = limit[j] = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t here = row(i)[j];
            if (here < least[j]) least[j] = here;
            if (here > most[j]) most[j] = here;
            if (here > limit[j] && here != ignored) limit[j] = here;
        }
    }
}

inline void transpose(const std::uint8_t* const* rows, std::size_t offset, std::uint8_t* out, std::size_t stride) {
    for (std::size_t i = 0; i < kLane; ++i)
        for (std::size_t j = 0; j < kLane; ++j) out[j * stride + i] = rows[i][offset + j];
}

inline std::uint64_t equal(const std::uint8_t* bytes, std::size_t count, std::uint8_t value) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < count; ++i) result |= std::uint64_t{bytes[i] == value} << i;
    return result;
}

#endif

}  // namespace mineproof
