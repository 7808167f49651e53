"""Grades of words in context, as `meteorlib.matchers.contextual` finds them for two segments."""

from libc.stdint cimport int32_t
from libcpp.vector cimport vector


cdef cppclass Context:
    """The cosines of two segments' words, and the words that match by them; grades in units of 1/SCALE."""
    int32_t factor  # share of every match that counts
    int32_t width  # hypothesis words
    vector[int32_t] cosines  # a row for each reference word
    vector[int32_t] starts  # hypothesis positions of matches, ascending for each reference position
    vector[int32_t] begins  # of those of each reference position


cdef inline int32_t cosine_at(const Context& context, int32_t position, int32_t start) noexcept nogil:
    """The cosine of two words."""
    return context.cosines[<size_t>position * context.width + start]
