"""Connected components of a stage's candidates; compiled `meteorlib.search.staged_components`.

All places of a distinct word match the same, so that parts are found among distinct words.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp cimport bool
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Problem
from meteorlib.engine.kernel.bits cimport put, words_for
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    NOBODY = -2  # the partner of an unmatched word: not even next to a hypothesis position

cdef extern from *:
    """
    struct MeteorMember { int32_t part; int32_t word; };
    static inline bool operator<(const MeteorMember& a, const MeteorMember& b) {
        return a.part < b.part || (a.part == b.part && a.word < b.word);
    }
    """
    cdef struct Member "MeteorMember":  # a distinct word of the reference, in its part of the graph
        int32_t part
        int32_t word

cdef struct Component:  # words that leave a choice
    size_t references  # index of its first reference position; they ascend
    size_t starts  # the same of the hypothesis
    int32_t reference_count
    int32_t start_count
    bool ordered  # every word matches every other
    size_t reach  # index of the first set of a loose one: for each reference position, the starts that it may take
    size_t words  # of such a set
    size_t to_go  # the costs to go behind the word that was looked at last
    size_t matching  # of a loose one

cdef cppclass Graph:
    """A stage, and what those before it matched."""
    vector[int32_t] partners  # for each reference position its hypothesis position, or NOBODY; NOBODY behind the last
    vector[int32_t] stages  # of the matches
    vector[uint8_t] taken  # hypothesis positions
    vector[int32_t] reference_left  # of each distinct word: places that are not matched
    vector[int32_t] hypothesis_left
    vector[int32_t] cursors  # for each distinct word of the reference, its first candidate of this stage
    vector[int32_t] edges  # distinct words of the hypothesis, for each of the reference
    vector[int32_t] edge_begins
    vector[int32_t] degrees  # of the distinct words of the hypothesis
    vector[int32_t] parts  # trees of distinct words of the hypothesis: the parent of each
    vector[Member] members
    vector[int32_t] seen  # the part that a distinct word of the hypothesis was found in
    vector[int32_t] places_in  # index of each hypothesis position in its component
    vector[int32_t] references
    vector[int32_t] starts
    vector[uint64_t] reach
    vector[Component] components
    int64_t steps


cdef inline int begin(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, Graph& it
) except -1 nogil:
    """Nothing is matched."""
    cdef int32_t index
    it.partners.assign(reference.words.size() + 1, NOBODY)
    it.stages.resize(reference.words.size())
    it.taken.assign(hypothesis.words.size(), False)
    it.places_in.resize(hypothesis.words.size())
    it.reference_left.resize(reference.distinct.size())
    it.hypothesis_left.resize(hypothesis.distinct.size())
    for index in range(<int32_t>reference.distinct.size()):
        it.reference_left[index] = reference.begins[index + 1] - reference.begins[index]
    for index in range(<int32_t>hypothesis.distinct.size()):
        it.hypothesis_left[index] = hypothesis.begins[index + 1] - hypothesis.begins[index]
    it.cursors.assign(problem.unit_begins.begin(), problem.unit_begins.end() - 1)


cdef inline int32_t first_place(const Segment& hypothesis, int32_t word) noexcept nogil:
    return hypothesis.places[hypothesis.begins[word]]


cdef inline int find_edges(
    const Segment& hypothesis, const Problem& problem, int stage, Graph& it
) except -1 nogil:
    """Which distinct words match in a stage, of those that have places left."""
    cdef int32_t word, other, unit, end
    cdef bool open_
    it.edges.clear()
    it.edge_begins.resize(it.cursors.size() + 1)
    it.edge_begins[0] = 0
    it.degrees.assign(it.hypothesis_left.size(), 0)
    for word in range(<int32_t>it.cursors.size()):
        unit, end, open_ = it.cursors[word], problem.unit_begins[word + 1], it.reference_left[word] > 0
        while unit < end and problem.units[unit].stage == stage:
            if open_:
                other = hypothesis.which[problem.units[unit].start]
                if it.hypothesis_left[other] and first_place(hypothesis, other) == problem.units[unit].start:
                    it.edges.push_back(other)
                    it.degrees[other] += 1
            unit += 1
        count_steps(it.steps, 2 * <int64_t>(unit - it.cursors[word]))
        it.cursors[word] = unit
        it.edge_begins[word + 1] = <int32_t>it.edges.size()


cdef inline int32_t root_of(vector[int32_t]& parts, int32_t word) noexcept nogil:
    while parts[word] != word:
        parts[word] = parts[parts[word]]
        word = parts[word]
    return word


cdef inline int add_references(const Segment& reference, int32_t word, Graph& it) except -1 nogil:
    """Append the unmatched places of a distinct word to the reference positions."""
    cdef int32_t place
    count_steps(it.steps, reference.begins[word + 1] - reference.begins[word])
    for place in range(reference.begins[word], reference.begins[word + 1]):
        if it.partners[reference.places[place]] == NOBODY:
            it.references.push_back(reference.places[place])


cdef inline int add_starts(const Segment& hypothesis, int32_t word, Graph& it) except -1 nogil:
    """Append the unmatched places of a distinct word of the hypothesis to the starts."""
    cdef int32_t place
    count_steps(it.steps, hypothesis.begins[word + 1] - hypothesis.begins[word])
    for place in range(hypothesis.begins[word], hypothesis.begins[word + 1]):
        if not it.taken[hypothesis.places[place]]:
            it.starts.push_back(hypothesis.places[place])


cdef inline void pair(
    const Segment& reference, const Segment& hypothesis, int stage, int32_t position, int32_t start, Graph& it
) noexcept nogil:
    it.partners[position], it.stages[position], it.taken[start] = start, stage, True
    it.reference_left[reference.which[position]] -= 1
    it.hypothesis_left[hypothesis.which[start]] -= 1


cdef inline Component begun(const Graph& it) noexcept nogil:
    cdef Component component
    component.references, component.starts = it.references.size(), it.starts.size()
    component.ordered, component.reach, component.words = True, 0, 0
    component.to_go = component.matching = 0
    return component


cdef inline int close(
    const Segment& reference, const Segment& hypothesis, int stage, Component component, Graph& it
) except -1 nogil:
    """Keep the component of the positions from where it began; in order, if that leaves no choice."""
    cdef int32_t index
    component.reference_count = <int32_t>(it.references.size() - component.references)
    component.start_count = <int32_t>(it.starts.size() - component.starts)
    if component.ordered and component.reference_count == component.start_count:
        for index in range(component.start_count):
            pair(
                reference, hypothesis, stage, it.references[component.references + index],
                it.starts[component.starts + index], it,
            )
        it.references.resize(component.references)
        it.starts.resize(component.starts)
    else:
        it.components.push_back(component)


cdef inline int connected(Graph& it) except -1 nogil:
    """Find the parts of the distinct words that match more than one."""
    cdef int32_t word, edge, root
    cdef size_t index
    it.parts.resize(it.degrees.size())
    for word in range(<int32_t>it.parts.size()):
        it.parts[word] = word
    for index in range(it.members.size()):
        word = it.members[index].word
        root = root_of(it.parts, it.edges[it.edge_begins[word]])
        count_steps(it.steps, 4 * <int64_t>(it.edge_begins[word + 1] - it.edge_begins[word]))
        for edge in range(it.edge_begins[word] + 1, it.edge_begins[word + 1]):
            it.parts[root_of(it.parts, it.edges[edge])] = root
    for index in range(it.members.size()):
        word = it.members[index].word
        it.members[index].part = root_of(it.parts, it.edges[it.edge_begins[word]])
    sort(it.members.begin(), it.members.end())


cdef inline int lay_reach(
    const Segment& reference, const Segment& hypothesis, Component& component, Graph& it
) except -1 nogil:
    """For each reference position of a loose component a set of those of its starts that it may take."""
    cdef int32_t index, word, edge, place
    cdef uint64_t* row
    component.words = words_for(it.starts.size() - component.starts)
    component.reach = it.reach.size()
    for index in range(<int32_t>(it.starts.size() - component.starts)):
        it.places_in[it.starts[component.starts + index]] = index
    it.reach.resize(component.reach + (it.references.size() - component.references) * component.words, 0)
    for index in range(<int32_t>(it.references.size() - component.references)):
        word = reference.which[it.references[component.references + index]]
        row = it.reach.data() + component.reach + index * component.words
        for edge in range(it.edge_begins[word], it.edge_begins[word + 1]):
            count_steps(it.steps, hypothesis.begins[it.edges[edge] + 1] - hypothesis.begins[it.edges[edge]])
            for place in range(hypothesis.begins[it.edges[edge]], hypothesis.begins[it.edges[edge] + 1]):
                if not it.taken[hypothesis.places[place]]:
                    put(row, it.places_in[hypothesis.places[place]])


cdef inline int settle_parts(
    const Segment& reference, const Segment& hypothesis, int stage, Graph& it
) except -1 nogil:
    """Gather what was joined."""
    cdef size_t first = 0, last, index
    cdef int32_t word, edge
    cdef int64_t words, others, edges
    cdef Component component
    connected(it)
    it.seen.assign(it.degrees.size(), -1)
    while first < it.members.size():
        component = begun(it)
        last = first
        words = others = edges = 0
        while last < it.members.size() and it.members[last].part == it.members[first].part:
            word = it.members[last].word
            add_references(reference, word, it)
            words += 1
            for edge in range(it.edge_begins[word], it.edge_begins[word + 1]):
                edges += 1
                if it.seen[it.edges[edge]] < 0:
                    it.seen[it.edges[edge]] = it.members[first].part
                    add_starts(hypothesis, it.edges[edge], it)
                    others += 1
            last += 1
        sort(it.references.begin() + component.references, it.references.end())
        sort(it.starts.begin() + component.starts, it.starts.end())
        component.ordered = edges == words * others
        if not component.ordered:
            lay_reach(reference, hypothesis, component, it)
        close(reference, hypothesis, stage, component, it)
        first = last


cdef inline int settle(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, int stage, Graph& it
) except -1 nogil:
    """Match what leaves no choice in a stage, and gather the components that do."""
    cdef int32_t word, other, count
    cdef Component component
    cdef Member member
    it.references.clear()
    it.starts.clear()
    it.reach.clear()
    it.components.clear()
    it.members.clear()
    find_edges(hypothesis, problem, stage, it)
    for word in range(<int32_t>it.cursors.size()):
        count = it.edge_begins[word + 1] - it.edge_begins[word]
        if not count:
            continue
        other = it.edges[it.edge_begins[word]]
        if count == 1 and it.degrees[other] == 1:
            component = begun(it)
            add_references(reference, word, it)
            add_starts(hypothesis, other, it)
            close(reference, hypothesis, stage, component, it)
        else:
            member.part, member.word = 0, word
            it.members.push_back(member)
    if not it.members.empty():
        settle_parts(reference, hypothesis, stage, it)
