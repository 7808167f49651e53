"""Beam paths laid out for SIMD instructions, which process several at a time."""

from libc.stdint cimport int32_t, uint64_t


cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    // four paths in one instruction where the processor can, else two
    #define METEOR_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define METEOR_WIDE
    #endif
    enum { METEOR_LANES = 64 };
    static const uint64_t METEOR_NO_CHUNK = ~uint64_t(0), METEOR_NO_PATH = ~uint64_t(0);
    struct MeteorLanes {
        uint64_t keys[METEOR_LANES], used[METEOR_LANES], covered[METEOR_LANES], open[METEOR_LANES];
        int32_t links[METEOR_LANES];
    };
    struct MeteorTaking { uint64_t used, covered, start, key, distance; };
    METEOR_WIDE static void meteor_take(
        const MeteorLanes& lanes, size_t count, const MeteorTaking& taking, const uint64_t* __restrict firsts,
        const uint64_t* __restrict chunks, uint64_t* __restrict distances, uint64_t* __restrict keys
    ) {
        const uint64_t used = taking.used, covered = taking.covered, start = taking.start;
        const uint64_t key = taking.key, distance = taking.distance;
        for (size_t lane = 0; lane < count; ++lane) {
            const uint64_t taken = (lanes.used[lane] & used) | (lanes.covered[lane] & covered);
            const uint64_t free = taken == 0 ? ~uint64_t(0) : 0, ends = lanes.open[lane] == start ? 0 : ~uint64_t(0);
            keys[lane] = free ? firsts[lane] + key + distances[lane] + (chunks[lane] & ends) : METEOR_NO_PATH;
            distances[lane] += distance & free;
        }
    }
    """
    cdef enum:
        LANES "METEOR_LANES"
    const uint64_t NO_CHUNK "METEOR_NO_CHUNK"  # no chunk can continue
    const uint64_t NO_PATH "METEOR_NO_PATH"  # a key behind all others
    cdef struct Lanes "MeteorLanes":
        uint64_t* keys  # of each path: sorts like its rank
        uint64_t* used  # words of the hypothesis, a bit each
        uint64_t* covered  # words of the reference
        uint64_t* open  # hypothesis position at which its chunk would continue
        int32_t* links  # the last turn it took
    cdef struct Taking "MeteorTaking":  # to all paths
        uint64_t used  # words that it takes
        uint64_t covered
        uint64_t start  # hypothesis position at which a chunk continues with it
        uint64_t key  # is added
        uint64_t distance  # is added for all that comes later, where it could be taken
    void meteor_take(
        const Lanes& lanes, size_t count, const Taking& taking, const uint64_t* firsts, const uint64_t* chunks,
        uint64_t* distances, uint64_t* keys
    ) noexcept nogil


cdef inline void take_all(
    const Lanes& lanes, size_t count, const Taking& taking, const uint64_t* firsts, const uint64_t* chunks,
    uint64_t* distances, uint64_t* keys
) noexcept nogil:
    """Find the key of each path once it takes something: its first one, what is added, the distance so far, and what a
    chunk counts that ends; `NO_PATH` where it cannot take it.
    """
    meteor_take(lanes, count, taking, firsts, chunks, distances, keys)
