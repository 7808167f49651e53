"""Largest bipartite matchings; the compiled form of `meteorlib.search.staged_bipartite`.

Words and positions are those of one component, counted from 0.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport count_all, drop, has, place_from, put, words_for
from meteorlib.engine.kernel.steps cimport count_steps


cdef enum:
    NONE = -1

cdef cppclass Matching:
    int32_t count  # of words
    int32_t places  # positions
    size_t words  # of a set of positions
    size_t rows  # words of a set of words
    vector[uint64_t] neighbors  # for each word a set of positions
    vector[int32_t] partners
    vector[int32_t] owners  # for each position the word that has it
    vector[uint64_t] users  # for each position the words that may take it; made when it is asked for
    vector[uint64_t] matched
    vector[uint64_t] taken
    vector[uint64_t] contested
    vector[uint64_t] exposed
    int32_t begin
    int32_t size
    bool complete
    int64_t steps
    vector[int32_t] queue
    vector[int32_t] reached_from
    vector[int32_t] moves
    vector[int32_t] ended  # words that are to find a partner again
    vector[int32_t] back  # positions that are free again
    vector[uint64_t] seen  # positions
    vector[uint64_t] unseen  # words
    vector[uint64_t] free
    vector[uint64_t] targets
    vector[uint64_t] waiting
    vector[uint64_t] choices  # answer to a question


cdef inline int take_visits(Matching& it, int64_t count) except -1 nogil:
    count_steps(it.steps, count * <int64_t>(8 + 2 * it.words))


cdef inline void flip(Matching& it, int32_t word, int32_t position) noexcept nogil:
    """Hand positions over along the path that led to a word."""
    cdef int32_t before
    put(it.matched.data(), position)
    while word != NONE:
        it.owners[position] = word
        before = it.partners[word]
        it.partners[word] = position
        position, word = before, it.reached_from[word]


cdef inline int augment(Matching& it, int32_t start) except -1 nogil:
    """Match one word more, if a path among the free positions leads from it; else these lead to no other one."""
    cdef size_t index = 0, set_word
    cdef int32_t word, position
    cdef uint64_t* new
    cdef const uint64_t* reach
    cdef bool unmatched
    it.queue.clear()
    it.queue.push_back(start)
    it.reached_from[start] = NONE
    it.seen.assign(2 * it.words, 0)  # the second half: what is new
    new = it.seen.data() + it.words
    while index < it.queue.size():
        word = it.queue[index]
        index += 1
        take_visits(it, 1)
        reach = it.neighbors.data() + word * it.words
        for set_word in range(it.words):
            new[set_word] = reach[set_word] & it.free[set_word] & ~it.seen[set_word]
        for set_word in range(it.words):
            if new[set_word] & ~it.matched[set_word]:
                new[set_word] &= ~it.matched[set_word]
                position = place_from(new, it.words, <int32_t>(64 * set_word))
                flip(it, word, position)
                it.exposed[start >> 6] ^= <uint64_t>1 << (start & 63)
                return 0
        position = place_from(new, it.words, 0)
        while position >= 0:
            it.reached_from[it.owners[position]] = word
            it.queue.push_back(it.owners[position])
            position = place_from(new, it.words, position + 1)
        for set_word in range(it.words):
            it.seen[set_word] |= new[set_word]
    for set_word in range(it.words):
        it.free[set_word] &= ~it.seen[set_word]


cdef inline int match(Matching& it) except -1 nogil:
    """Find a largest matching of the neighbors."""
    cdef int32_t word
    cdef size_t set_word
    it.words, it.rows = words_for(it.places), words_for(it.count)
    it.partners.assign(it.count, NONE)
    it.owners.assign(it.places, NONE)
    it.reached_from.assign(it.count, NONE)
    it.moves.assign(it.count, NONE)
    it.users.clear()
    it.matched.assign(it.words, 0)
    it.taken.assign(it.words, 0)
    it.free.assign(it.words, ~<uint64_t>0)
    it.exposed.assign(it.rows, 0)
    it.complete, it.begin = True, 0
    for word in range(it.count):
        put(it.exposed.data(), word)
    for word in range(it.count):
        augment(it, word)
    it.contested.resize(it.words)
    for set_word in range(it.words):
        it.contested[set_word] = ~it.free[set_word]
    it.size = count_all(it.matched.data(), it.words)


cdef inline int find_users(Matching& it) except -1 nogil:
    """For each position the words that may take it."""
    cdef int32_t word, position
    cdef const uint64_t* reach
    if not it.users.empty():
        return 0
    it.users.assign(it.places * it.rows, 0)
    for word in range(it.count):
        reach = it.neighbors.data() + word * it.words
        position = place_from(reach, it.words, 0)
        while position >= 0:
            count_steps(it.steps, 4)
            put(it.users.data() + position * it.rows, word)
            position = place_from(reach, it.words, position + 1)


cdef inline int32_t path_to(Matching& it, int32_t position, int64_t limit) except -2 nogil:
    """An exposed word from which an alternating path leads to a position, or NONE; the moves of its words."""
    cdef size_t index = 0, row
    cdef int32_t word, target
    cdef uint64_t* new
    cdef const uint64_t* users
    find_users(it)
    it.unseen.assign(2 * it.rows, 0)  # the second half: what is new
    new = it.unseen.data() + it.rows
    for word in range(it.begin, it.count):
        put(it.unseen.data(), word)
    it.queue.clear()
    it.queue.push_back(position)
    while index < it.queue.size():
        target = it.queue[index]
        index += 1
        users = it.users.data() + target * it.rows
        take_visits(it, 1)
        for row in range(it.rows):
            new[row] = users[row] & it.unseen[row]
            it.unseen[row] ^= new[row]
        for row in range(it.rows):
            if new[row] & it.exposed[row]:
                new[row] &= it.exposed[row]
                word = place_from(new, it.rows, <int32_t>(64 * row))
                it.moves[word] = target
                return word
        if 0 <= limit < <int64_t>it.queue.size():
            it.complete = False
            break
        word = place_from(new, it.rows, 0)
        while word >= 0:
            it.moves[word] = target
            it.queue.push_back(it.partners[word])
            word = place_from(new, it.rows, word + 1)
    return NONE


cdef inline int32_t augment_into(Matching& it, int32_t position) except -1 nogil:
    """Match one word more, so that a position is taken, if there is a path; how many there are more."""
    cdef int32_t word = path_to(it, position, -1), target, before
    if word == NONE:
        return 0
    drop(it.exposed.data(), word)
    put(it.matched.data(), position)
    while word != NONE:
        target = it.moves[word]
        before = it.owners[target]
        it.owners[target], it.partners[word] = word, target
        word = before
    return 1


cdef inline void unmatch(Matching& it, int32_t word) noexcept nogil:
    cdef int32_t position = it.partners[word]
    it.partners[word] = it.owners[position] = NONE
    put(it.exposed.data(), word)
    drop(it.matched.data(), position)


cdef inline int repair(Matching& it, int32_t word, const uint64_t* taken) except -1 nogil:
    """Make the matching a largest one of the words from `word` on without the positions `taken`."""
    cdef int32_t index, position, missing
    cdef size_t set_word
    it.ended.clear()
    it.back.clear()
    for index in range(word, it.begin):
        it.ended.push_back(index)
    it.seen.resize(2 * it.words)
    for set_word in range(it.words):
        it.seen[set_word] = it.taken[set_word] & ~taken[set_word]
    position = place_from(it.seen.data(), it.words, 0)
    while position >= 0:
        it.back.push_back(position)
        position = place_from(it.seen.data(), it.words, position + 1)
    for index in range(it.begin):
        put(it.exposed.data(), index)
    for index in range(it.begin, word):
        if it.partners[index] != NONE:
            it.back.push_back(it.partners[index])
            unmatch(it, index)
    for set_word in range(it.words):
        it.seen[set_word] = taken[set_word] & it.matched[set_word]
    position = place_from(it.seen.data(), it.words, 0)
    while position >= 0:
        it.ended.push_back(it.owners[position])
        unmatch(it, it.owners[position])
        position = place_from(it.seen.data(), it.words, position + 1)
    for index in range(word):
        drop(it.exposed.data(), index)
    it.begin = word
    count_steps(it.steps, 4 * <int64_t>(it.places + it.count))
    for set_word in range(it.words):
        it.taken[set_word] = taken[set_word]
        it.free[set_word] = ~taken[set_word]
    missing = it.size - count_all(taken, it.words) - count_all(it.matched.data(), it.words)
    for index in it.ended:
        if not missing:
            return 0
        augment(it, index)
        missing -= it.partners[index] != NONE
    for position in it.back:
        if not missing:
            return 0
        if (
            has(it.contested.data(), position)
            and has(it.free.data(), position)
            and not has(it.matched.data(), position)
        ):
            missing -= augment_into(it, position)
    it.waiting = it.exposed  # as they are now
    index = place_from(it.waiting.data(), it.rows, 0)
    while index >= 0 and missing:
        augment(it, index)
        missing -= it.partners[index] != NONE
        index = place_from(it.waiting.data(), it.rows, index + 1)
