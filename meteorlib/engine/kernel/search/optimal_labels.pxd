"""Labels and dominance; a part of the compiled form of `meteorlib.search.optimal_labels`.

Sets of words have a bit for each critical word that two layers or more can use: no other tells labels apart.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport no_room
from meteorlib.engine.kernel.search.optimal_graph cimport NOBODY, Graph


cdef enum:
    ELSEWHERE = -2  # the group of going on without an arc: no label waits for it
    FEW = 64  # places of an empty table

cdef struct Label:
    int64_t bound
    int32_t group  # that continues its chunk
    int32_t arc  # the last, if it has no link yet
    int32_t link

cdef struct Link:
    int32_t arc
    int32_t previous

cdef struct Rank:
    int64_t bound
    int32_t index

cdef struct Extension:
    int64_t through
    int32_t group
    int32_t joins
    int32_t target
    int32_t arc
    bool passes  # whether it leaves words alone whose multipliers come back

cdef cppclass Bucket:
    """The labels of a layer, in the order in which their possibilities came first."""
    vector[Label] labels
    vector[uint64_t] used
    vector[int32_t] table  # of their indexes

cdef cppclass Labels:
    """Input and results of label setting."""
    size_t words  # of 64 bits that a set has
    size_t turns  # mask of layers: a power of two, less 1
    vector[Bucket] buckets
    vector[Link] links
    vector[Rank] ranks
    vector[int64_t] bases
    vector[Extension] extensions
    vector[uint64_t] masks  # of each extension: words that it takes, words it passes, words that may be used later
    vector[int32_t] bits  # of each hypothesis word
    vector[int64_t] refunds  # of each bit
    vector[uint64_t] usable  # of each layer
    vector[uint64_t] refundable
    vector[uint64_t] left
    vector[int32_t] path  # the arcs of the label at the end, in reference order
    bool ended
    int64_t bound  # of that label
    int64_t dropped
    int64_t steps


cdef inline void empty(Bucket& bucket) noexcept nogil:
    bucket.labels.clear()
    bucket.used.clear()
    bucket.table.assign(FEW, -1)


cdef inline bool precedes(
    const Graph& graph, const vector[Link]& links, int32_t arc, int32_t link, int32_t other_arc, int32_t other_link
) noexcept nogil:
    """Whether in the first match that two paths do not share the first one's is the smaller, or the other has none."""
    cdef int32_t first = NOBODY, second = NOBODY, here, there, layer, other_layer
    while arc != other_arc or link != other_link:
        here = arc if arc >= 0 else links[link].arc if link >= 0 else NOBODY
        there = other_arc if other_arc >= 0 else links[other_link].arc if other_link >= 0 else NOBODY
        layer = graph.arcs[here].layer if here >= 0 else INT32_MAX
        other_layer = graph.arcs[there].layer if there >= 0 else INT32_MAX
        if layer <= other_layer:
            first = here
            link = link if arc >= 0 else links[link].previous
            arc = NOBODY
        if other_layer <= layer:
            second = there
            other_link = other_link if other_arc >= 0 else links[other_link].previous
            other_arc = NOBODY
    if first < 0 or second < 0:
        return second < 0
    if graph.arcs[first].layer != graph.arcs[second].layer:
        return graph.arcs[first].layer > graph.arcs[second].layer
    return first < second


cdef inline size_t scatter(const uint64_t* words, size_t count, int32_t group) noexcept nogil:
    cdef uint64_t hash = <uint64_t>group
    cdef size_t place
    for place in range(count):
        hash = (hash ^ words[place]) * <uint64_t>0x9E3779B97F4A7C15
        hash ^= hash >> 32
    return <size_t>hash


cdef inline bool same_set(const uint64_t* words, const uint64_t* others, size_t count) noexcept nogil:
    cdef size_t place
    for place in range(count):
        if words[place] != others[place]:
            return False
    return True


cdef inline int grow_table(Bucket& bucket, size_t words) except -1 nogil:
    cdef size_t index, mask = 2 * bucket.table.size() - 1, slot
    bucket.table.assign(mask + 1, -1)
    for index in range(bucket.labels.size()):
        slot = scatter(bucket.used.data() + index * words, words, bucket.labels[index].group) & mask
        while bucket.table[slot] >= 0:
            slot = (slot + 1) & mask
        bucket.table[slot] = <int32_t>index


cdef inline int offer(const Graph& graph, const Label& label, Labels& labels, Bucket& bucket) except -1 nogil:
    """Put a label that may use `labels.left` no more where it belongs, unless another dominates it."""
    cdef size_t words = labels.words, mask, slot, place
    cdef const uint64_t* left = labels.left.data()
    cdef Label* known
    cdef int32_t index
    if 2 * bucket.labels.size() >= bucket.table.size():
        grow_table(bucket, words)
    mask = bucket.table.size() - 1
    slot = scatter(left, words, label.group) & mask
    index = bucket.table[slot]
    while index >= 0:
        known = &bucket.labels[index]
        if known.group == label.group and same_set(left, bucket.used.data() + index * words, words):
            if label.bound < known.bound or (
                label.bound == known.bound
                and precedes(graph, labels.links, label.arc, label.link, known.arc, known.link)
            ):
                known[0] = label
            return 0
        slot = (slot + 1) & mask
        index = bucket.table[slot]
    bucket.table[slot] = <int32_t>bucket.labels.size()
    bucket.labels.push_back(label)
    for place in range(words):
        bucket.used.push_back(left[place])
    if bucket.labels.size() >= INT32_MAX // 4:
        no_room()
