"""Moves that keep a matching largest; a part of compiled `meteorlib.search.staged_bipartite`."""

from libc.stdint cimport int32_t, uint64_t
from libcpp cimport bool

from meteorlib.engine.kernel.search.staged_bipartite cimport NONE, Matching, find_users, path_to, repair, take_visits
from meteorlib.engine.kernel.bits cimport drop, has, meets, place_from, put


cdef enum:
    VISITS = 256


cdef inline int follow(Matching& it, int32_t position) except -1 nogil:
    """Let waiting words move, one after the other, once a position is there to be taken."""
    cdef size_t index = 0
    cdef int32_t word
    cdef const uint64_t* users
    find_users(it)
    it.ended.clear()
    it.ended.push_back(position)
    while index < it.ended.size():
        users = it.users.data() + it.ended[index] * it.rows
        index += 1
        take_visits(it, 1)
        word = place_from(it.waiting.data(), it.rows, 0)
        while word >= 0:
            if has(users, word):
                drop(it.waiting.data(), word)
                it.ended.push_back(it.partners[word])
                put(it.targets.data(), it.partners[word])
            word = place_from(it.waiting.data(), it.rows, word + 1)


cdef inline int push_owners(Matching& it, const uint64_t* positions, const uint64_t* known) except -1 nogil:
    """Put the owners of positions that are not known behind the queue."""
    cdef int32_t position = place_from(positions, it.words, 0)
    while position >= 0:
        if not has(known, position):
            it.queue.push_back(it.owners[position])
        position = place_from(positions, it.words, position + 1)


cdef inline bool is_within(const uint64_t* places, const uint64_t* others, size_t words) noexcept nogil:
    cdef size_t word
    for word in range(words):
        if places[word] & ~others[word]:
            return False
    return True


cdef inline int keep_movable(Matching& it, const uint64_t* taken, int32_t own) except -1 nogil:
    """Leave of the choices those that later words can do without once `own` is given up for them."""
    cdef size_t index = 0, set_word, limit
    cdef int32_t word
    cdef bool waits = False
    cdef uint64_t* reach
    it.targets.assign(it.words, 0)
    it.seen.assign(2 * it.words, 0)  # the second half: the reach of a word
    it.waiting.assign(it.rows, 0)
    for set_word in range(it.words):
        it.targets[set_word] = ~taken[set_word] & ~it.matched[set_word]
    put(it.targets.data(), own)
    for set_word in range(it.words):
        it.seen[set_word] = it.choices[set_word] | it.targets[set_word]
    reach = it.seen.data() + it.words
    it.queue.clear()
    push_owners(it, it.choices.data(), it.targets.data())
    limit = it.queue.size() + VISITS
    while index < it.queue.size():
        word = it.queue[index]
        index += 1
        take_visits(it, 1)
        for set_word in range(it.words):
            reach[set_word] = it.neighbors[word * it.words + set_word] & ~taken[set_word]
        if meets(reach, it.targets.data(), it.words):
            put(it.targets.data(), it.partners[word])
            if waits:
                follow(it, it.partners[word])
                waits = place_from(it.waiting.data(), it.rows, 0) >= 0
                if is_within(it.choices.data(), it.targets.data(), it.words):
                    break
        elif it.queue.size() < limit:
            put(it.waiting.data(), word)
            waits = True
            push_owners(it, reach, it.seen.data())
            for set_word in range(it.words):
                it.seen[set_word] |= reach[set_word]
        else:
            it.complete = False
    for set_word in range(it.words):
        it.choices[set_word] &= it.targets[set_word]


cdef inline bint allowed(Matching& it, int32_t word, const uint64_t* taken) except -1 nogil:
    """Find what a word may do where those before it took `taken`: the choices; whether it may stay unmatched."""
    cdef int32_t own
    cdef size_t set_word
    repair(it, word, taken)
    own = it.partners[word]
    it.choices.resize(it.words)
    for set_word in range(it.words):
        it.choices[set_word] = it.neighbors[word * it.words + set_word] & ~taken[set_word]
    if own == NONE:
        return True
    if (
        place_from(it.exposed.data(), it.rows, 0) >= 0
        and has(it.contested.data(), own)
        and path_to(it, own, VISITS) != NONE
    ):
        return True
    keep_movable(it, taken, own)
    return False
