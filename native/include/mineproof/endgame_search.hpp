// The implementation of `Endgame`: sets of layouts as bits, a table of sets already met, and the search. The idea is
// explained in endgame.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/arena.hpp"
#include "mineproof/budget.hpp"
#include "mineproof/endgame.hpp"

namespace mineproof::endgame {

using Word = std::uint64_t;
using Count = std::uint32_t;
using Place = std::uint16_t;  // of a column in its base

inline constexpr std::uint8_t kMine = Views::kMine;
inline constexpr Count kWordBits = 64;
inline constexpr Count kValues = kReach + 1;  // what a free cell can show
inline constexpr Count kPlanes = std::bit_width(kValues - 1);

// Number of set bits. Without the machine instruction the compiler would call a library function, which is slower.
inline Count ones(Word x) {
#if defined(__POPCNT__) || !defined(__x86_64__)
    return static_cast<Count>(std::popcount(x));
#else
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return static_cast<Count>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}

inline Count lowest(Word x) { return static_cast<Count>(std::countr_zero(x)); }
inline Word bit(Count i) { return Word{1} << i; }
inline Word first_bits(Count n) { return n >= kWordBits ? ~Word{0} : bit(n) - 1; }
inline Count words_for(Count n) { return (n + kWordBits - 1) / kWordBits; }

// Identifies a set of layouts: the exclusive or of a random number for each of them.
struct Key {
    Word a = 0, b = 0;

    void operator^=(const Key& other) {
        a ^= other.a;
        b ^= other.b;
    }
};

// What is known of sets of layouts already met: layouts won, or no more than so many.
class Memory {
  public:
    struct Fact {
        Count value = 0;  // 0: nothing is known
        bool exact = false;
    };

    static constexpr Count kLargest = (Count{1} << 24) - 1;

    explicit Memory(std::size_t bytes)
        : most_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), kFewest))) {}

    // Forgets everything. Entries of other generations are overwritten first; the caller makes sure that their keys
    // are not used again.
    void begin(std::size_t layouts, std::uint64_t generation) {
        const std::size_t size = std::min(most_, std::bit_ceil(std::max(layouts * kBucketsPerLayout, kFewest)));
        if (buckets_.size() < size) buckets_.resize(size);
        mask_ = size - 1;
        generation_ = static_cast<Count>(generation % kGenerations);
    }

    std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

    Fact find(const Key& key) const {
        for (const Entry& entry : buckets_[key.a & mask_].entries)
            if (entry.a == key.a && entry.b == static_cast<std::uint32_t>(key.b))
                return Fact{entry.fact >> 8, (entry.fact >> 7 & 1) != 0};
        return Fact{};
    }

    void store(const Key& key, Count value, bool exact) {
        const auto b = static_cast<std::uint32_t>(key.b);
        Entry* victim = nullptr;
        Count least = ~Count{0};
        for (Entry& entry : buckets_[key.a & mask_].entries) {
            if (entry.a == key.a && entry.b == b) {
                victim = &entry;
                break;
            }
            // The value of a set is roughly proportional to the work it took.
            const Count worth = (entry.fact & (kGenerations - 1)) == generation_ ? entry.fact >> 8 : 0;
            if (worth < least) {
                least = worth;
                victim = &entry;
            }
        }
        *victim = Entry{key.a, b, value << 8 | Count{exact} << 7 | generation_};
    }

  private:
    static constexpr std::size_t kFewest = 64, kBucketsPerLayout = 4;
    static constexpr Count kGenerations = 128;

    struct Entry {
        Word a = 0;
        std::uint32_t b = 0;
        std::uint32_t fact = 0;  // value, 1 bit whether it is exact, 7 bits of generation
    };
    struct alignas(64) Bucket {
        std::array<Entry, 4> entries{};
    };

    std::size_t most_;
    std::vector<Bucket> buckets_;
    std::size_t mask_ = 0;
    Count generation_ = 0;
};

// How many colours there are in a word whose layouts are ordered by colour. A field of bits that is not empty, plus
// ones in all its places but the last, carries into the last or has it.
inline Count colours_hit(Word set, Word ends) { return ones((((set & ~ends) + ~ends) | set) & ends); }

// A cell of a narrow base: its layouts by what it shows, as bits.
struct Column {
    Word free;
    // Values are renumbered from 0 in the order of their first layouts; planes hold the bits of that number.
    std::array<Word, kPlanes> planes;
    const Word* values;  // count of them
    Count count;
    Count cell;

    // Do these layouts, in all of which the cell is free, show different values?
    bool differs(Word layouts) const {
        const auto parts = [layouts](Word plane) { return (layouts & plane) - 1 < layouts - 1; };
        // Bitwise: evaluating both is cheaper than a branch.
        return (int{parts(planes[0])} | int{parts(planes[1])}) != 0 ||
               (count > 4 && any_further(parts, std::make_index_sequence<kPlanes - 2>()));
    }

  private:
    template <std::size_t... Further>
    bool any_further(const auto& parts, std::index_sequence<Further...>) const {
        return (parts(planes[Further + 2]) || ...);
    }
};

// Up to 64 layouts and the cells that matter to them.
struct Narrow {
    std::array<Word, kWordBits> far;  // by layout: the others that no cell tells from it
    std::array<Key, kWordBits> keys;
    Column* columns;

    Key key_of(Word set, Key start) const {
        for (; set != 0; set &= set - 1) start ^= keys[lowest(set)];
        return start;
    }

    // How many colours a set needs at most, so that layouts of one colour are far from each other.
    Count colours(Word set) const {
        Count count = 0;
        for (; set != 0; ++count) {
            Word open = set;
            do {
                const Count i = lowest(open);
                set &= ~bit(i);
                open &= far[i];
            } while (open != 0);
        }
        return count;
    }
};

// The same with more than one word.
struct WideColumn {
    Word* free;
    std::array<Word*, kValues> values;  // count of them
    Count count;
    Count cell;
};

struct Wide {
    const Count* ids;  // layouts of the root, in their order there
    Count words;
    Word* ends;  // the last layout of each colour, and the last place of each word
    WideColumn* columns;
    Count columns_count;
};

// A part of a set, and how many layouts of it are won, or can be at most.
struct Part {
    Word set;
    Count most;
};

struct ListPart {
    Count* ids;  // ascending
    Count size, most;
    bool exact;
    Key key;
};

// A move that is still worth looking at: no more than `bound` layouts can be won by it.
struct Move {
    Count bound;
    Place place;
};

inline bool better(const Move& a, const Move& b) { return a.bound != b.bound ? a.bound > b.bound : a.place < b.place; }

// By insertion: there are few, they are nearly in order, and nothing is allocated.
inline void sort_stably(std::span<Move> moves) {
    for (std::size_t i = 1; i < moves.size(); ++i)
        for (std::size_t j = i; j > 0 && moves[j - 1].bound < moves[j].bound; --j) std::swap(moves[j - 1], moves[j]);
}

// How much a part must give for a sum to exceed `cut`, when the others give `others` at most.
inline Count needed(Count cut, Count others) { return cut + 1 > others ? cut + 1 - others : 1; }

// One set of layouts and everything below it.
//
// Searches take `need` and return W(S) if that is at least `need`; otherwise some number below `need` that W(S) does
// not exceed. `most` is a bound known from outside. After `stopped_` what they return means nothing.
class Search {
  public:
    explicit Search(std::size_t table_bytes) : memory_(table_bytes) {}

    // False when over budget.
    bool answer(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget, std::uint64_t& won,
                std::size_t& best);
    // The same layouts again, cell by cell.
    bool answer_every_cell(std::vector<std::uint64_t>& values);

    std::uint64_t nodes() const { return nodes_; }
    bool is_large() const { return rows_.capacity() > kLarge || memory_.bytes() > kLarge; }

  private:
    static constexpr std::size_t kLarge = 1 << 24;
    static constexpr Count kNone = ~Count{0};
    // What so few layouts are worth is known without a search.
    static constexpr Count kTiny = 3;
    // Smaller sets are not remembered: searching them again is faster than looking them up.
    static constexpr Count kRemembered = 6;
    // A set that fills less than this share of its base's words gets a base of its own.
    static constexpr Count kShare = 4;
    // Others of a layout's colour are looked for in this many words at most: a million layouts.
    static constexpr Count kWindow = 1 << 14;
    static constexpr std::size_t kMostCells = std::numeric_limits<Place>::max();

    // Of a list of layouts, by cell: ~0 where it is live, and where it is live and safe; 0 elsewhere.
    struct Look {
        std::uint8_t *live, *safe;
        bool any_live, any_safe;
    };

    // The whole, and its parts by one cell (endgame.cpp) ---------------------------------------------

    bool begin(std::span<const std::uint8_t> rows, std::size_t cells, Budget& budget);
    Count value_of(std::span<const Count> ids);
    Count value_of_cell(Count cell);
    Count first_cell(Count won);

    const std::uint8_t* row(Count id) const { return rows_.data() + std::size_t{id} * stride_; }
    bool told_apart(Count one, Count other) const;
    bool safe_to_tell(Count one, Count two, Count three) const;
    Count tiny(std::span<const Count> ids) const;
    // True when the remembered fact answers the search; otherwise it may lower `most`.
    bool recall(const Key& key, Count need, Count& most, Count& result) const {
        const Memory::Fact fact = memory_.find(key);
        if (fact.value == 0) return false;
        result = fact.value;
        if (fact.exact || fact.value < need) return true;
        most = std::min(most, fact.value);
        return false;
    }
    void remember(const Key& key, Count need, Count value) {
        if (!stopped_) memory_.store(key, value, value >= need);
    }
    // Counts a set that is searched; false over budget.
    bool enough_left(std::uint64_t work) {
        ++nodes_;
        stopped_ = stopped_ || !budget_->spend(1);
        return has_time(work);
    }
    bool has_time(std::uint64_t work) {
        stopped_ = stopped_ || !budget_->work(work);
        return !stopped_;
    }

    // Moves, whatever a set is made of ----------------------------------------------------------------

    // Moves worth trying, the most promising first. What the others could win at most goes into `upper`.
    //   free(place)           layouts in which the cell is free
    //   dominated(place)      a function: is the cell free only where another one is too?
    //   colours(place)        colours of the parts that the cell leaves, added up
    template <class Free, class Dominated, class Colours>
    std::span<Move> order_moves(std::span<const Place> live, Count cut, Count& upper, Free free, Dominated dominated,
                                Colours colours);
    // Tries moves in this order until none can win more than the best so far; see the searches above.
    //   play(place, bound, cut)  what is won by a move: exact if it exceeds `cut`, otherwise a bound
    template <class Base, class Play>
    Count best_move(const Base& base, std::span<const Move> moves, Count upper, Count most, Count need, Play play);

    // Up to 64 layouts (endgame_narrow.cpp) ----------------------------------------------------------

    Count enter_narrow(std::span<const Count> ids, std::span<const Count> cells, Count most, Count need);
    Count narrow(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need);
    Count narrow_fresh(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need);
    Count narrow_parts(const Narrow& base, std::span<const Part> parts, std::span<const Place> live, Count cut,
                       Count total);
    Count narrow_moves(const Narrow& base, Word set, std::span<const Place> live, Count most, Count need);

    // More than 64 layouts (endgame_wide.cpp) --------------------------------------------------------

    class Colouring;

    bool fill(Wide& base, std::span<const Count> ids, std::span<const Count> cells);
    void keep_live_columns(Wide& base, Word* masks, std::span<const Count> cells) const;
    void order_by_colour();
    // `cells` are the live ones.
    Count enter_wide(std::span<const Count> ids, std::span<const Count> cells, Count most, Count need);
    // The same in a base that has these layouts.
    Count wide_within(const Wide& base, std::span<const Count> ids, const Look& look, Count most, Count need);
    Count wide_moves(const Wide& base, const Word* set, std::span<const Place> live, Count most, Count need);
    Count wide_move(const Wide& base, const Word* set, const WideColumn& column, Word* room, Count cut);

    // Lists of layouts (endgame_lists.cpp) -------------------------------------------------------------

    Look look_over(std::span<const Count> ids);
    Count colours_of(std::span<const Count> ids) const;
    // Searches more than kTiny layouts. `near` is a base that has all of them, if there is one.
    Count list(std::span<const Count> ids, const Key& key, const Wide* near, Count most, Count need);
    std::span<ListPart> gather(std::span<const Count> ids, const std::uint8_t* mask);
    Count open_safe(std::span<const Count> ids, const Look& look, const Wide* near, Count cut);
    Count list_parts(std::span<ListPart> parts, const Wide* near, Count cut, Count total);
    // Nothing is safe.
    Count search_moves(std::span<const Count> ids, const Look& look, const Wide* near, Count most, Count need);

    Budget* budget_ = nullptr;
    bool stopped_ = false;
    Count chosen_ = kNone;  // the move that wins most in the set finished last; kNone when it did not matter
    std::uint64_t nodes_ = 0, generation_ = 0;

    std::size_t stride_ = 0;
    Count cells_ = 0, layouts_ = 0;
    std::vector<std::uint8_t> rows_, sorted_;           // padded to squares with cells that show nothing
    std::vector<Count> all_cells_, all_ids_, colours_;  // colours_: by layout
    std::vector<Key> keys_;
    Key stamp_;
    Memory memory_;
    Arena arena_;
};

template <class Free, class Dominated, class Colours>
std::span<Move> Search::order_moves(std::span<const Place> live, Count cut, Count& upper, Free free,
                                    Dominated dominated, Colours colours) {
    Move* const moves = arena_.take<Move>(live.size());
    Count count = 0;
    for (const Place place : live) {
        const Count bound = free(place);
        if (bound > cut)
            moves[count++] = Move{bound, place};
        else
            upper = std::max(upper, bound);
    }
    std::sort(moves, moves + count, better);
    Move* const tried = arena_.take<Move>(count);
    Count kept = 0, promising = 0;
    for (Count i = 0; i < count; ++i) {
        const Place place = moves[i].place;
        const auto dominated_by = dominated(place);
        if (std::any_of(moves, moves + kept, [&](const Move& other) { return dominated_by(other.place); })) continue;
        moves[kept++] = moves[i];
        const Count total = colours(place);
        if (total > cut)
            tried[promising++] = Move{total, place};
        else
            upper = std::max(upper, total);
    }
    sort_stably({tried, promising});
    return {tried, promising};
}

template <class Base, class Play>
Count Search::best_move(const Base& base, std::span<const Move> moves, Count upper, Count most, Count need, Play play) {
    Count best = 0, cut = need - 1;
    Place choice = 0;
    for (const Move& move : moves) {
        if (move.bound <= cut) {
            upper = std::max(upper, move.bound);
            break;
        }
        const Count total = play(move.place, move.bound, cut);
        if (stopped_) return 0;
        upper = std::max(upper, total);
        if (total <= cut) continue;
        best = cut = total;
        choice = move.place;
        if (best >= most) break;
    }
    chosen_ = base.columns[choice].cell;
    return best >= need ? best : std::min(upper, most);
}

}  // namespace mineproof::endgame
