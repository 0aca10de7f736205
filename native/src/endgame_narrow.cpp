// Endgames of up to 64 layouts: a set is a word. Nearly all sets that are searched are of this kind; see endgame.cpp.

#include <numeric>

#include "mineproof/byte_squares.hpp"
#include "mineproof/endgame_search.hpp"
#include "mineproof/require.hpp"

namespace mineproof::endgame {

Count Search::enter_narrow(std::span<const Count> ids, std::span<const Count> cells, Count most, Count need) {
    Narrow base;
    const auto size = static_cast<Count>(ids.size());
    const std::size_t padded = (size + kLane - 1) / kLane * kLane;
    const Word all = first_bits(size);
    std::array<const std::uint8_t*, kWordBits> rows;
    for (Count i = 0; i < padded; ++i) rows[i] = row(ids[std::min(i, size - 1)]);
    for (Count i = 0; i < size; ++i) base.keys[i] = keys_[ids[i]];
    std::fill_n(base.far.begin(), size, 0);  // at first, those that some cell distinguishes from it

    base.columns = arena_.take<Column>(cells.size());
    Place* const live = arena_.take<Place>(cells.size());
    Count columns = 0;
    std::array<std::uint8_t, kLane * kWordBits> square;
    std::size_t transposed = ~std::size_t{0};
    for (const Count cell : cells) {
        const std::size_t block = cell / kLane * kLane;
        if (block != transposed) {
            for (std::size_t i = 0; i < padded; i += kLane)
                transpose(rows.data() + i, block, square.data() + i, kWordBits);
            transposed = block;
        }
        const std::uint8_t* const bytes = square.data() + (cell - block) * kWordBits;
        const Word free = all & ~equal(bytes, padded, kMine);
        std::array<Word, kValues> values;
        Count count = 0;
        for (Word rest = free; rest != 0; rest &= ~values[count++])
            values[count] = free & equal(bytes, padded, bytes[lowest(rest)]);
        if (count < 2) continue;
        Word* const kept = arena_.take<Word>(count);
        Column& column = base.columns[columns];
        column = Column{free, {}, kept, count, cell};
        live[columns] = static_cast<Place>(columns);
        ++columns;
        for (Count v = 0; v < count; ++v) {
            kept[v] = values[v];
            for (Count p = 0; p < kPlanes; ++p) column.planes[p] |= (v >> p & 1) != 0 ? values[v] : 0;
            const Word near = free & ~values[v];
            for (Word x = values[v]; x != 0; x &= x - 1) base.far[lowest(x)] |= near;
        }
    }
    for (Count i = 0; i < size; ++i) base.far[i] = all & ~base.far[i] & ~bit(i);

    most = std::min(most, base.colours(all));
    if (most <= 2 || most < need) return most;
    return narrow_fresh(base, all, {live, columns}, most, need);
}

Count Search::narrow(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need) {
    if (ones(set) < kRemembered) return narrow_fresh(base, set, live, most, need);
    const Key key = base.key_of(set, stamp_);
    Count value = 0;
    if (recall(key, need, most, value)) return value;
    value = narrow_fresh(base, set, live, most, need);
    remember(key, need, value);
    return value;
}

// Opens what is safe, if anything is, and otherwise tries moves.
Count Search::narrow_fresh(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need) {
    if (!enough_left(0)) return 0;
    const Scope scope(arena_);
    std::array<Place, 64> few;
    Place* const rest = live.size() <= few.size() ? few.data() : arena_.take<Place>(live.size());
    std::array<Part, kWordBits> parts;
    Count rest_count = 0, count = 1;
    Count safe = kNone;
    parts[0].set = set;
    for (const Place place : live) {
        const Column& column = base.columns[place];
        const Word free = set & column.free;
        if (!column.differs(free)) continue;
        if (free != set) {
            rest[rest_count++] = place;
            continue;
        }
        safe = column.cell;
        for (Count i = count; i-- > 0;) {
            Word left = parts[i].set;
            if ((left & (left - 1)) == 0) continue;
            Count at = i;
            for (const Word* value = column.values;; ++value) {
                const Word here = left & *value;
                if (here == 0) continue;
                parts[at].set = here;
                left ^= here;
                if (left == 0) break;
                at = count++;
            }
        }
    }
    const std::span<const Place> still_live(rest, rest_count);
    if (count == 1 && rest_count > 0) return narrow_moves(base, set, still_live, most, need);
    Count total = 0;
    for (Part& part : std::span(parts).first(count)) total += part.most = base.colours(part.set);
    if (count > 1)
        total = narrow_parts(base, std::span(parts).first(count), still_live, need - 1, total);
    else
        total = 1;
    chosen_ = safe;
    return total;
}

// Searches parts one after the other, until their sum cannot exceed `cut`.
//   require: total = what the parts can give at most, and more for what is settled already
//   ensure:  the sum, exact if it exceeds `cut`, otherwise a bound
Count Search::narrow_parts(const Narrow& base, std::span<const Part> parts, std::span<const Place> live, Count cut,
                           Count total) {
    MINEPROOF_REQUIRE(std::accumulate(parts.begin(), parts.end(), Count{0},
                                      [](Count sum, const Part& part) { return sum + part.most; }) <= total);
    const auto three = [&](Word set) {  // any two of which some cell distinguishes; as in `tiny`
        const auto tells = [&](Place place) {
            const Column& column = base.columns[place];
            return (set & ~column.free) == 0 && column.differs(set);
        };
        return std::any_of(live.begin(), live.end(), tells) ? Count{3} : Count{2};
    };
    for (const Part& part : parts) {
        if (total <= cut) break;
        if (part.most <= 2) continue;  // the bound is the value
        const Count others = total - part.most;
        Word fourth = part.set & (part.set - 1);
        fourth &= fourth - 1;
        fourth &= fourth - 1;
        total = others + (fourth == 0 ? three(part.set) : narrow(base, part.set, live, part.most, needed(cut, others)));
        if (stopped_) return 0;
    }
    return total;
}

Count Search::narrow_moves(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need) {
    const auto free = [&](Place place) { return ones(set & base.columns[place].free); };
    const auto dominated = [&](Place place) {
        return
            [&, own = set & base.columns[place].free](Place other) { return (own & ~base.columns[other].free) == 0; };
    };
    const auto colours = [&](Place place) {
        const Column& column = base.columns[place];
        Count total = 0;
        Word left = set & column.free;
        for (const Word* value = column.values; left != 0; ++value) {
            total += base.colours(left & *value);
            left &= ~*value;
        }
        return total;
    };
    const auto play = [&](Place place, Count bound, Count cut) {
        const Column& column = base.columns[place];
        std::array<Part, kValues> parts;
        Count count = 0;
        for (Count v = 0; v < column.count; ++v) {
            const Word part = set & column.values[v];
            if ((part & (part - 1)) != 0) parts[count++] = Part{part, base.colours(part)};
        }
        return narrow_parts(base, std::span(parts).first(count), live, cut, bound);
    };
    Count upper = 1;
    const auto moves = order_moves(live, need - 1, upper, free, dominated, colours);
    return best_move(base, moves, upper, most, need, play);
}

}  // namespace mineproof::endgame
