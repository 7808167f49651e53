"""NLTK's greedy search; a twin of `meteorlib.search.greedy`."""

cdef inline int search_greedily(
    const Segment& reference, const Segment& hypothesis, const int* kinds, int stages, vector[Candidate]& chosen
) except -1 nogil:
    """Pair words stage by stage, from the last word to the first on either side."""
    cdef int stage
    cdef int32_t start, index, place
    cdef Word* word
    cdef Unit unit
    cdef vector[int32_t] left  # positions of the reference that are still free, descending
    for index in range(<int32_t>reference.words.size() - 1, -1, -1):
        left.push_back(index)
    cdef vector[int32_t] starts
    for index in range(<int32_t>hypothesis.words.size() - 1, -1, -1):
        starts.push_back(index)
    cdef size_t kept
    for stage in range(stages):
        unit.stage = stage
        kept = 0
        for start in starts:
            word = hypothesis.words[start]
            for place in range(<int32_t>left.size()):
                if related(kinds[stage], reference.words[left[place]], word):
                    unit.start = start
                    chosen.push_back(unit_candidate(left[place], unit))
                    left.erase(left.begin() + place)
                    break
            else:
                starts[kept] = start
                kept += 1
        starts.resize(kept)
