"""Moves of an open word; the compiled form of `meteorlib.search.staged_words`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.staged_components cimport Component, Graph
from meteorlib.engine.kernel.search.staged_bipartite cimport Matching
from meteorlib.engine.kernel.search.staged_questions cimport allowed
from meteorlib.engine.kernel.search.doubts cimport Sets
from meteorlib.engine.kernel.bits cimport count_between, has, put
from meteorlib.engine.kernel.search.staged_words cimport LOOSE, SCARCE, SPARE, Move, OpenWord, OpenWords


cdef struct Possible:  # in a situation
    int64_t to_go  # the least that the rest of the component then costs
    int32_t first  # of its moves
    int32_t end
    const uint64_t* allowed  # those of them that may be taken, as places in the component; NULL: all
    int32_t effort  # steps beyond their number
    int32_t looked_at  # how many of them are allowed
    bool may_skip  # the word may stay unmatched
    int64_t skipped  # the cost to go then

cdef struct Answer:
    uint64_t hash
    int32_t word
    int32_t next
    size_t sets  # index of the set of taken positions; that of allowed ones follows
    int32_t count
    bool may_skip

cdef struct Doubt:  # a doubtful position
    int32_t bit
    int32_t place  # in the component

cdef cppclass Level:
    """What the moves of a word are for all nodes."""
    int32_t first  # move behind the positions of the component that all nodes have taken
    vector[Doubt] doubts  # positions of the component that are doubtful, the last one first
    vector[int64_t] costs  # for each move, with the crossings that it adds for all nodes
    vector[uint64_t] crossed  # and the doubtful positions where it adds one, as bits of a row
    vector[uint64_t] taken  # places of a loose component that all nodes have taken

cdef cppclass Answers:
    """Moves open to loose words, by situation."""
    vector[Answer] known
    vector[int32_t] heads
    vector[uint64_t] sets
    vector[uint64_t] taken  # of one component


cdef inline void forget(Answers& it) noexcept nogil:
    it.known.clear()
    it.heads.clear()
    it.sets.clear()


cdef inline int make_room(Answers& it) except -1 nogil:
    """Keep at least half of the chains free."""
    cdef size_t index, slot
    if 2 * (it.known.size() + 1) <= it.heads.size():
        return 0
    it.heads.assign(max(<size_t>64, 2 * it.heads.size()), -1)
    for index in range(it.known.size()):
        slot = it.known[index].hash & (it.heads.size() - 1)
        it.known[index].next = it.heads[slot]
        it.heads[slot] = <int32_t>index


cdef inline uint64_t mixed(uint64_t hash, uint64_t bits) noexcept nogil:
    hash = (hash ^ bits) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)


cdef inline int32_t answer(
    const OpenWord& word, int32_t number, const uint64_t* row, const Level& level, const Graph& graph, OpenWords& words,
    Answers& it,
) except -1 nogil:
    """Moves open to a loose word, computed once for each situation."""
    cdef const Component* component = &graph.components[word.component]
    cdef Matching* matching = &words.matchings[component.matching]
    cdef size_t size = component.words, set_word
    cdef int32_t place, found
    cdef uint64_t hash = <uint64_t>number
    cdef Answer new
    cdef size_t index
    it.taken = level.taken
    for index in range(level.doubts.size()):
        if has(row, level.doubts[index].bit):
            put(it.taken.data(), level.doubts[index].place)
    for set_word in range(size):
        hash = mixed(hash, it.taken[set_word])
    make_room(it)
    found = it.heads[hash & (it.heads.size() - 1)]
    while found >= 0:
        if (
            it.known[found].hash == hash
            and it.known[found].word == number
            and memcmp(it.sets.data() + it.known[found].sets, it.taken.data(), size * sizeof(uint64_t)) == 0
        ):
            return found
        found = it.known[found].next
    new.hash, new.word, new.sets, new.count = hash, number, it.sets.size(), 0
    new.may_skip = allowed(matching[0], word.index, it.taken.data())
    it.sets.insert(it.sets.end(), it.taken.begin(), it.taken.end())
    it.sets.insert(it.sets.end(), matching.choices.begin(), matching.choices.end())
    for place in range(word.count):
        new.count += has(matching.choices.data(), graph.places_in[words.moves[word.moves + place].position])
    found = <int32_t>it.known.size()
    new.next = it.heads[hash & (it.heads.size() - 1)]
    it.heads[hash & (it.heads.size() - 1)] = found
    it.known.push_back(new)
    return found


cdef inline int begin_level(
    const OpenWord& word, const Sets& sets, const Graph& graph, const OpenWords& words, Level& it
) except -1 nogil:
    """Work out what is the same for all nodes."""
    cdef const Component* component = &graph.components[word.component]
    cdef const int32_t* starts = graph.starts.data() + component.starts
    cdef int32_t limit = word.highest + 1 if word.kind == SCARCE else words.behind
    cdef int32_t move, end = word.count, position, place
    cdef int64_t above = 0
    cdef size_t index = sets.doubtful.size(), part
    cdef Doubt doubt
    cdef const Move* moves = words.moves.data() + word.moves
    it.doubts.clear()
    while index:
        index -= 1
        position = sets.doubtful[index]
        if words.component_at[position] == word.component:
            doubt.bit, doubt.place = sets.bits[position], graph.places_in[position]
            it.doubts.push_back(doubt)
    it.first = 0
    if word.kind == LOOSE:
        it.taken.assign(component.words, 0)
        for place in range(component.start_count):
            if has(sets.common.data(), starts[place]):
                put(it.taken.data(), place)
    else:
        place = min(word.first + word.count, component.start_count)
        while place > word.first and not has(sets.common.data(), starts[place - 1]):
            place -= 1
        it.first = place - word.first
        if word.kind == SPARE:
            end = it.first if it.doubts.empty() else max(it.first, it.doubts[0].place + 1 - word.first)
            end = min(word.count, end + 1)
    it.costs.resize(max(it.costs.size(), <size_t>end))
    it.crossed.assign((end + 1) * sets.words, 0)
    index = sets.doubtful.size()
    while index and sets.doubtful[index - 1] >= limit:
        index -= 1
    for move in range(end - 1, it.first - 1, -1):
        position = moves[move].position
        above += count_between(sets.common.data(), position, limit)
        limit = position
        for part in range(sets.words):
            it.crossed[move * sets.words + part] = it.crossed[(move + 1) * sets.words + part]
        while index and sets.doubtful[index - 1] > position:
            index -= 1
            put(it.crossed.data() + move * sets.words, sets.bits[sets.doubtful[index]])
        it.costs[move] = moves[move].cost + words.crossing * above


cdef inline int moves(
    const OpenWord& word, int32_t number, const uint64_t* row, const Level& level, const Graph& graph, OpenWords& words,
    Answers& answers, Possible& possible,
) except -1 nogil:
    """Moves that are possible for a node."""
    cdef const Component* component = &graph.components[word.component]
    cdef int32_t index
    cdef size_t doubt
    possible.allowed = NULL
    possible.effort, possible.may_skip, possible.skipped = 0, False, 0
    if word.kind == LOOSE:
        index = answer(word, number, row, level, graph, words, answers)
        possible.to_go, possible.first, possible.end = words.to_go[word.to_go], 0, word.count
        possible.allowed = answers.sets.data() + answers.known[index].sets + component.words
        possible.effort = component.reference_count - word.index
        possible.may_skip, possible.skipped = answers.known[index].may_skip, words.to_go[word.left]
        possible.looked_at = answers.known[index].count
    else:
        index = level.first
        for doubt in range(level.doubts.size()):
            if has(row, level.doubts[doubt].bit):
                index = max(index, level.doubts[doubt].place + 1 - word.first)
                break
        possible.to_go = words.to_go[word.to_go + index]
        possible.first, possible.end = index, word.count
        if word.kind != SCARCE:
            possible.end = min(word.count, index + 1)
            possible.may_skip = index >= word.forced
            if possible.may_skip:
                possible.skipped = words.to_go[word.left + index - word.forced]
        possible.looked_at = max(0, possible.end - index)
    possible.looked_at += possible.may_skip
