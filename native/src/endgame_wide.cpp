// Endgames of more than 64 layouts in which nothing is safe: a set is several words; see endgame.cpp. And the colours
// of the root.

#include <cstring>

#include "mineproof/byte_squares.hpp"
#include "mineproof/endgame_search.hpp"

namespace mineproof::endgame {
namespace {

constexpr std::size_t kMasks = 10;  // of a cell: where it is free, and where it shows each of nine values

// Is everything in `set` and `some` also in `all`?
bool covers(const Word* all, const Word* set, const Word* some, Count words) {
    for (Count w = 0; w < words; ++w)
        if ((set[w] & some[w] & ~all[w]) != 0) return false;
    return true;
}

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
        outlines_ = search.arena_.take<const Word*>(base.columns_count);
        outlines_of_ = search.arena_.take<std::array<Word*, kValues>>(base.columns_count);
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
                outlines_of_[c][v] = outline(column.values[v]);
                free += shown;
                alike += shown * shown;
            }
            told[c] = free * free - alike;
            order_[c] = c;
        }
        std::sort(order_, order_ + base_.columns_count,
                  [&](Count a, Count b) { return told[a] != told[b] ? told[a] > told[b] : a < b; });
    }

    // A bit for each word of a set that is not empty.
    Word* outline(const Word* set) {
        const Count words = words_for(base_.words);
        Word* const bits = search_.arena_.take<Word>(words);
        std::fill_n(bits, words, 0);
        for (Count w = 0; w < base_.words; ++w) bits[w / kWordBits] |= Word{set[w] != 0} << w % kWordBits;
        return bits;
    }

    // The first layout that is left, and then each that is far from all of its colour.
    bool add_colour(Count first) {
        ++colour_;
        place(first, lowest(left_[first]));
        const Count end = std::min(base_.words, first + kWindow);
        if (!search_.budget_->work(end - first)) return false;
        Count open_count = 0;
        for (Count block = first / kWordBits; block < words_for(end); ++block) {
            Word some = ~Word{0};  // words that have a layout for each of the values
            for (Count i = 0; i < value_count_ && some != 0; ++i) some &= outlines_[i][block];
            for (; some != 0; some &= some - 1) {
                const Count w = block * kWordBits + lowest(some);
                if (w < first || w >= end) continue;
                const Word bits = far(left_[w], w);
                if (bits != 0) open_[open_count++] = Some{w, bits};
            }
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
            outlines_[value_count_] = outlines_of_[order_[c]][v];
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
    Word* left_;                               // layouts without a colour
    Some* open_;                               // those that may still get the colour at hand
    const Word** values_;                      // of the layout placed last
    const Word** outlines_;                    // of these
    std::array<Word*, kValues>* outlines_of_;  // by column and value
    Count* order_;                             // columns, the most telling first
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

Count Search::enter_wide(std::span<const Count> ids, std::span<const Count> cells, Count most, Count need) {
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
    Place* const live = arena_.take<Place>(base.columns_count);
    for (Count c = 0; c < base.columns_count; ++c) live[c] = static_cast<Place>(c);
    return wide_moves(base, set, {live, base.columns_count}, most, need);
}

Count Search::wide_within(const Wide& base, std::span<const Count> ids, const Look& look, Count most, Count need) {
    Word* const set = arena_.take<Word>(base.words);
    std::fill_n(set, base.words, 0);
    Count position = 0;
    for (const Count id : ids) {
        while (base.ids[position] != id) ++position;  // both ascend
        set[position / kWordBits] |= bit(position % kWordBits);
    }
    Place* const live = arena_.take<Place>(base.columns_count);
    Count count = 0;
    for (Count c = 0; c < base.columns_count; ++c) {
        live[count] = static_cast<Place>(c);
        count += look.live[base.columns[c].cell] & 1;
    }
    return wide_moves(base, set, {live, count}, most, need);
}

// Moves -----------------------------------------------------------------------------------------------

// What is won by opening one cell: exact if it exceeds `cut`, otherwise a bound. `room` is for nine sets.
Count Search::wide_move(const Wide& base, const Word* set, const WideColumn& column, Word* room, Count cut) {
    std::array<ListPart, kValues> parts;
    std::array<const Word*, kValues> sets;
    Count count = 0, total = 0;
    for (Count v = 0; v < column.count; ++v) {
        Word* const part = room + std::size_t{v} * base.words;
        Count size = 0, most = 0;
        for (Count w = 0; w < base.words; ++w) {
            part[w] = set[w] & column.values[v][w];
            size += ones(part[w]);
            most += colours_hit(part[w], base.ends[w]);
        }
        if (size <= kTiny) {
            std::array<Count, kTiny> ids{};
            Count at = 0;
            each_position(part, base.words, [&](Count position) { ids[at++] = base.ids[position]; });
            total += size == 0 ? 0 : tiny({ids.data(), size});
            continue;
        }
        sets[count] = part;
        parts[count++] = ListPart{nullptr, size, most, false, stamp_};
        total += most;
    }
    if (total <= cut) return total;
    const Scope scope(arena_);
    for (Count i = 0; i < count; ++i) {
        ListPart& part = parts[i];
        Count* id = part.ids = arena_.take<Count>(part.size);
        each_position(sets[i], base.words, [&](Count position) {
            *id++ = base.ids[position];
            part.key ^= keys_[base.ids[position]];
        });
    }
    return list_parts(std::span(parts).first(count), &base, cut, total);
}

Count Search::wide_moves(const Wide& base, const Word* set, std::span<const Place> live, Count most, Count need) {
    if (!has_time(base.words * live.size())) return 0;
    Word* const room = arena_.take<Word>(std::size_t{kValues} * base.words);
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
        return wide_move(base, set, base.columns[place], room, cut);
    };
    Count upper = 1;
    const auto moves = order_moves(live, need - 1, upper, free, dominated, colours);
    return best_move(base, moves, upper, most, need, play);
}

}  // namespace mineproof::endgame
