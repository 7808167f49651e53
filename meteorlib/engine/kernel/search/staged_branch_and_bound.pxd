"""Breadth-first branch and bound; compiled form of `meteorlib.search.staged_branch_and_bound`."""

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.algorithm cimport nth_element, sort

from meteorlib.engine.kernel.match.candidates cimport no_room
from meteorlib.engine.kernel.search.staged_components cimport Graph
from meteorlib.engine.kernel.search.staged_moves cimport Possible, moves, forget
from meteorlib.engine.kernel.bits cimport count_between, has, put, words_for
from meteorlib.engine.kernel.search.staged_words cimport SCARCE, OpenWord, OpenWords
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.search.staged_tree cimport WIDENING, Node, Rank, Tree, find_keys, hash_of, lay_multipliers, offer, taken_before


cdef inline int branch(
    const OpenWord& word, int32_t level, const Graph& graph, OpenWords& words, int64_t incumbent, Tree& it
) except -1 nogil:
    """The children of the nodes of the last level."""
    cdef size_t index, last = it.links.size(), slots
    cdef int32_t limit = word.highest + 1 if word.kind == SCARCE else words.behind
    cdef int32_t before, move, above
    cdef Possible possible
    cdef const uint64_t* taken
    cdef uint64_t hash
    cdef Node child
    it.children.clear()
    it.hashes.clear()
    it.dominated.clear()
    it.alive = 0
    slots = 16
    while slots < 4 * (last - it.first):
        slots *= 2
    it.slots.assign(slots, -1)
    for index in range(it.first, last):
        taken = it.taken.data() + (index - it.first) * it.words
        hash = hash_of(it, taken, it.keys[level])
        moves(word, level, taken, graph, words, it.answers, possible)
        it.steps += possible.looked_at + possible.effort
        count_steps(it.looked, 8 * (possible.count + 1 + <int64_t>it.words) + 8 * possible.looked_at * <int64_t>it.words)
        child.parent = <int32_t>index
        before = above = 0
        for move in range(possible.count):
            child.position = possible.moves[move].position
            if move == 0:
                above = count_between(taken, child.position, limit)
            else:
                above -= count_between(taken, before, child.position)
            before = child.position
            if possible.allowed != NULL and not has(possible.allowed, graph.places_in[child.position]):
                continue
            child.bound = it.links[index].bound - possible.to_go + possible.moves[move].cost + words.crossing * above
            if possible.moves[move].neighbor >= 0 and possible.moves[move].neighbor != it.links[index].position:
                child.bound += 1
            if child.bound <= incumbent:
                offer(it, child, hash, it.keys[level])
        if possible.may_skip:
            child.position = words.behind
            child.bound = it.links[index].bound - possible.to_go + possible.skipped
            if child.bound <= incumbent:
                offer(it, child, hash, it.keys[level])


cdef inline int keep(Tree& it, size_t width) except -1 nogil:
    """Keep the children of the lowest bounds, of equal ones the first; in order."""
    cdef size_t index, kept
    cdef Rank rank
    cdef Node child
    cdef uint64_t* taken
    it.ranks.clear()
    for index in range(it.children.size()):
        if not it.dominated[index]:
            rank.bound, rank.index = it.children[index].bound, <int32_t>index
            it.ranks.push_back(rank)
    if it.ranks.size() > width:
        nth_element(it.ranks.begin(), it.ranks.begin() + width, it.ranks.end())
        it.dropped.push_back(it.ranks[width].bound)
        it.ranks.resize(width)
        for index in range(it.ranks.size()):
            # back into the order of their moves, which decides among equals later
            it.ranks[index].bound = 0
        sort(it.ranks.begin(), it.ranks.end())
    else:
        it.dropped.push_back(INT64_MAX)
    kept = it.ranks.size()
    it.next_taken.resize(kept * it.words)
    for index in range(kept):
        child = it.children[it.ranks[index].index]
        taken = it.next_taken.data() + index * it.words
        memcpy(taken, taken_before(it, child), it.words * sizeof(uint64_t))
        if child.position != it.behind:
            put(taken, child.position)
        it.links.push_back(child)
    it.taken.swap(it.next_taken)
    if it.links.size() >= INT32_MAX:
        no_room()


cdef inline bool trace(Tree& it) noexcept nogil:
    """The moves that lead to the best leaf, and whether no node that was dropped could have led to a better one."""
    cdef size_t index, leaf = it.first
    cdef int32_t level
    cdef bool proven = True
    for index in range(it.first + 1, it.links.size()):
        if it.links[index].bound < it.links[leaf].bound:
            leaf = index
    it.cost = it.links[leaf].bound
    for level in range(<int32_t>it.dropped.size() - 1, -1, -1):
        proven = proven and (
            it.dropped[level] > it.cost or (it.dropped[level] == it.links[leaf].bound == it.cost)
        )
        it.found[level] = it.links[leaf].position
        leaf = it.links[leaf].parent
    return proven


cdef inline bint search(
    const Graph& graph, OpenWords& words, size_t width, int64_t incumbent, int64_t limit, Tree& it
) except -1 nogil:
    """The best solution that costs no more than the incumbent, if there is one; whether it is proven the best."""
    cdef size_t last
    cdef int32_t level
    cdef Node root
    it.first = 0
    root.bound, root.position, root.parent = words.bound, -1, -1
    it.links.clear()
    it.links.push_back(root)
    it.taken.assign(it.words, 0)
    it.dropped.clear()
    it.found.resize(words.words.size())
    it.cost = INT64_MAX
    for level in range(<int32_t>words.words.size()):
        last = it.links.size()
        branch(words.words[level], level, graph, words, incumbent, it)
        if it.steps > limit:
            return False
        keep(it, width)
        it.first = last
        if it.first == it.links.size():
            return False
    return trace(it)


cdef inline int take_better(Tree& it) except -1 nogil:
    """Keep the cheaper of two solutions; of equal ones, the one whose positions are smaller in order."""
    if it.cost < it.least or (it.cost == it.least and it.cost < INT64_MAX and it.found < it.best):
        it.least = it.cost
        it.best = it.found


cdef inline bint cheapest(const Graph& graph, OpenWords& words, int64_t budget, Tree& it) except -1 nogil:
    """The cheapest choice of moves, `best`, and whether that is proven."""
    cdef int64_t greedy_steps, affordable, width = 1
    cdef bint proven
    it.words, it.behind = max(<size_t>1, words_for(words.behind)), words.behind
    lay_multipliers(it)
    it.steps, it.least = 0, INT64_MAX
    forget(it.answers)
    find_keys(words, it)
    proven = search(graph, words, 1, INT64_MAX, INT64_MAX, it)
    take_better(it)
    greedy_steps = it.steps
    while not proven:
        affordable = (budget + greedy_steps - it.steps) // greedy_steps
        if affordable <= width:
            break
        width = min(WIDENING * width, affordable)
        proven = search(graph, words, <size_t>width, it.least, greedy_steps + 2 * budget, it)
        take_better(it)
    return proven
