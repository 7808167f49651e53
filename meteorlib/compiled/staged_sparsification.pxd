"""Components with too many pairs, cut down; a twin of `meteorlib.search.staged.sparsification`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.staged_components cimport Component, Graph
from meteorlib.compiled.staged_matching cimport NONE, Matching, match
from meteorlib.compiled.bits cimport count_all, drop, place_from, put
from meteorlib.compiled.steps cimport go_on


cdef enum:
    PAIRS_PER_STEP = 8


cdef inline int64_t pairs_of(const Component& component, const Graph& graph) noexcept nogil:
    """How many pairs a component has; in order, where every word matches every other."""
    cdef int64_t one = component.reference_count, other = component.start_count
    if not component.ordered:
        return count_all(graph.reach.data() + component.reach, component.reference_count * component.words)
    return min(one, other) * (max(one, other) - min(one, other) + 1)


cdef inline int load(const Component& component, const Graph& graph, Matching& matching) except -1 nogil:
    """Find a largest matching of a loose component."""
    cdef const uint64_t* reach = graph.reach.data() + component.reach
    matching.count, matching.places = component.reference_count, component.start_count
    matching.neighbors.assign(reach, reach + component.reference_count * component.words)
    match(matching)


cdef inline bool cut_ordered(Component& component, int64_t pairs) noexcept nogil:
    """Leave the last words out where the larger side has too many to spare; whether there were none."""
    cdef int64_t few = min(component.reference_count, component.start_count)
    cdef int64_t many = max(component.reference_count, component.start_count)
    cdef int64_t most = few + pairs // few
    component.reference_count = <int32_t>min(<int64_t>component.reference_count, most)
    component.start_count = <int32_t>min(<int64_t>component.start_count, most)
    return many <= most


cdef inline int keep_near(
    uint64_t* reach, size_t words, int32_t middle, int64_t each, vector[int32_t]& places
) except -1 nogil:
    """Keep so many places of a set, those about the middle."""
    cdef int32_t place = place_from(reach, words, 0)
    cdef int64_t nearest = 0, first, index
    places.clear()
    while place >= 0:
        if place < middle:
            nearest += 1
        places.push_back(place)
        place = place_from(reach, words, place + 1)
    first = max(<int64_t>0, min(nearest - each // 2, <int64_t>places.size() - each))
    for index in range(<int64_t>places.size()):
        if index < first or index >= first + each:
            drop(reach, places[index])


cdef inline bint cut_loose(
    const Component& component, int64_t pairs, Graph& graph, Matching& matching, vector[int32_t]& places
) except -1 nogil:
    """Leave each word what lies nearest to its own place, and its partner; whether that is all."""
    cdef int32_t index
    cdef int64_t each = pairs // component.reference_count, middle
    cdef uint64_t* row
    if pairs_of(component, graph) <= pairs:
        return True
    load(component, graph, matching)
    for index in range(component.reference_count):
        go_on(graph.steps, 4 * <int64_t>component.start_count)
        row = graph.reach.data() + component.reach + index * component.words
        middle = <int64_t>index * component.start_count // component.reference_count
        keep_near(row, component.words, <int32_t>middle, each, places)
        if matching.partners[index] != NONE:
            put(row, matching.partners[index])
    return False


cdef inline bint cut_down(
    int64_t budget, Graph& graph, Matching& matching, vector[int32_t]& places
) except -1 nogil:
    """Give each component its share of pairs where there are too many; whether nothing was left out."""
    cdef int64_t most = PAIRS_PER_STEP * budget, whole = 0, share
    cdef size_t index
    cdef bint complete = True
    if <int64_t>graph.partners.size() * <int64_t>graph.starts.size() <= most:
        return True
    for index in range(graph.components.size()):
        whole += pairs_of(graph.components[index], graph)
    if whole <= most:
        return True
    for index in range(graph.components.size()):
        # both are below 2 ** 32: see `check_room`
        share = <int64_t>(<uint64_t>pairs_of(graph.components[index], graph) * <uint64_t>most // <uint64_t>whole)
        if graph.components[index].ordered:
            complete = cut_ordered(graph.components[index], share) and complete
        else:
            complete = cut_loose(graph.components[index], share, graph, matching, places) and complete
    return complete
