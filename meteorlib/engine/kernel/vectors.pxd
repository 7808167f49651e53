"""Matches of words with similar vectors; the compiled form of `meteorlib.matchers.vector`."""

from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words cimport Segment, Word


cdef enum:
    TOGETHER = 4  # sums that do not wait for each other; each is added up in its order all the same


cdef inline void multiply(const float* unit_vector, const float* const* others, int32_t width, float* cosines) noexcept nogil:
    """The cosines of a vector and `TOGETHER` others."""
    cdef float first = 0, second = 0, third = 0, fourth = 0
    cdef int32_t place
    for place in range(width):
        first += unit_vector[place] * others[0][place]
        second += unit_vector[place] * others[1][place]
        third += unit_vector[place] * others[2][place]
        fourth += unit_vector[place] * others[3][place]
    cosines[0], cosines[1], cosines[2], cosines[3] = first, second, third, fourth


cdef inline int find_close(
    Word* word, const Segment& hypothesis, double threshold, vector[int32_t]& close, int64_t& taken
) except -1 nogil:
    """The distinct words of the hypothesis that are the word itself, or near it."""
    cdef const float* others[TOGETHER]
    cdef float cosines[TOGETHER]
    cdef int32_t indexes[TOGETHER]
    cdef int32_t index, last = <int32_t>hypothesis.distinct.size() - 1, count = 0, place
    cdef Word* other
    close.clear()
    count_steps(taken, 1 + last)
    for index in range(last + 1):
        other = hypothesis.distinct[index]
        if other == word:
            close.push_back(index)
        elif word.unit_vector != NULL and other.unit_vector != NULL:
            others[count], indexes[count] = other.unit_vector, index
            count += 1
        if count == TOGETHER or (count and index == last):
            for place in range(count, TOGETHER):
                others[place] = others[0]
            multiply(word.unit_vector, others, word.width, cosines)
            for place in range(count):
                if (1 + <double>cosines[place]) / 2 >= threshold:
                    close.push_back(indexes[place])
            count_steps(taken, TOGETHER * <int64_t>word.width)
            count = 0
