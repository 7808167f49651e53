"""Open words and the costs of their moves; the compiled form of `meteorlib.search.staged_words`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.staged_components cimport NOBODY, Component, Graph
from meteorlib.engine.kernel.search.staged_bipartite cimport Matching, match
from meteorlib.engine.kernel.bits cimport count_between, drop, has, place_from, put, words_for
from meteorlib.engine.kernel.steps cimport count_steps


cdef enum:
    SCARCE = 0  # reference words; of a component with hypothesis words to spare
    SPARE = 1  # with reference words to spare
    LOOSE = 2  # of any other component

cdef struct Move:
    int32_t position
    int32_t neighbor  # that the word before must have taken if the chunk is to go on; -1: none
    int64_t cost

cdef struct OpenWord:
    int kind
    int32_t reference
    int32_t component
    int32_t index  # of the word in its component
    int32_t lowest  # position that it may take; -1: none, like the next one
    int32_t highest
    int32_t first  # of its positions in order, in its component
    int32_t count  # of its moves
    size_t moves
    size_t to_go  # for each situation the least cost from here on
    size_t left  # the same if it is left unmatched
    int32_t forced  # situations in which it must be matched

cdef cppclass OpenWords:
    vector[OpenWord] words  # by reference position
    vector[Move] moves
    vector[int64_t] to_go
    vector[Matching] matchings  # of the loose components; kept for later ones
    size_t loose  # how many of them are in use
    vector[int32_t] open_at  # for each reference position its open word, or -1
    vector[int32_t] component_at  # for each hypothesis position its component, or -1
    vector[uint64_t] before  # hypothesis positions of certain matches
    vector[uint64_t] after
    vector[int32_t] positions
    int32_t behind  # a position behind all that an open word may take
    int64_t crossing
    int64_t bound  # the least that they cost: all crossings among open words left out


cdef inline int open_word(
    const Component& component, int32_t number, int32_t index, const Graph& graph, OpenWords& it
) except -1 nogil:
    """Note a word, and what it may take."""
    cdef const int32_t* starts = graph.starts.data() + component.starts
    cdef const uint64_t* reach
    cdef int32_t spare = component.start_count - component.reference_count, place, last
    cdef OpenWord word
    word.reference, word.component, word.index = graph.references[component.references + index], number, index
    word.moves = word.to_go = word.left = 0
    word.first = word.count = word.forced = 0
    if component.ordered:
        word.kind = SCARCE if spare > 0 else SPARE
        word.first = index if spare > 0 else max(0, index + spare)
        last = index + spare if spare > 0 else min(index, component.start_count - 1)
        word.lowest, word.highest, word.count = starts[word.first], starts[last], last + 1 - word.first
    else:
        word.kind, word.lowest, word.highest = LOOSE, -1, -1
        reach = graph.reach.data() + component.reach + index * component.words
        place = place_from(reach, component.words, 0)
        while place >= 0:
            word.lowest = word.lowest if word.count else starts[place]
            word.highest = starts[place]
            word.count += 1
            place = place_from(reach, component.words, place + 1)
    it.open_at[word.reference] = <int32_t>it.words.size()
    it.words.push_back(word)
    it.behind = max(it.behind, word.highest + 1)


cdef inline bool may_take(
    const OpenWord& word, int32_t position, const Graph& graph, const OpenWords& it
) noexcept nogil:
    cdef const Component* component
    if position < word.lowest or position > word.highest or it.component_at[position] != word.component:
        return False
    component = &graph.components[word.component]
    return component.ordered or has(
        graph.reach.data() + component.reach + word.index * component.words, graph.places_in[position]
    )


cdef inline int moves(
    OpenWord& word, const int32_t* positions, int32_t count, size_t to_go, int32_t step, const Graph& graph,
    OpenWords& it
) except -1 nogil:
    """The moves to some positions, each with the cost to go behind it, or all with the same."""
    cdef int32_t reference = word.reference, index, before, after = 0, position, last = 0
    cdef int32_t joins_last = graph.partners[reference - 1] + 1 if reference else NOBODY
    cdef int32_t joins_next = graph.partners[reference + 1] - 1
    cdef int32_t neighbor = it.open_at[reference - 1] if reference else -1
    cdef Move move
    word.moves, word.count = it.moves.size(), count
    before = count_between(it.before.data(), 0, <int32_t>(64 * it.before.size()))
    for index in range(count):
        position = positions[index]
        before -= count_between(it.before.data(), last, position)
        after += count_between(it.after.data(), last, position)
        last = position
        move.position, move.neighbor = position, -1
        move.cost = it.to_go[to_go + index * step] + it.crossing * (before + after)
        move.cost -= (position == joins_last) + (position == joins_next)
        if neighbor >= 0 and position and may_take(it.words[neighbor], position - 1, graph, it):
            move.cost -= 1
            move.neighbor = position - 1
        it.moves.push_back(move)


cdef inline int open_scarce(OpenWord& word, Component& component, const Graph& graph, OpenWords& it) except -1 nogil:
    """A word that takes any of its reach behind the last taken."""
    cdef int32_t index
    moves(
        word, graph.starts.data() + component.starts + word.first, word.count, component.to_go, 1, graph, it
    )
    word.to_go = it.to_go.size()
    it.to_go.resize(word.to_go + word.count)
    for index in range(word.count - 1, -1, -1):
        it.to_go[word.to_go + index] = it.moves[word.moves + index].cost
        if index + 1 < word.count:
            it.to_go[word.to_go + index] = min(it.to_go[word.to_go + index], it.to_go[word.to_go + index + 1])
    component.to_go = word.to_go


cdef inline int open_spare(OpenWord& word, Component& component, const Graph& graph, OpenWords& it) except -1 nogil:
    """A word that takes the first position left, or nothing."""
    cdef int32_t spare = component.reference_count - component.start_count, situations, index
    cdef int64_t cost
    word.forced = 1 if word.index >= spare else 0  # with the fewest positions taken no word is left to spare
    situations = min(word.index, component.start_count) - word.first + 1 - word.forced
    word.left = component.to_go
    moves(
        word, graph.starts.data() + component.starts + word.first, word.count, component.to_go + 1 - word.forced, 1,
        graph, it,
    )
    word.to_go = it.to_go.size()
    for index in range(max(word.count, word.forced + situations)):
        if index < word.forced:
            cost = it.moves[word.moves + index].cost
        elif index - word.forced >= situations:
            break
        else:
            cost = it.to_go[word.left + index - word.forced]
            if index < word.count:
                cost = min(cost, it.moves[word.moves + index].cost)
        it.to_go.push_back(cost)
    component.to_go = word.to_go


cdef inline int open_loose(OpenWord& word, Component& component, const Graph& graph, OpenWords& it) except -1 nogil:
    """A word that takes whatever leaves a largest matching within reach."""
    cdef const uint64_t* reach = graph.reach.data() + component.reach + word.index * component.words
    cdef int32_t place = place_from(reach, component.words, 0), index
    cdef int64_t least
    it.positions.clear()
    while place >= 0:
        it.positions.push_back(graph.starts[component.starts + place])
        place = place_from(reach, component.words, place + 1)
    moves(word, it.positions.data(), <int32_t>it.positions.size(), component.to_go, 0, graph, it)
    word.left, word.to_go = component.to_go, it.to_go.size()
    least = it.to_go[word.left]
    for index in range(word.count):
        least = min(least, it.moves[word.moves + index].cost)
    it.to_go.push_back(least)
    component.to_go = word.to_go


cdef inline int load(const Component& component, const Graph& graph, Matching& matching) except -1 nogil:
    """Find a largest matching of a loose component."""
    cdef const uint64_t* reach = graph.reach.data() + component.reach
    matching.count, matching.places = component.reference_count, component.start_count
    matching.neighbors.assign(reach, reach + component.reference_count * component.words)
    match(matching)


cdef inline int begin_component(Component& component, int32_t number, Graph& graph, OpenWords& it) except -1 nogil:
    """Note the words of a component."""
    cdef int32_t index
    component.to_go = it.to_go.size()
    it.to_go.resize(component.to_go + 1 + max(0, component.start_count - component.reference_count), 0)
    if not component.ordered:
        component.matching = it.loose
        it.loose += 1
        if it.matchings.size() < it.loose:
            it.matchings.resize(it.loose)
        load(component, graph, it.matchings[component.matching])
    for index in range(component.start_count):
        it.component_at[graph.starts[component.starts + index]] = number
        graph.places_in[graph.starts[component.starts + index]] = index
    for index in range(component.reference_count):
        open_word(component, number, index, graph, it)


cdef inline int sort_words(Graph& graph, OpenWords& it) except -1 nogil:
    """Bring the open words in the order of the reference."""
    cdef size_t position, count = 0
    cdef vector[OpenWord] sorted_
    for position in range(graph.partners.size() - 1):
        if it.open_at[position] >= 0:
            sorted_.push_back(it.words[it.open_at[position]])
            it.open_at[position] = <int32_t>count
            count += 1
    it.words.swap(sorted_)


cdef inline int open_words(Graph& graph, size_t hypothesis_length, OpenWords& it) except -1 nogil:
    """The open words of all components, and the least that they cost."""
    cdef size_t index
    cdef int32_t reference, length = <int32_t>graph.partners.size() - 1
    cdef Component* component
    it.words.clear()
    it.moves.clear()
    it.to_go.clear()
    it.open_at.assign(length, -1)
    it.component_at.assign(hypothesis_length, -1)
    it.before.assign(words_for(hypothesis_length), 0)
    it.after.assign(words_for(hypothesis_length), 0)
    it.loose, it.behind, it.crossing, it.bound = 0, 0, length + 1, 0
    for index in range(graph.components.size()):
        begin_component(graph.components[index], <int32_t>index, graph, it)
    sort_words(graph, it)
    for reference in range(length):
        if graph.partners[reference] != NOBODY:
            put(it.before.data(), graph.partners[reference])
    for reference in range(length - 1, -1, -1):
        if graph.partners[reference] != NOBODY:
            drop(it.before.data(), graph.partners[reference])
            put(it.after.data(), graph.partners[reference])
        elif it.open_at[reference] >= 0:
            weigh(it.words[it.open_at[reference]], graph, it)
    for index in range(graph.components.size()):
        component = &graph.components[index]
        it.bound += it.to_go[component.to_go]


cdef inline int weigh(OpenWord& word, Graph& graph, OpenWords& it) except -1 nogil:
    """Work out what the moves of a word cost, those of all later words being known."""
    count_steps(graph.steps, 8 * (word.count + <int64_t>it.before.size()))
    if word.kind == SCARCE:
        open_scarce(word, graph.components[word.component], graph, it)
        put(it.after.data(), word.highest)
    elif word.kind == SPARE:
        open_spare(word, graph.components[word.component], graph, it)
    else:
        open_loose(word, graph.components[word.component], graph, it)
