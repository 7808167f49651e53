"""A hash table that threads may read while one of them adds to it."""

from meteorlib.engine.kernel.system cimport prefetch  # which the class below calls by its name there

cdef extern from *:
    """
    #include <atomic>
    #include <cstdint>
    #include <memory>
    #include <vector>
    class MeteorTable {
        std::vector<std::atomic<const void*>> slots;
        size_t mask;
    public:
        explicit MeteorTable(size_t size) : slots(size), mask(size - 1) {}
        size_t size() const { return slots.size(); }
        const void* place(size_t slot) const { return &slots[slot & mask]; }
        const void* at(size_t slot) const { return slots[slot & mask].load(std::memory_order_acquire); }
        void add(const void* entry) {
            size_t slot = *static_cast<const uint64_t*>(entry);
            while (at(slot) != nullptr)
                ++slot;
            slots[slot & mask].store(entry, std::memory_order_release);
        }
    };
    class MeteorSlots {
        std::vector<std::unique_ptr<MeteorTable>> tables;  // whoever still reads an old one finds less
        std::atomic<const MeteorTable*> last{nullptr};
    public:
        const MeteorTable* table() const { return last.load(std::memory_order_acquire); }
        void grow(size_t count) {  // at least half of the slots stay free
            const MeteorTable* old = table();
            size_t size = old == nullptr ? 0 : old->size();
            if (2 * (count + 1) <= size)
                return;
            tables.reserve(tables.size() + 1);
            std::unique_ptr<MeteorTable> grown(new MeteorTable(size == 0 ? 1024 : 2 * size));
            for (size_t slot = 0; slot < size; ++slot) {
                meteor_prefetch(old->at(slot + 8));  // several wait for the memory together
                if (const void* entry = old->at(slot))
                    grown->add(entry);
            }
            last.store(grown.get(), std::memory_order_release);
            tables.push_back(std::move(grown));
        }
        void forget() {
            if (tables.size() > 1)
                tables.erase(tables.begin(), tables.end() - 1);
        }
        void add(const void* entry) { tables.back()->add(entry); }
    };
    static inline const void* meteor_at(const MeteorTable* table, size_t slot) { return table->at(slot); }
    static inline const void* meteor_place(const MeteorTable* table, size_t slot) { return table->place(slot); }
    """
    cdef cppclass Table "MeteorTable":
        pass
    cdef cppclass Slots "MeteorSlots":
        """Pointers to entries, which begin with their hash, never change and stay where they are."""
        const Table* table() noexcept nogil  # NULL where nothing was ever added
        void grow(size_t count) except + nogil
        void forget() noexcept nogil  # all tables but the last, which nobody may be reading
        void add(const void* entry) noexcept nogil
    const void* at "meteor_at"(const Table* table, size_t slot) noexcept nogil  # NULL: that slot is free
    const void* place_of "meteor_place"(const Table* table, size_t slot) noexcept nogil
