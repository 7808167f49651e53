"""Counts of faults; the compiled form of `meteorlib.core.faults`."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from libcpp cimport bool
from libcpp.algorithm cimport binary_search
from libcpp.vector cimport vector

from meteorlib.engine.kernel.count.numbers cimport Numbers, find_numbers, has_numbers, pair_numbers
from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport (
    CAPITAL, CONTENT, IMPERIAL, LETTERED, METRIC, NEGATION, OMISSIBLE, Segment, Word, room_for, scattered,
)


cdef enum:
    FAULTS = 14  # the fields of `FaultCounts`, in their order
    ROOM = 25


cdef inline size_t first_number(const Numbers& numbers, int32_t place) noexcept nogil:
    """The first number that begins at a place or behind it."""
    cdef size_t low = 0, high = numbers.found.size(), middle
    while low < high:
        middle = (low + high) // 2
        if numbers.found[middle].place < place:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int pair_matched(Numbers& reference, Numbers& hypothesis, const vector[Candidate]& chosen) except -1 nogil:
    """Pair the equal numbers that a match begins with."""
    cdef size_t index, other, at, count = 0
    for index in range(reference.found.size()):
        while count < chosen.size() and chosen[count].position < reference.found[index].place:
            count += 1
        if count == chosen.size():
            break
        other = first_number(hypothesis, chosen[count].start)
        if other == hypothesis.found.size() or (
            chosen[count].position != reference.found[index].place
            or chosen[count].start != hypothesis.found[other].place
        ):
            continue
        for at in range(reference.found[index].begin, reference.found[index].end):
            if binary_search(
                hypothesis.values.begin() + hypothesis.found[other].begin,
                hypothesis.values.begin() + hypothesis.found[other].end,
                reference.values[at],
            ):
                reference.found[index].paired = hypothesis.found[other].paired = True
                break
    return 0


cdef inline int32_t count_alone(const Numbers& numbers, int32_t begin, int32_t end, int32_t& units) noexcept nogil:
    """Numbers between two places that have no equal on the other side; adds the kinds of their units."""
    cdef size_t low = first_number(numbers, begin)
    cdef int32_t alone = 0
    while low < numbers.found.size() and numbers.found[low].place < end:
        if numbers.found[low].written and not numbers.found[low].paired:
            alone += 1
            units |= numbers.found[low].units
        low += 1
    return alone


cdef inline int32_t next_match(
    const vector[int32_t]& owners, int32_t start, int32_t length, int64_t& taken
) except? -1 nogil:
    """Where the next match of the hypothesis begins; its length if there is none."""
    cdef int32_t stop = start
    while stop < length and owners[stop] < 0:
        stop += 1
    count_steps(taken, 8 + stop - start)
    return stop


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
        word = hypothesis.words[position]
        others |= word.traits
        omitted -= (word.traits & OMISSIBLE) != 0
    faults[8] += max(omitted, 0)
    faults[12] += (traits & NEGATION) != (others & NEGATION)
    return 0


cdef inline int64_t count_repeated(
    const Segment& reference, const Segment& hypothesis, vector[int32_t]& slots
) except -1 nogil:
    """Surplus of content words of the hypothesis, in hundredths."""
    cdef size_t index, mask, slot
    cdef int64_t repeated = 0, count, known, room = max(min(ROOM, <int64_t>reference.distinct.size()), 1)
    cdef int64_t allowed = 100 * <int64_t>reference.words.size() // room
    cdef const Word* word
    cdef vector[int32_t] several  # distinct words
    for index in range(hypothesis.distinct.size()):
        count = hypothesis.begins[index + 1] - hypothesis.begins[index]
        if count > 1 and hypothesis.distinct[index].traits & CONTENT:
            several.push_back(<int32_t>index)
            repeated += max(100 * count - allowed, 0)
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
        word = reference.distinct[index]
        slot = scattered(word.id) & mask
        while slots[slot] >= 0:
            if hypothesis.distinct[slots[slot]] == word:
                count = hypothesis.begins[slots[slot] + 1] - hypothesis.begins[slots[slot]]
                known = reference.begins[index + 1] - reference.begins[index]
                repeated += max(100 * (count - known), 0) - max(100 * count - allowed, 0)
                break
            slot = (slot + 1) & mask
    return repeated


cdef inline int64_t count_written(const Numbers& numbers) noexcept nogil:
    cdef size_t index
    cdef int64_t written = 0
    for index in range(numbers.found.size()):
        written += numbers.found[index].written
    return written


cdef inline int count_faults(
    const Segment& reference, const Segment& hypothesis, const vector[Candidate]& chosen, vector[int32_t]& owners,
    int64_t* faults,
) except -1 nogil:
    """Count the faults of a segment; the matches are in reference order."""
    cdef int32_t length = <int32_t>reference.words.size(), other_length = <int32_t>hypothesis.words.size()
    cdef int32_t begin, end, start, stop, alone, units, other_units
    cdef size_t index, count = chosen.size()
    cdef int64_t taken = 0
    cdef Numbers numbers, others
    memset(faults, 0, FAULTS * sizeof(int64_t))
    faults[0], faults[1], faults[2] = other_length, length, max(length, ROOM)
    for start in range(other_length):
        faults[3] += (hypothesis.words[start].traits & CONTENT) != 0
    if has_numbers(reference):
        find_numbers(reference, numbers)
    if has_numbers(hypothesis):
        find_numbers(hypothesis, others)
    faults[4] = max(ROOM * (count_written(numbers) + count_written(others)), 2 * faults[2])
    faults[9] = count_repeated(reference, hypothesis, owners)
    faults[10] = max(<int64_t>0, 4 * <int64_t>other_length - 5 * <int64_t>length)
    if not count:
        return 0
    faults[5] = <int64_t>count
    faults[13] = (reference.initial & CAPITAL) and hypothesis.initial & LETTERED and not hypothesis.initial & CAPITAL
    if not numbers.found.empty() and not others.found.empty():
        pair_matched(numbers, others, chosen)
        pair_numbers(numbers, others)
    owners.assign(other_length, -1)  # which match begins at a position of the hypothesis
    for index in range(count):
        owners[chosen[index].start] = <int32_t>index
    for index in range(count + 1):
        begin = chosen[index - 1].position + chosen[index - 1].length if index else 0
        start = chosen[index - 1].start + chosen[index - 1].words if index else 0
        end = chosen[index].position if index < count else length
        if 0 < index < count and chosen[index].start < start:
            faults[6] += 1
            stop = next_match(owners, chosen[index].start + chosen[index].words, other_length, taken)
            faults[7] += owners[stop] == <int32_t>index - 1
            continue
        stop = next_match(owners, start, other_length, taken)
        if (stop == other_length) if index == count else (stop < other_length and owners[stop] == <int32_t>index):
            count_gap(reference, hypothesis, begin, end, start, stop, faults)
            units, other_units = 0, 0
            alone = min(count_alone(numbers, begin, end, units), count_alone(others, start, stop, other_units))
            if not ((units & METRIC and other_units & IMPERIAL) or (units & IMPERIAL and other_units & METRIC)):
                faults[11] += alone
    return 0
