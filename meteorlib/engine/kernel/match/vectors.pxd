"""Matches of words with similar vectors; the compiled form of `meteorlib.matchers.vector`."""

from libc.float cimport FLT_EPSILON
from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport Segment, Word


cdef enum:
    LANES = 16  # sums that do not wait for each other


cdef inline float multiply(const float* one, const float* other, int32_t width) noexcept nogil:
    """The cosine of two unit vectors, with products added in their order."""
    cdef float total = 0
    cdef int32_t place
    for place in range(width):
        total += one[place] * other[place]
    return total


cdef inline double estimate(const float* one, const float* other, int32_t width) noexcept nogil:
    """The cosine of two unit vectors, with products added in any order, which is several times faster."""
    cdef float sums[LANES]
    cdef float rest = 0
    cdef double total = 0
    cdef int32_t place, lane, block, blocks = width // LANES
    for lane in range(LANES):
        sums[lane] = 0
    for block in range(blocks):
        for lane in range(LANES):
            sums[lane] += one[block * LANES + lane] * other[block * LANES + lane]
    for place in range(blocks * LANES, width):
        rest += one[place] * other[place]
    for lane in range(LANES):
        total += sums[lane]
    return total + rest


cdef inline bool is_close(const float* one, const float* other, int32_t width, double threshold) noexcept nogil:
    """Whether (1 + cosine)/2 is at least the threshold.

    Two sums of products of unit vectors in any two orders differ by less than `FLT_EPSILON` for each product; the margin
    is four times as wide. Only within it are the products added in their order.
    """
    cdef double margin = 4.0 * width * FLT_EPSILON
    cdef double above = estimate(one, other, width) - (2 * threshold - 1)
    if above > margin or above < -margin:
        return above > 0
    return (1 + <double>multiply(one, other, width)) / 2 >= threshold


cdef inline int find_close(
    Word* word, const Segment& hypothesis, double threshold, vector[int32_t]& close, int64_t& taken
) except -1 nogil:
    """The distinct words of the hypothesis that are the word itself, or near it."""
    cdef int32_t index, count = <int32_t>hypothesis.distinct.size()
    cdef Word* other
    close.clear()
    count_steps(taken, count)
    for index in range(count):
        other = hypothesis.distinct[index]
        if other == word:
            close.push_back(index)
        elif word.unit_vector != NULL and other.unit_vector != NULL:
            if is_close(word.unit_vector, other.unit_vector, word.width, threshold):
                close.push_back(index)
            count_steps(taken, word.width // 4)
