"""Counts of faults; the compiled form of `meteorlib.core.faults`."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from libcpp.algorithm cimport binary_search, sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport (
    CAPITAL, CONTENT, LETTERED, NEGATION, OMISSIBLE, Segment, Word, room_for, scattered,
)


cdef enum:
    FAULTS = 11  # the fields of `FaultCounts`, in their order


cdef inline bint contradict(
    const Segment& reference, const Segment& hypothesis, int32_t begin, int32_t end, int32_t start, int32_t stop
) except -1 nogil:
    """Whether these words of the reference and those of the hypothesis have numbers, none of them the same."""
    cdef vector[int32_t] digits
    cdef int32_t position
    cdef bint other = False
    for position in range(begin, end):
        if reference.words[position].digits >= 0:
            digits.push_back(reference.words[position].digits)
    if digits.empty():
        return False
    sort(digits.begin(), digits.end())
    for position in range(start, stop):
        if hypothesis.words[position].digits >= 0:
            if binary_search(digits.begin(), digits.end(), hypothesis.words[position].digits):
                return False
            other = True
    return other


cdef inline int count_gap(
    const Segment& reference, const Segment& hypothesis, int32_t begin, int32_t end, int32_t start, int32_t stop,
    int64_t* faults,
) except -1 nogil:
    """Count the faults of a gap: these words of the reference, and those of the hypothesis."""
    cdef int32_t position, traits = 0, others = 0, omitted = 0
    cdef const Word* word
    for position in range(begin, end):
        word = reference.words[position]
        traits |= word.traits
        omitted += (word.traits & OMISSIBLE) != 0
    for position in range(start, stop):
        others |= hypothesis.words[position].traits
    if start == stop:
        faults[5] += omitted
    elif contradict(reference, hypothesis, begin, end, start, stop):
        faults[8] += 1
    faults[9] += (traits & NEGATION) != (others & NEGATION)
    return 0


cdef inline int64_t count_repeated(
    const Segment& reference, const Segment& hypothesis, vector[int32_t]& slots
) except -1 nogil:
    """Times that content words stand in the hypothesis, beyond once and beyond those of the reference."""
    cdef size_t index, mask, slot
    cdef int64_t repeated = 0
    cdef int32_t count, allowed
    cdef const Word* word
    cdef vector[int32_t] several  # distinct words
    for index in range(hypothesis.distinct.size()):
        if hypothesis.begins[index + 1] - hypothesis.begins[index] > 1 and hypothesis.distinct[index].traits & CONTENT:
            several.push_back(<int32_t>index)
            repeated += hypothesis.begins[index + 1] - hypothesis.begins[index] - 1
    if several.empty():
        return 0
    slots.assign(room_for(several.size()), -1)
    mask = slots.size() - 1
    for index in range(several.size()):
        slot = scattered(hypothesis.distinct[several[index]].id) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = several[index]
    for index in range(reference.distinct.size()):
        allowed = reference.begins[index + 1] - reference.begins[index]
        if allowed == 1:
            continue
        word = reference.distinct[index]
        slot = scattered(word.id) & mask
        while slots[slot] >= 0:
            if hypothesis.distinct[slots[slot]] == word:
                count = hypothesis.begins[slots[slot] + 1] - hypothesis.begins[slots[slot]]
                repeated -= min(count, allowed) - 1
                break
            slot = (slot + 1) & mask
    return repeated


cdef inline int count_faults(
    const Segment& reference, const Segment& hypothesis, const vector[Candidate]& chosen, vector[int32_t]& owners,
    int64_t* faults,
) except -1 nogil:
    """Count the faults of a segment; the matches are in reference order."""
    cdef int32_t length = <int32_t>reference.words.size(), other_length = <int32_t>hypothesis.words.size()
    cdef int32_t begin, start, stop, digits, others
    cdef size_t index, count = chosen.size()
    cdef int64_t taken = 0
    cdef Candidate one, other
    memset(faults, 0, FAULTS * sizeof(int64_t))
    faults[0], faults[1] = other_length, length
    faults[6] = count_repeated(reference, hypothesis, owners)
    faults[7] = max(<int64_t>0, 4 * <int64_t>other_length - 5 * <int64_t>length)
    if not count:
        return 0
    faults[2] = <int64_t>count - 1
    faults[10] = (reference.initial & CAPITAL) and hypothesis.initial & LETTERED and not hypothesis.initial & CAPITAL
    owners.assign(other_length, -1)  # which match begins at a position of the hypothesis
    for index in range(count):
        one = chosen[index]
        owners[one.start] = <int32_t>index
        if one.length == one.words == 1:
            digits, others = reference.words[one.position].digits, hypothesis.words[one.start].digits
            faults[8] += digits >= 0 and others >= 0 and digits != others
    for index in range(count + 1):
        begin = chosen[index - 1].position + chosen[index - 1].length if index else 0
        start = chosen[index - 1].start + chosen[index - 1].words if index else 0
        if 0 < index < count:
            one, other = chosen[index - 1], chosen[index]
            if other.start < one.start:
                faults[3] += 1
                faults[4] += begin == other.position and other.start + other.words == one.start
        stop = start
        while stop < other_length and owners[stop] < 0:
            stop += 1
        count_steps(taken, 8 + stop - start)
        if (stop == other_length) if index == count else (stop < other_length and owners[stop] == <int32_t>index):
            count_gap(
                reference, hypothesis, begin, chosen[index].position if index < count else length, start, stop, faults
            )
    return 0
