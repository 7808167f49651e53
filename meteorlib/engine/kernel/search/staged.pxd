"""METEOR 2005's search, stage by stage; the compiled form of `meteorlib.search.staged`."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport count_all
from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, Unit, unit_candidate
from meteorlib.engine.kernel.search.staged_branch_and_bound cimport cheapest
from meteorlib.engine.kernel.search.staged_tree cimport Tree
from meteorlib.engine.kernel.search.staged_components cimport NOBODY, Component, Graph, begin, pair, settle
from meteorlib.engine.kernel.search.staged_words cimport OpenWords, open_words
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    LARGE = 1 << 16
    MOST_BITS = 31  # of the number of bytes that sets may fill
    PAIRS_PER_STEP = 8  # as in `meteorlib.search.staged_components`

cdef cppclass Staged:
    Graph graph
    OpenWords open
    Tree tree


cdef inline bool is_large_staged(const Staged& it) noexcept nogil:
    return (
        it.graph.starts.capacity() > LARGE
        or it.graph.reach.capacity() > LARGE
        or it.open.moves.capacity() > LARGE
        or it.open.matchings.capacity() > 64
        or it.tree.links.capacity() > LARGE
        or it.tree.sets.rows.capacity() > LARGE
        or it.tree.answers.sets.capacity() > LARGE
    )


cdef inline bool has_too_many_pairs(const Graph& graph, int64_t budget) noexcept nogil:
    """Whether components would have to be cut down to as many pairs as the budget covers."""
    cdef int64_t most = PAIRS_PER_STEP * budget, pairs = 0, one, other
    cdef size_t index
    cdef const Component* component
    if <int64_t>graph.partners.size() * <int64_t>graph.starts.size() <= most:
        return False
    for index in range(graph.components.size()):
        component = &graph.components[index]
        one, other = component.reference_count, component.start_count
        if component.ordered:
            pairs += min(one, other) * (max(one, other) - min(one, other) + 1)
        else:
            pairs += count_all(graph.reach.data() + component.reach, component.reference_count * component.words)
    return pairs > most


cdef inline bint choose(
    const Segment& reference, const Segment& hypothesis, int stage, int64_t budget, Staged& it
) except -1 nogil:
    """Match what leaves a choice; whether that is proven the best."""
    cdef bint proven
    cdef size_t index
    open_words(it.graph, hypothesis.words.size(), it.open)
    proven = cheapest(it.graph, it.open, budget, it.tree)
    for index in range(it.open.loose):
        proven = proven and it.open.matchings[index].complete
    for index in range(it.open.words.size()):
        if it.tree.best[index] != it.open.behind:
            pair(reference, hypothesis, stage, it.open.words[index].reference, it.tree.best[index], it.graph)
    return proven


cdef inline bint search_staged(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, int stages, int64_t budget,
    Staged& it, vector[Candidate]& chosen, bool& optimal,
) except -1 nogil:
    """Choose the matches, by position, and tell whether all are proven the best; False where that is left to Python."""
    cdef int stage
    cdef int32_t position
    cdef Unit unit
    if reference.words.size() * hypothesis.words.size() // 2 > <size_t>1 << MOST_BITS:
        return False
    begin(reference, hypothesis, problem, it.graph)
    for stage in range(stages):
        settle(reference, hypothesis, problem, stage, it.graph)
        if has_too_many_pairs(it.graph, budget):
            return False
        if not it.graph.components.empty() and not choose(reference, hypothesis, stage, budget, it):
            optimal = False
    chosen.clear()
    for position in range(<int32_t>reference.words.size()):
        if it.graph.partners[position] != NOBODY:
            unit.start, unit.stage = it.graph.partners[position], it.graph.stages[position]
            chosen.push_back(unit_candidate(position, unit))
    return True
