"""NLTK's greedy search; the compiled form of `meteorlib.search.greedy`."""

from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport EXACT, LEMMA, STEM, Candidate, Unit, unit_candidate
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport Segment, Word, room_for, scattered


cdef cppclass Free:
    """The distinct words of the reference, by what a stage compares, and how many places of each are still free."""
    vector[int32_t] heads
    vector[int32_t] links
    vector[int32_t] left
    vector[int32_t] starts  # of the hypothesis, descending: what no stage has matched yet


cdef inline int32_t compared(int matcher, const Word* word) noexcept nogil:
    """The number of a reference word that a stage compares: of the word itself, its stem or its form."""
    return word.id if matcher == EXACT else word.stem if matcher == STEM else word.form


cdef inline int lay_free(const Segment& reference, int matcher, Free& free) except -1 nogil:
    """Chain the words that have a free place."""
    cdef int32_t index, count = <int32_t>reference.distinct.size()
    cdef size_t slot
    free.heads.assign(room_for(count), -1)
    for index in range(count):
        if free.left[index]:
            slot = scattered(compared(matcher, reference.distinct[index])) & (free.heads.size() - 1)
            free.links[index] = free.heads[slot]
            free.heads[slot] = index


cdef inline int32_t last_place(const Segment& reference, const Free& free, int32_t index) noexcept nogil:
    return reference.places[reference.begins[index] + free.left[index] - 1]


cdef inline int32_t last_free(
    const Segment& reference, const Free& free, int matcher, int32_t wanted, const Word* word, int32_t best,
    int64_t& taken,
) except -2 nogil:
    """The distinct word with the last free place among `best` and those that a stage matches with `word`."""
    cdef int32_t index = free.heads[scattered(wanted) & (free.heads.size() - 1)]
    cdef const Word* other
    cdef int64_t seen = 0
    while index >= 0:
        seen += 1
        other = reference.distinct[index]
        if (
            free.left[index]
            and compared(matcher, other) == wanted
            and (matcher != STEM or other != word)
            and (best < 0 or last_place(reference, free, index) > last_place(reference, free, best))
        ):
            best = index
        index = free.links[index]
    count_steps(taken, 10 * (1 + seen))
    return best


cdef inline int search_greedily(
    const Segment& reference, const Segment& hypothesis, const int* matchers, int stages, Free& free,
    vector[Candidate]& chosen,
) except -1 nogil:
    """Pair words stage by stage, from the last word to the first on either side."""
    cdef int stage, matcher
    cdef int32_t start, index, place, synset
    cdef Word* word
    cdef Unit unit
    cdef size_t kept
    cdef int64_t taken = 0
    free.links.resize(reference.distinct.size())
    free.left.resize(reference.distinct.size())
    for index in range(<int32_t>reference.distinct.size()):
        free.left[index] = reference.begins[index + 1] - reference.begins[index]
    free.starts.clear()
    for index in range(<int32_t>hypothesis.words.size() - 1, -1, -1):
        free.starts.push_back(index)
    for stage in range(stages):
        unit.stage, matcher = stage, matchers[stage]
        lay_free(reference, matcher, free)
        kept = 0
        for start in free.starts:
            word = hypothesis.words[start]
            index = -1
            if matcher == LEMMA:
                for synset in range(word.synset_count):
                    index = last_free(reference, free, matcher, word.synsets[synset], word, index, taken)
            else:
                index = last_free(reference, free, matcher, compared(matcher, word), word, index, taken)
            if index >= 0:
                place = last_place(reference, free, index)
                free.left[index] -= 1
                unit.start = start
                chosen.push_back(unit_candidate(place, unit))
            else:
                free.starts[kept] = start
                kept += 1
        free.starts.resize(kept)
