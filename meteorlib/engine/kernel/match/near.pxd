"""Matches of words spelled alike; the compiled form of `meteorlib.matchers.near`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Problem, add_pairs, check_pairs
from meteorlib.engine.kernel.count.counts cimport SCALE
from meteorlib.engine.kernel.match.spelling cimport Pattern, lay_pattern, least_distance, levenshtein
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport Segment, Spelling, room_for, scattered


cdef extern from *:
    """
    struct MeteorNearUnit { int32_t start; int32_t grade; };
    static inline bool operator<(const MeteorNearUnit& a, const MeteorNearUnit& b) { return a.start < b.start; }
    """
    cdef struct NearUnit "MeteorNearUnit":  # a candidate, for every position of a distinct word of the reference
        int32_t start
        int32_t grade

cdef struct Speller:  # a distinct word that may be near another
    uint64_t bag
    int32_t length  # 0: the other side has it, too
    int32_t index

cdef cppclass Near:
    """The near words of a pair, for each distinct word of the reference."""
    vector[NearUnit] units
    vector[int32_t] begins
    vector[Speller] sources  # of the reference
    vector[Speller] others  # of the hypothesis
    vector[int32_t] slots  # of the others
    Pattern pattern


cdef inline int find_spellers(const Segment& segment, vector[Speller]& spellers) except -1 nogil:
    """The distinct words of a side that may be near another."""
    cdef int32_t index
    cdef const Spelling* spelling
    cdef Speller speller
    spellers.clear()
    for index in range(<int32_t>segment.distinct.size()):
        spelling = segment.distinct[index].spelling
        if spelling.length:
            speller.bag, speller.length, speller.index = spelling.bag, spelling.length, index
            spellers.push_back(speller)


cdef inline int leave_out_common(const Segment& reference, const Segment& hypothesis, Near& near) except -1 nogil:
    """Words that both sides have are near no word."""
    cdef size_t mask, slot, index
    cdef Speller* other
    near.slots.assign(room_for(near.others.size()), -1)
    mask = near.slots.size() - 1
    for index in range(near.others.size()):
        slot = scattered(hypothesis.distinct[near.others[index].index].id) & mask
        while near.slots[slot] >= 0:
            slot = (slot + 1) & mask
        near.slots[slot] = <int32_t>index
    for index in range(near.sources.size()):
        slot = scattered(reference.distinct[near.sources[index].index].id) & mask
        while near.slots[slot] >= 0:
            other = &near.others[near.slots[slot]]
            if hypothesis.distinct[other.index] == reference.distinct[near.sources[index].index]:
                near.sources[index].length = other.length = 0
                break
            slot = (slot + 1) & mask
    drop_common(near.sources)
    drop_common(near.others)


cdef inline int drop_common(vector[Speller]& spellers) except -1 nogil:
    cdef size_t index, kept = 0
    for index in range(spellers.size()):
        if spellers[index].length:
            spellers[kept] = spellers[index]
            kept += 1
    spellers.resize(kept)


cdef inline int32_t common_prefix(const Spelling& first, const Spelling& second) noexcept nogil:
    """The letters that both begin with."""
    cdef int32_t index = 0, shorter = min(first.length, second.length)
    while index < shorter and first.letters[index] == second.letters[index]:
        index += 1
    return index


cdef inline int32_t most_distance(int32_t longer, int32_t begin, int32_t least, int64_t prefix) noexcept nogil:
    """No word of a grade of `least` is farther, where a common prefix counts."""
    cdef int64_t lacking = SCALE - (prefix * begin + longer - 1) // longer
    if lacking == SCALE:
        return <int32_t>(<int64_t>longer * (SCALE - least) // SCALE)
    if lacking <= 0:
        return longer
    return <int32_t>min(<int64_t>longer, <int64_t>longer * (SCALE - least) // lacking + 1)


cdef inline int find_near(
    const Segment& reference, const Segment& hypothesis, const Speller& source, int32_t least, int32_t prefix,
    const Problem& problem, Near& near, int64_t& taken
) except -1 nogil:
    """Add the near words of one word, by start."""
    cdef size_t index, begin = near.units.size()
    cdef int32_t place, longer, distance, most, begins = 0
    cdef const Speller* other
    cdef const Speller* others = near.others.data()
    cdef NearUnit unit
    cdef bint laid = False
    cdef int64_t share = SCALE - least
    count_steps(taken, 3 * <int64_t>near.others.size())
    for index in range(near.others.size()):
        other = &others[index]
        longer = max(source.length, other.length)
        most = <int32_t>(longer * share // SCALE)
        if prefix:
            begins = common_prefix(
                reference.distinct[source.index].spelling[0], hypothesis.distinct[other.index].spelling[0]
            )
            count_steps(taken, begins)
            most = most_distance(longer, begins, least, prefix)
        if abs(source.length - other.length) > most or least_distance(source.bag, other.bag) > most:
            continue
        if not laid:
            lay_pattern(reference.distinct[source.index].spelling[0], near.pattern)
            laid = True
        count_steps(taken, 4 * <int64_t>other.length)
        distance = levenshtein(near.pattern, hypothesis.distinct[other.index].spelling[0], taken)
        if distance > most:
            continue
        unit.grade = <int32_t>(<int64_t>SCALE * (longer - distance) // longer)
        unit.grade += <int32_t>((SCALE - unit.grade) * <int64_t>prefix * begins // (<int64_t>SCALE * longer))
        if unit.grade < least:
            continue
        for place in range(hypothesis.begins[other.index], hypothesis.begins[other.index + 1]):
            unit.start = hypothesis.places[place]
            near.units.push_back(unit)
        check_pairs(reference, hypothesis, near.units.size() - begin, problem)
    if near.units.size() > begin + 1:
        sort(near.units.begin() + begin, near.units.end())


cdef inline int propose_near(
    const Segment& reference, const Segment& hypothesis, int stage, int32_t least, int32_t prefix,
    Problem& problem, Near& near
) except -1 nogil:
    """Candidates for each distinct word of the reference, of a grade of `least` at least; no stage (-1), none."""
    cdef size_t index
    cdef int32_t word
    cdef int64_t taken = 0
    near.units.clear()
    near.begins.assign(reference.distinct.size() + 1, 0)
    if stage < 0:
        return 0
    find_spellers(reference, near.sources)
    find_spellers(hypothesis, near.others)
    leave_out_common(reference, hypothesis, near)
    for index in range(near.sources.size()):
        word = near.sources[index].index
        near.begins[word] = <int32_t>near.units.size()
        find_near(reference, hypothesis, near.sources[index], least, prefix, problem, near, taken)
        near.begins[word + 1] = <int32_t>near.units.size()
        add_pairs(
            reference, hypothesis,
            <int64_t>(near.begins[word + 1] - near.begins[word])
            * (reference.begins[word + 1] - reference.begins[word]),
            problem,
        )
    for word in range(<int32_t>reference.distinct.size()):
        near.begins[word + 1] = max(near.begins[word], near.begins[word + 1])
