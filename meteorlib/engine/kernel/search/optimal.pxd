"""The provably best alignment; the compiled form of `meteorlib.search.optimal`."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.engine.kernel.search.optimal_graph cimport Arc, Graph, MatchValue, build_graph, steps_of
from meteorlib.engine.kernel.search.optimal_labels cimport Labels
from meteorlib.engine.kernel.search.optimal_relaxation cimport (
    Ascended, Ascent, Relaxation, count_uses, improve, initial_multipliers, relax, slope_at,
)
from meteorlib.engine.kernel.search.optimal_label_setting cimport set_labels
from meteorlib.engine.kernel.steps cimport step
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    ATTEMPTS = 16

    PROVEN = 0  # outcomes
    FOUND = 1  # it may not be the best
    TOO_LARGE = 2  # for a graph
    TOO_WIDE = 3  # for numbers of 64 bits

cdef struct Rules:  # constants of `meteorlib.search.optimal`, and what a preset says
    MatchValue value
    Ascent ascent
    size_t widths[ATTEMPTS]  # the schedule
    int64_t iterations[ATTEMPTS]
    size_t attempts
    int32_t hopeless
    size_t heuristic_width
    int64_t largest
    int64_t words_per_share
    int64_t budget

cdef struct Answer:  # an alignment, or none
    bool found
    int64_t cost

cdef cppclass Optimal:
    """State of a search, with the best alignment it knows."""
    Graph graph
    Relaxation relaxation
    Ascended ascended
    Labels labels
    vector[char] critical
    vector[char] violated
    vector[char] used
    vector[int32_t] best  # arcs of an attempt's best alignment, in reference order
    vector[int32_t] incumbent
    vector[int32_t] repaired
    vector[Candidate] beaten  # if the beam found another alignment, the one of the two that lost
    Answer answer  # the best of an attempt
    int64_t others  # the lower bound of what it did not rule out
    int64_t cost  # of the incumbent


cdef inline int32_t find_violated(const Graph& graph, Optimal& it, vector[char]& violated) noexcept nogil:
    """The hypothesis words whose subgradient is not 0; how many there are."""
    cdef int32_t word, found = 0
    for word in range(graph.hypothesis_length):
        violated[word] = slope_at(it.relaxation, it.ascended.uses, word) != 0
        found += violated[word]
    return found


cdef inline int use_path(Optimal& it) except -1 nogil:
    """Count how often the path at the end of a labeling takes each word."""
    cdef int32_t arc, word
    it.ascended.uses.assign(it.graph.hypothesis_length, 0)
    for arc in it.labels.path:
        for word in range(it.graph.arcs[arc].start, it.graph.arcs[arc].stop):
            it.ascended.uses[word] += 1


cdef inline int64_t repair(Optimal& it) except -1 nogil:
    """Leave out the matches of words that earlier ones take; the cost of what is left, `it.repaired`."""
    cdef int32_t index, word, layer = -1, stop = -1
    cdef int64_t total = 0
    cdef bool free
    cdef const Arc* arc
    it.used.assign(it.graph.hypothesis_length, 0)
    it.repaired.clear()
    for index in it.labels.path:
        arc = &it.graph.arcs[index]
        free = True
        for word in range(arc.start, arc.stop):
            free = free and not it.used[word]
        if not free:
            continue
        for word in range(arc.start, arc.stop):
            it.used[word] = 1
        it.repaired.push_back(index)
        total += arc.cost
        if arc.layer != layer or arc.start != stop:
            total += it.graph.chunk
        layer = arc.target
        stop = arc.stop if it.graph.places[layer] == it.graph.places[arc.layer] + arc.length else -1
    return total


cdef inline int64_t attempt(
    const Rules& rules, int64_t width, int64_t upper_bound, int64_t budget, Optimal& it
) except -1 nogil:
    """An attempt at a proof, see `_attempt` in Python; returns the steps taken."""
    cdef int64_t spent = 0, repaired
    cdef int32_t word, count
    cdef bool violates
    it.critical.resize(it.graph.hypothesis_length)
    it.violated.resize(it.graph.hypothesis_length)
    count_uses(it.graph, it.relaxation, it.ascended.uses)
    count = find_violated(it.graph, it, it.critical)
    it.answer.found, it.answer.cost = False, 0
    if upper_bound == it.graph.unit and count > rules.hopeless:
        it.others = it.relaxation.bound
        return 0
    if not count:
        upper_bound = min(upper_bound, it.relaxation.bound)
    while True:
        set_labels(it.graph, it.relaxation, width, upper_bound, it.critical, it.labels)
        spent += it.labels.steps
        it.others = it.labels.dropped
        if not it.labels.ended:
            return spent
        use_path(it)
        find_violated(it.graph, it, it.violated)
        violates = False
        for word in range(it.graph.hypothesis_length):
            if it.violated[word] and not it.critical[word]:
                violates = True
                it.critical[word] = 1
        if it.labels.dropped > it.labels.bound and not violates:
            it.best.swap(it.labels.path)
            it.answer.found, it.answer.cost = True, it.labels.bound
            return spent
        repaired = repair(it)
        if not it.answer.found or repaired < it.answer.cost:
            it.best.swap(it.repaired)
            it.answer.found, it.answer.cost = True, repaired
            upper_bound = min(upper_bound, repaired)
        it.others = min(it.labels.dropped, it.labels.bound)
        if it.labels.dropped <= it.labels.bound or spent > budget:
            return spent


cdef inline void keep(Optimal& it) noexcept nogil:
    """Make an attempt's best alignment the incumbent."""
    it.incumbent.swap(it.best)
    it.cost = it.answer.cost


cdef inline int solve(const Rules& rules, Optimal& it) except -1 nogil:
    """The best alignment found, `it.incumbent`; an outcome, see `_solve` in Python."""
    cdef int64_t budget = rules.budget, upper_bound = it.graph.unit, iterations = rules.iterations[0], wider
    cdef int64_t width = rules.widths[0]
    cdef size_t turn = 0
    cdef bool known = False
    if not initial_multipliers(it.graph, rules.ascent, it.ascended, it.relaxation.multipliers):
        return TOO_WIDE
    relax(it.graph, it.ascended.paid, it.relaxation)
    while True:
        if not improve(it.graph, rules.ascent, upper_bound, iterations, it.ascended, it.relaxation):
            return TOO_WIDE
        budget -= attempt(rules, width, upper_bound, budget, it) + iterations * steps_of(it.graph)
        if it.answer.found and it.others > it.answer.cost:
            keep(it)
            return PROVEN
        if not it.answer.found or it.answer.cost >= upper_bound:
            it.critical.assign(it.graph.hypothesis_length, 1)
            set_labels(it.graph, it.relaxation, rules.heuristic_width, upper_bound, it.critical, it.labels)
            budget -= it.labels.steps
            it.answer.found, it.answer.cost = it.labels.ended, it.labels.bound
            it.best.swap(it.labels.path)
            if it.labels.ended and it.labels.dropped > it.labels.bound:
                keep(it)
                return PROVEN
        if it.answer.found and (not known or it.answer.cost < upper_bound):
            known = True
            keep(it)
            upper_bound = it.cost
        turn += 1
        wider = 4 * width
        if turn < rules.attempts:
            wider, iterations = rules.widths[turn], rules.iterations[turn]
        wider = min(wider, budget // steps_of(it.graph) - iterations)
        if wider < width:
            return PROVEN if it.others >= upper_bound else FOUND
        width = wider


cdef inline int match_straight(
    const Segment& reference, const Problem& problem, const double* gains, int stages, vector[Candidate]& chosen,
) except -1 nogil:
    """See `_match_straight` in Python; False where not all words can be matched where they stand."""
    cdef int stage
    cdef int32_t position, index, count
    cdef double highest = gains[0]
    cdef Candidate candidate, best
    for stage in range(stages):
        highest = max(highest, gains[stage])
    if highest <= 0:
        return False
    chosen.clear()
    for position in range(<int32_t>reference.words.size()):
        count = candidates_at(reference, problem, position)
        best.stage = stages
        for index in range(count):
            candidate = candidate_at(reference, problem, position, index)
            if (
                candidate.length == 1 and candidate.words == 1 and candidate.start == position
                and gains[candidate.stage] == highest and candidate.stage < best.stage
            ):
                best = candidate
        step(2 * <int64_t>(1 + count))
        if best.stage == stages:
            return False
        chosen.push_back(best)
    return True


cdef inline bool is_too_large(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, const Rules& rules
) noexcept nogil:
    """Whether there are more candidates than a graph is built of."""
    cdef int64_t count = 0
    cdef int32_t position
    for position in range(<int32_t>reference.words.size()):
        count += candidates_at(reference, problem, position)
    return count > rules.budget // max(rules.largest, <int64_t>hypothesis.words.size() // rules.words_per_share)


cdef inline int search_optimal(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, const Rules& rules,
    Optimal& it, vector[Candidate]& chosen,
) except -1 nogil:
    """Find the best alignment.

    Args:
        reference: one side.
        hypothesis: the other.
        problem: the candidates.
        rules: how far the search goes.
        it: the work.
        chosen: gets the matches, in reference order.

    Returns:
        An outcome. Where it is TOO_LARGE or TOO_WIDE, nothing was found.
    """
    cdef int32_t index
    cdef const Arc* arc
    cdef Candidate match
    if not build_graph(reference, hypothesis, problem, rules.value, it.graph):
        return TOO_WIDE
    cdef int outcome = solve(rules, it)
    if outcome == TOO_WIDE:
        return outcome
    chosen.clear()
    for index in it.incumbent:
        arc = &it.graph.arcs[index]
        match.position, match.length = it.graph.places[arc.layer], arc.length
        match.start, match.words, match.stage = arc.start, arc.stop - arc.start, arc.stage
        chosen.push_back(match)
    return outcome
