// Scratch memory of a search: taken and given back in the order of a stack, kept from one call to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace mineproof {

// Memory is handed out uninitialized and is never moved.
class Arena {
  public:
    struct Mark {
        std::size_t block, used;
    };

    Mark mark() const { return Mark{block_, used_}; }
    void release(Mark mark) {
        block_ = mark.block;
        used_ = mark.used;
    }

    template <class T>
    T* take(std::size_t count) {
        static_assert(alignof(T) <= alignof(Unit) && std::is_trivially_destructible_v<T>);
        const std::size_t size = (count * sizeof(T) + sizeof(Unit) - 1) / sizeof(Unit);
        if (blocks_.empty() || used_ + size > blocks_[block_].size) advance(size);
        Unit* const start = blocks_[block_].words.get() + used_;
        used_ += size;
        return reinterpret_cast<T*>(start);
    }

  private:
    using Unit = std::uint64_t;
    static constexpr std::size_t kBlock = 1 << 15;  // units; each block is twice as large as the one before

    struct Block {
        std::unique_ptr<Unit[]> words;
        std::size_t size;
    };

    void advance(std::size_t size) {
        std::size_t next = blocks_.empty() ? 0 : block_ + 1;
        while (next < blocks_.size() && blocks_[next].size < size) ++next;
        if (next == blocks_.size()) {
            const std::size_t words = std::max(size, kBlock << std::min<std::size_t>(next, 10));
            blocks_.push_back(Block{std::make_unique_for_overwrite<Unit[]>(words), words});
        }
        block_ = next;
        used_ = 0;
    }

    std::vector<Block> blocks_;
    std::size_t block_ = 0, used_ = 0;
};

// Releases on destruction what was taken from the arena since construction.
class Scope {
  public:
    explicit Scope(Arena& arena) : arena_(arena), mark_(arena.mark()) {}
    ~Scope() { arena_.release(mark_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    Arena& arena_;
    Arena::Mark mark_;
};

}  // namespace mineproof
