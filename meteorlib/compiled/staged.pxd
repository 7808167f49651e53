"""METEOR 2005's search, stage by stage; a twin of `meteorlib.search.staged.search`."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, Problem, Unit, unit_candidate
from meteorlib.compiled.staged_branching cimport Tree, find_cheapest
from meteorlib.compiled.staged_components cimport NOBODY, Graph, begin, pair, settle
from meteorlib.compiled.staged_matching cimport Matching
from meteorlib.compiled.staged_sparsification cimport cut_down
from meteorlib.compiled.staged_words cimport OpenWords, open_words
from meteorlib.compiled.words cimport Segment


cdef enum:
    LARGE = 1 << 16
    MOST_BITS = 31  # of the number of bytes that sets may fill

cdef cppclass Staged:
    Graph graph
    OpenWords open
    Tree tree
    Matching whole  # of a component before it is cut down
    vector[int32_t] places


cdef inline bool is_large_staged(const Staged& it) noexcept nogil:
    return (
        it.graph.starts.capacity() > LARGE
        or it.graph.reach.capacity() > LARGE
        or it.open.moves.capacity() > LARGE
        or it.open.matchings.capacity() > 64
        or it.tree.links.capacity() > LARGE
        or it.tree.taken.capacity() > LARGE
        or it.tree.answers.sets.capacity() > LARGE
        or it.whole.neighbors.capacity() > LARGE
    )


cdef inline int refuse(size_t reference_length, size_t hypothesis_length) except -1 with gil:
    from meteorlib.search.search import check_room

    check_room(reference_length * hypothesis_length // 2, range(reference_length), hypothesis_length)
    return 0


cdef inline bint choose(
    const Segment& reference, const Segment& hypothesis, int stage, int64_t budget, Staged& it
) except -1 nogil:
    """Match what leaves a choice; whether that is proven the best."""
    cdef bint complete = cut_down(budget, it.graph, it.whole, it.places), proven
    cdef size_t index
    open_words(it.graph, hypothesis.words.size(), it.open)
    proven = find_cheapest(it.graph, it.open, budget, it.tree) and complete
    for index in range(it.open.loose):
        proven = proven and it.open.matchings[index].complete
    for index in range(it.open.words.size()):
        if it.tree.best[index] != it.open.behind:
            pair(reference, hypothesis, stage, it.open.words[index].reference, it.tree.best[index], it.graph)
    return proven


cdef inline bint search_staged(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, int stages, int64_t budget,
    Staged& it, vector[Candidate]& chosen,
) except -1 nogil:
    """Choose the matches, by position; whether all are proven the best."""
    cdef int stage
    cdef int32_t position
    cdef bint optimal = True
    cdef Unit unit
    if reference.words.size() * hypothesis.words.size() // 2 > <size_t>1 << MOST_BITS:
        refuse(reference.words.size(), hypothesis.words.size())
    begin(reference, hypothesis, problem, it.graph)
    for stage in range(stages):
        settle(reference, hypothesis, problem, stage, it.graph)
        if not it.graph.components.empty():
            optimal = choose(reference, hypothesis, stage, budget, it) and optimal
    chosen.clear()
    for position in range(<int32_t>reference.words.size()):
        if it.graph.partners[position] != NOBODY:
            unit.start, unit.stage = it.graph.partners[position], it.graph.stages[position]
            chosen.push_back(unit_candidate(position, unit))
    return optimal
