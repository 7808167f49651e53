"""Bounds by subgradient ascent; the compiled form of `meteorlib.search.optimal_graph`.

Floating-point numbers are added and multiplied in the same order.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.optimal_graph cimport NOBODY, Arc, Graph, steps_of
from meteorlib.engine.kernel.steps cimport step


cdef struct Ascent:  # constants of `meteorlib.search.optimal_graph`, of the same names
    double enough
    int64_t patience
    int64_t phases
    int64_t target
    double deflection

cdef cppclass Relaxation:
    """The bound under given multipliers; `continued` by group, `through` by arc."""
    int64_t bound
    vector[int64_t] multipliers
    vector[int64_t] to_go
    vector[int64_t] continued
    vector[int64_t] through

cdef cppclass Ascended:
    """State of subgradient ascent."""
    Relaxation last
    vector[int64_t] paid
    vector[double] direction
    vector[int32_t] uses  # of each hypothesis word by a path
    vector[int32_t] subgradient
    vector[double] demand
    vector[int32_t] wanted


cdef inline int copy_numbers(const vector[int64_t]& numbers, vector[int64_t]& copy) except -1 nogil:
    copy.resize(numbers.size())
    if numbers.size():
        memcpy(copy.data(), numbers.data(), numbers.size() * sizeof(int64_t))


cdef inline int copy_relaxation(const Relaxation& relaxation, Relaxation& copy) except -1 nogil:
    copy.bound = relaxation.bound
    copy_numbers(relaxation.multipliers, copy.multipliers)
    copy_numbers(relaxation.to_go, copy.to_go)
    copy_numbers(relaxation.continued, copy.continued)
    copy_numbers(relaxation.through, copy.through)


cdef inline int relax(const Graph& graph, vector[int64_t]& paid, Relaxation& relaxation) except -1 nogil:
    """One pass over the arcs, from the end, under the multipliers that stand there."""
    cdef int32_t layer, index, word, group = NOBODY
    cdef int64_t least, rest, chunk = graph.chunk
    cdef const Arc* arc
    cdef int64_t* to_go
    cdef int64_t* continued
    cdef int64_t* through
    paid.resize(graph.hypothesis_length + 1)
    paid[0] = 0
    for word in range(graph.hypothesis_length):
        paid[word + 1] = paid[word] + relaxation.multipliers[word]
    relaxation.to_go.resize(graph.layers)
    relaxation.continued.resize(graph.group_starts.size())
    relaxation.through.resize(graph.arcs.size())
    to_go, continued = relaxation.to_go.data(), relaxation.continued.data()
    through = relaxation.through.data()
    to_go[0] = 0
    for layer in range(1, graph.layers):
        rest = to_go[layer - 1]
        for index in range(graph.begins[layer], graph.begins[layer + 1]):
            arc = &graph.arcs[index]
            least = to_go[arc.target]
            if arc.joins >= 0:
                least = min(least, continued[arc.joins])
            least += arc.cost + paid[arc.stop] - paid[arc.start]
            if arc.group != group:
                group = arc.group
                continued[group] = least
            else:
                continued[group] = min(continued[group], least)
            through[index] = least + chunk
            rest = min(rest, through[index])
        to_go[layer] = rest
    relaxation.bound = to_go[graph.layers - 1] - paid[graph.hypothesis_length]
    step(3 * steps_of(graph))


cdef inline int count_uses(const Graph& graph, const Relaxation& relaxation, vector[int32_t]& uses) except -1 nogil:
    """Number of times the cheapest path takes each hypothesis word."""
    cdef int32_t layer = graph.layers - 1, open_ = NOBODY, index, word
    cdef int64_t wanted
    cdef bool joins
    cdef const Arc* arc
    uses.assign(graph.hypothesis_length, 0)
    while layer:
        wanted = relaxation.to_go[layer]
        joins = open_ >= 0 and relaxation.continued[open_] <= wanted
        if joins:
            wanted = relaxation.continued[open_] + graph.chunk
        elif wanted == relaxation.to_go[layer - 1]:
            layer, open_ = layer - 1, NOBODY
            continue
        index = graph.begins[layer]
        while relaxation.through[index] != wanted or (joins and graph.arcs[index].group != open_):
            index += 1
        arc = &graph.arcs[index]
        for word in range(arc.start, arc.stop):
            uses[word] += 1
        layer, open_ = arc.target, arc.joins
    step(steps_of(graph))


cdef inline int32_t slope_at(const Relaxation& relaxation, const vector[int32_t]& uses, int32_t word) noexcept nogil:
    """A word's part of the subgradient."""
    return uses[word] - 1 if uses[word] or relaxation.multipliers[word] else 0


cdef inline int improve(
    const Graph& graph, const Ascent& ascent, int64_t upper_bound, int64_t iterations, Ascended& work,
    Relaxation& best
) except -1 nogil:
    """Subgradient ascent from `best` to the best of so many further relaxations; 0 where a number does not fit."""
    cdef double scale = 1.0, square, length, changed
    cdef int64_t failures = 0, patience = max(ascent.patience, iterations // ascent.phases), turn
    cdef int32_t word, slope, words = graph.hypothesis_length
    cdef bool any_slope
    cdef double* direction
    cdef int64_t* multipliers
    if iterations == 0:
        return True
    copy_relaxation(best, work.last)
    work.direction.assign(words, 0.0)
    direction, multipliers = work.direction.data(), work.last.multipliers.data()
    for turn in range(iterations):
        count_uses(graph, work.last, work.uses)
        any_slope = False
        square = 0.0
        for word in range(words):
            slope = slope_at(work.last, work.uses, word)
            any_slope = any_slope or slope
            if multipliers[word] or slope > 0:
                direction[word] = slope + ascent.deflection * direction[word]
            else:
                direction[word] = 0.0
            square += direction[word] * direction[word]
        if not any_slope or upper_bound <= work.last.bound:
            copy_relaxation(work.last, best)
            return True
        if square == 0:
            square = 1.0
        length = scale * <double>min(upper_bound - work.last.bound, ascent.target * graph.unit) / square
        for word in range(words):
            if direction[word]:
                changed = <double>multipliers[word] + length * direction[word]
                if changed > <double>graph.most:
                    return False
                multipliers[word] = <int64_t>changed if changed > 0 else 0
        relax(graph, work.paid, work.last)
        if work.last.bound > best.bound:
            copy_relaxation(work.last, best)
            failures = 0
        else:
            failures += 1
            if failures == patience:
                scale = scale / 2
                failures = 0
    return True


cdef inline int initial_multipliers(
    const Graph& graph, const Ascent& ascent, Ascended& work, vector[int64_t]& multipliers
) except -1 nogil:
    """See `initial_multipliers` in Python; 0 where one does not fit."""
    cdef int32_t layer, index, word
    cdef int64_t most
    cdef const Arc* arc
    work.demand.assign(graph.hypothesis_length, 0.0)
    multipliers.assign(graph.hypothesis_length, 0)  # the value of a match, then its multiplier
    for layer in range(1, graph.layers):
        most = -1
        for index in range(graph.begins[layer], graph.begins[layer + 1]):
            arc = &graph.arcs[index]
            if arc.stop == arc.start + 1 and arc.value >= most:
                if arc.value > most:
                    work.wanted.clear()
                    most = arc.value
                work.wanted.push_back(arc.start)
        if most < 0:
            continue
        for word in work.wanted:
            work.demand[word] += 1.0 / <double>work.wanted.size()
            multipliers[word] = max(multipliers[word], most)
    for word in range(graph.hypothesis_length):
        if work.demand[word] <= ascent.enough:
            multipliers[word] = 0
        elif multipliers[word] > graph.most // graph.unit:
            return False
        else:
            multipliers[word] = max(<int64_t>0, multipliers[word] * graph.unit - graph.chunk)
    return True
