"""Counts and scores; the compiled form of `Statistics.of` and `meteorlib.core.formula`."""

from libc.math cimport NAN, isnan, pow
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.count.faults cimport FAULTS, count_faults
from meteorlib.engine.kernel.words.words cimport Segment, Word


cdef enum:
    STAGES = 8
    LENGTHS = 4  # counts before those of the stages: words of either side, function words of either side
    LAST = 4  # counts behind those of the stages: chunks, penalized chunks, matched words of either side
    ORDER = 3  # and these, where a formula asks for them: junctions, crossings, pairs of matches
    MOST = LENGTHS + 4 * STAGES + LAST + ORDER + FAULTS
    SCALE = 10000  # the grade of a match that counts whole; see `meteorlib.core.segment`
    PENALTIES = 16  # most penalties of faults; see `meteorlib.core.parameters.FAULTS`

cdef struct FormulaNumbers:
    double alpha
    double beta
    double gamma
    double delta
    double crossing
    double crossing_beta
    double bound

cdef struct FaultPenalty:
    double price
    int count  # field of `FaultCounts`
    int whole  # field of `FaultCounts`
    double factor  # of the whole
    int exponent  # of the share
    double limit  # see `meteorlib.core.parameters.Share`; 0: none

cdef struct Formula:
    FormulaNumbers numbers
    double weights[STAGES]
    int stages
    bool exempt  # a perfect segment is not penalized
    bool harmonic  # METEOR 1.5's order of operations of the mean
    bool ordered  # that of meteor-2026
    bool faulted  # it penalizes faults
    int penalties
    FaultPenalty faults[PENALTIES]


cdef inline int size_of_counts(const Formula& formula) noexcept nogil:
    return LENGTHS + 4 * formula.stages + LAST + (ORDER if formula.ordered else 0) + (FAULTS if formula.faulted else 0)


cdef inline int64_t graded(int64_t size, int32_t grade) noexcept nogil:
    """Share of a word that counts."""
    return size if grade == SCALE else size * grade // SCALE


cdef inline int64_t count_crossings(const vector[Candidate]& chosen, vector[int32_t]& counters) except -1 nogil:
    """Pairs of matches that cross; the counters are a tree of the starts seen so far (Fenwick 1994)."""
    cdef size_t index
    cdef int64_t crossings = 0, taken = 0
    cdef int32_t place, after, size = 0
    for index in range(chosen.size()):
        size = max(size, chosen[index].start + 1)
    counters.assign(size + 1, 0)
    for index in range(chosen.size()):
        count_steps(taken, 64)
        after = <int32_t>index
        place = chosen[index].start
        while place > 0:
            after -= counters[place]
            place -= place & -place
        crossings += after
        place = chosen[index].start + 1
        while place <= size:
            counters[place] += 1
            place += place & -place
    return crossings


cdef inline int count_matches(
    const Segment& reference, const Segment& hypothesis, const vector[Candidate]& chosen,
    const vector[int32_t]& grades, const Formula& formula, vector[int32_t]& counters, int64_t* counts,
) except -1 nogil:
    """Lengths; for each stage four numbers; chunks, penalized chunks, matched words of either side; order.

    Without grades all matches count whole.
    """
    cdef int stages = formula.stages
    cdef size_t index
    cdef int32_t position, grade = SCALE, next_reference = -1, next_hypothesis = -1
    cdef int64_t* stage
    cdef int64_t* last = counts + LENGTHS + 4 * stages
    cdef int64_t* order = last + LAST
    cdef int64_t size, pairs, chunks = 0, hypothesis_size = 0, reference_size = 0
    cdef const Word* word
    cdef Candidate match
    memset(counts, 0, size_of_counts(formula) * sizeof(int64_t))
    counts[0], counts[1] = hypothesis.size, reference.size
    counts[2], counts[3] = hypothesis.function_size, reference.function_size
    for index in range(chosen.size()):
        match = chosen[index]
        stage = counts + LENGTHS + 4 * match.stage
        if not grades.empty():
            grade = grades[index]
        for position in range(match.start, match.start + match.words):
            word = hypothesis.words[position]
            size = graded(word.size, grade)
            stage[2 * word.function] += size
            hypothesis_size += size
        for position in range(match.position, match.position + match.length):
            word = reference.words[position]
            size = graded(word.size, grade)
            stage[1 + 2 * word.function] += size
            reference_size += size
        if match.position != next_reference or match.start != next_hypothesis:
            chunks += 1
        next_reference, next_hypothesis = match.position + match.length, match.start + match.words
        last[2] += match.words
        last[3] += match.length
    last[0] = last[1] = chunks
    if formula.ordered and chunks:
        last[1] = chunks - 1
    if formula.exempt and chunks == 1 and hypothesis_size == hypothesis.size and reference_size == reference.size:
        last[1] = 0
    if formula.ordered and chunks:
        pairs = <int64_t>chosen.size()
        order[0] = last[2] + last[3] - 2
        order[1] = count_crossings(chosen, counters)
        order[2] = pairs * (pairs - 1) // 2
    if formula.faulted:
        count_faults(reference, hypothesis, chosen, counters, order + ORDER)


cdef inline double mean(double precision, double recall, const Formula& formula) noexcept nogil:
    cdef const FormulaNumbers* numbers = &formula.numbers
    cdef double weighted
    if formula.harmonic:
        return 1.0 / ((1.0 - numbers.alpha) / precision + numbers.alpha / recall)
    if isnan(precision) or isnan(recall):
        return NAN
    weighted = numbers.alpha * precision + (1.0 - numbers.alpha) * recall
    return precision * recall / weighted if weighted != 0 else 0.0


cdef inline double add_faults(double penalty, const int64_t* faults, const Formula& formula) noexcept nogil:
    """The penalty with those of the faults, in the order of `meteorlib.core.parameters.FAULTS`."""
    cdef const FaultPenalty* fault
    cdef double share, product, whole
    cdef int index
    for index in range(formula.penalties):
        fault = &formula.faults[index]
        whole = fault.factor * faults[fault.whole]
        share = min(faults[fault.count] / whole if whole else 0.0, 1.0)
        product = share
        for _ in range(fault.exponent - 1):
            product *= share
        penalty += fault.price * (product / (product + fault.limit) if fault.limit else product)
    return penalty


cdef inline double penalty_of(const int64_t* last, const Formula& formula) noexcept nogil:
    """The penalty, out of the counts behind those of the stages."""
    cdef const int64_t* order = last + LAST
    cdef const FormulaNumbers* numbers = &formula.numbers
    cdef double fragmentation = 0.0, share = 0.0, penalty
    if not formula.ordered:
        fragmentation = last[1] / ((last[2] + last[3]) / 2.0)
        return numbers.gamma * pow(fragmentation, numbers.beta)
    if order[0]:
        fragmentation = last[1] / (order[0] / 2.0)
    if order[2]:
        share = <double>order[1] / <double>order[2]
    penalty = numbers.gamma * pow(fragmentation, numbers.beta) + numbers.crossing * pow(share, numbers.crossing_beta)
    if formula.faulted:
        penalty = add_faults(penalty, order + ORDER, formula)
    if not numbers.bound:
        return 1.0 if penalty > 1.0 else penalty
    share = penalty / numbers.bound
    return penalty / pow(1.0 + share * share, 0.5)


cdef inline double score_of(const int64_t* counts, const Formula& formula) noexcept nogil:
    """The score alone, in the same order of operations as `breakdown`."""
    cdef double delta = formula.numbers.delta, rest = 1.0 - delta
    cdef double hypothesis_length = delta * (counts[0] - counts[2]) + rest * counts[2]
    cdef double reference_length = delta * (counts[1] - counts[3]) + rest * counts[3]
    cdef double hypothesis_matches = 0.0, reference_matches = 0.0, precision, recall, penalty, score
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
    penalty = penalty_of(last, formula)
    score = mean(precision, recall, formula) * (1.0 - penalty)
    return score if score > 0.0 else 0.0
