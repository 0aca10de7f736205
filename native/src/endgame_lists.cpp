// Endgames of more than 64 layouts, as lists: safe cells are opened, and parts get the value that is needed of them,
// all without a base; see endgame.cpp.
//
// A pass over the rows of a list, sixteen cells at a time, finds the live cells and which of these are safe.
// Three of four sets have safe cells, and most of these fall into parts so small that nothing is left to search; only
// where nothing is safe does a set get a base.

#include <cstring>
#include <utility>

#include "mineproof/byte_squares.hpp"
#include "mineproof/endgame_search.hpp"

namespace mineproof::endgame {
namespace {

// Hashes what rows show in the cells of a mask.
class RowHash {
  public:
    RowHash(Arena& arena, const std::uint8_t* mask, std::size_t stride)
        : words_(arena.take<Some>(stride / sizeof(Word))) {
        for (std::size_t start = 0; start < stride; start += sizeof(Word)) {
            words_[count_] = Some{start, word_at(mask + start)};
            count_ += words_[count_].mask != 0;
        }
    }

    Word operator()(const std::uint8_t* row) const {
        Word hash = 0;
        for (const Some& some : std::span(words_, count_)) {
            const auto product =
                static_cast<unsigned __int128>(hash ^ (word_at(row + some.start) & some.mask) ^ 0xA0761D6478BD642F) *
                0x9E3779B97F4A7C15;
            hash = static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
        }
        return hash;
    }

  private:
    struct Some {
        std::size_t start;
        Word mask;
    };

    static Word word_at(const std::uint8_t* bytes) {
        Word word;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }

    Some* words_;
    std::size_t count_ = 0;
};

// Numbers hashes from 0 on, in the order in which they are first met.
class Numbering {
  public:
    Numbering(Arena& arena, Count most)
        : slots_(std::bit_ceil(2 * most)), slot_(arena.take<Count>(slots_)), met_(arena.take<Word>(most)) {
        std::fill_n(slot_, slots_, 0);
    }

    Count operator()(Word hash) {
        Count at = static_cast<Count>(hash) & (slots_ - 1);
        while (slot_[at] != 0 && met_[slot_[at] - 1] != hash) at = (at + 1) & (slots_ - 1);
        if (slot_[at] == 0) {
            met_[count_] = hash;
            slot_[at] = ++count_;
        }
        return slot_[at] - 1;
    }

  private:
    Count slots_, count_ = 0;
    Count* slot_;  // one more than the number, 0 when free
    Word* met_;
};

}  // namespace

Search::Look Search::look_over(std::span<const Count> ids) {
    Look look{arena_.take<std::uint8_t>(stride_), arena_.take<std::uint8_t>(stride_), false, false};
    std::array<std::uint8_t, kLane> least, most, free;  // free: the most that is shown where the cell is free
    for (std::size_t first = 0; first < stride_; first += kLane) {
        span_rows([&](std::size_t i) { return row(ids[i]) + first; }, ids.size(), kMine, least.data(), most.data(),
                  free.data());
        for (std::size_t i = 0; i < kLane; ++i) {
            const bool live = free[i] > least[i], safe = live && most[i] != kMine;
            look.live[first + i] = static_cast<std::uint8_t>(-static_cast<int>(live));
            look.safe[first + i] = static_cast<std::uint8_t>(-static_cast<int>(safe));
            look.any_live |= live;
            look.any_safe |= safe;
        }
    }
    return look;
}

// How many colours they have.
Count Search::colours_of(std::span<const Count> ids) const {
    Count count = 0, last = 0;
    for (const Count id : ids) {
        count += colours_[id] != last;
        last = colours_[id];
    }
    return count;
}

Count Search::list(std::span<const Count> ids, const Key& key, const Wide* near, Count most, Count need) {
    if (!enough_left(ids.size() * stride_ / kLane)) return 0;
    const Scope scope(arena_);
    const Look look = look_over(ids);
    Count value = 1;
    chosen_ = kNone;
    if (look.any_safe)
        value = open_safe(ids, look, near, need - 1);
    else if (look.any_live)
        value = search_moves(ids, look, near, most, need);
    remember(key, need, value);
    return value;
}

// Layouts that show the same in the cells of a mask stay together, by a hash of it. Should two hashes be the same by
// chance, nothing is lost: that part has safe cells still.
std::span<ListPart> Search::gather(std::span<const Count> ids, const std::uint8_t* mask) {
    const auto size = static_cast<Count>(ids.size());
    ListPart* const parts = arena_.take<ListPart>(size);
    Count* next = arena_.take<Count>(size);
    const Scope scope(arena_);
    Count* const part_of = arena_.take<Count>(size);
    const RowHash hash(arena_, mask, stride_);
    Numbering number(arena_, size);
    Count count = 0;
    for (Count i = 0; i < size; ++i) {
        part_of[i] = number(hash(row(ids[i])));
        if (part_of[i] == count) parts[count++] = ListPart{nullptr, 0, 0, false, stamp_};
        ++parts[part_of[i]].size;
    }
    for (ListPart& part : std::span(parts, count)) {
        part.ids = next;
        next += std::exchange(part.size, 0);
    }
    for (Count i = 0; i < size; ++i) {
        ListPart& part = parts[part_of[i]];
        part.ids[part.size++] = ids[i];
    }
    return {parts, count};
}

// Opens all cells that are safe.
Count Search::open_safe(std::span<const Count> ids, const Look& look, const Wide* near, Count cut) {
    const std::span<ListPart> parts = gather(ids, look.safe);
    Count total = 0, count = 0;
    for (ListPart part : parts) {
        const std::span<const Count> own(part.ids, part.size);
        total += part.most = part.size <= kTiny ? tiny(own) : colours_of(own);
        if (part.size <= kTiny) continue;
        for (const Count id : own) part.key ^= keys_[id];
        parts[count++] = part;
    }
    return total <= cut ? total : list_parts(parts.first(count), near, cut, total);
}

// As `narrow_parts`. At first each part need only be more than its share of `cut`: where all of them are less, nothing
// has to be known exactly. Large ones come first, because they bring the sum down the most.
Count Search::list_parts(std::span<ListPart> parts, const Wide* near, Count cut, Count total) {
    for (ListPart& part : parts) {
        Count known = part.most;
        part.exact = recall(part.key, 1, known, known);
        total = total - part.most + known;
        part.most = known;
    }
    std::sort(parts.begin(), parts.end(), [](const ListPart& a, const ListPart& b) {
        return a.most != b.most ? a.most > b.most : a.key.a < b.key.a;
    });
    for (const bool by_share : {true, false}) {
        std::uint64_t open = 0;  // what the parts still to be looked at can give at most
        for (const ListPart& part : parts) open += part.exact ? 0 : part.most;
        std::uint64_t spare = cut - std::min<std::uint64_t>(cut, total - open);  // what they may give in all
        for (ListPart& part : parts) {
            if (total <= cut) return total;
            if (part.exact) continue;
            const Count others = total - part.most, before = part.most;
            const auto share = by_share ? static_cast<Count>(spare * before / open) : 0;
            const Count need = std::max(needed(cut, others), share + 1);
            if (need <= before) {
                part.most = list({part.ids, part.size}, part.key, near, before, need);
                if (stopped_) return 0;
                part.exact = part.most >= need;
                total = others + part.most;
            }
            open -= before;
            spare -= std::min<std::uint64_t>(spare, part.most);
        }
    }
    return total;
}

Count Search::search_moves(std::span<const Count> ids, const Look& look, const Wide* near, Count most, Count need) {
    const auto size = static_cast<Count>(ids.size());
    if (size > kWordBits && near != nullptr && std::size_t{size} * kShare > std::size_t{near->words} * kWordBits)
        return wide_within(*near, ids, look, most, need);
    Count* const cells = arena_.take<Count>(cells_);
    Count count = 0;
    for (Count cell = 0; cell < cells_; ++cell) {
        cells[count] = cell;
        count += look.live[cell] & 1;
    }
    return size <= kWordBits ? enter_narrow(ids, {cells, count}, most, need)
                             : enter_wide(ids, {cells, count}, most, need);
}

}  // namespace mineproof::endgame
