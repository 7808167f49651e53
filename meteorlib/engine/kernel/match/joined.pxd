"""Matches of joined words; the compiled form of `meteorlib.matchers.joined`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memset
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, add_pairs, check_pairs
from meteorlib.engine.kernel.match.spelling cimport with_letter
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport FILTER_WORDS, Key, Segment, Spelling


cdef enum:
    MOST_PARTS = 3
    SHORTEST_WORD = 3
    SHORTEST_PARTS = 4

cdef cppclass Joined:
    """The joined words of a pair."""
    vector[Candidate] found  # by position, length, start, words
    vector[int32_t] begins  # of those of each position


cdef inline bint in_order(const Candidate& a, const Candidate& b) noexcept nogil:
    if a.position != b.position:
        return a.position < b.position
    if a.length != b.length:
        return a.length < b.length
    return a.start < b.start or (a.start == b.start and a.words < b.words)


cdef inline int find_keys(Segment& segment) except -1 nogil:
    """The keys of the distinct words, and those of adjacent words."""
    cdef int32_t index, start, count, length = <int32_t>segment.words.size()
    cdef const Spelling* spelling
    cdef Key key
    cdef uint64_t hash
    memset(segment.key_filter, 0, sizeof(segment.key_filter))
    segment.keys.clear()
    segment.keys.reserve(segment.distinct.size())
    segment.parts.clear()
    segment.parts.reserve(2 * segment.words.size())
    for index in range(<int32_t>segment.distinct.size()):
        spelling = segment.distinct[index].spelling
        if spelling.key_length:
            key.hash, key.index = spelling.hash, index
            segment.keys.push_back(key)
            # a Bloom filter: most words have no partner, and one bit says so without a search
            segment.key_filter[(key.hash >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (key.hash & 63)
    sort(segment.keys.begin(), segment.keys.end())
    for start in range(length - 1):
        hash = segment.words[start].spelling.hash
        for count in range(2, min(MOST_PARTS, length - start) + 1):
            hash = with_letter(hash, segment.words[start + count - 1].spelling[0])
            segment.parts.push_back(hash)


cdef inline bint have_key(const Segment& segment, int32_t start, int32_t words, const Spelling& key) noexcept nogil:
    """Whether words have that key, all together."""
    cdef int32_t position, done = 0
    cdef const Spelling* spelling
    for position in range(start, start + words):
        spelling = segment.words[position].spelling
        if (
            done + spelling.key_length > key.key_length
            or memcmp(key.key + done, spelling.key, spelling.key_length * sizeof(int32_t)) != 0
        ):
            return False
        done += spelling.key_length
    return done == key.key_length


cdef inline bint may_have(const Segment& segment, uint64_t hash) noexcept nogil:
    return (segment.key_filter[(hash >> 6) & (FILTER_WORDS - 1)] >> (hash & 63)) & 1


cdef inline size_t first_key(const Segment& segment, uint64_t hash) noexcept nogil:
    """Index of the first key with this hash, or of the place where it would be."""
    cdef size_t low = 0, high = segment.keys.size(), middle
    while low < high:
        middle = (low + high) >> 1
        if segment.keys[middle].hash < hash:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int pair_words(
    const Segment& reference, const Segment& hypothesis, int32_t word, int32_t other, Candidate candidate,
    const Problem& problem, vector[Candidate]& found, int64_t& taken
) except -1 nogil:
    """Pair two distinct words wherever they stand."""
    cdef int32_t place, start
    for place in range(reference.begins[word], reference.begins[word + 1]):
        count_steps(taken, 4 * (1 + hypothesis.begins[other + 1] - hypothesis.begins[other]))
        for start in range(hypothesis.begins[other], hypothesis.begins[other + 1]):
            candidate.position, candidate.start = reference.places[place], hypothesis.places[start]
            found.push_back(candidate)
        check_pairs(reference, hypothesis, found.size(), problem)


cdef inline int join_words(
    const Segment& sources, const Segment& others, bint forward, Candidate candidate, const Problem& problem,
    vector[Candidate]& found, int64_t& taken
) except -1 nogil:
    """Different words of the same key, at least one of which has other signs, too; backward, the first one alone."""
    cdef size_t place
    cdef int32_t index, other, first
    cdef const Spelling* spelling
    cdef const Spelling* theirs
    candidate.length = candidate.words = 1
    for index in range(<int32_t>sources.distinct.size()):
        spelling = sources.distinct[index].spelling
        if not spelling.odd or spelling.key_length < SHORTEST_WORD or not may_have(others, spelling.hash):
            continue
        place = first_key(others, spelling.hash)
        first = sources.places[sources.begins[index]]
        while place < others.keys.size() and others.keys[place].hash == spelling.hash:
            other = others.keys[place].index
            place += 1
            theirs = others.distinct[other].spelling
            # two keys may have one hash, so the letters decide
            if others.distinct[other] == sources.distinct[index] or not have_key(sources, first, 1, theirs[0]):
                continue
            if forward:
                pair_words(sources, others, index, other, candidate, problem, found, taken)
            # two words with other signs are paired forward already
            elif not theirs.odd:
                pair_words(others, sources, other, index, candidate, problem, found, taken)


cdef inline bint has_key_at(const Segment& segment, int32_t position) noexcept nogil:
    return segment.words[position].spelling.key_length > 0


cdef inline int join_parts(
    const Segment& sources, const Segment& others, bint forward, Candidate candidate, const Problem& problem,
    vector[Candidate]& found, int64_t& taken
) except -1 nogil:
    """Words of the others that the sources have in parts; forward, the sources are the reference."""
    cdef size_t index, place
    cdef int32_t other, at, start, words
    cdef uint64_t hash
    cdef const Spelling* spelling
    for index in range(sources.parts.size()):
        hash = sources.parts[index]
        if not may_have(others, hash):
            continue
        place = first_key(others, hash)
        count_steps(taken, 20)
        start, words = <int32_t>(index // (MOST_PARTS - 1)), <int32_t>(2 + index % (MOST_PARTS - 1))
        if not has_key_at(sources, start) or not has_key_at(sources, start + words - 1):
            continue
        while place < others.keys.size() and others.keys[place].hash == hash:
            other = others.keys[place].index
            place += 1
            spelling = others.distinct[other].spelling
            if spelling.key_length < SHORTEST_PARTS or not have_key(sources, start, words, spelling[0]):
                continue
            count_steps(taken, 4 * <int64_t>(others.begins[other + 1] - others.begins[other]))
            for at in range(others.begins[other], others.begins[other + 1]):
                if forward:
                    candidate.position, candidate.length = start, words
                    candidate.start, candidate.words = others.places[at], 1
                else:
                    candidate.position, candidate.length = others.places[at], 1
                    candidate.start, candidate.words = start, words
                found.push_back(candidate)
            if forward:
                check_pairs(sources, others, found.size(), problem)
            else:
                check_pairs(others, sources, found.size(), problem)


cdef inline int propose_joined(
    const Segment& reference, const Segment& hypothesis, int stage, Problem& problem, Joined& joined
) except -1 nogil:
    """Candidates by position, length, start and words; no stage (-1), no candidates."""
    cdef Candidate candidate
    cdef size_t index
    cdef int32_t position
    cdef int64_t taken = 0
    joined.found.clear()
    joined.begins.assign(reference.words.size() + 1, 0)
    if stage < 0:
        return 0
    candidate.stage = stage
    join_words(reference, hypothesis, True, candidate, problem, joined.found, taken)
    join_words(hypothesis, reference, False, candidate, problem, joined.found, taken)
    join_parts(reference, hypothesis, True, candidate, problem, joined.found, taken)
    join_parts(hypothesis, reference, False, candidate, problem, joined.found, taken)
    if joined.found.empty():
        return 0
    add_pairs(reference, hypothesis, joined.found.size(), problem)
    sort(joined.found.begin(), joined.found.end(), in_order)
    for index in range(joined.found.size()):
        joined.begins[joined.found[index].position + 1] += 1
    for position in range(<int32_t>reference.words.size()):
        joined.begins[position + 1] += joined.begins[position]
