"""METEOR 1.5's beam for sides of at most 64 words: a path is one number and two sets of bits.

Children are made choice by choice for all paths at once. Those of one choice come nearly in order, because their
parents do; what is sorted is merged, and no more than the beam is wide is ever kept.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memset
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.engine.kernel.search.simd_paths cimport LANES, NO_CHUNK, NO_PATH, Lanes, Taking, take_all
from meteorlib.engine.kernel.search.beam_paths cimport MATCHED, Beam, rank_of
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    NARROW = LANES  # words of a side, and paths
    PARENT = 10  # bits for the choice come first, then 6 for the parent,
    DISTANCE = 16  # 24 for the distance,
    CHUNKS = 40  # 12 for the chunks,
    WORDS = 52  # 12 for what was not matched
    CHOICES = (1 << 10) - 2
    NONE = CHOICES
    COVERED = CHOICES + 1

cdef struct Choice:  # at the position that a path has come to
    uint64_t words  # of the hypothesis, a bit each
    uint64_t covers  # of the reference, where it is more than one word
    uint64_t gain
    uint64_t distance
    uint64_t start
    uint64_t end

cdef struct Turn:  # that a path took
    int32_t position
    int32_t choice
    int32_t previous

cdef cppclass NarrowBeam:
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
    """Candidates that a path can take at a position."""
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
    uint64_t* left, size_t left_count, uint64_t* right, size_t right_count, uint64_t* out, size_t width
) noexcept nogil:
    """The smallest keys of two sorted arrays that hold no key twice, and have room for one more key each."""
    cdef size_t a = 0, place, count = min(left_count + right_count, width)
    cdef uint64_t one, other
    left[left_count] = right[right_count] = NO_PATH
    for place in range(count):
        one, other = left[a], right[place - a]
        out[place] = one if one < other else other
        a += one < other
    return count


cdef inline size_t keep_below(const uint64_t* offered, size_t count, uint64_t bound, uint64_t* keys) noexcept nogil:
    """The keys that are below a bound; how many they are."""
    cdef size_t index, size = 0
    for index in range(count):
        keys[size] = offered[index]
        size += offered[index] < bound
    return size


cdef inline size_t breed(
    const Lanes& lanes, size_t count, const vector[Choice]& choices, int32_t position, size_t width, uint64_t* best
) noexcept nogil:
    """The keys of the best children, sorted; in their last bits parent and choice."""
    cdef uint64_t offered[NARROW]
    cdef uint64_t keys[NARROW + 1]
    cdef uint64_t merged[2][NARROW + 1]
    cdef uint64_t distances[NARROW]
    cdef uint64_t firsts[NARROW]
    cdef uint64_t chunks[NARROW]
    cdef uint64_t here = <uint64_t>1 << position
    cdef size_t parent, index, size, kept = 0
    cdef uint64_t* sorted = merged[0]
    cdef uint64_t* spare = merged[1]
    cdef const Choice* choice
    cdef Taking taking
    cdef bint free
    memset(distances, 0, count * sizeof(uint64_t))
    for parent in range(count):
        chunks[parent] = <uint64_t>(lanes.open[parent] != NO_CHUNK) << CHUNKS
        firsts[parent] = lanes.keys[parent] + (parent << PARENT)
    for index in range(choices.size()):
        choice = &choices[index]
        taking.used, taking.covered, taking.start = choice.words, choice.covers | here, choice.start
        taking.key, taking.distance = index - choice.gain, choice.distance
        take_all(lanes, count, taking, firsts, chunks, distances, offered)
        size = keep_below(offered, count, sorted[kept - 1] if kept == width else NO_PATH, keys)
        if size:
            put_in_order(keys, size)
            kept = merge(sorted, kept, keys, size, spare, width)
            sorted, spare = spare, sorted
    size = 0
    while size < count and (kept < width or lanes.keys[size] < sorted[kept - 1]):  # the others come too late
        free = (lanes.covered[size] & here) == 0
        keys[size] = firsts[size] + distances[size] + (chunks[size] if free else 0) + (NONE if free else COVERED)
        size += 1
    put_in_order(keys, size)
    return merge(sorted, kept, keys, size, best, width)


cdef inline int32_t follow(
    const Lanes& lanes, Lanes& children, const uint64_t* best, size_t kept, const vector[Choice]& choices,
    int32_t position, Turn* turns, int32_t turn_count,
) noexcept nogil:
    """Make paths of the best children; the new number of turns."""
    cdef size_t index, number, parent
    cdef const Choice* choice
    for index in range(kept):
        parent = (best[index] >> PARENT) & (NARROW - 1)
        number = best[index] & ((1 << PARENT) - 1)
        children.keys[index] = best[index] & ~((<uint64_t>1 << DISTANCE) - 1)
        children.used[index], children.covered[index] = lanes.used[parent], lanes.covered[parent]
        children.open[index], children.links[index] = lanes.open[parent], lanes.links[parent]
        if number == NONE:
            children.open[index] = NO_CHUNK
        elif number != COVERED:
            choice = &choices[number]
            children.used[index] |= choice.words
            children.covered[index] |= choice.covers
            children.open[index] = choice.end
            turns[turn_count].position, turns[turn_count].choice = position, <int32_t>number
            turns[turn_count].previous = lanes.links[parent]
            children.links[index] = turn_count
            turn_count += 1
    return turn_count


cdef inline void move_lane(Lanes& lanes, size_t place, size_t index) noexcept nogil:
    """Put a path where another one is, and those from there on one place further."""
    cdef uint64_t key = lanes.keys[index], used = lanes.used[index], covered = lanes.covered[index]
    cdef uint64_t open = lanes.open[index]
    cdef int32_t link = lanes.links[index]
    while index > place:
        lanes.keys[index], lanes.used[index] = lanes.keys[index - 1], lanes.used[index - 1]
        lanes.covered[index], lanes.open[index] = lanes.covered[index - 1], lanes.open[index - 1]
        lanes.links[index] = lanes.links[index - 1]
        index -= 1
    lanes.keys[place], lanes.used[place], lanes.covered[place] = key, used, covered
    lanes.open[place], lanes.links[place] = open, link


cdef inline uint64_t chunk_at(const vector[int32_t]& fixed, int32_t place) noexcept nogil:
    """Reference position at which a chunk of fixed matches begins or ends; `NO_CHUNK` if none does."""
    return fixed[place] if place < <int32_t>fixed.size() and fixed[place] >= 0 else NO_CHUNK


cdef inline void pass_forced_narrow(
    const Beam& beam, Lanes& lanes, size_t count, int32_t first, int32_t end
) noexcept nogil:
    """See `pass_forced`."""
    cdef uint64_t start = chunk_at(beam.fixed_start, first), last = chunk_at(beam.fixed_end, end)
    cdef size_t index, place
    for index in range(count):
        lanes.keys[index] += <uint64_t>((lanes.open[index] != NO_CHUNK) & (lanes.open[index] != start)) << CHUNKS
        lanes.open[index] = last
        place = index
        while place > 0 and lanes.keys[place - 1] > lanes.keys[index]:
            place -= 1
        if place < index:
            move_lane(lanes, place, index)


cdef inline int search_narrow(
    const Segment& reference, const Problem& problem, const Beam& beam, NarrowBeam& narrow_beam, vector[Candidate]& chosen
) except -1 nogil:
    """`search_wide` with numbers that fit."""
    cdef Lanes lanes[2]
    cdef uint64_t best[NARROW]
    cdef size_t index, count = 1
    cdef int side = 0
    cdef int32_t position, end, link, turns = 0
    if narrow_beam.turns.size() < beam.open.size() * beam.width:
        narrow_beam.turns.resize(beam.open.size() * beam.width)
    lanes[0].keys[0] = <uint64_t>((1 << 12) - 1) << WORDS
    lanes[0].used[0] = lanes[0].covered[0] = 0
    lanes[0].open[0], lanes[0].links[0] = chunk_at(beam.fixed_end, beam.open[0]), -1
    for index in range(beam.open.size()):
        position = beam.open[index]
        end = beam.open[index + 1] if index + 1 < beam.open.size() else <int32_t>reference.words.size() + 1
        choices_at(reference, problem, beam, position, narrow_beam.choices)
        count = breed(lanes[side], count, narrow_beam.choices, position, beam.width, best)
        turns = follow(lanes[side], lanes[1 - side], best, count, narrow_beam.choices, position, narrow_beam.turns.data(), turns)
        side = 1 - side
        if end > position + 1:
            pass_forced_narrow(beam, lanes[side], count, position + 1, end)
    link = lanes[side].links[0]
    while link >= 0:
        chosen.push_back(candidate_at(reference, problem, narrow_beam.turns[link].position, narrow_beam.turns[link].choice))
        link = narrow_beam.turns[link].previous
