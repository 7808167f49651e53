"""The result of one alignment: matches, grades, counts and score."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate


cdef cppclass Found:
    double score
    size_t index  # of the reference
    bool optimal  # whether the search proved the matches the best
    vector[int64_t] counts
    vector[Candidate] matches
    vector[int32_t] grades  # how much of each counts; none where all count whole
