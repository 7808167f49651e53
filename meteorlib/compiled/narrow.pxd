"""The beam again, for sides of at most 64 words: a path is one number that sorts like its rank, and two sets of bits.

Children are made choice by choice for all paths at once. Those of one choice come nearly in order, because their
parents do; what is sorted is merged, and no more than the beam is wide is ever kept.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.compiled.paths cimport MATCHED, Beam, rank_of
from meteorlib.compiled.words cimport Segment


cdef enum:
    NARROW = 64  # words of a side, and paths
    PARENT = 10  # bits for the choice come first, then 6 for the parent,
    DISTANCE = 16  # 24 for the distance,
    CHUNKS = 40  # 12 for the chunks,
    WORDS = 52  # 12 for what was not matched
    CHOICES = (1 << 10) - 2
    NONE = CHOICES
    COVERED = CHOICES + 1

cdef struct Lane:  # a path
    uint64_t key
    uint64_t used
    uint64_t covered
    int32_t open
    int32_t link

cdef struct Choice:  # at the position that a path has come to
    uint64_t words  # of the hypothesis, a bit each
    uint64_t covers  # of the reference, where it is more than one word
    uint64_t gain
    uint64_t distance
    int32_t start
    int32_t end

cdef struct Turn:  # that a path took
    int32_t position
    int32_t choice
    int32_t previous

cdef cppclass Narrow:
    """The choices at a position, and the turns of all paths."""
    vector[Choice] choices
    vector[Turn] turns


cdef inline bool is_narrow(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, const Beam& beam, int stages
) noexcept nogil:
    """Whether all numbers of a search fit."""
    cdef int64_t distance = 0, most = 0
    cdef int32_t choices
    cdef size_t place
    cdef int stage
    if reference.words.size() > NARROW or hypothesis.words.size() > NARROW or beam.width > NARROW:
        return False
    for stage in range(stages):
        most = max(most, 2 * <int64_t>(beam.gains[stage] + 1))
    for place in range(beam.open.size()):
        choices = candidates_at(reference, problem, beam.open[place])
        if choices > CHOICES:
            return False
        distance += choices * NARROW
    return most * 2 * NARROW < 1 << 12 and distance < 1 << 24


cdef inline uint64_t bits(int32_t start, int32_t count) noexcept nogil:
    return (~<uint64_t>0 >> (64 - count)) << start


cdef inline int choices_at(
    const Segment& reference, const Problem& problem, const Beam& beam, int32_t position, vector[Choice]& choices
) except -1 nogil:
    """What a path can take at a position."""
    cdef int32_t index
    cdef Choice choice
    cdef Candidate candidate
    choices.clear()
    for index in range(candidates_at(reference, problem, position)):
        candidate = candidate_at(reference, problem, position, index)
        choice.start, choice.end = candidate.start, candidate.start + candidate.words
        choice.words = bits(candidate.start, candidate.words)
        choice.covers = bits(position, candidate.length) if candidate.length > 1 else 0
        choice.gain = <uint64_t>(rank_of(beam, candidate) >> MATCHED) << WORDS
        choice.distance = <uint64_t>abs(position - candidate.start) << DISTANCE
        choices.push_back(choice)


cdef inline void put_in_order(uint64_t* keys, size_t count) noexcept nogil:
    """Sort what is nearly sorted."""
    cdef size_t index, place
    cdef uint64_t key
    for index in range(1, count):
        key = keys[index]
        place = index
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key


cdef inline size_t merge(
    const uint64_t* left, size_t left_count, const uint64_t* right, size_t right_count, uint64_t* out, size_t width
) noexcept nogil:
    """The smallest keys of two sorted arrays that hold no key twice."""
    cdef size_t a = 0, b = 0, count = 0
    cdef bint first
    while a < left_count and b < right_count and count < width:
        first = left[a] < right[b]
        out[count] = left[a] if first else right[b]
        a += first
        b += not first
        count += 1
    while a < left_count and count < width:
        out[count] = left[a]
        a += 1
        count += 1
    while b < right_count and count < width:
        out[count] = right[b]
        b += 1
        count += 1
    return count


cdef inline size_t breed(
    const Lane* lanes, size_t count, const vector[Choice]& choices, int32_t position, size_t width, uint64_t* best
) noexcept nogil:
    """The keys of the best children, sorted; in their last bits parent and choice."""
    cdef uint64_t keys[NARROW]
    cdef uint64_t merged[NARROW]
    cdef uint64_t distances[NARROW]
    cdef uint64_t here = <uint64_t>1 << position, key, bound
    cdef size_t parent, index, size, kept = 0
    cdef const Choice* choice
    cdef bint free
    cdef uint64_t close[NARROW]
    memset(distances, 0, count * sizeof(uint64_t))
    for parent in range(count):
        close[parent] = <uint64_t>(lanes[parent].open >= 0) << CHUNKS
    for index in range(choices.size()):
        choice = &choices[index]
        size = 0
        bound = best[kept - 1] if kept == width else ~<uint64_t>0
        for parent in range(count):
            free = ((lanes[parent].used & choice.words) | (lanes[parent].covered & (choice.covers | here))) == 0
            key = lanes[parent].key - choice.gain + distances[parent]
            key += close[parent] & (<uint64_t>(lanes[parent].open == choice.start) - 1)
            key |= (parent << PARENT) | index
            keys[size] = key
            size += free & (key < bound)
            distances[parent] += choice.distance & (0 - <uint64_t>free)
        if size == 0:
            continue
        put_in_order(keys, size)
        if kept == 0:
            memcpy(best, keys, size * sizeof(uint64_t))
            kept = size
        else:
            kept = merge(best, kept, keys, size, merged, width)
            memcpy(best, merged, kept * sizeof(uint64_t))
    size = 0
    while size < count and (kept < width or lanes[size].key < best[kept - 1]):  # the others come too late
        free = (lanes[size].covered & here) == 0
        key = lanes[size].key + distances[size] + (close[size] if free else 0)
        keys[size] = key | (size << PARENT) | (NONE if free else COVERED)
        size += 1
    put_in_order(keys, size)
    if size:
        kept = merge(best, kept, keys, size, merged, width)
        memcpy(best, merged, kept * sizeof(uint64_t))
    return kept


cdef inline int32_t follow(
    const Lane* lanes, Lane* children, const uint64_t* best, size_t kept, const vector[Choice]& choices,
    int32_t position, Turn* turns, int32_t turn_count,
) noexcept nogil:
    """Make paths of the best children; the new number of turns."""
    cdef size_t index, number
    cdef const Choice* choice
    cdef Lane lane
    for index in range(kept):
        lane = lanes[(best[index] >> PARENT) & (NARROW - 1)]
        number = best[index] & ((1 << PARENT) - 1)
        if number == NONE:
            lane.open = -1
        elif number != COVERED:
            choice = &choices[number]
            lane.used |= choice.words
            lane.covered |= choice.covers
            lane.open = choice.end
            turns[turn_count].position, turns[turn_count].choice = position, <int32_t>number
            turns[turn_count].previous = lane.link
            lane.link = turn_count
            turn_count += 1
        children[index].key = best[index] & ~((<uint64_t>1 << DISTANCE) - 1)
        children[index].used, children[index].covered = lane.used, lane.covered
        children[index].open, children[index].link = lane.open, lane.link
    return turn_count


cdef inline void pass_forced_narrow(
    const Beam& beam, Lane* lanes, size_t count, int32_t first, int32_t end
) noexcept nogil:
    """See `pass_forced`."""
    cdef int32_t start = beam.fixed_start[first] if first < <int32_t>beam.fixed_start.size() else -1
    cdef int32_t last = beam.fixed_end[end] if end < <int32_t>beam.fixed_end.size() else -1
    cdef size_t index, place
    cdef uint64_t key
    cdef Lane lane
    for index in range(count):
        key = lanes[index].key + (
            <uint64_t>((lanes[index].open >= 0) & (lanes[index].open != start)) << CHUNKS
        )
        lanes[index].key, lanes[index].open = key, last
        if index == 0 or lanes[index - 1].key <= key:
            continue
        lane = lanes[index]
        place = index
        while place > 0 and lanes[place - 1].key > key:
            lanes[place] = lanes[place - 1]
            place -= 1
        lanes[place] = lane


cdef inline int search_narrow(
    const Segment& reference, const Problem& problem, const Beam& beam, Narrow& narrow, vector[Candidate]& chosen
) except -1 nogil:
    """`search_wide` with numbers that fit."""
    cdef Lane lanes[2][NARROW]
    cdef uint64_t best[NARROW]
    cdef size_t index, count = 1
    cdef int side = 0
    cdef int32_t position, end, link, turns = 0
    if narrow.turns.size() < beam.open.size() * beam.width:
        narrow.turns.resize(beam.open.size() * beam.width)
    memset(&lanes[0][0], 0, sizeof(Lane))
    lanes[0][0].key = <uint64_t>((1 << 12) - 1) << WORDS
    lanes[0][0].open = beam.fixed_end[beam.open[0]]
    lanes[0][0].link = -1
    for index in range(beam.open.size()):
        position = beam.open[index]
        end = beam.open[index + 1] if index + 1 < beam.open.size() else <int32_t>reference.words.size() + 1
        choices_at(reference, problem, beam, position, narrow.choices)
        count = breed(lanes[side], count, narrow.choices, position, beam.width, best)
        turns = follow(lanes[side], lanes[1 - side], best, count, narrow.choices, position, narrow.turns.data(), turns)
        side = 1 - side
        if end > position + 1:
            pass_forced_narrow(beam, lanes[side], count, position + 1, end)
    link = lanes[side][0].link
    while link >= 0:
        chosen.push_back(candidate_at(reference, problem, narrow.turns[link].position, narrow.turns[link].choice))
        link = narrow.turns[link].previous
