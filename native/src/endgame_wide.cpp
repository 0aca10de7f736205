// Endgames of more than 64 layouts: a set is several words. There are few of these, but each is long; see endgame.cpp.

#include <cstring>

#include "mineproof/byte_squares.hpp"
#include "mineproof/endgame_search.hpp"

namespace mineproof::endgame {
namespace {

constexpr std::size_t kMasks = 10;  // of a cell: where it is free, and where it shows each of nine values

bool meets(const Word* set, const Word* other, Count words) {
    for (Count w = 0; w < words; ++w)
        if ((set[w] & other[w]) != 0) return true;
    return false;
}

// Is everything in `set` and `some` also in `all`?
bool covers(const Word* all, const Word* set, const Word* some, Count words) {
    for (Count w = 0; w < words; ++w)
        if ((set[w] & some[w] & ~all[w]) != 0) return false;
    return true;
}

bool covers(const Word* all, const Word* set, Count words) { return covers(all, set, set, words); }

// Visits every layout of a set, by its position in the base.
template <class Visit>
void each_position(const Word* set, Count words, Visit visit) {
    for (Count w = 0; w < words; ++w)
        for (Word x = set[w]; x != 0; x &= x - 1) visit(w * kWordBits + lowest(x));
}

}  // namespace

// Bases -----------------------------------------------------------------------------------------------

// Writes down the columns of these layouts; those that tell nothing are left out. False when over budget.
bool Search::fill(Wide& base, std::span<const Count> ids, std::span<const Count> cells) {
    const auto size = static_cast<Count>(ids.size());
    base.ids = ids.data();
    base.words = words_for(size);
    base.columns = arena_.take<WideColumn>(cells.size());
    const std::size_t room = kMasks * base.words;
    Word* const masks = arena_.take<Word>(cells.size() * room);
    std::array<const std::uint8_t*, kWordBits> rows;
    std::array<std::uint8_t, kLane * kWordBits> square;
    for (Count w = 0; w < base.words; ++w) {
        if (!budget_->work(cells.size())) return !(stopped_ = true);
        const Count start = w * kWordBits;
        const Word all = first_bits(size - start);
        for (Count i = 0; i < kWordBits; ++i) rows[i] = row(ids[std::min(start + i, size - 1)]);
        std::size_t transposed = ~std::size_t{0};
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const std::size_t block = cells[c] / kLane * kLane;
            if (block != transposed) {
                for (std::size_t i = 0; i < kWordBits; i += kLane)
                    transpose(rows.data() + i, block, square.data() + i, kWordBits);
                transposed = block;
            }
            const std::uint8_t* const bytes = square.data() + (cells[c] - block) * kWordBits;
            Word* const here = masks + c * room + w;
            for (std::size_t v = 0; v < kMasks; ++v) here[v * base.words] = 0;
            Word rest = all & ~equal(bytes, kWordBits, kMine);
            here[0] = rest;
            while (rest != 0) {
                const std::uint8_t value = bytes[lowest(rest)];
                const Word shown = rest & equal(bytes, kWordBits, value);
                here[(value + std::size_t{1}) * base.words] = shown;
                rest ^= shown;
            }
        }
    }
    keep_live_columns(base, masks, cells);
    return true;
}

// Makes columns of the cells that show two values or more.
void Search::keep_live_columns(Wide& base, Word* masks, std::span<const Count> cells) const {
    base.columns_count = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        Word* const mask = masks + c * kMasks * base.words;
        WideColumn column{mask, {}, 0, cells[c]};
        for (std::size_t v = 1; v < kMasks; ++v) {
            Word* const value = mask + v * base.words;
            if (std::any_of(value, value + base.words, [](Word word) { return word != 0; }))
                column.values[column.count++] = value;
        }
        if (column.count > 1) base.columns[base.columns_count++] = column;
    }
}

// Colours the layouts of the root, greedily, and puts them in the order of their colours.
class Search::Colouring {
  public:
    Colouring(Search& search, Wide& base, Count size) : search_(search), base_(base) {
        left_ = search.arena_.take<Word>(base.words);
        open_ = search.arena_.take<Some>(base.words);
        values_ = search.arena_.take<const Word*>(base.columns_count);
        order_ = search.arena_.take<Count>(base.columns_count);
        for (Count w = 0; w < base.words; ++w) left_[w] = first_bits(size - w * kWordBits);
        order_columns();
    }

    // False when over budget.
    bool run() {
        for (Count first = 0; first < base_.words; ++first)
            while (left_[first] != 0)
                if (!add_colour(first)) return false;
        return true;
    }

  private:
    struct Some {
        Count word;
        Word bits;
    };

    // Cells that tell most pairs apart come first. Values are widened by the layouts that do not contradict them, so
    // that what is far from a layout is what all its values have in common.
    void order_columns() {
        std::uint64_t* const told = search_.arena_.take<std::uint64_t>(base_.columns_count);
        for (Count c = 0; c < base_.columns_count; ++c) {
            const WideColumn& column = base_.columns[c];
            std::uint64_t free = 0, alike = 0;
            for (Count v = 0; v < column.count; ++v) {
                std::uint64_t shown = 0;
                for (Count w = 0; w < base_.words; ++w) {
                    shown += ones(column.values[v][w]);
                    column.values[v][w] |= ~column.free[w];
                }
                free += shown;
                alike += shown * shown;
            }
            told[c] = free * free - alike;
            order_[c] = c;
        }
        std::sort(order_, order_ + base_.columns_count,
                  [&](Count a, Count b) { return told[a] != told[b] ? told[a] > told[b] : a < b; });
    }

    // The first layout that is left, and then each that is far from all of its colour.
    bool add_colour(Count first) {
        ++colour_;
        place(first, lowest(left_[first]));
        const Count end = std::min(base_.words, first + kWindow);
        if (!search_.budget_->work(end - first)) return false;
        Count open_count = 0;
        for (Count w = first; w < end; ++w) {
            const Word bits = far(left_[w], w);
            if (bits != 0) open_[open_count++] = Some{w, bits};
        }
        for (Count i = 0; i < open_count; ++i) {
            while (open_[i].bits != 0) {
                place(open_[i].word, lowest(open_[i].bits));
                open_[i].bits &= open_[i].bits - 1;
                for (Count j = i; j < open_count; ++j) open_[j].bits = far(open_[j].bits, open_[j].word);
            }
        }
        return true;
    }

    // Gives a layout the colour at hand and the next place.
    void place(Count word, Count i) {
        left_[word] &= ~bit(i);
        search_.colours_[placed_] = colour_;
        const std::size_t stride = search_.stride_;
        std::memcpy(search_.sorted_.data() + placed_++ * stride, search_.row(word * kWordBits + i), stride);
        value_count_ = 0;
        for (Count c = 0; c < base_.columns_count; ++c) {
            const WideColumn& column = base_.columns[order_[c]];
            if ((column.free[word] & bit(i)) == 0) continue;
            Count v = 0;
            while ((column.values[v][word] & bit(i)) == 0) ++v;
            values_[value_count_++] = column.values[v];
        }
    }

    // Those of a word's layouts that are far from the one placed last.
    Word far(Word bits, Count word) const {
        for (Count i = 0; i < value_count_ && bits != 0; ++i) bits &= values_[i][word];
        return bits;
    }

    Search& search_;
    const Wide& base_;
    Word* left_;           // layouts without a colour
    Some* open_;           // those that may still get the colour at hand
    const Word** values_;  // of the layout placed last
    Count* order_;         // columns, the most telling first
    Count value_count_ = 0, placed_ = 0, colour_ = 0;
};

void Search::order_by_colour() {
    const Scope scope(arena_);
    Wide base;
    if (!fill(base, std::span(all_ids_).first(layouts_), std::span(all_cells_).first(cells_))) return;
    sorted_.resize(rows_.size());
    colours_.resize(layouts_);
    if (Colouring(*this, base, layouts_).run())
        rows_.swap(sorted_);
    else
        stopped_ = true;
}

Count Search::enter_wide(std::span<const Count> ids, const Key& key, std::span<const Count> cells, Count most,
                         Count need) {
    Wide base;
    if (!fill(base, ids, cells)) return 0;
    const auto size = static_cast<Count>(ids.size());
    Word* const set = arena_.take<Word>(base.words);
    base.ends = arena_.take<Word>(base.words);
    for (Count w = 0; w < base.words; ++w) {
        set[w] = first_bits(size - w * kWordBits);
        base.ends[w] = bit(kWordBits - 1);
    }
    for (Count i = 0; i < size; ++i)
        if (i + 1 == size || colours_[ids[i]] != colours_[ids[i + 1]]) base.ends[i / kWordBits] |= bit(i % kWordBits);
    most = std::min(most, base.colours(set));
    if (most < need) return most;
    Place* const live = arena_.take<Place>(base.columns_count);
    for (Count c = 0; c < base.columns_count; ++c) live[c] = static_cast<Place>(c);
    return wide(base, set, size, key, {live, base.columns_count}, most, need);
}

// Sets ------------------------------------------------------------------------------------------------

Count Search::wide(const Wide& base, const Word* set, Count size, const Key& key, std::span<const Place> live,
                   Count most, Count need) {
    if (!enough_left(base.words * live.size() + size)) return 0;
    const Scope scope(arena_);
    Place* const rest = arena_.take<Place>(live.size());
    Place* const safe = arena_.take<Place>(live.size());
    Count rest_count = 0, safe_count = 0;
    for (const Place place : live) {
        const WideColumn& column = base.columns[place];
        Count shown = 0;
        for (Count v = 0; v < column.count && shown < 2; ++v) shown += meets(set, column.values[v], base.words);
        if (shown < 2) continue;
        (covers(column.free, set, base.words) ? safe[safe_count++] : rest[rest_count++]) = place;
    }
    const std::span<const Place> still_live(rest, rest_count);
    Count value = 1;
    if (safe_count > 0) {
        value = wide_safe(base, set, size, {safe, safe_count}, still_live, need - 1);
        chosen_ = base.columns[safe[0]].cell;
    } else if (rest_count > 0) {
        value = wide_moves(base, set, still_live, most, need);
    } else {
        chosen_ = kNone;
    }
    remember(key, need, value);
    return value;
}

// As `narrow_parts`; small parts first, because they may spare the large ones.
Count Search::wide_parts(const Wide& base, std::span<WidePart> parts, std::span<const Place> live, Count cut,
                         Count total) {
    for (WidePart& part : parts) {
        Count known = part.most;
        part.exact = recall(part.key, 1, known, known);
        total = total - part.most + known;
        part.most = known;
    }
    std::sort(parts.begin(), parts.end(), [](const WidePart& a, const WidePart& b) {
        return a.size != b.size ? a.size < b.size : a.key.a < b.key.a;
    });
    for (const WidePart& part : parts) {
        if (total <= cut) break;
        if (part.exact) continue;
        const Count others = total - part.most;
        total = others + wide_part(base, part, live, needed(cut, others));
        if (stopped_) return 0;
    }
    return total;
}

Count Search::wide_part(const Wide& base, const WidePart& part, std::span<const Place> live, Count need) {
    const Scope scope(arena_);
    if (part.size > kWordBits && std::size_t{part.size} * kShare > std::size_t{base.words} * kWordBits) {
        if (part.set != nullptr) return wide(base, part.set, part.size, part.key, live, part.most, need);
        Word* const set = arena_.take<Word>(base.words);
        std::fill_n(set, base.words, 0);
        for (const Count position : std::span(part.positions, part.size))
            set[position / kWordBits] |= bit(position % kWordBits);
        return wide(base, set, part.size, part.key, live, part.most, need);
    }
    Count* const cells = arena_.take<Count>(live.size());
    for (std::size_t i = 0; i < live.size(); ++i) cells[i] = base.columns[live[i]].cell;
    Count* const ids = arena_.take<Count>(part.size);
    Count count = 0;
    if (part.set == nullptr)
        for (; count < part.size; ++count) ids[count] = base.ids[part.positions[count]];
    else
        each_position(part.set, base.words, [&](Count position) { ids[count++] = base.ids[position]; });
    return enter({ids, count}, part.key, {cells, live.size()}, part.most, need);
}

// Safe cells ------------------------------------------------------------------------------------------

// Gathers the layouts that show the same in all these cells, by a hash of what they show. Should two hashes be the
// same by chance, nothing is lost: that part has safe cells still.
std::span<WidePart> Search::gather(const Wide& base, const Word* set, Count size, std::span<const Place> safe) {
    const Count slots = std::bit_ceil(2 * size);
    Count* const slot = arena_.take<Count>(slots);
    std::fill_n(slot, slots, kNone);
    Count* const part_of = arena_.take<Count>(size);
    std::uint64_t* const hashes = arena_.take<std::uint64_t>(size);
    WidePart* const parts = arena_.take<WidePart>(size);
    Count* const cells = arena_.take<Count>(safe.size());
    std::uint64_t* const factors = arena_.take<std::uint64_t>(safe.size());
    for (std::size_t i = 0; i < safe.size(); ++i) {
        cells[i] = base.columns[safe[i]].cell;
        factors[i] = (i == 0 ? std::uint64_t{1} : factors[i - 1]) * 0x9E3779B97F4A7C15;
    }
    Count count = 0, part_count = 0;
    each_position(set, base.words, [&](Count position) {
        const std::uint8_t* const shown = row(base.ids[position]);
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < safe.size(); ++i) hash += (shown[cells[i]] + std::uint64_t{1}) * factors[i];
        Count at = static_cast<Count>(hash >> 32) & (slots - 1);
        while (slot[at] != kNone && hashes[slot[at]] != hash) at = (at + 1) & (slots - 1);
        if (slot[at] == kNone) {
            slot[at] = part_count;
            hashes[part_count] = hash;
            parts[part_count++] = WidePart{nullptr, nullptr, 0, 0, false, stamp_};
        }
        part_of[count++] = slot[at];
        ++parts[slot[at]].size;
    });
    Count* const positions = arena_.take<Count>(size);
    Count** const ends = arena_.take<Count*>(part_count);
    Count start = 0;
    for (Count i = 0; i < part_count; ++i) {
        parts[i].positions = ends[i] = positions + start;
        start += parts[i].size;
    }
    count = 0;
    each_position(set, base.words, [&](Count position) {
        const Count part = part_of[count++];
        *ends[part]++ = position;
        parts[part].key ^= keys_[base.ids[position]];
    });
    return {parts, part_count};
}

Count Search::wide_safe(const Wide& base, const Word* set, Count size, std::span<const Place> safe,
                        std::span<const Place> live, Count cut) {
    const std::span<WidePart> parts = gather(base, set, size, safe);
    Count total = 0, count = 0;
    for (WidePart part : parts) {
        if (part.size <= 3) {
            std::array<Count, 3> ids{};
            for (Count i = 0; i < part.size; ++i) ids[i] = base.ids[part.positions[i]];
            total += tiny({ids.data(), part.size});
            continue;
        }
        for (Count i = 0; i < part.size;) {
            const Count word = part.positions[i] / kWordBits;
            Word bits = 0;
            for (; i < part.size && part.positions[i] / kWordBits == word; ++i)
                bits |= bit(part.positions[i] % kWordBits);
            part.most += colours_hit(bits, base.ends[word]);
        }
        total += part.most;
        parts[count++] = part;
    }
    return total <= cut ? total : wide_parts(base, parts.first(count), live, cut, total);
}

// Moves -----------------------------------------------------------------------------------------------

// What is won by opening one cell: exact if it exceeds `cut`, otherwise a bound. `room` is for nine sets.
Count Search::wide_move(const Wide& base, const Word* set, const WideColumn& column, Word* room,
                        std::span<const Place> live, Count cut) {
    std::array<WidePart, 9> parts;
    Count count = 0, total = 0;
    for (Count v = 0; v < column.count; ++v) {
        Word* const part = room + std::size_t{v} * base.words;
        for (Count w = 0; w < base.words; ++w) part[w] = set[w] & column.values[v][w];
        Count size = 0;
        Key key = stamp_;
        std::array<Count, 3> first{};
        each_position(part, base.words, [&](Count position) {
            const Count id = base.ids[position];
            if (size < first.size()) first[size] = id;
            ++size;
            key ^= keys_[id];
        });
        if (size == 0) continue;
        if (size <= first.size()) {
            total += tiny({first.data(), size});
            continue;
        }
        const Count most = base.colours(part);
        parts[count++] = WidePart{part, nullptr, size, most, false, key};
        total += most;
    }
    return total <= cut ? total : wide_parts(base, std::span(parts).first(count), live, cut, total);
}

Count Search::wide_moves(const Wide& base, const Word* set, std::span<const Place> live, Count most, Count need) {
    Word* const room = arena_.take<Word>(std::size_t{9} * base.words);
    const auto free = [&](Place place) {
        Count count = 0;
        for (Count w = 0; w < base.words; ++w) count += ones(set[w] & base.columns[place].free[w]);
        return count;
    };
    const auto dominated = [&](Place place) {
        return [&, own = base.columns[place].free](Place other) {
            return covers(base.columns[other].free, set, own, base.words);
        };
    };
    const auto colours = [&](Place place) {
        const WideColumn& column = base.columns[place];
        Count total = 0;
        for (Count v = 0; v < column.count; ++v)
            for (Count w = 0; w < base.words; ++w) total += colours_hit(set[w] & column.values[v][w], base.ends[w]);
        return total;
    };
    const auto play = [&](Place place, Count, Count cut) {
        return wide_move(base, set, base.columns[place], room, live, cut);
    };
    Count upper = 1;
    const auto moves = order_moves(live, need - 1, upper, free, dominated, colours);
    return best_move(base, moves, upper, most, need, play);
}

}  // namespace mineproof::endgame
