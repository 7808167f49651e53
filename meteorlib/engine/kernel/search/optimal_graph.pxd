"""Candidates as a layered graph of integers; the compiled form of `meteorlib.search.optimal_graph`."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t
from libc.stdlib cimport abs
from libcpp cimport bool
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.engine.kernel.count.counts cimport STAGES
from meteorlib.engine.kernel.steps cimport step
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    COST_BITS = 58  # costs, and sums of all multipliers, stay below; sums of a few of them fit into 64 bits
    NOBODY = -1  # no group, no arc, no link

cdef struct MatchValue:  # gains of matched words, in units; see `meteorlib.search.optimal_graph`
    int64_t gains[STAGES]
    bool fits  # whether these numbers fit here; the Python engine takes what does not

cdef struct Arc:  # a candidate at a layer
    int64_t cost
    int64_t value  # in units
    int32_t layer
    int32_t start
    int32_t stop
    int32_t length
    int32_t stage
    int32_t target  # the layer that it leads to
    int32_t group  # the arcs of its layer that start where it does
    int32_t joins  # the group that continues its chunk

cdef cppclass Graph:
    """Arcs layer by layer, from the end of the reference; groups of arcs likewise."""
    int32_t hypothesis_length
    int32_t bits
    int64_t chunk
    int64_t unit
    int64_t most  # that a multiplier may be
    int32_t layers
    int32_t longest  # layers that an arc passes
    vector[Arc] arcs
    vector[int32_t] begins  # of the arcs of each layer
    vector[int32_t] places  # reference positions of the layers
    vector[int32_t] group_begins
    vector[int32_t] group_starts
    vector[int32_t] first  # for each position the layer there, or the first one behind
    vector[int32_t] lowest  # for each hypothesis word the lowest layer that can use it
    vector[int32_t] highest
    vector[Arc] here


cdef inline int64_t steps_of(const Graph& graph) noexcept nogil:
    """See `Graph.steps` in Python."""
    return <int64_t>(graph.arcs.size() + graph.layers)


cdef inline int64_t value_of(const MatchValue& value, const Candidate& candidate) noexcept nogil:
    """The value of a match, in units."""
    return (candidate.words + candidate.length) * value.gains[candidate.stage]


cdef inline bool same_span(const Arc& a, const Arc& b) noexcept nogil:
    return a.start == b.start and a.length == b.length and a.stop == b.stop


cdef inline bool arc_before(const Arc& a, const Arc& b) noexcept nogil:
    """By span; of equal ones by value, then the earliest stage."""
    if a.start != b.start:
        return a.start < b.start
    if a.length != b.length:
        return a.length < b.length
    if a.stop != b.stop:
        return a.stop < b.stop
    return a.value > b.value or (a.value == b.value and a.stage < b.stage)


cdef inline int32_t group_at(const Graph& graph, int32_t layer, int32_t start) noexcept nogil:
    """The group of a layer whose arcs start there."""
    cdef int32_t low = graph.group_begins[layer], end = graph.group_begins[layer + 1], high = end, middle
    while low < high:
        middle = (low + high) >> 1
        if graph.group_starts[middle] < start:
            low = middle + 1
        else:
            high = middle
    return low if low < end and graph.group_starts[low] == start else NOBODY


cdef inline bint find_arcs(
    const Segment& reference, const Problem& problem, const MatchValue& value, int32_t position, Graph& graph
) except -1 nogil:
    """The arcs of a position, in order, one for each pair of spans; False where a number does not fit."""
    cdef int32_t index, count = candidates_at(reference, problem, position)
    cdef Candidate candidate
    cdef Arc arc
    cdef bool sorted_ = True
    cdef size_t kept = 0, place
    graph.here.clear()
    arc.layer = graph.layers
    for index in range(count):
        candidate = candidate_at(reference, problem, position, index)
        arc.value = value_of(value, candidate)
        if arc.value > <int64_t>1 << (COST_BITS - 3 * graph.bits):
            return False
        arc.cost = abs(candidate.start - position) - arc.value * graph.unit
        arc.start, arc.stop = candidate.start, candidate.start + candidate.words
        arc.length, arc.stage = candidate.length, candidate.stage
        sorted_ = sorted_ and (graph.here.empty() or not arc_before(arc, graph.here.back()))
        graph.here.push_back(arc)
    if not sorted_:
        sort(graph.here.begin(), graph.here.end(), arc_before)
    for place in range(graph.here.size()):
        if kept == 0 or not same_span(graph.here[kept - 1], graph.here[place]):
            graph.here[kept] = graph.here[place]
            kept += 1
    graph.here.resize(kept)
    step(20 * <int64_t>(1 + count))
    return True


cdef inline int add_layer(int32_t position, Graph& graph) except -1 nogil:
    """Make the gathered arcs a layer."""
    cdef size_t index
    cdef int32_t layer = graph.layers, word, target
    cdef Arc* arc
    graph.places.push_back(position)
    for index in range(graph.here.size()):
        arc = &graph.here[index]
        target = graph.first[position + arc.length]
        arc.target, arc.joins = target, NOBODY
        if graph.places[target] == position + arc.length:
            arc.joins = group_at(graph, target, arc.stop)
        graph.longest = max(graph.longest, layer - target)
        if index == 0 or graph.group_starts.back() != arc.start:
            graph.group_starts.push_back(arc.start)
        arc.group = <int32_t>graph.group_starts.size() - 1
        for word in range(arc.start, arc.stop):
            graph.lowest[word] = min(graph.lowest[word], layer)
            graph.highest[word] = layer
        graph.arcs.push_back(arc[0])
    graph.begins.push_back(<int32_t>graph.arcs.size())
    graph.group_begins.push_back(<int32_t>graph.group_starts.size())
    graph.layers += 1


cdef inline bint build_graph(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, const MatchValue& value, Graph& graph
) except -1 nogil:
    """Build the graph; False where a number does not fit."""
    cdef int32_t end = <int32_t>reference.words.size(), position, size = end
    cdef int64_t total = 0, dearest
    cdef size_t index
    graph.hypothesis_length = <int32_t>hypothesis.words.size()
    size = max(end, graph.hypothesis_length) + 1
    graph.bits = 0
    while size >> graph.bits:
        graph.bits += 1
    if not value.fits or 3 * graph.bits >= COST_BITS:
        return False
    graph.chunk = <int64_t>1 << 2 * graph.bits
    graph.unit = graph.chunk << graph.bits
    graph.most = (<int64_t>1 << COST_BITS) // (graph.hypothesis_length + 1)
    graph.first.resize(end + 1)
    graph.lowest.assign(graph.hypothesis_length, INT32_MAX)
    graph.highest.assign(graph.hypothesis_length, -1)
    graph.arcs.clear()
    graph.group_starts.clear()
    graph.begins.assign(2, 0)
    graph.group_begins.assign(2, 0)
    graph.places.assign(1, end)
    graph.layers, graph.longest = 1, 1
    graph.first[end] = 0
    for position in range(end - 1, -1, -1):
        if candidates_at(reference, problem, position):
            if not find_arcs(reference, problem, value, position, graph):
                return False
            dearest = 0
            for index in range(graph.here.size()):
                dearest = max(dearest, -graph.here[index].cost)
            total += dearest + 2 * graph.chunk
            if total > <int64_t>1 << COST_BITS:
                return False
            add_layer(position, graph)
        graph.first[position] = graph.layers - 1
    return True


cdef inline int64_t cost_of(const Graph& graph, const MatchValue& value, const vector[Candidate]& matches) noexcept nogil:
    """The cost of an alignment, its matches in reference order."""
    cdef int64_t total = 0
    cdef int32_t next_position = -1, next_start = -1
    cdef size_t index
    cdef Candidate match
    for index in range(matches.size()):
        match = matches[index]
        total += abs(match.position - match.start) - value_of(value, match) * graph.unit
        if match.position != next_position or match.start != next_start:
            total += graph.chunk
        next_position, next_start = match.position + match.length, match.start + match.words
    return total
