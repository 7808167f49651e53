"""Bits of machine words, and sets of positions as bits of several machine words."""

from libc.stdint cimport int32_t, uint64_t
from libcpp cimport bool


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__x86_64__) && defined(__GNUC__)
    // the oldest processors that a wheel must run on have no instruction for it
    static bool meteor_can_count() { __builtin_cpu_init(); return __builtin_cpu_supports("popcnt"); }
    static const bool meteor_counts = meteor_can_count();
    #endif
    static inline int32_t meteor_count_bits(uint64_t bits) {
    #if defined(__x86_64__) && defined(__GNUC__)
        if (__builtin_expect(meteor_counts, 1)) {
            __asm__("popcntq %1, %0" : "=r"(bits) : "r"(bits) : "cc");
            return int32_t(bits);
        }
    #endif
        // in pairs, fours and eights
        bits -= (bits >> 1) & UINT64_C(0x5555555555555555);
        bits = (bits & UINT64_C(0x3333333333333333)) + ((bits >> 2) & UINT64_C(0x3333333333333333));
        bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
        return int32_t((bits * UINT64_C(0x0101010101010101)) >> 56);
    }
    """
    int32_t count_bits "meteor_count_bits"(uint64_t bits) noexcept nogil


cdef inline size_t words_for(size_t places) noexcept nogil:
    return (places + 63) >> 6


cdef inline bool has(const uint64_t* places, int32_t place) noexcept nogil:
    return (places[place >> 6] >> (place & 63)) & 1


cdef inline void put(uint64_t* places, int32_t place) noexcept nogil:
    places[place >> 6] |= <uint64_t>1 << (place & 63)


cdef inline void drop(uint64_t* places, int32_t place) noexcept nogil:
    places[place >> 6] &= ~(<uint64_t>1 << (place & 63))


cdef inline uint64_t bits_from(int32_t place) noexcept nogil:
    """The bits of its word from a place on."""
    return ~<uint64_t>0 << (place & 63)


cdef inline int32_t count_between(const uint64_t* places, int32_t first, int32_t end) noexcept nogil:
    """Number of the places `first`..`end` - 1 that are in the set."""
    cdef int32_t word = first >> 6, last = end >> 6, count
    if first >= end:
        return 0
    if word == last:
        return count_bits(places[word] & bits_from(first) & ~bits_from(end))
    count = count_bits(places[word] & bits_from(first))
    for word in range(word + 1, last):
        count += count_bits(places[word])
    return count + count_bits(places[last] & ~bits_from(end)) if end & 63 else count


cdef inline int32_t count_all(const uint64_t* places, size_t words) noexcept nogil:
    cdef size_t word
    cdef int32_t count = 0
    for word in range(words):
        count += count_bits(places[word])
    return count


cdef inline bool meets(const uint64_t* places, const uint64_t* others, size_t words) noexcept nogil:
    """Whether two sets have a place in common."""
    cdef size_t word
    for word in range(words):
        if places[word] & others[word]:
            return True
    return False


cdef inline int32_t place_from(const uint64_t* places, size_t words, int32_t place) noexcept nogil:
    """The first place of the set that is not before `place`; -1: there is none."""
    cdef size_t word = place >> 6
    cdef uint64_t bits
    if word >= words:
        return -1
    bits = places[word] & bits_from(place)
    while not bits:
        word += 1
        if word >= words:
            return -1
        bits = places[word]
    return <int32_t>(64 * word) + count_bits((bits & (~bits + 1)) - 1)
