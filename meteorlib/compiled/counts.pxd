"""Counts and scores; twins of `Statistics.of` and of the formula in `meteorlib.core.breakdown`."""

from libc.math cimport NAN, isnan, pow
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate
from meteorlib.compiled.words cimport Segment, Word


cdef enum:
    STAGES = 8
    LENGTHS = 4  # counts before those of the stages: words of either side, function words of either side
    MOST = LENGTHS + 4 * STAGES + 4

cdef struct Formula:
    double alpha
    double beta
    double gamma
    double delta
    double weights[STAGES]
    int stages
    bool forgiving  # a perfect segment is not penalized; also METEOR 1.5's order of operations


cdef inline int size_of_counts(const Formula& formula) noexcept nogil:
    return LENGTHS + 4 * formula.stages + 4


cdef inline void count_matches(
    const Segment& reference, const Segment& hypothesis, const vector[Candidate]& chosen, const Formula& formula,
    int64_t* counts,
) noexcept nogil:
    """Lengths; for each stage four numbers; chunks, penalized chunks, matched words of either side."""
    cdef int stages = formula.stages
    cdef size_t index
    cdef int32_t position, next_reference = -1, next_hypothesis = -1
    cdef int64_t* stage
    cdef int64_t* last = counts + LENGTHS + 4 * stages
    cdef int64_t size, chunks = 0, hypothesis_size = 0, reference_size = 0
    cdef const Word* word
    cdef Candidate match
    memset(counts, 0, size_of_counts(formula) * sizeof(int64_t))
    counts[0], counts[1] = hypothesis.size, reference.size
    counts[2], counts[3] = hypothesis.function_size, reference.function_size
    for index in range(chosen.size()):
        match = chosen[index]
        stage = counts + LENGTHS + 4 * match.stage
        for position in range(match.start, match.start + match.words):
            word = hypothesis.words[position]
            stage[2 * word.function] += word.size
            hypothesis_size += word.size
        for position in range(match.position, match.position + match.length):
            word = reference.words[position]
            stage[1 + 2 * word.function] += word.size
            reference_size += word.size
        if match.position != next_reference or match.start != next_hypothesis:
            chunks += 1
        next_reference, next_hypothesis = match.position + match.length, match.start + match.words
        last[2] += match.words
        last[3] += match.length
    last[0] = last[1] = chunks
    if formula.forgiving and chunks == 1 and hypothesis_size == hypothesis.size and reference_size == reference.size:
        last[1] = 0


cdef inline double mean(double precision, double recall, const Formula& formula) noexcept nogil:
    cdef double weighted
    if formula.forgiving:
        return 1.0 / ((1.0 - formula.alpha) / precision + formula.alpha / recall)
    if isnan(precision) or isnan(recall):
        return NAN
    weighted = formula.alpha * precision + (1.0 - formula.alpha) * recall
    return precision * recall / weighted if weighted != 0 else 0.0


cdef inline double score_of(const int64_t* counts, const Formula& formula) noexcept nogil:
    """The score alone, in the same order of operations as `breakdown`."""
    cdef double delta = formula.delta, rest = 1.0 - formula.delta
    cdef double hypothesis_length = delta * (counts[0] - counts[2]) + rest * counts[2]
    cdef double reference_length = delta * (counts[1] - counts[3]) + rest * counts[3]
    cdef double hypothesis_matches = 0.0, reference_matches = 0.0, precision, recall, matched, fragmentation, score
    cdef const int64_t* stage
    cdef const int64_t* last = counts + LENGTHS + 4 * formula.stages
    cdef int index
    for index in range(formula.stages):
        stage = counts + LENGTHS + 4 * index
        hypothesis_matches += stage[0] * formula.weights[index] * delta
        reference_matches += stage[1] * formula.weights[index] * delta
    for index in range(formula.stages):
        stage = counts + LENGTHS + 4 * index
        hypothesis_matches += stage[2] * formula.weights[index] * rest
        reference_matches += stage[3] * formula.weights[index] * rest
    precision = hypothesis_matches / hypothesis_length  # by zero: as IEEE 754 has it
    recall = reference_matches / reference_length
    matched = (last[2] + last[3]) / 2.0
    fragmentation = last[1] / matched
    score = mean(precision, recall, formula) * (1.0 - formula.gamma * pow(fragmentation, formula.beta))
    return score if score > 0.0 else 0.0
