"""Moves of an open word; the compiled form of `meteorlib.search.staged_words`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.staged_components cimport Component, Graph
from meteorlib.engine.kernel.search.staged_bipartite cimport Matching
from meteorlib.engine.kernel.search.staged_questions cimport allowed
from meteorlib.engine.kernel.bits cimport has, put
from meteorlib.engine.kernel.search.staged_words cimport LOOSE, SCARCE, Move, OpenWord, OpenWords


cdef struct Possible:  # in a situation
    int64_t to_go  # the least that the rest of the component then costs
    const Move* moves
    int32_t count
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
    const OpenWord& word, int32_t number, const uint64_t* taken, const Graph& graph, OpenWords& words, Answers& it
) except -1 nogil:
    """Moves open to a loose word, computed once for each situation."""
    cdef const Component* component = &graph.components[word.component]
    cdef const int32_t* starts = graph.starts.data() + component.starts
    cdef Matching* matching = &words.matchings[component.matching]
    cdef size_t size = component.words, set_word
    cdef int32_t place, found
    cdef uint64_t hash = <uint64_t>number
    cdef Answer new
    it.taken.assign(size, 0)
    for place in range(component.start_count):
        if has(taken, starts[place]):
            put(it.taken.data(), place)
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


cdef inline int32_t taken_of(
    const OpenWord& word, const Component& component, const int32_t* starts, const uint64_t* taken
) noexcept nogil:
    """The index of the first move of an ordered word, behind all that is taken of its component."""
    cdef int32_t low, high, middle
    if word.kind == SCARCE:  # all moves that are left are looked at, so that this costs no more
        low = word.first + word.count - 1
        while low > word.first and not has(taken, starts[low - 1]):
            low -= 1
        return low - word.first
    low, high = word.first, min(word.index, component.start_count)
    while low < high:  # the first ones are taken
        middle = (low + high) >> 1
        if has(taken, starts[middle]):
            low = middle + 1
        else:
            high = middle
    return low - word.first


cdef inline int moves(
    const OpenWord& word, int32_t number, const uint64_t* taken, const Graph& graph, OpenWords& words, Answers& answers,
    Possible& possible
) except -1 nogil:
    """Moves that are possible after `taken`."""
    cdef const Component* component = &graph.components[word.component]
    cdef int32_t index
    possible.allowed = NULL
    possible.effort, possible.may_skip, possible.skipped = 0, False, 0
    possible.moves = words.moves.data() + word.moves
    if word.kind == LOOSE:
        index = answer(word, number, taken, graph, words, answers)
        possible.to_go, possible.count = words.to_go[word.to_go], word.count
        possible.allowed = answers.sets.data() + answers.known[index].sets + component.words
        possible.effort = component.reference_count - word.index
        possible.may_skip, possible.skipped = answers.known[index].may_skip, words.to_go[word.left]
        possible.looked_at = answers.known[index].count
    else:
        index = taken_of(word, component[0], graph.starts.data() + component.starts, taken)
        possible.to_go = words.to_go[word.to_go + index]
        possible.moves += index
        possible.count = word.count - index
        if word.kind != SCARCE:
            possible.count = min(1, max(0, possible.count))
            possible.may_skip = index >= word.forced
            if possible.may_skip:
                possible.skipped = words.to_go[word.left + index - word.forced]
        possible.looked_at = possible.count
    possible.looked_at += possible.may_skip
